/** Rows of a relation. They are read in pages, and written one at a time or many at once. */
import { graphql } from "../http/ask.ts";
import type { Column, Relation } from "./relations.ts";
import { isGeometry } from "./isGeometry.ts";
import { t } from "../../words/words.ts";

/** A value as GraphQL returns it. */
export type Value = unknown;

export interface Row {
  /** Undefined where the relation has no key. */
  readonly key: string | undefined;
  /** Changes with each write to the row. */
  readonly version: string | undefined;
  readonly values: Readonly<Record<string, Value>>;
  /** The columns whose shape has a coordinate that is not finite: GraphQL gives it as null. Default none. */
  readonly notFinite?: readonly string[];
}

export interface Choice {
  /** A filter of the filter language. */
  readonly where: object | undefined;
  readonly sort: { readonly column: string; readonly direction: "asc" | "desc" } | undefined;
  /** The instant of the rows. Default: now. */
  readonly at?: string | undefined;
}

/** The start of a page: after or before a row, or after a number of rows. */
export type From =
  | { readonly after: string | undefined }
  /** The last rows before `before`, or the last rows of all where it is undefined. */
  | { readonly before: string | undefined; readonly last: number }
  | { readonly offset: number };

export interface RowPage {
  readonly rows: readonly Row[];
  readonly from: From;
  /** The start of the next page; undefined after the last one. */
  readonly next: From | undefined;
  /** The start of the previous page; undefined where it is not known. */
  readonly previous: From | undefined;
}

export const PAGE_SIZE = 200;

type Raw = Readonly<Record<string, Value>>;

function selectionOf({ columns, hasKey }: Relation): string {
  const selected = [...(hasKey ? ["nodeId", "_version"] : []), ...columns.map(({ selection }) => selection)];
  return selected.length > 0 ? selected.join(" ") : "__typename"; // a row without columns still counts as a row
}

function toRow(raw: Raw): Row {
  const { nodeId, _version, __typename, ...values } = raw;
  return {
    key: typeof nodeId === "string" ? keyOf(nodeId) : undefined,
    version: typeof _version === "string" ? _version : undefined,
    values,
  };
}

/** The key in a nodeId, which is base64url of the type's name, a colon and the key in the form of `id`. */
export function keyOf(nodeId: string): string {
  const bytes = Uint8Array.from(atob(nodeId.replaceAll("-", "+").replaceAll("_", "/")), (letter) =>
    letter.charCodeAt(0),
  );
  const text = new TextDecoder().decode(bytes);
  return text.slice(text.indexOf(":") + 1);
}

/** The most fields in one document. The service accepts 1000 by default. */
const MOST_WORDS = 800;

/**
 * The relation in parts with some of its columns each. There are as few parts as the limit of a document allows, nearly
 * always one.
 */
function partsOf(relation: Relation): readonly Relation[] {
  const parts: Column[][] = [[]];
  let words = 0;
  for (const column of relation.columns) {
    const more = column.selection.split(/\s+/).length;
    if (words + more > MOST_WORDS) {
      parts.push([]);
      words = 0;
    }
    words += more;
    parts.at(-1)!.push(column);
  }
  return parts.map((columns) => ({ ...relation, columns }));
}

const TRIES = 3;

/**
 * Reads a page: by key if the relation has one, otherwise by number. Columns that are too many for one document are
 * read by several, of the same versions of the rows.
 */
export async function readPage(relation: Relation, choice: Choice, from: From, signal: AbortSignal): Promise<RowPage> {
  const parts = partsOf(relation);
  for (let tries = 1; ; tries++) {
    const [first, ...others] = await Promise.all(parts.map((part) => readPart(part, choice, from, signal)));
    const rows = first!.rows.map((row, index) =>
      others.reduce<Row | undefined>((whole, { rows }) => joined(whole, rows[index]), row),
    );
    if (rows.every((row): row is Row => row !== undefined))
      return { ...first!, rows: await withNotFinite(relation, rows, choice, signal) };
    if (tries === TRIES) throw new Error(t("Rows change while they are read. Reload to try again."));
  }
}

/** The most keys in one condition. */
const MOST_KEYS = 100;

/** The rows with the columns that only look empty: those of shapes whose null is said to be none by a filter. */
async function withNotFinite(
  relation: Relation,
  rows: readonly Row[],
  { at }: Choice,
  signal: AbortSignal,
): Promise<readonly Row[]> {
  const found = new Map<string, string[]>();
  const { key } = relation;
  if (key.length === 0) return withNotFiniteAlike(relation, rows, at, signal);
  for (const { name } of relation.columns.filter(isGeometry)) {
    const empty = rows.filter(({ values }) => values[name] === null);
    for (let from = 0; from < empty.length; from += MOST_KEYS) {
      const keys = empty
        .slice(from, from + MOST_KEYS)
        .map(({ values }) => Object.fromEntries(key.map((each) => [each.name, { eq: values[each.name] }])));
      const where = { and: [{ or: keys }, { not: { [name]: null } }] };
      const asked = readPart({ ...relation, columns: [] }, { where, sort: undefined, at }, { offset: 0 }, signal);
      const filled = await asked.catch(() => ({ rows: [] })); // a column may not be filtered by
      for (const row of filled.rows) found.set(row.key!, [...(found.get(row.key!) ?? []), name]);
    }
  }
  if (found.size === 0) return rows;
  return rows.map((row) => {
    const notFinite = found.get(row.key!);
    return notFinite ? { ...row, notFinite } : row;
  });
}

/** Types whose values come back as they were given, so that a filter finds them. */
const EXACT = /^(smallint|integer|bigint|text|character varying(\(\d+\))?|boolean|uuid|date)$/;

/** The same without a key, by all other values. Of rows that are alike in these, the first ones get what some of them have. */
async function withNotFiniteAlike(
  relation: Relation,
  rows: readonly Row[],
  at: string | undefined,
  signal: AbortSignal,
): Promise<readonly Row[]> {
  const others = relation.columns.filter((column) => !isGeometry(column));
  const exact = others.filter(({ sqlType }) => EXACT.test(sqlType));
  const likeness = ({ values }: Row): string => JSON.stringify(others.map(({ name }) => values[name]));
  let all = rows;
  for (const column of relation.columns.filter(isGeometry)) {
    const { name } = column;
    const isEmpty = ({ values }: Row): boolean => values[name] === null;
    const empty = [...new Map(rows.filter(isEmpty).map((row) => [likeness(row), row])).values()];
    const counts = new Map<string, number>();
    for (let from = 0; from < empty.length; from += MOST_KEYS) {
      const alike = empty
        .slice(from, from + MOST_KEYS)
        .map(({ values }) =>
          Object.fromEntries(
            exact.map((each) => [each.name, values[each.name] === null ? null : { eq: values[each.name] }]),
          ),
        );
      const where = { and: [...(exact.length > 0 ? [{ or: alike }] : []), { not: { [name]: null } }] };
      const part = { ...relation, columns: [...others, column] };
      const asked = readPart(part, { where, sort: undefined, at }, { offset: 0 }, signal);
      const filled = await asked.catch(() => ({ rows: [] })); // a column may not be filtered by
      for (const row of filled.rows.filter(isEmpty)) counts.set(likeness(row), (counts.get(likeness(row)) ?? 0) + 1);
    }
    all = all.map((row) => {
      const count = isEmpty(row) ? (counts.get(likeness(row)) ?? 0) : 0;
      if (count === 0) return row;
      counts.set(likeness(row), count - 1);
      return { ...row, notFinite: [...(row.notFinite ?? []), name] };
    });
  }
  return all;
}

/** The joined row; undefined where the parts are not of the same version of the same row. */
function joined(row: Row | undefined, other: Row | undefined): Row | undefined {
  if (row?.key !== other?.key || row?.version !== other?.version) return undefined;
  return row && { ...row, values: { ...row.values, ...other?.values } };
}

async function readPart(
  relation: Relation,
  { where, sort, at }: Choice,
  from: From,
  signal: AbortSignal,
): Promise<RowPage> {
  const { schema, type, key } = relation;
  const orderBy = sort && { [sort.column]: sort.direction };
  const [declared, given] = asOf(at);
  if ("offset" in from) {
    const { offset } = from;
    const byKey = key.map(({ name }) => ({ [name]: "asc" })); // in the order of pages
    const { list } = await graphql<{ list: readonly Raw[] }>(
      schema,
      `query ($where: JSON, $orderBy: JSON, $limit: Int, $offset: Int${declared}) {
        list: get${type}(where: $where, orderBy: $orderBy, limit: $limit, offset: $offset${given}) { ${selectionOf(relation)} }
      }`,
      { where, orderBy: [...(orderBy ? [orderBy] : []), ...byKey], limit: PAGE_SIZE, offset, at },
      { signal },
    );
    return {
      rows: list.map(toRow),
      from,
      next: list.length < PAGE_SIZE ? undefined : { offset: offset + PAGE_SIZE },
      previous: { offset: Math.max(0, offset - PAGE_SIZE) },
    };
  }
  const { page } = await graphql<{
    page: { nodes: readonly Raw[]; pageInfo: Readonly<Record<"hasNextPage" | "hasPreviousPage", boolean>> & Cursors };
  }>(
    schema,
    `query ($where: JSON, $orderBy: JSON, $first: Int, $after: String, $last: Int, $before: String${declared}) {
      page: page${type}(where: $where, orderBy: $orderBy, first: $first, after: $after, last: $last, before: $before${given}) {
        nodes { ${selectionOf(relation)} } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      }
    }`,
    { where, orderBy, ...("last" in from ? from : { ...from, first: PAGE_SIZE }), at },
    { signal },
  );
  const { hasNextPage, hasPreviousPage, startCursor, endCursor } = page.pageInfo;
  return {
    rows: page.nodes.map(toRow),
    from,
    next: hasNextPage ? { after: endCursor } : undefined,
    previous: hasPreviousPage ? { before: startCursor, last: PAGE_SIZE } : undefined,
  };
}

type Cursors = Readonly<Record<"startCursor" | "endCursor", string>>;

/** The GraphQL variable of an instant, as its declaration and its use. Tables without history do not have it. */
function asOf(at: string | undefined): readonly [declared: string, given: string] {
  return at === undefined ? ["", ""] : [", $at: DateTime", ", asOf: $at"];
}

export async function countRows(
  schema: string,
  { type }: Pick<Relation, "type">,
  { where, at }: Pick<Choice, "where" | "at">,
  signal?: AbortSignal,
): Promise<number> {
  const [declared, given] = asOf(at);
  const { all } = await graphql<{ all: readonly { count: number }[] }>(
    schema,
    `query ($where: JSON${declared}) { all: aggregate${type}(where: $where${given}) { count } }`,
    { where, at },
    { signal },
  );
  return all[0]?.count ?? 0;
}

/** The service's error about an outdated version, worded for the reader of the row. */
export function ofConflict(message: string): string {
  return message.startsWith("ifMatch: ") ? changedSince() : message;
}

function changedSince(): string {
  return t("Somebody has changed this row since you read it. Reload to see it as it is now.");
}

/** Whether an error of `updateCell` is about the version of the row. Duplicate keys have the same code. */
export function isAboutVersion(error: Error | null): boolean {
  return error?.message === changedSince();
}

/**
 * Writes one cell. Throws where somebody else has changed the row meanwhile. Returns the present row; for a very wide
 * row, only the columns that are read together with this one.
 */
export async function updateCell(relation: Relation, row: Row, column: string, value: Value): Promise<Row> {
  const part = partsOf(relation).find(({ columns }) => columns.some(({ name }) => name === column))!;
  const { rows } = await graphql<{ rows: readonly Raw[] }>(
    relation.schema,
    `mutation ($id: ID, $data: JSON, $ifMatch: String) {
      rows: update${relation.type}(id: $id, data: $data, ifMatch: $ifMatch) { ${selectionOf(part)} }
    }`,
    { id: row.key, data: { [column]: value }, ifMatch: row.version },
    { tell: ofConflict, mayBeLarge: true },
  );
  const now = toRow(rows[0]!);
  const notFinite = row.notFinite?.filter((name) => name !== column);
  return { ...now, values: { ...row.values, ...now.values }, ...(notFinite && { notFinite }) };
}

/** `key`: as of `graphql`. */
export async function insertRow(
  schema: string,
  relation: Relation,
  data: Readonly<Record<string, Value>>,
  key: string,
): Promise<void> {
  const mutation = `mutation ($data: JSON) { insert${relation.type}(data: $data) { __typename } }`;
  await graphql(schema, mutation, { data }, { key, mayBeLarge: true });
}

/** Deletes all of the rows or none. */
export async function deleteRows(schema: string, relation: Relation, rows: readonly Row[]): Promise<void> {
  const names = rows.map((_, index) => `$id${index}: ID, $version${index}: String`).join(", ");
  const fields = rows.map(
    (_, index) => `row${index}: delete${relation.type}(id: $id${index}, ifMatch: $version${index}) { __typename }`,
  );
  const variables = Object.fromEntries(
    rows.flatMap((row, index) => [
      [`id${index}`, row.key],
      [`version${index}`, row.version],
    ]),
  );
  await graphql(schema, `mutation (${names}) { ${fields.join(" ")} }`, variables);
}

/** Rows of a relation: read by pages, written one at a time or many at once. */
import { graphql } from "../http/ask.ts";
import type { Column, Relation } from "./relations.ts";
import { t } from "../../words/words.ts";

/** A value as GraphQL gives it. */
export type Value = unknown;

export interface Row {
  /** Undefined where the relation has no key. */
  readonly key: string | undefined;
  /** Another one after each change. */
  readonly version: string | undefined;
  readonly values: Readonly<Record<string, Value>>;
}

export interface Choice {
  /** In the filter language. */
  readonly where: object | undefined;
  readonly sort: { readonly column: string; readonly direction: "asc" | "desc" } | undefined;
  /** The rows as they were at this instant; now where it is left out. */
  readonly at?: string | undefined;
}

/** A place from which a page is read: after or before a row, or a number of rows after the first one. */
export type From =
  | { readonly after: string | undefined }
  /** The last rows before it, or the last ones of all where it is missing. */
  | { readonly before: string | undefined; readonly last: number }
  | { readonly offset: number };

export interface RowPage {
  readonly rows: readonly Row[];
  readonly from: From;
  /** The beginning of the next page; undefined after the last one. */
  readonly next: From | undefined;
  /** The beginning of the page before it; undefined where that is unknown. */
  readonly previous: From | undefined;
}

export const PAGE_SIZE = 200;

type Raw = Readonly<Record<string, Value>>;

function selectionOf({ columns, hasKey }: Relation): string {
  const selected = [...(hasKey ? ["nodeId", "_version"] : []), ...columns.map(({ selection }) => selection)];
  return selected.length > 0 ? selected.join(" ") : "__typename"; // a row of nothing is a row all the same
}

function toRow(raw: Raw): Row {
  const { nodeId, _version, __typename, ...values } = raw;
  return {
    key: typeof nodeId === "string" ? keyOf(nodeId) : undefined,
    version: typeof _version === "string" ? _version : undefined,
    values,
  };
}

/** A nodeId is base64url of the type's name, a colon and the key as `id` takes it. */
export function keyOf(nodeId: string): string {
  const bytes = Uint8Array.from(atob(nodeId.replaceAll("-", "+").replaceAll("_", "/")), (letter) =>
    letter.charCodeAt(0),
  );
  const text = new TextDecoder().decode(bytes);
  return text.slice(text.indexOf(":") + 1);
}

/** The most fields of one document: the service takes 1000 by default. */
const MOST_WORDS = 800;

/** The same relation with some of its columns each, as few as one document may ask for; nearly always one. */
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
 * Pages by key where the relation has one, else by number. Columns that are too many for one document come by several, of
 * the same versions of the rows.
 */
export async function readPage(relation: Relation, choice: Choice, from: From, signal: AbortSignal): Promise<RowPage> {
  const parts = partsOf(relation);
  for (let tries = 1; ; tries++) {
    const [first, ...others] = await Promise.all(parts.map((part) => readPart(part, choice, from, signal)));
    const rows = first!.rows.map((row, index) =>
      others.reduce<Row | undefined>((whole, { rows }) => joined(whole, rows[index]), row),
    );
    if (rows.every((row): row is Row => row !== undefined)) return { ...first!, rows };
    if (tries === TRIES) throw new Error(t("Rows change while they are read. Reload to try again."));
  }
}

/** Undefined where they are not of the same version of the same row. */
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
    const byKey = key.map(({ name }) => ({ [name]: "asc" })); // as pages are
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

/** The variable of an instant, which tables without history do not take: its declaration, and where it is given. */
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

/** The service's error about an outdated version, in words for the reader of the row. */
export function ofConflict(message: string): string {
  if (!message.startsWith("ifMatch: ")) return message;
  return t("Somebody has changed this row since you read it. Reload to see it as it is now.");
}

/**
 * Writes one cell; throws where somebody else has changed the row meanwhile. Gives the row as it is now, of a very wide one
 * those columns that are read with this one.
 */
export async function updateCell(relation: Relation, row: Row, column: string, value: Value): Promise<Row> {
  const part = partsOf(relation).find(({ columns }) => columns.some(({ name }) => name === column))!;
  const { rows } = await graphql<{ rows: readonly Raw[] }>(
    relation.schema,
    `mutation ($id: ID, $data: JSON, $ifMatch: String) {
      rows: update${relation.type}(id: $id, data: $data, ifMatch: $ifMatch) { ${selectionOf(part)} }
    }`,
    { id: row.key, data: { [column]: value }, ifMatch: row.version },
    { tell: ofConflict },
  );
  const now = toRow(rows[0]!);
  return { ...now, values: { ...row.values, ...now.values } };
}

export async function insertRow(
  schema: string,
  relation: Relation,
  data: Readonly<Record<string, Value>>,
): Promise<void> {
  await graphql(schema, `mutation ($data: JSON) { insert${relation.type}(data: $data) { __typename } }`, { data });
}

/** All of them or none. */
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

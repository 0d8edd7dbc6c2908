/** The rows of an edited layer. They are read with their versions, and written in one transaction. */
import { graphql, ServiceError } from "../../../service/http/ask.ts";
import type { Column, Relation } from "../../../service/rows/relations.ts";
import { keyOf, readPage, type From, type Row, type Value } from "../../../service/rows/rows.ts";
import { systemsOf } from "../../../service/rows/systems.ts";
import { toData } from "../../../ui/forms/GivenValues.tsx";
import type { Edit, Edits } from "./edits.ts";
import { ewkt, fitted, typesOf } from "./shapes.ts";
import { t } from "../../../words/words.ts";

/** The most rows in view, since more could not be distinguished by hand. */
export const MOST_EDITED = 1000;

export interface EditedTable {
  readonly relation: Relation;
  /** The geometry column that the map shows. */
  readonly column: Column;
}

export interface RowsInView {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
  /** The keys of the rows whose shapes the map would change. */
  readonly unfaithful: ReadonlySet<string>;
}

/** The rows in a box. `box`: in degrees. */
export async function rowsWithin(
  { relation, column }: EditedTable,
  box: readonly number[],
  signal: AbortSignal,
): Promise<Omit<RowsInView, "unfaithful">> {
  const rows: Row[] = [];
  for (let from: From | undefined = { after: undefined }; from;) {
    const page = await readPage(relation, { where: { [column.name]: { bbox: box } }, sort: undefined }, from, signal);
    rows.push(...page.rows);
    from = page.next;
    if (rows.length >= MOST_EDITED) return { rows: rows.slice(0, MOST_EDITED), hasMore: from !== undefined };
  }
  return { rows, hasMore: false };
}

/** The most keys in one condition. */
const MOST_KEYS = 100;

/** The present rows of keys, by key. Rows that are gone are not among them. `rows`: the rows as they were read. */
export async function rowsNow(
  { relation }: EditedTable,
  rows: readonly Row[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Row>> {
  const now = new Map<string, Row>();
  for (let at = 0; at < rows.length; at += MOST_KEYS) {
    const keys = rows
      .slice(at, at + MOST_KEYS)
      .map(({ values }) => Object.fromEntries(relation.key.map(({ name }) => [name, { eq: values[name] }])));
    const page = await readPage(relation, { where: { or: keys }, sort: undefined }, { after: undefined }, signal);
    for (const row of page.rows) now.set(row.key!, row);
  }
  return now;
}

/** A row that somebody else has changed or removed since it was read. */
export class ConflictError extends Error {
  /** The keys of the rows that may be meant. */
  readonly keys: readonly string[];
  constructor(keys: readonly string[]) {
    super(
      keys.length === 1
        ? t("Somebody has changed row {key} since you read it.", { key: keys[0]! })
        : t("Somebody has changed one of these rows since you read it."),
    );
    this.keys = keys;
  }
}

export type Data = Readonly<Record<string, Value>>;

/**
 * The values that an edit writes, by the names of columns. Throws where a text is no value of its column. `system`: the
 * reference system of a new shape. GeoJSON always has that of the map, so a shape without one is not written by it.
 */
export function dataOf({ relation, column }: EditedTable, { row, shape, given, copied }: Edit, system?: number): Data {
  const columns = row ? relation.columns : relation.insertColumns;
  const written = shape && fitted(shape, typesOf(column.sqlType));
  return {
    ...copied,
    ...toData(columns, given),
    ...(written && { [column.name]: !row && system === 0 ? ewkt(written) : written }),
  };
}

/** Writes all edits or none, once for the key. Returns the keys of the new rows. Throws `ConflictError`, `ServiceError`. */
export async function saveEdits(table: EditedTable, edits: Edits, key: string): Promise<readonly string[]> {
  const { schema, type } = table.relation;
  const all = [...edits.values()];
  const changes = all.filter(({ row, isRemoved }) => row && !isRemoved);
  const removals = all.filter(({ row, isRemoved }) => row && isRemoved);
  const inserts = all.filter(({ row }) => !row);
  const { ofNew } = inserts.length > 0 ? await systemsOf(table.relation, table.column) : { ofNew: undefined };
  const variables: Record<string, unknown> = {};
  const declared: string[] = [];
  const fields: string[] = [];
  const give = (name: string, sort: string, value: unknown): string => {
    declared.push(`$${name}: ${sort}`);
    variables[name] = value;
    return `$${name}`;
  };
  if (changes.length > 0) {
    const objects = changes.map((edit) => ({
      id: edit.row!.key,
      data: dataOf(table, edit),
      ifMatch: edit.row!.version,
    }));
    fields.push(`changed: update${type}(objects: ${give("objects", "[JSON]", objects)}) { nodeId }`);
  }
  removals.forEach(({ row }, n) => {
    const [id, version] = [give(`id${n}`, "ID", row!.key), give(`version${n}`, "String", row!.version)];
    fields.push(`removed${n}: delete${type}(id: ${id}, ifMatch: ${version}) { nodeId }`);
  });
  inserts.forEach((edit, n) =>
    fields.push(`made${n}: insert${type}(data: ${give(`data${n}`, "JSON", dataOf(table, edit, ofNew))}) { nodeId }`),
  );
  if (fields.length === 0) return [];
  try {
    const answer = await graphql<Readonly<Record<string, readonly { readonly nodeId: string }[]>>>(
      schema,
      `mutation (${declared.join(", ")}) { ${fields.join(" ")} }`,
      variables,
      { key, mayBeLarge: true },
    );
    return inserts.map((_, n) => keyOf(answer[`made${n}`]![0]!.nodeId));
  } catch (error) {
    throw (
      asConflict(error as Error, changes, removals) ??
      asTooLarge(error as Error, variables) ??
      withKey(error as Error, changes)
    );
  }
}

/** The error with the row's key. The service names a row by its place among the written ones. */
function withKey(error: Error, changes: readonly Edit[]): Error {
  const [, place, message = ""] = /^objects\.(\d+): (.*)$/s.exec(error.message) ?? [];
  const row = changes[Number(place)]?.row;
  if (!row || !(error instanceof ServiceError)) return error;
  return new ServiceError(t("Row {key}: {message}", { key: row.key!, message }), error.code, {
    requestId: error.requestId,
  });
}

const MEGABYTE = 1_000_000;

/** The error of a body that is too large, with its size and what helps. */
function asTooLarge(error: Error, variables: object): Error | undefined {
  if (!(error instanceof ServiceError) || error.code !== "TOO_LARGE") return undefined;
  const bytes = new TextEncoder().encode(JSON.stringify(variables)).length;
  return new Error(
    t(
      "The changes have {size} MB, which is more than the service takes at once. Save fewer rows at a time, simplify the shape, or ask the operator for a larger maxLargeBodyBytes.",
      { size: (bytes / MEGABYTE).toFixed(1) },
    ),
  );
}

/**
 * The conflict in an error. The service names a changed row by its place among the written ones, and does not name a
 * removed row.
 */
function asConflict(error: Error, changes: readonly Edit[], removals: readonly Edit[]): ConflictError | undefined {
  if (!(error instanceof ServiceError) || error.code !== "CONFLICT" || !error.message.includes("ifMatch: "))
    return undefined;
  const [, place] = /^objects\.(\d+): /.exec(error.message) ?? [];
  const meant = place === undefined ? removals : [changes[Number(place)]!];
  return new ConflictError(meant.map(({ row }) => row!.key!));
}

/** Many cells of many rows at once, each with a value of its own, and the way back. */
import { graphql } from "./ask.ts";
import type { Relation } from "./relations.ts";
import type { Row, Value } from "./rows.ts";
import { shorten } from "./values.ts";

export interface RowChange {
  readonly row: Row;
  /** By the names of columns. */
  readonly values: Readonly<Record<string, Value>>;
}

/** Some rows could not be taken back after another was refused, and keep what was written. */
export class PartlyWritten extends Error {
  /** What takes them back. */
  readonly undo: readonly RowChange[];

  constructor(undo: readonly RowChange[], count: number, refused: Error, left: Error) {
    const keys = shorten(undo.map(({ row }) => row.key).join(", "), LONGEST_KEYS);
    super(
      `Only ${undo.length} of ${count} rows are written: ${keys}. ${refused.message} They could not be taken back: ${left.message}`,
    );
    this.undo = undo;
  }
}

/** Of the keys that are named in a message. */
const LONGEST_KEYS = 200;

/** One document has no more aliases than 30. */
const AT_ONCE = 20;

/**
 * Writes all of them or none, and none over what somebody else has written. Gives what takes them back. Those that do not
 * fit one request come by several: where one is refused, those before it are taken back. Throws `PartlyWritten` where that
 * fails too.
 */
export async function writeCells(relation: Relation, changes: readonly RowChange[]): Promise<readonly RowChange[]> {
  const undo: RowChange[] = [];
  try {
    for (let begin = 0; begin < changes.length; begin += AT_ONCE)
      undo.push(...(await writeSome(relation, changes.slice(begin, begin + AT_ONCE))));
  } catch (error) {
    await takeBack(relation, undo, changes.length, error as Error);
    throw error;
  }
  return undo;
}

/** `refused`: why, of so many rows that were to be written. Throws `PartlyWritten`. */
async function takeBack(relation: Relation, undo: readonly RowChange[], count: number, refused: Error): Promise<void> {
  const kept: RowChange[] = [];
  let left: Error | undefined;
  for (let begin = 0; begin < undo.length; begin += AT_ONCE) {
    const some = undo.slice(begin, begin + AT_ONCE);
    try {
      await writeSome(relation, some);
    } catch (error) {
      kept.push(...some);
      left = error as Error;
    }
  }
  if (left) throw new PartlyWritten(kept, count, refused, left);
}

async function writeSome({ schema, type }: Relation, changes: readonly RowChange[]): Promise<readonly RowChange[]> {
  const names = changes.map((_, index) => `$id${index}: ID, $data${index}: JSON, $version${index}: String`).join(", ");
  const fields = changes.map(
    (_, index) =>
      `row${index}: update${type}(id: $id${index}, data: $data${index}, ifMatch: $version${index}) { _version }`,
  );
  const variables = Object.fromEntries(
    changes.flatMap(({ row, values }, index) => [
      [`id${index}`, row.key],
      [`data${index}`, values],
      [`version${index}`, row.version],
    ]),
  );
  const answer = await graphql<Readonly<Record<string, readonly { readonly _version: string }[]>>>(
    schema,
    `mutation (${names}) { ${fields.join(" ")} }`,
    variables,
    undefined,
    (message, [field]) => {
      const refused = changes[Number(/^row(\d+)$/.exec(String(field))?.[1])];
      return refused ? `Row ${refused.row.key}, ${Object.keys(refused.values).join(", ")}: ${message}` : message;
    },
  );
  return changes.map(({ row, values }, index) => ({
    row: { ...row, version: answer[`row${index}`]![0]!._version },
    values: Object.fromEntries(Object.keys(values).map((name) => [name, row.values[name]])),
  }));
}

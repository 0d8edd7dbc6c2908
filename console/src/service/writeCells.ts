/** Many cells of many rows at once, each with a value of its own, and the way back. */
import { graphql } from "./ask.ts";
import type { Relation } from "./relations.ts";
import type { Row, Value } from "./rows.ts";

export interface RowChange {
  readonly row: Row;
  /** By the names of columns. */
  readonly values: Readonly<Record<string, Value>>;
}

/** One document has no more aliases than 30. */
const AT_ONCE = 20;

/**
 * Writes all of them or none, and none over what somebody else has written. Gives what takes them back. Those that do not
 * fit one request come by several: where one is refused, those before it are taken back.
 */
export async function writeCells(relation: Relation, changes: readonly RowChange[]): Promise<readonly RowChange[]> {
  const undo: RowChange[] = [];
  try {
    for (let begin = 0; begin < changes.length; begin += AT_ONCE)
      undo.push(...(await writeSome(relation, changes.slice(begin, begin + AT_ONCE))));
  } catch (error) {
    for (let begin = 0; begin < undo.length; begin += AT_ONCE)
      await writeSome(relation, undo.slice(begin, begin + AT_ONCE));
    throw error;
  }
  return undo;
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

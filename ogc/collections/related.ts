/** The tables that foreign keys join with others, and the names by which a filter knows them. */
import type { Readable, RelatedTable } from "./collections.ts";

/** A foreign key, by oids of relations and numbers of their columns. */
export interface ForeignKey {
  readonly from: number;
  readonly columns: readonly number[];
  readonly to: number;
  readonly key: readonly number[];
}

/**
 * Fills `related` of all `tables`. A related table has its own name where only one foreign key leads to it. It always
 * has a second name: its own, `_by_`, and the referring columns, as in `towns_by_former_town`.
 */
export function relate(
  tables: ReadonlyMap<number, Readable & { readonly related: Map<string, RelatedTable> }>,
  foreignKeys: readonly ForeignKey[],
): void {
  for (const [oid, here] of tables) {
    const found = foreignKeys.flatMap(({ from, columns, to, key }) => {
      const [referring, referred] = [tables.get(from), tables.get(to)];
      if (!referring || !referred) return [];
      const names = namesOf(referring, columns);
      const keyNames = namesOf(referred, key);
      const toOne = { target: referred, by: names, on: pairs(names, keyNames) };
      const toMany = { target: referring, by: names, on: pairs(keyNames, names) };
      return [...(from === oid ? [toOne] : []), ...(to === oid ? [toMany] : [])];
    });
    for (const { target, by, on } of found) {
      const isOnly = found.filter((other) => other.target.relation === target.relation).length === 1;
      const long = `${target.relation}_by_${by.join("_and_")}`;
      for (const name of isOnly ? [target.relation, long] : [long])
        if (!here.related.has(name)) here.related.set(name, { target, on });
    }
  }
}

function namesOf({ columns }: Readable, numbers: readonly number[]): string[] {
  return numbers.map((number) => columns.find((column) => column.number === number)!.name);
}

const pairs = (here: readonly string[], there: readonly string[]): [string, string][] =>
  here.map((name, index) => [name, there[index]!]);

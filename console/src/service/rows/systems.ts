/** The reference systems of the shapes in a column that is not declared with one. */
import { quotedName } from "../sql/literals.ts";
import { runStatements } from "../sql/statements.ts";
import type { Column, Relation } from "./relations.ts";

/** That of GeoJSON, and of the map. */
export const WGS84 = 4326;

/** Whether the shapes of a column have the reference system of the column, whatever GeoJSON says. */
export function hasSystem({ sqlType }: Column): boolean {
  return /,\s*\d+\)/.test(sqlType) || /^(\w+\.)?geography\b/.test(sqlType);
}

export interface Systems {
  /** That of a new shape from the map, 0 for none; undefined where all shapes have systems that the map does not have. */
  readonly ofNew: number | undefined;
  /** The number of rows with systems that the map does not have. */
  readonly others: number;
  /** Their systems. */
  readonly otherSystems: readonly number[];
}

const OF_MAP: Systems = { ofNew: WGS84, others: 0, otherSystems: [] };

/** Reads all rows of a column without a reference system. Throws `ServiceError`. */
export async function systemsOf({ schema, table }: Relation, column: Column): Promise<Systems> {
  if (hasSystem(column)) return OF_MAP;
  const shape = `t.${quotedName(column.column)}`;
  const text = `
select st_srid(${shape}) as system, count(*)::int as count
from ${quotedName(schema)}.${quotedName(table)} t where ${shape} is not null
group by 1 order by 2 desc`;
  const [result] = await runStatements([{ text, params: {} }], false);
  const found = (result?.data ?? []) as unknown as readonly { readonly system: number; readonly count: number }[];
  if (found.length === 0) return OF_MAP;
  const others = found.filter(({ system }) => system !== 0 && system !== WGS84);
  return {
    ofNew: found.find((each) => !others.includes(each))?.system,
    others: others.reduce((sum, { count }) => sum + count, 0),
    otherSystems: others.map(({ system }) => system),
  };
}

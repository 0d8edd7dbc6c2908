/** The reference systems of the shapes in a column that is not declared with one. */
import { quotedName } from "../sql/literals.ts";
import { runStatements } from "../sql/statements.ts";
import type { Column, Relation } from "./relations.ts";
import type { Row } from "./rows.ts";

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

/** The reference system in which a drawn shape is written, 0 for none. */
export interface SystemToWrite {
  readonly system: number;
  /** The shapes that have it: the present one of the row, or most of the column. Undefined where there are none. */
  readonly of: "row" | "column" | undefined;
}

/** For a column that is not declared with a system. `row`: undefined for a new one. Throws `ServiceError`. */
export async function systemToWrite(relation: Relation, column: Column, row: Row | undefined): Promise<SystemToWrite> {
  const { schema, table, key } = relation;
  const from = `${quotedName(schema)}.${quotedName(table)} t`;
  const shape = `t.${quotedName(column.column)}`;
  const first = async (text: string, params: Readonly<Record<string, unknown>>): Promise<number | undefined> => {
    const [result] = await runStatements([{ text, params }], false);
    return (result?.data as unknown as readonly { readonly system: number }[] | undefined)?.[0]?.system;
  };
  if (row && key.length > 0) {
    const names = key.map((each) => `t.${quotedName(each.column)}`).join(", ");
    const values = key.map(({ sqlType }, index) => `(:key::json ->> ${index})::${sqlType}`).join(", ");
    const own = await first(
      `select st_srid(${shape}) as system from ${from} where (${names}) = (${values}) and ${shape} is not null`,
      { key: key.map(({ name }) => row.values[name]) },
    );
    if (own !== undefined) return { system: own, of: "row" };
  }
  const most = await first(
    `select st_srid(${shape}) as system from ${from} where ${shape} is not null group by 1 order by count(*) desc limit 1`,
    {},
  );
  return most === undefined ? { system: WGS84, of: undefined } : { system: most, of: "column" };
}

/** GeoJSON as text of PostGIS in a reference system; with 0 the numbers stay as they are. Throws `ServiceError`. */
export async function inSystem(geojson: string, system: number): Promise<string> {
  const shape = "st_setsrid(st_geomfromgeojson(:geojson::text), :from::integer)";
  const moved = system === 0 ? shape : `st_transform(${shape}, :system::integer)`;
  const params = { geojson, from: system === 0 ? 0 : WGS84, ...(system !== 0 && { system }) };
  const [result] = await runStatements([{ text: `select st_asewkt(${moved}) as shape`, params }], false);
  return (result!.data as unknown as readonly { readonly shape: string }[])[0]!.shape;
}

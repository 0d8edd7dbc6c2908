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
export async function systemsOf(relation: Relation, column: Column): Promise<Systems> {
  if (hasSystem(column)) return OF_MAP;
  const found = await countsOf(relation, column);
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
  const { key } = relation;
  if (row && key.length > 0) {
    const shape = shapeOf(column);
    const names = key.map((each) => `t.${quotedName(each.column)}`).join(", ");
    const values = key.map(({ sqlType }, index) => `(:key::json ->> ${index})::${sqlType}`).join(", ");
    const [own] = await rowsOf<{ readonly system: number }>(
      `select st_srid(${shape}) as system from ${tableOf(relation)} where (${names}) = (${values}) and ${shape} is not null`,
      { key: key.map(({ name }) => row.values[name]) },
    );
    if (own) return { system: own.system, of: "row" };
  }
  const [most] = await countsOf(relation, column);
  return most ? { system: most.system, of: "column" } : { system: WGS84, of: undefined };
}

/** GeoJSON as text of PostGIS in a reference system; with 0 the numbers stay as they are. Throws `ServiceError`. */
export async function inSystem(geojson: string, system: number): Promise<string> {
  const shape = "st_setsrid(st_geomfromgeojson(:geojson::text), :from::integer)";
  const moved = system === 0 ? shape : `st_transform(${shape}, :system::integer)`;
  const params = { geojson, from: system === 0 ? 0 : WGS84, ...(system !== 0 && { system }) };
  const [written] = await rowsOf<{ readonly shape: string }>(`select st_asewkt(${moved}) as shape`, params);
  return written!.shape;
}

interface Count {
  readonly system: number;
  readonly count: number;
}

/** The systems of the shapes in a column, the most frequent one first. */
function countsOf(relation: Relation, column: Column): Promise<readonly Count[]> {
  const shape = shapeOf(column);
  return rowsOf(`
select st_srid(${shape}) as system, count(*)::int as count
from ${tableOf(relation)} where ${shape} is not null
group by 1 order by 2 desc`);
}

const tableOf = ({ schema, table }: Relation): string => `${quotedName(schema)}.${quotedName(table)} t`;
const shapeOf = ({ column }: Column): string => `t.${quotedName(column)}`;

async function rowsOf<Found>(text: string, params: Readonly<Record<string, unknown>> = {}): Promise<readonly Found[]> {
  const [result] = await runStatements([{ text, params }], false);
  return (result?.data ?? []) as unknown as readonly Found[];
}

/** What PostGIS knows of shapes: parts cut by a line, the union of several, and what the map cannot draw. */
import type { Params } from "../../../service/methods.ts";
import type { Row } from "../../../service/rows/rows.ts";
import { quotedName } from "../../../service/sql/literals.ts";
import { runStatements } from "../../../service/sql/statements.ts";
import type { EditedTable } from "./editRows.ts";
import type { Shape } from "./edits.ts";

const CUT = `
select st_asgeojson(d.geom, 15)::text as shape
from st_dump(st_split(st_geomfromgeojson(:shape), st_geomfromgeojson(:blade))) d
where not st_isempty(d.geom)
order by st_area(d.geom) desc, st_length(d.geom) desc`;

const JOINED = `
select st_asgeojson(case when st_dimension(u.geom) = 1 then st_linemerge(u.geom) else u.geom end, 15)::text as shape
from (
  select st_union(st_geomfromgeojson(s.value)) as geom
  from json_array_elements_text(:shapes::json) s (value)) u`;

/** The parts of a shape, the largest first; only one where the line does not cross it. Throws `ServiceError`. */
export async function cut(shape: Shape, blade: Shape): Promise<readonly Shape[]> {
  return run(CUT, { shape: JSON.stringify(shape), blade: JSON.stringify(blade) });
}

/** The joined shape. Throws `ServiceError`. */
export async function joined(shapes: readonly Shape[]): Promise<Shape> {
  const [whole] = await run(JOINED, { shapes: shapes.map((shape) => JSON.stringify(shape)) });
  return whole!;
}

/** Columns of these types have straight shapes without measures alone. */
const PLAIN = /\((multi)?(point|linestring|polygon)(z)?(,|\))/i;

/**
 * The keys of the rows whose shapes the map would change: it makes arcs straight, and leaves out measures. Throws
 * `ServiceError`.
 */
export async function unfaithful(
  { relation, column }: EditedTable,
  rows: readonly Row[],
): Promise<ReadonlySet<string>> {
  if (PLAIN.test(column.sqlType) || rows.length === 0) return new Set();
  const { schema, table, key } = relation;
  const shape = quotedName(column.column);
  const keys = key.map((each) => `t.${quotedName(each.column)}`).join(", ");
  const given = key.map(({ sqlType }, index) => `(k.value ->> ${index})::${sqlType}`).join(", ");
  const text = `
select k.place::int - 1 as place
from json_array_elements(:keys::json) with ordinality k (value, place)
join ${quotedName(schema)}.${quotedName(table)} t on (${keys}) = (${given})
where st_hasarc(t.${shape}::geometry) or st_zmflag(t.${shape}::geometry) in (1, 3)`;
  const params = { keys: rows.map(({ values }) => key.map(({ name }) => values[name])) };
  const [result] = await runStatements([{ text, params }], false);
  const found = (result?.data ?? []) as unknown as readonly { readonly place: number }[];
  return new Set(found.map(({ place }) => rows[place]!.key!));
}

async function run(text: string, params: Params): Promise<readonly Shape[]> {
  const [result] = await runStatements([{ text, params }], false);
  const rows = (result?.data ?? []) as unknown as readonly { readonly shape: string }[];
  return rows.map(({ shape }) => JSON.parse(shape) as Shape);
}

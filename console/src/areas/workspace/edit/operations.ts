/** What PostGIS does with shapes: it cuts them by a line, and joins several. */
import type { Params } from "../../../service/methods.ts";
import { runStatements } from "../../../service/sql/statements.ts";
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

async function run(text: string, params: Params): Promise<readonly Shape[]> {
  const [result] = await runStatements([{ text, params }], false);
  const rows = (result?.data ?? []) as unknown as readonly { readonly shape: string }[];
  return rows.map(({ shape }) => JSON.parse(shape) as Shape);
}

/**
 * Writes server/types/axisOrders.ts: `writeAxisOrders.ts /usr/share/proj/proj.db`, the database of PROJ, which contains
 * EPSG's registry. The names of axes decide, as they do for PROJ and PostGIS: near a pole both go north, or both south.
 */
import { writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { formatted } from "./formatted.ts";

const FILE = new URL("../../server/types/axisOrders.ts", import.meta.url);

/** The systems of two dimensions, or whose first two are such, and these two axes. */
const QUERY = `
  with horizontal as (
    select code, coordinate_system_code as axes from projected_crs where auth_name = 'EPSG'
    union all
    select code, coordinate_system_code from geodetic_crs where auth_name = 'EPSG' and type <> 'geocentric'
  ), systems as (
    select * from horizontal
    union all
    select c.code, h.axes from compound_crs c join horizontal h on h.code = c.horiz_crs_code
    where c.auth_name = 'EPSG' and c.horiz_crs_auth_name = 'EPSG'
  )
  select cast(s.code as integer) as code, a.name as first, b.name as second
  from systems s
  join axis a on a.coordinate_system_auth_name = 'EPSG' and a.coordinate_system_code = s.axes and a.coordinate_system_order = 1
  join axis b on b.coordinate_system_auth_name = 'EPSG' and b.coordinate_system_code = s.axes and b.coordinate_system_order = 2
  order by 1`;

const EAST = /^(easting|geodetic longitude)$/i;
const NORTH = /^(northing|geodetic latitude)$/i;

interface System {
  readonly code: number;
  readonly first: string;
  readonly second: string;
}

const database = new DatabaseSync(process.argv[2] ?? "/usr/share/proj/proj.db", { readOnly: true });
const systems = database.prepare(QUERY).all() as unknown as System[];
const { value: version } = database.prepare("select value from metadata where key = 'EPSG.VERSION'").get() as {
  value: string;
};

function codes(first: RegExp, second: RegExp): number[] {
  return systems.filter((system) => first.test(system.first) && second.test(system.second)).map(({ code }) => code);
}

/** `2000-2043 2046`: from and to, one after the other. */
function ranges(numbers: readonly number[]): string {
  const found: [number, number][] = [];
  for (const number of numbers) {
    const last = found.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else found.push([number, number]);
  }
  return found.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(" ");
}

/** Wraps lines at the length of the other files. */
function wrapped(text: string): string {
  return text.replace(/(.{1,116})(?: |$)/g, "\n  $1").concat("\n");
}

const source = `/**
 * The systems of EPSG's registry (${version}) by the order of their axes, as ranges of codes: made by
 * test/support/writeAxisOrders.ts. Those with an axis to the south or west, and geocentric ones, are in neither list.
 */

/** Easting, or longitude, first. */
export const EAST_FIRST = \`${wrapped(ranges(codes(EAST, NORTH)))}\`;

/** Northing, or latitude, first. */
export const NORTH_FIRST = \`${wrapped(ranges(codes(NORTH, EAST)))}\`;
`;
writeFileSync(FILE, await formatted(FILE.pathname, source));

/**
 * Writes server/formats/systems/names.ts: `writeSystemNames.ts /usr/share/proj/proj.db`, the database of PROJ, which has the
 * registries of EPSG and ESRI, and ESRI's names for the systems of EPSG.
 */
import { writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { keyOfName } from "../../server/formats/systems/keyOfName.ts";
import { formatted } from "./formatted.ts";

const FILE = new URL("../../server/formats/systems/names.ts", import.meta.url);

/** Names of one system in order of worth: ESRI's before EPSG's own, valid systems before deprecated ones. */
const QUERY = `
  with systems as (
    select auth_name, code as own, code, name, deprecated, 'projected_crs' as kind from projected_crs
    union all
    select auth_name, code, code, name, deprecated, 'geodetic_crs' from geodetic_crs where type = 'geographic 2D'
    union all -- one with heights by the code of the one without, which PostGIS has
    select t.auth_name, t.code, f.code, t.name, t.deprecated, 'geodetic_crs'
    from geodetic_crs t join geodetic_crs f on f.auth_name = t.auth_name and f.datum_code = t.datum_code
    where t.type = 'geographic 3D' and f.type = 'geographic 2D' and not f.deprecated
  ), names as (
    select a.alt_name as name, s.code, s.deprecated, 0 as rank
    from alias_name a join systems s on s.auth_name = a.auth_name and s.own = a.code and s.kind = a.table_name
    where a.source = 'ESRI' and a.auth_name = 'EPSG'
    union all
    select name, code, deprecated, case auth_name when 'ESRI' then 1 else 2 end from systems where auth_name in ('EPSG', 'ESRI')
  )
  select name, cast(code as integer) as code from names order by deprecated, rank, cast(code as integer)`;

const database = new DatabaseSync(process.argv[2] ?? "/usr/share/proj/proj.db", { readOnly: true });
const versionOf = (registry: string): string =>
  String(database.prepare("select value from metadata where key = ?").get(`${registry}.VERSION`)?.["value"]);
const codes = new Map<string, number>();
for (const { name, code } of database.prepare(QUERY).all() as unknown as { name: string; code: number }[]) {
  const key = keyOfName(name);
  if (!codes.has(key)) codes.set(key, code);
}
const text = [...codes]
  .toSorted(([one], [other]) => (one < other ? -1 : 1))
  .map(([key, code]) => `${key}=${code}`)
  .join(" ");

const source = `/**
 * The systems of the registries of EPSG (${versionOf("EPSG")}) and ESRI (${versionOf("ESRI")}) by their names there, as \`keyOfName\` has
 * them: made by test/support/writeSystemNames.ts.
 */
export const SYSTEM_NAMES = \`${text.replace(/(.{1,116})(?: |$)/g, "\n  $1").concat("\n")}\`;
`;
writeFileSync(FILE, await formatted(FILE.pathname, source));

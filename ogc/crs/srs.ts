/** PostGIS' facts about coordinate reference systems. */
import type { Database } from "../../server/kernel/database/database.ts";
import type { Srs } from "./crs.ts";

/**
 * The facts about systems, by their code. The last unit in the definition of a projected system is that of its axes.
 */
export async function readSrs(
  database: Database,
  postgis: string,
  srids: readonly number[],
): Promise<ReadonlyMap<number, Srs>> {
  const rows = await database.db.any<Srs & { srid: number }>(
    `select srid, coalesce(srtext ~ '^GEO[GD]' or proj4text ~ '\\+proj=longlat', false) as geographic,
       coalesce(substring(srtext from '.*[^_]UNIT\\["[^"]*", *([0-9.]+)')::float8, 1) as metres,
       is_epsg as "isEpsg", case when not is_epsg then nullif(trim(proj4text), '') end as proj4
     from $1:name.spatial_ref_sys,
       coalesce(upper(auth_name) = 'EPSG' and auth_srid = srid, srid < 32768) as is_epsg
     where srid = any($2)`,
    [postgis, srids],
  );
  return new Map(rows.map((row) => [row.srid, row]));
}

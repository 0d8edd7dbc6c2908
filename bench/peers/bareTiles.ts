/** The least possible work for vector tiles: node:http and pg, one prepared statement of PostGIS, one role. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import pg from "pg";

const pool = new pg.Pool({ connectionString: process.env["URL"], max: 10 });
const BEGIN = `begin read only; select set_config('role', '${process.env["ROLE"]}', true)`;

/** The same tile as ours: `$1` to `$3` are level, column and row. */
const statement = (table: string): string => `
select st_asmvt(t, '${table}', 4096, 'geom', 'feature_id') as tile
from (
  select id as feature_id, id, owner, name,
    st_asmvtgeom(st_transform(geom, 3857), st_tileenvelope($1, $2, $3), 4096, 64, true) as geom
  from ${table}
  where geom && st_transform(st_tileenvelope($1, $2, $3, margin => 64.0 / 4096), 4326)
) t
where geom is not null`;

const server = createServer((request, response) => {
  void answer((request.url ?? "").slice(1).split("/"));
  async function answer([table = "", ...place]: string[]): Promise<void> {
    const client = await pool.connect();
    await client.query(BEGIN);
    const { rows } = await client.query<{ tile: Buffer }>({ name: table, text: statement(table), values: place });
    const tile = rows[0]!.tile;
    response.writeHead(200, {
      "content-type": "application/vnd.mapbox-vector-tile",
      "content-length": tile.length,
    });
    response.end(tile);
    await client.query("commit");
    client.release();
  }
});
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}/\n`);
});
process.once("SIGTERM", () => process.exit(0));

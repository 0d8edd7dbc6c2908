/** The least possible work for features: node:http and pg, one prepared statement, PostGIS's own GeoJSON, one role. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import pg from "pg";

const pool = new pg.Pool({ connectionString: process.env["URL"], max: 10 });
const BEGIN = `begin read only; select set_config('role', '${process.env["ROLE"]}', true)`;

const FEATURE = `st_asgeojson(t, 'geom', 9)`;
const page = (rows: string): string =>
  `select '{"type":"FeatureCollection","features":[' || coalesce(string_agg(${FEATURE}, ','), '') || ']}' as answer from (${rows}) t`;

/** By the path of the request; `$n` are the values of its parameters, in their order. */
const STATEMENTS: Record<string, string> = {
  one: `select ${FEATURE} as answer from bench.points t where id = $1`,
  box: page(
    "select * from bench.points where geom && st_makeenvelope($1, $2, $3, $4, 4326) and st_intersects(geom, st_makeenvelope($1, $2, $3, $4, 4326)) order by id limit 10",
  ),
  first: page("select * from bench.points order by id limit 10"),
  offset: page(
    "select t.* from (select id from bench.points order by id limit 10 offset $1) k join bench.points t using (id) order by id",
  ),
};

const server = createServer((request, response) => {
  void answer(new URL(request.url ?? "", "http://localhost"));
  async function answer({ pathname, searchParams }: URL): Promise<void> {
    const name = pathname.slice(1);
    const client = await pool.connect();
    await client.query(BEGIN);
    const { rows } = await client.query<{ answer: string }>({
      name,
      text: STATEMENTS[name] ?? "",
      values: [...searchParams.values()],
    });
    const text = rows[0]?.answer ?? "null";
    response.writeHead(200, { "content-type": "application/geo+json", "content-length": Buffer.byteLength(text) });
    response.end(text);
    await client.query("commit");
    client.release();
  }
});
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}/\n`);
});
process.once("SIGTERM", () => process.exit(0));

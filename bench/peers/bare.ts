/** The least possible work: node:http and pg, the ideal statement, the same role in the same kind of transaction. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import pg from "pg";

const pool = new pg.Pool({ connectionString: process.env["URL"], max: 10 });
const BEGIN = `begin read only; select set_config('role', '${process.env["ROLE"]}', true), set_config('jwt.claims.sub', 'reader', true)`;

const STATEMENTS: Record<string, string> = {
  flat: `
select json_build_object('data', json_build_object('getCityParks', coalesce(json_agg(json_build_object(
  'id', id::text, 'name', name, 'district_id', district_id, 'visitors', visitors::text, 'opened', opened, 'tags', tags,
  'is_open', is_open) order by id), '[]')))::text as answer
from (select * from city.city_parks where id > $1 order by id limit 50) t`,
  nested: `
select json_build_object('data', json_build_object('getCityParks', coalesce(json_agg(json_build_object(
  'id', id::text, 'name', name,
  'districts', (select json_build_object('id', d.id::text, 'name', d.name) from city.districts d where d.id = t.district_id),
  'park_trees', (
    select coalesce(json_agg(json_build_object('id', p.id::text, 'species', p.species, 'height', p.height)), '[]')
    from city.park_trees p where p.park_id = t.id)) order by id), '[]')))::text as answer
from (select * from city.city_parks where id > $1 order by id limit 50) t`,
  count:
    "select json_build_object('data', json_build_object('countReadings', count(*)))::text as answer from city.readings where $1::int is not null",
  sum: `
select json_build_object('data', json_build_object('aggregateReadings', json_agg(json_build_object('sum', json_build_object('amount', sum::text)))))::text as answer
from (select sum(amount) from city.readings where $1::int is not null) t`,
  group: `
select json_build_object('data', json_build_object('aggregateReadings', json_agg(json_build_object(
  'by', json_build_object('station', station), 'count', count, 'avg', json_build_object('amount', avg::text)) order by station)))::text as answer
from (select station, count(*), avg(amount) from city.readings where $1::int is not null group by station) t`,
  one: "select json_build_object('id', id, 'name', name)::text as answer from city.city_parks where id = $1",
};

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => void answer(Buffer.concat(chunks).toString("utf8")));
  async function answer(body: string): Promise<void> {
    const { statement, id, times = 1 } = JSON.parse(body) as { statement: string; id: number; times?: number };
    const client = await pool.connect();
    await client.query(BEGIN);
    const answers: string[] = [];
    for (let n = 0; n < times; n++) {
      const { rows } = await client.query({ name: statement, text: STATEMENTS[statement] ?? "", values: [id + n] });
      answers.push(rows[0].answer);
    }
    const text = times === 1 ? answers[0]! : `[${answers.join(",")}]`;
    response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
    response.end(text);
    await client.query("commit");
    client.release();
  }
});
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}/\n`);
});
process.once("SIGTERM", () => process.exit(0));

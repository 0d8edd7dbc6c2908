import assert from "node:assert/strict";
import { parquetMetadataAsync } from "hyparquet";
import { queryParquet } from "../support/columnar.ts";
import { CLI_CLIENT, findAccount, signAccessToken } from "../../server/kernel/identity/tokens.ts";
import { withOwner } from "../support/databases.ts";
import { until } from "../support/until.ts";
import { epsg, ogcGateway, type Answer, type Json, type OgcGateway } from "./support.ts";

const ROWS = 12_000;

const FIXTURE = `
create table geo.parcels (id int primary key, owner text, area float8, geom geometry(Polygon, 25832));
insert into geo.parcels
  select n, case when n % 2 = 0 then 'ed' else 'kim' end, n, st_makeenvelope(500000 + n, 5500000, 500001 + n, 5500001, 25832)
  from generate_series(1, ${ROWS}) n;
create table geo.slow (id int primary key, geom geometry(Point, 4326))`;

describe("downloads of collections", () => {
  let gateway: OgcGateway;
  let guest: string;
  before(async () => {
    gateway = await ogcGateway({
      config: { ogc: { downloads: true, crs: [25832] } },
      prepare: ({ client }) => client.query(FIXTURE),
    });
    guest = `"guest@${gateway.database.name}"`;
    await gateway.database.client.query(
      `grant usage on schema geo to ${guest}; grant select on geo.parcels to ${guest}`,
    );
  });
  after(() => gateway.close());

  const run = (sql: string, values: unknown[] = []): Promise<Json> => gateway.database.client.query(sql, values);
  const post = (body: unknown, as = "guest", collection = "geo.parcels"): Promise<Answer> =>
    gateway.get(`/collections/${collection}/downloads`, {
      as,
      method: "POST",
      headers: { "content-type": "application/json" },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  async function made(body: object, as = "guest"): Promise<string> {
    const { status, json, headers, text } = await post(body, as);
    assert.equal(status, 202, text);
    assert.equal(headers.get("location"), json.href);
    await until(async () => {
      const { rows } = await run("select state, error from portolan.jobs where id = $1", [json.job]);
      assert.notEqual(rows[0].state, "failed", String(rows[0].error));
      return rows[0].state === "done";
    });
    return `/downloads/${json.id}`;
  }
  async function fileOf(
    path: string,
    headers: Record<string, string> = {},
  ): Promise<{ headers: Headers; body: Buffer }> {
    const token = await gateway.token("guest");
    const response = await fetch(gateway.root + path, { headers: { Authorization: `Bearer ${token}`, ...headers } });
    const body = Buffer.from(await response.arrayBuffer());
    assert.ok([200, 206].includes(response.status), `${response.status} ${body.toString().slice(0, 300)}`);
    return { headers: response.headers, body };
  }

  it("have all features that were selected, in each format", async () => {
    const parquet = await fileOf(await made({ format: "parquet", filter: "owner = 'ed'", properties: ["owner"] }));
    assert.equal(parquet.headers.get("content-type"), "application/vnd.apache.parquet");
    assert.equal(parquet.headers.get("content-disposition"), 'attachment; filename="geo.parcels.parquet"');
    const [counted] = await queryParquet(
      parquet.body,
      `select count(*)::int as n, count(distinct id)::int as ids, min(owner) as owner, max(id) as last from $file`,
    );
    assert.deepEqual(counted, { n: ROWS / 2, ids: ROWS / 2, owner: "ed", last: ROWS });
    const metrics = await (await fetch(`${gateway.baseUrl}/metrics`)).text();
    assert.match(metrics, /^portolan_downloads_total\{format="parquet",result="done"\} 1$/m);
    assert.match(
      metrics,
      new RegExp(`^portolan_download_bytes_total\\{format="parquet"\\} ${parquet.body.length}$`, "m"),
    );
    const csv = await fileOf(
      await made({
        format: "csv",
        crs: epsg(25832),
        bbox: [500100, 5500000, 500103.5, 5500001],
        "bbox-crs": epsg(25832),
      }),
    );
    assert.deepEqual(
      csv.body.toString().trim().split("\r\n").slice(1).map((line) => Number(line.split(",")[0])),
      [99, 100, 101, 102, 103],
    ); // oxfmt-ignore
    const json = JSON.parse((await fileOf(await made({ format: "json" }))).body.toString()) as Json;
    assert.deepEqual([json.features.length, json.numberMatched, json.features[ROWS - 1].id], [ROWS, ROWS, ROWS]);
    const { body } = await fileOf(await made({ format: "gpkg", filter: { op: "<=", args: [{ property: "id" }, 3] } }));
    assert.equal(body.subarray(0, 15).toString(), "SQLite format 3");
  });

  it("are read by ranges and by their ETag, and by a signed address without a token", async () => {
    const path = await made({ format: "geojsonseq" });
    const whole = await fileOf(path);
    const size = whole.body.length;
    assert.ok(size > 2 * 1024 * 1024, String(size));
    for (const [range, from, to] of [
      ["bytes=0-0", 0, 1],
      ["bytes=1048570-1048590", 1_048_570, 1_048_591],
      [`bytes=${size - 5}-`, size - 5, size],
      ["bytes=-7", size - 7, size],
      [`bytes=10-${size * 2}`, 10, size],
    ] as const) {
      const part = await fileOf(path, { range });
      assert.equal(part.headers.get("content-range"), `bytes ${from}-${to - 1}/${size}`);
      assert.ok(part.body.equals(whole.body.subarray(from, to)), range);
    }
    const etag = whole.headers.get("etag")!;
    const same = await gateway.get(path, { as: "guest", headers: { "if-none-match": etag } });
    assert.deepEqual([same.status, same.text], [304, ""]);
    const beyond = await gateway.get(path, { as: "guest", headers: { range: `bytes=${size}-` } });
    assert.deepEqual([beyond.status, beyond.headers.get("content-range")], [416, `bytes */${size}`]);
    assert.equal((await fileOf(path, { range: "bytes=0-1,5-6" })).body.length, size);
    assert.equal((await fileOf(path, { range: "bytes=0-1", "if-range": '"other"' })).body.length, size);

    const { json } = await gateway.get(`${path}/address`, { as: "guest" });
    assert.ok(Date.parse(json.expires) - Date.now() < 3_601_000);
    const open = await fetch(json.href, { headers: { range: "bytes=0-9" } });
    assert.deepEqual([open.status, Buffer.from(await open.arrayBuffer())], [206, whole.body.subarray(0, 10)]);
    const forged = await fetch(json.href.replace(/signature=\d/, "signature=9"));
    assert.equal(forged.status, 401);
  });

  it("stay whole if a record of their progress arrives after their end", async () => {
    const path = await made({ format: "csv", filter: "id < 10" });
    const before = await fileOf(path);
    const { rows } = await run("select portolan.note_download($1, 1) as goes", [path.split("/").at(-1)]);
    assert.deepEqual(rows, [{ goes: true }]);
    assert.deepEqual((await fileOf(path)).body, before.body);
  });

  it("tell the number of rows of a Parquet file by ranges of less than 64 kB", async () => {
    const { json } = await gateway.get(`${await made({ format: "parquet" })}/address`, { as: "guest" });
    const byteLength = Number((await fetch(json.href, { method: "HEAD" })).headers.get("content-length"));
    assert.ok(byteLength > 128 * 1024, String(byteLength));
    let read = 0;
    const file = {
      byteLength,
      async slice(start: number, end = byteLength) {
        const response = await fetch(json.href, { headers: { range: `bytes=${start}-${end - 1}` } });
        assert.equal(response.status, 206);
        const part = await response.arrayBuffer();
        read += part.byteLength;
        return part;
      },
    };
    const { num_rows: rows } = await parquetMetadataAsync(file, { initialFetchSize: 16 * 1024 });
    assert.equal(Number(rows), ROWS);
    assert.ok(read < 64 * 1024, String(read));
  });

  it("are their maker's, and gone once a right that they were made under is taken", async () => {
    const path = await made({ format: "csv" });
    const { json: address } = await gateway.get(`${path}/address`, { as: "guest" });
    assert.equal((await gateway.get(path, { as: "captain" })).status, 404);
    assert.equal((await gateway.get(path)).status, 401);
    const { json: list } = await gateway.get("/downloads", { as: "guest" });
    assert.ok(list.downloads.some(({ href, state }: Json) => href.endsWith(path) && state === "done"));

    await run(`revoke select on geo.parcels from ${guest}; grant select (id, owner, geom) on geo.parcels to ${guest}`);
    for (const answer of [
      await gateway.get(path, { as: "guest" }),
      await gateway.get(new URL(address.href).pathname.replace(/.*(?=\/downloads)/, "") + new URL(address.href).search),
    ])
      assert.deepEqual([answer.status, answer.json.code], [410, "GONE"]);
    const narrow = await made({ format: "csv" });
    assert.equal((await fileOf(narrow)).body.toString().split("\r\n")[0], "id,owner,WKT");
    await run(`grant select on geo.parcels to ${guest}`);
    assert.equal((await gateway.get(narrow, { as: "guest" })).status, 200);
    assert.equal((await gateway.get(path, { as: "guest" })).status, 200);

    await run(
      `select portolan.create_rule('{"username": "guest", "schema": "geo", "table": "parcels", "access": "limit", "filter": "owner = ''ed''"}')`,
    );
    await until(async () => (await gateway.get(path, { as: "guest" })).status === 410);
    const limited = await fileOf(await made({ format: "csv" }));
    assert.equal(limited.body.toString().trim().split("\r\n").length, ROWS / 2 + 1);

    assert.equal((await gateway.get(path, { as: "guest", method: "DELETE" })).status, 204);
    assert.equal((await gateway.get(path, { as: "guest" })).status, 404);
  });

  it("are for the claims that they were made under, where a policy may ask for them", async () => {
    await run(`
create table geo.claimed (id int primary key, scope text, setting text, geom geometry(Point, 4326));
insert into geo.claimed values (1, 'secret', 'secret'), (2, 'open', 'open');
create table geo.claimed_by_setting (like geo.claimed including all);
insert into geo.claimed_by_setting select * from geo.claimed;
alter table geo.claimed enable row level security;
create policy by_claims on geo.claimed using (scope = portolan.claims() ->> 'scope');
alter table geo.claimed_by_setting enable row level security;
create policy by_setting on geo.claimed_by_setting using (setting = current_setting('jwt.claims.scope', true));
create view geo.claimed_view as select c.id, c.scope, c.geom from geo.claimed_by_setting c where c.setting = current_setting('jwt.claims.scope', true);
comment on view geo.claimed_view is '@primaryKey id';
grant select on geo.claimed, geo.claimed_by_setting, geo.claimed_view to ${guest}`);
    const tokens = await withOwner(gateway.database, async (opened) => {
      const account = (await findAccount(opened, "guest"))!;
      const sign = (scope: string): Promise<string> =>
        signAccessToken(opened, account, { issuer: gateway.baseUrl, clientId: CLI_CLIENT, scope });
      return { secret: await sign("secret"), again: await sign("secret"), open: await sign("open") };
    });
    const get = (path: string, token: keyof typeof tokens, more: object = {}): Promise<Answer> =>
      gateway.get(path, {
        ...more,
        headers: { authorization: `Bearer ${tokens[token]}`, "content-type": "application/json" },
      });
    for (const table of ["claimed", "claimed_by_setting", "claimed_view"]) {
      const post = (): Promise<Answer> =>
        get(`/collections/geo.${table}/downloads`, "secret", { method: "POST", body: '{"format": "csv"}' });
      let begun = await post();
      await until(async () => begun.status === 202 || (begun = await post()).status === 202);
      const path = `/downloads/${begun.json.id}`;
      await until(async () => (await get(path, "secret")).status === 200);
      assert.match((await get(path, "again")).text, /1,secret/);
      const { json: address } = await get(`${path}/address`, "again");
      assert.match(await (await fetch(address.href)).text(), /1,secret/);
      for (const other of [await get(path, "open"), await get(`${path}/address`, "open")])
        assert.deepEqual([other.status, other.json.code], [410, "GONE"], table);
      await run("select portolan.update_user('guest', '{\"properties\": {\"moved\": true}}')");
      assert.equal((await fetch(address.href)).status, 410, table);
      await run("select portolan.update_user('guest', '{\"properties\": {}}')");
      await until(async () => (await fetch(address.href)).status === 200);
    }
  });

  it("get no address before they are made, since nobody knows yet under which rights", async () => {
    const { rows } = await run(
      "select id from portolan.begin_download('geo.parcels', 'guest', 'geo.parcels', 'csv', 600)",
    );
    const answer = await gateway.get(`/downloads/${rows[0].id}/address`, { as: "guest" });
    assert.deepEqual([answer.status, answer.json.state, answer.json.href], [202, "running", undefined]);
  });

  it("are refused in words: bad bodies, formats and rights, nobody, and where the option is off", async () => {
    for (const [body, code, message] of [
      ["{", "BAD_USER_INPUT", /not JSON/],
      [[], "BAD_USER_INPUT", /object/],
      [{}, "BAD_USER_INPUT", /format: must be one of json, /],
      [{ format: "html" }, "BAD_USER_INPUT", /format/],
      [{ format: "csv", limit: 3 }, "BAD_USER_INPUT", /"limit" is not one of/],
      [{ format: "csv", bbox: [1, 2] }, "INVALID_PARAMETER", /bbox/],
      [{ format: "csv", filter: "nothing = 1" }, "INVALID_PARAMETER", /nothing/],
      [{ format: "csv", crs: "EPSG:1" }, "INVALID_CRS", /crs/],
      [
        { format: "parquet", crs: "http://www.opengis.net/def/crs/EPSG/0/3857" },
        "INVALID_CRS",
        /parquet has longitude and latitude only/,
      ],
    ] as const) {
      const { status, json } = await post(body);
      assert.deepEqual([status, json.code], [400, code], JSON.stringify(body));
      assert.match(json.message, message);
    }
    assert.equal((await post({ format: "csv" }, "guest", "geo.slow")).status, 403);
    const nobody = await gateway.get("/collections/geo.places/downloads", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"format":"csv"}',
    });
    assert.equal(nobody.status, 401);
    const other = await ogcGateway();
    try {
      const off = await other.get("/collections/geo.places/downloads", {
        as: "captain",
        method: "POST",
        headers: { "content-type": "application/json" },
        body: '{"format":"csv"}',
      });
      assert.deepEqual([off.status, off.json.code], [405, "METHOD_NOT_ALLOWED"]);
    } finally {
      await other.close();
    }
  });
});

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { request, type IncomingMessage } from "node:http";
import { setTimeout } from "node:timers/promises";
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import { GatewayProcess, megabytesOf } from "../support/process.ts";
import { sized } from "../support/size.ts";
import { until } from "../support/until.ts";
import { ogcGateway, type Json, type OgcGateway } from "./support.ts";

const HUGE_MB = sized(40, 200);

interface Raw {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Buffer;
}

/** The raw body of an answer, which `fetch` does not give. */
function raw(address: string, headers: Record<string, string> = {}): Promise<Raw> {
  return new Promise((resolve, reject) => {
    request(address, { headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
      response.on("error", reject);
    })
      .on("error", reject)
      .end();
  });
}

describe("how answers of the OGC API are sent", () => {
  let gateway: OgcGateway;

  before(async () => {
    gateway = await ogcGateway({
      prepare: ({ client }) =>
        client.query(`
create table geo.large (id int primary key, text text, geom geometry(Point, 4326));
insert into geo.large select i, repeat('x', 20000), 'srid=4326;point(1 1)' from generate_series(1, 5500) i;
create table geo.huge (id int primary key, text text, geom geometry(Point, 4326));
insert into geo.huge select 1, repeat('0123456789', ${HUGE_MB}00000), 'srid=4326;point(1 1)';
create table geo.varied (id int primary key, text text, geom geometry(Point, 4326));
insert into geo.varied select i, repeat(md5(i::text), 600), 'srid=4326;point(1 1)' from generate_series(1, 600) i;
create schema zz;
create view zz.endless as select i as id, 'srid=4326;point(1 1)'::geometry(Point, 4326) as geom from generate_series(1, 1000000) i where pg_sleep(0.02) is not null;
comment on view zz.endless is '@primaryKey id';
select portolan.set_authentication(r::regclass, 'None') from unnest(array['geo.large', 'geo.huge', 'geo.varied', 'zz.endless']) r`),
    });
  });
  after(() => gateway.close());

  it("ETag and 304 on features and metadata, HEAD too; a change makes a new one", async () => {
    for (const path of [
      "/",
      "/conformance",
      "/collections?limit=5",
      "/collections/geo.places",
      "/collections/geo.places/items/1",
      "/api",
      "/collections?limit=5&f=html",
      "/collections/geo.places/items/1?f=html",
    ]) {
      const first = await gateway.get(path);
      const etag = first.headers.get("etag") ?? "";
      assert.match(etag, path.includes("/items/1") ? /^"/ : /^W\/"/, path); // writes compare the tag of a feature
      for (const method of ["GET", "HEAD"]) {
        const again = await gateway.get(path, { method, headers: { "if-none-match": etag } });
        assert.deepEqual([again.status, again.text, again.headers.get("etag")], [304, "", etag], path);
      }
      assert.equal((await gateway.get(path, { headers: { "if-none-match": '"other"' } })).status, 200);
    }
    const path = "/collections/geo.places/items/2";
    const old = (await gateway.get(path)).headers.get("etag") ?? "";
    await gateway.database.client.query("update geo.places set name = 'renamed' where id = 2");
    assert.equal((await gateway.get(path, { headers: { "if-none-match": old } })).status, 200);
    const flipped = await gateway.get(`${path}?crs=http://www.opengis.net/def/crs/EPSG/0/4326`);
    assert.notEqual(flipped.headers.get("etag"), (await gateway.get(path)).headers.get("etag"));
  });

  it("gzip and brotli for clients that accept them, of pages and streams", async () => {
    const address = `${gateway.root}/collections/geo.places/items?limit=95`;
    const plain = await raw(address);
    assert.equal(plain.headers["content-encoding"], undefined);
    const features = (body: Buffer): unknown => (JSON.parse(body.toString()) as Json).features;
    for (const [encoding, decode] of [
      ["gzip", gunzipSync],
      ["br", brotliDecompressSync],
    ] as const) {
      const answer = await raw(address, { "accept-encoding": encoding });
      assert.equal(answer.headers["content-encoding"], encoding);
      assert.match(String(answer.headers["vary"]), /Accept-Encoding/);
      assert.ok(answer.body.length < plain.body.length / 4);
      assert.deepEqual(features(decode(answer.body)), features(plain.body));
    }
  });

  it("tells the length and the tag of a short page in each encoding, and leaves shorter answers as they are", async () => {
    const address = `${gateway.root}/collections/geo.places/items/2`;
    const long = `${gateway.root}/collections/geo.places`;
    const plain = await raw(long);
    const etag = String(plain.headers["etag"]);
    for (const [encoding, decode] of [
      ["gzip", gunzipSync],
      ["br", brotliDecompressSync],
      ["deflate", inflateSync],
    ] as const) {
      const answer = await raw(long, { "accept-encoding": encoding });
      assert.equal(answer.headers["content-encoding"], encoding);
      assert.equal(Number(answer.headers["content-length"]), answer.body.length);
      assert.equal(answer.headers["etag"], etag); // a weak one is that of all encodings
      assert.match(String(answer.headers["vary"]), /Accept-Encoding/);
      assert.equal(decode(answer.body).toString(), plain.body.toString());
      const again = await raw(long, { "accept-encoding": encoding, "if-none-match": String(answer.headers["etag"]) });
      assert.deepEqual([again.status, again.body.length], [304, 0]);
    }
    for (const [encodings, chosen] of [
      ["gzip, deflate, br, zstd", "br"], // as browsers ask
      ["br;q=0.5, gzip", "gzip"],
    ] as const) {
      const answer = await raw(long, { "accept-encoding": encodings });
      assert.equal(answer.headers["content-encoding"], chosen);
    }
    for (const [path, headers] of [
      [address, { "accept-encoding": "gzip" }],
      [long, { "accept-encoding": "identity" }],
      [long, { "accept-encoding": "*;q=0" }],
    ] as const) {
      const { headers: got, body } = await raw(path, headers);
      assert.equal(got["content-encoding"], undefined);
      assert.match(String(got["vary"]), /Accept-Encoding/);
      assert.ok(JSON.parse(body.toString()));
    }
    const { headers: ofHead } = await gateway.get("/collections/geo.places", {
      method: "HEAD",
      headers: { "accept-encoding": "gzip" },
    });
    assert.equal(ofHead.get("content-encoding"), null);
  });

  it("sends a hundred megabytes in constant memory", async () => {
    const { database } = gateway;
    await using own = await GatewayProcess.start({
      DATABASE_URL: database.gatewayUrl,
      OWNER_DATABASE_URL: database.url,
      PORT: "0",
    });
    const megabytes = (): number => megabytesOf(own.pid);
    const address = `${own.baseUrl}/api/v4/ogc/database/${database.name}/collections/geo.large/items?limit=10000`;
    async function download(): Promise<number> {
      let bytes = 0;
      let most = 0;
      for await (const chunk of (await fetch(address)).body as unknown as AsyncIterable<Uint8Array>) {
        bytes += chunk.length;
        if (bytes % 20 === 0) most = Math.max(most, megabytes());
      }
      assert.ok(bytes > 100e6);
      return Math.max(most, megabytes());
    }
    const first = await download();
    const second = await download();
    assert.ok(second - first < 100, `${Math.round(first)} MB, then ${Math.round(second)} MB`);
  });

  it("a client that stops reading delays nobody and costs no memory", async () => {
    const stalled = await new Promise<IncomingMessage>((resolve, reject) =>
      request(`${gateway.root}/collections/geo.large/items?limit=10000`, resolve).on("error", reject).end(),
    );
    stalled.pause();
    const before = process.memoryUsage.rss();
    /** Its session in PostgreSQL, and the time since which it waits. */
    const session = async (): Promise<string> => {
      const { rows } = await gateway.database.client.query(
        "select pid, state_change from pg_stat_activity where query like '%large%' and state <> 'idle' and pid <> pg_backend_pid()",
      );
      return JSON.stringify(rows);
    };
    await until(async () => {
      const waiting = await session();
      for (let n = 0; n < 5; n++) assert.equal((await gateway.get("/collections/geo.places/items")).status, 200);
      return waiting !== "[]" && waiting === (await session());
    });
    assert.ok(process.memoryUsage.rss() - before < 100e6);
    stalled.destroy();
  });

  it("slow clients at the same time each get their own features, plain and compressed", async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error): void => void warnings.push(warning);
    process.on("warning", onWarning);
    const md5 = (id: number): string => createHash("md5").update(String(id)).digest("hex");
    async function slowly(encoding: string, from: number): Promise<void> {
      const address = `${gateway.root}/collections/geo.varied/items?limit=10000&offset=${from}`;
      const response = await new Promise<IncomingMessage>((resolve, reject) =>
        request(address, { headers: { "accept-encoding": encoding } }, resolve)
          .on("error", reject)
          .end(),
      );
      const chunks: Buffer[] = [];
      for await (const chunk of response) {
        chunks.push(chunk as Buffer);
        if (chunks.length % 20 === 0) await setTimeout(2); // it reads slowly
      }
      const decode = { identity: (body: Buffer) => body, gzip: gunzipSync, br: brotliDecompressSync }[encoding]!;
      const { features } = JSON.parse(decode(Buffer.concat(chunks)).toString()) as Json;
      assert.equal(features.length, 600 - from);
      for (const [index, { id, properties }] of features.entries()) {
        assert.equal(id, from + index + 1);
        assert.ok(properties.text === md5(id).repeat(600), `${encoding}: feature ${id}`);
      }
    }
    await Promise.all(["identity", "gzip", "br", "identity", "gzip", "identity"].map((each, n) => slowly(each, n * 3)));
    process.off("warning", onWarning);
    assert.deepEqual(warnings, []); // listeners that pile up
  });

  it(`a feature of ${HUGE_MB} MB arrives complete`, async () => {
    const { status, body } = await raw(`${gateway.root}/collections/geo.huge/items`);
    assert.equal(status, 200);
    assert.ok(body.length > HUGE_MB * 1e6);
    assert.equal(body.subarray(0, 27).toString(), '{"type":"FeatureCollection"');
    assert.equal((await raw(`${gateway.root}/collections/geo.huge/items/1`)).status, 200);
  });

  it("a client that leaves cancels its query", async () => {
    const { client, name } = gateway.database;
    const running = async (): Promise<number> => {
      const { rows } = await client.query(
        "select count(*)::int as n from pg_stat_activity where datname = $1 and state = 'active' and query like '%endless%' and pid <> pg_backend_pid()",
        [name],
      );
      return rows[0].n as number;
    };
    const left = request(`${gateway.root}/collections/zz.endless/items?limit=10000`);
    left.on("error", () => undefined);
    left.end();
    await until(async () => (await running()) > 0);
    left.destroy();
    await until(async () => (await running()) === 0);
    assert.equal((await gateway.get("/collections/geo.places/items")).status, 200);
  });

  it("an answer that fails when it has begun is cut off, so that it cannot look whole", async () => {
    const { client } = gateway.database;
    await client.query(`
create table geo.sound (id int primary key, geom geometry(Point, 4326));
insert into geo.sound select i, 'srid=4326;point(1 1)' from generate_series(1, 1000) i;
analyze geo.sound;
create view geo.failing as select id, 1 / (500 - id) as n, repeat('x', 5000) as text, geom from geo.sound;
comment on view geo.failing is '@primaryKey id';
select portolan.set_authentication('geo.failing', 'None')`);
    await until(async () => (await gateway.get("/collections/geo.failing")).status === 200);
    await assert.rejects(gateway.get("/collections/geo.failing/items?limit=1000"));
    const early = await gateway.get("/collections/geo.failing/items?offset=495");
    assert.deepEqual([early.status, early.json.code], [400, "INVALID_PARAMETER"]);
  });
});

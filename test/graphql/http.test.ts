import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { gzipSync } from "node:zlib";
import supertest from "supertest";
import { makeConfig } from "../../server/kernel/config.ts";
import { openDatabase, type Database } from "../../server/kernel/database/database.ts";
import { GatewayError } from "../../server/ground/errors.ts";
import { createSchemaRegistry, type SchemaRegistry } from "../../server/graphql/build/schemaRegistry.ts";
import { createListener } from "../../server/kernel/http/http.ts";
import { LocalHost } from "../../server/fleet/host.ts";
import { createRateLimiter } from "../../server/kernel/http/rateLimit.ts";
import { RouteTable } from "../../server/kernel/http/routes.ts";
import { graphqlRoutes } from "../../server/graphql/http/router.ts";
import { createLog } from "../../server/ground/log.ts";
import { testDatabase, type TestDatabase } from "../support/databases.ts";
import { until } from "../support/until.ts";

const PATH = "/api/graphql/schema/app";
const RESPONSE = "application/graphql-response+json";

describe("graphql: over HTTP", () => {
  let testing: TestDatabase;
  let database: Database;
  let registry: SchemaRegistry;
  let server: Server;
  let http: ReturnType<typeof supertest>;

  before(async () => {
    testing = await testDatabase();
    for (const role of ["caller", "stranger"])
      await testing.client.query(
        `do $$ begin create role ${role}; exception when duplicate_object or unique_violation then null; end $$`,
      );
    await testing.client.query(`
      create schema app; create schema closed; create schema empty; create schema half;
      create table app.things (id int primary key, big int8);
      create table closed.things (id int primary key);
      create table half.things (id int primary key);
      insert into app.things values (1, 1);
      create function app.sleep() returns void language sql stable as 'select pg_sleep(30)';
      grant usage on schema app, empty, half to caller;
      grant all on app.things to caller`);
    const config = makeConfig({ maxBodyBytes: 10_000, maxLargeBodyBytes: 30_000 });
    const log = createLog("silent");
    database = openDatabase({
      name: "test",
      url: testing.url,
      poolSize: 2,
      connectTimeoutMs: 5000,
      statementTimeoutMs: 10_000,
    });
    registry = createSchemaRegistry({ config, log });
    const table = new RouteTable(
      graphqlRoutes({
        config,
        registry,
        log,
        databaseOf: () => database,
        schemasOf: () => ["app", "closed", "empty", "half"],
        lookNow: () => Promise.resolve(),
        countMore: () => Promise.resolve(),
        async identify(request) {
          const role = request.headers.authorization?.slice("Bearer ".length);
          if (!role)
            throw new GatewayError("UNAUTHENTICATED", undefined, { headers: { "WWW-Authenticate": "Bearer" } });
          return { database: "test", name: role, role, roleMade: false, claims: {} };
        },
      }),
    );
    const limiter = createRateLimiter(config.rateLimit, new LocalHost());
    server = createServer(createListener({ table, config, log, measure: () => undefined, limiter }));
    await once(server.listen(0, "127.0.0.1"), "listening");
    http = supertest(server);
  });

  after(async () => {
    server.close();
    await registry.close();
    await database.close();
    await testing.drop();
  });

  const post = (body: string | object, path = PATH) => http.post(path).set("Authorization", "Bearer caller").send(body);

  it("answers 401 with a challenge to a caller without a token", async () => {
    const response = await http.post(PATH).send({ query: "{ getThings { id } }" });
    assert.equal(response.status, 401);
    assert.equal(response.headers["www-authenticate"], "Bearer");
    assert.equal(response.body.errors[0].extensions.code, "UNAUTHENTICATED");
  });

  it("answers a query", async () => {
    const response = await post({ query: "{ getThings { id big } }" });
    assert.equal(response.status, 200);
    assert.equal(response.headers["content-type"], "application/json; charset=utf-8");
    assert.deepEqual(response.body, { data: { getThings: [{ id: "1", big: "1" }] } });
  });

  it("keeps every digit of a large number in variables", async () => {
    const body = `{"query": "query($b: JSON) { getThings(where: { big: $b }) { id } }", "variables": {"b": 9007199254740993}}`;
    await testing.client.query("update app.things set big = 9007199254740993");
    const response = await post(body).set("Content-Type", "application/json");
    assert.deepEqual(response.body, { data: { getThings: [{ id: "1" }] } });
  });

  it("takes a large body from an account alone, at an address of its own, up to a limit of its own", async () => {
    const body = (size: number) => ({
      query: "query ($where: JSON) { getThings(where: $where) { id } }",
      variables: { where: { id: { in: Array.from({ length: size }, (_, index) => 10_001 + index) } } },
    });
    const large = `${PATH}/large`;
    const statusOf = async (path: string, size: number, role: string) =>
      (await http.post(path).set("Authorization", `Bearer ${role}`).send(body(size))).status;
    assert.equal(await statusOf(PATH, 3000, "caller"), 413);
    const { status, body: answered } = await post(body(3000), large);
    assert.deepEqual([status, answered], [200, { data: { getThings: [] } }]);
    assert.equal(await statusOf(large, 6000, "caller"), 413);
    assert.equal(await statusOf(large, 10, "anonymous"), 401);
    assert.equal((await http.get(`${large}?query={__typename}`).set("Authorization", "Bearer caller")).status, 405);
  });

  it("says 404 for a schema that does not exist, and the same for one without anything for the role", async () => {
    const statuses = [];
    for (const schema of ["nowhere", "closed", "empty", "half", "pg_catalog"])
      statuses.push((await post({ query: "{ __typename }" }, `/api/graphql/schema/${schema}`)).status);
    assert.deepEqual(statuses, [404, 404, 404, 404, 404]);
    const stranger = await http.post(PATH).set("Authorization", "Bearer stranger").send({ query: "{ __typename }" });
    assert.equal(stranger.status, 404);
    assert.equal(stranger.body.errors[0].extensions.code, "NOT_FOUND");
    const nobody = await http.post(PATH).set("Authorization", "Bearer no_such_role").send({ query: "{ __typename }" });
    assert.equal(nobody.status, 404);
  });

  it("answers well-formed GraphQL with 200 as application/json, whatever the result", async () => {
    for (const query of [
      "{ nothing }",
      "{",
      "{ getThings(limit: -1) { id } }",
      "query a { __typename } query b { __typename }",
    ]) {
      const response = await post({ query }).set("Accept", "application/json");
      assert.equal(response.status, 200, query);
      assert.ok(response.body.errors.length > 0);
    }
  });

  it("answers a refused request with 400 as application/graphql-response+json", async () => {
    const statusOf = async (body: object) => {
      const response = await post(body).set("Accept", RESPONSE);
      assert.equal(response.headers["content-type"], `${RESPONSE}; charset=utf-8`);
      return response.status;
    };
    assert.equal(await statusOf({ query: "{ nothing }" }), 400);
    assert.equal(await statusOf({ query: "{" }), 400);
    assert.equal(await statusOf({ query: "query($x: Int!) { getThings(limit: $x) { id } }" }), 400);
    assert.equal(await statusOf({ query: "{ getThings(limit: -1) { id } }" }), 200);
    assert.equal(await statusOf({ query: "{ getThings { id } }" }), 200);
  });

  it("says 400 to a body that is not a GraphQL request", async () => {
    for (const body of [
      "{",
      "[]",
      '"x"',
      "{}",
      '{"query": 1}',
      '{"query": ""}',
      '{"query": "{a}", "variables": []}',
      '{"query": "{a}", "variables": "x"}',
      '{"query": "{a}", "operationName": 1}',
      "[]",
    ]) {
      const response = await post(body).set("Content-Type", "application/json");
      assert.equal(response.status, 400, body);
      assert.equal(response.body.errors[0].extensions.code, "BAD_USER_INPUT");
    }
  });

  it("takes GET for queries only", async () => {
    const get = (query: object) => http.get(PATH).query(query).set("Authorization", "Bearer caller");
    const answer = await get({ query: "query($l: Int) { getThings(limit: $l) { id } }", variables: '{"l": 1}' });
    assert.deepEqual(answer.body, { data: { getThings: [{ id: "1" }] } });
    const mutation = await get({ query: "mutation { deleteThings(id: 1) { id } }" });
    assert.equal(mutation.status, 405);
    assert.equal(mutation.headers["allow"], "POST");
    assert.equal((await get({ query: "{ getThings { id } }", variables: "{" })).status, 400);
    assert.equal((await get({})).status, 400);
    assert.equal((await post({ query: "{ countThings }" })).body.data.countThings, 1);
  });

  it("says 405 to other methods", async () => {
    const response = await http.put(PATH).set("Authorization", "Bearer caller").send({});
    assert.equal(response.status, 405);
    assert.equal(response.headers["allow"], "GET, POST, OPTIONS");
    assert.equal((await http.head(PATH).set("Authorization", "Bearer caller")).status, 405);
  });

  it("says 415 to other bodies and 406 to other answers", async () => {
    assert.equal((await post("{ getThings { id } }").set("Content-Type", "application/graphql")).status, 415);
    assert.equal((await post("{}").set("Content-Type", "application/json; charset=latin1")).status, 415);
    assert.equal((await post({ query: "{ __typename }" }).set("Accept", "text/html")).status, 406);
    assert.equal((await post({ query: "{ __typename }" }).set("Accept", "text/html, */*;q=0.1")).status, 200);
  });

  it("compresses a large answer if the client accepts that, with Vary", async () => {
    const large =
      "{ __schema { types { name description fields { name description args { name description type { name } } type { name kind } } } } }";
    const ask = async (query: string, encodings: string | null) => {
      const request = post({ query }).unset("Accept-Encoding");
      if (encodings !== null) void request.set("Accept-Encoding", encodings);
      const { status, body, headers } = await request;
      assert.equal(status, 200);
      return { body, headers };
    };
    const plain = await ask(large, "identity");
    assert.ok(Number(plain.headers["content-length"]) > 14_000, plain.headers["content-length"]);
    const zipped = await ask(large, "gzip");
    assert.equal(zipped.headers["content-encoding"], "gzip");
    assert.deepEqual(zipped.body, plain.body);
    assert.equal((await ask(large, null)).headers["content-encoding"], undefined);
    for (const { headers } of [plain, zipped, await ask(large, null)])
      assert.match(headers["vary"] ?? "", /Accept-Encoding/);
    assert.equal((await ask("{ getThings { id } }", "gzip")).headers["content-encoding"], undefined);
  });

  it("reads compressed bodies, and says 413 to one that is too large, compressed or not", async () => {
    const send = (body: Buffer, encoding?: string) => {
      const request = http.post(PATH).set("Authorization", "Bearer caller").set("Content-Type", "application/json");
      if (encoding) void request.set("Content-Encoding", encoding);
      request.write(body as unknown as string);
      return request;
    };
    const ok = await send(gzipSync('{"query": "{ countThings }"}'), "gzip");
    assert.deepEqual(ok.body, { data: { countThings: 1 } });
    const large = Buffer.from(JSON.stringify({ query: `{ countThings } # ${"x".repeat(20_000)}` }));
    assert.equal((await send(large)).status, 413);
    assert.equal((await send(gzipSync(large), "gzip")).status, 413);
    assert.equal((await send(Buffer.from("x"), "gzip")).status, 400);
    assert.equal((await send(Buffer.from("x"), "zip")).status, 415);
  });

  it("cancels the statement of a caller that leaves", async () => {
    await testing.client.query("grant execute on function app.sleep to caller");
    const running = async () =>
      (
        await testing.client.query(
          "select 1 from pg_stat_activity where query like '%sleep%' and state = 'active' and pid <> pg_backend_pid() and datname = current_database()",
        )
      ).rows.length;
    const request = post({ query: "{ sleep }" });
    const gone = assert.rejects(request.then(), { code: "ABORTED" });
    await until(async () => (await running()) === 1);
    request.abort();
    await gone;
    await until(async () => (await running()) === 0);
  });
});

import assert from "node:assert/strict";
import { hostname } from "node:os";
import pg from "pg";
import { hashOf } from "../../server/kernel/identity/hash.ts";
import { command } from "../support/commands.ts";
import { until } from "../support/until.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { brokenLink } from "../docs/documents.ts";
import { problemOf, requestsAs, type Requests } from "./requests.ts";

interface Entry {
  readonly id: number;
  readonly event: string;
  readonly account: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

interface Asked {
  readonly number: number;
  readonly id: string | null;
  readonly account: string | null;
  readonly address: string | null;
  readonly method: string | null;
  readonly path: string | null;
  readonly operation: string | null;
  readonly status: number | null;
  readonly ms: number | null;
  readonly code: string | null;
  readonly relation: string | null;
  readonly error_id: string | null;
  readonly error: string | null;
  readonly client: string | null;
}

interface Minute {
  readonly host: string;
  readonly requests: number;
  readonly refused: number;
  readonly failed: number;
  readonly p50_ms: number | null;
  readonly p95_ms: number | null;
}

interface Statement {
  readonly pid: number;
  readonly account: string | null;
  readonly state: string;
  readonly started: string;
  readonly waits_for: string | null;
  readonly blocked_by: readonly number[];
  readonly statement: string;
}

describe("audit, fleet and doctor over REST", () => {
  let gateway: TestGateway;
  let captain: Requests;
  let guest: Requests;

  before(async () => {
    gateway = await testGateway({
      prepare: ({ client }) =>
        client.query(`
create function world.breaks() returns integer language plpgsql stable as
  $$ begin assert false, 'the mast is broken'; end $$;
grant execute on function world.breaks() to public;
create table world.moment (name text primary key);
insert into world.moment values ('fine');
create function world.at_moment() returns integer language plpgsql stable as $$
declare moment text = (select m.name from world.moment m);
begin
  if moment = 'deadlock' then raise deadlock_detected using message = 'deadlock detected'; end if;
  if moment = 'serialization' then raise serialization_failure using message = 'could not serialize access'; end if;
  if moment = 'changed type' then perform array_in('{1}', 4711, -1); end if; -- cache lookup failed for type 4711
  if moment = 'dropped index' then perform gin_clean_pending_list(4711); end if; -- could not open relation with OID 4711
  return 1;
end $$;
create view world.moments as select world.at_moment() as id, st_setsrid(st_point(world.at_moment(), 1), 4326)::geometry(Point, 4326) as place;
comment on view world.moments is E'@ogc\\n@primaryKey id';
grant select on world.moment, world.moments to public;`),
    });
    captain = await requestsAs(gateway, "captain");
    guest = await requestsAs(gateway, "guest");
  });
  after(() => gateway.close());

  function portolan(...args: string[]) {
    const { url, gatewayUrl } = gateway.database;
    return command(args, { env: { DATABASE_URL: gatewayUrl, OWNER_DATABASE_URL: url } });
  }
  const audit = async (query: string): Promise<Entry[]> => (await captain("get", `/audit${query}`).expect(200)).body;

  it("the audit has each change with its author, before and after, and no secret", async () => {
    await captain("post", "/users", { name: "eve", password: "a first secret", email: "eve@example.org" }).expect(201);
    await captain("patch", "/users/eve", { email: "new@example.org" }).expect(303);
    const { body: rule } = await captain("post", "/rules", { access: "deny", username: "eve" }).expect(201);
    await captain("patch", `/rules/${rule.id}`, { priority: 7 }).expect(303);
    await captain("delete", `/rules/${rule.id}`).expect(204);
    const [removed, changed, made] = await audit("?event=rule.&limit=3");
    assert.equal(removed?.event, "rule.removed");
    assert.equal(removed.details["after"], null);
    assert.deepEqual(changed?.details, {
      rule: rule.id,
      by: "captain",
      changed: ["priority"],
      before: { priority: 0 },
      after: { priority: 7 },
    });
    assert.equal((made?.details["after"] as { access: string }).access, "deny");
    const [user] = await audit("?event=user.changed&account=eve&limit=1");
    assert.deepEqual(user?.details["before"], { email: "eve@example.org" });
    assert.deepEqual(user?.details["after"], { email: "new@example.org" });
    assert.deepEqual(user?.details["changed"], ["email"]);
    assert.doesNotMatch(JSON.stringify(await audit("?limit=1000")), /secret|argon2/);
  });

  it("lists the gateways of the database, to super users", async () => {
    const { body } = await captain("get", "/fleet").expect(200);
    const [one, ...others] = body as Record<string, unknown>[];
    assert.deepEqual(others, []);
    assert.deepEqual(
      [one?.["process"], one?.["reader"], one?.["judges"], one?.["sockets"]],
      [process.pid, true, null, 0],
    );
    problemOf(await guest("get", "/fleet"), 403);
    const metrics = await gateway.http.get("/metrics");
    assert.match(
      metrics.text,
      new RegExp(`portolan_gateway_info\\{version="[^"]+",host="[^"]+",process="${process.pid}"\\} 1`),
    );
  });

  it("is paged, by an instant, by account", async () => {
    const all = await audit("?limit=1000");
    const [latest] = await audit("?limit=1");
    assert.deepEqual(latest, all[0]);
    assert.deepEqual(await audit(`?limit=1&before=${latest?.id}`), [all[1]]);
    assert.deepEqual(await audit(`?since=${new Date(Date.now() + 60_000).toISOString()}`), []);
    const own = await audit("?account=captain");
    assert.ok(own.length > 0);
    for (const { account, details } of own) assert.ok(details["by"] === "captain" || account === "captain");
    assert.deepEqual(await audit("?account=nobody"), []);
  });

  it("gives the sizes of tables with their partitions, and missing indexes", async () => {
    await gateway.database.client.query(`
create table world."<Old> ports" (
  id int primary key, city_id int references world.cities, "at" int, geom geometry(point, 4326),
  unique (id, city_id));
create table world.log_parts (id int, body text) partition by range (id);
create table world.log_part_1 partition of world.log_parts for values from (0) to (100000);
insert into world.log_parts select n, repeat('x', 100) from generate_series(1, 20000) n`);
    const { body } = await captain("get", "/sizes").expect(200);
    const of = (table: string) => body.find(({ name }: { name: string }) => name === table);
    const create = 'create index on world."<Old> ports"';
    assert.deepEqual(of("<Old> ports").missing_indexes, [`${create} (city_id);`, `${create} using gist (geom);`]);
    assert.ok(of("log_parts").table_bytes > 2_000_000);
    assert.equal(of("log_part_1"), undefined);
    assert.ok(body.findIndex(({ name }: { name: string }) => name === "log_parts") < 3, "the largest come first");
    for (const statement of of("<Old> ports").missing_indexes) await gateway.database.client.query(statement);
    const after = (await captain("get", "/sizes").expect(200)).body;
    assert.deepEqual(after.find(({ name }: { name: string }) => name === "<Old> ports").missing_indexes, []);
    await gateway.database.client.query(`
set enable_seqscan = off; select from world."<Old> ports" where id = 1; set enable_seqscan = on;
select pg_stat_force_next_flush()`);
    await until(async () => {
      const now = (await captain("get", "/sizes").expect(200)).body;
      return now.find(({ name }: { name: string }) => name === "<Old> ports").index_reads > 0;
    });
    const { status, stdout, stderr } = portolan("table", "sizes", "--json");
    assert.equal(status, 0, stderr);
    assert.deepEqual(JSON.parse(stdout).length, after.length);
  });

  it("doctor gives each finding its state, severity, remedy and page", async () => {
    await gateway.database.client.query("alter role gateway inherit");
    try {
      const { body } = await captain("get", "/doctor").expect(200);
      const bad = body.find(({ finding }: { finding: string }) => /inherits the rights of accounts/.test(finding));
      assert.equal(bad.ok, false);
      assert.equal(bad.severity, "warning");
      assert.deepEqual(bad.remedy, ['alter role "gateway" noinherit;']);
      assert.ok(body.some(({ finding }: { finding: string }) => finding === "every GraphQL schema can be built"));
      for (const { page } of body as { page: string }[]) {
        const [path = "", anchor] = page.split("#");
        assert.equal(brokenLink({ line: 0, path, anchor }), undefined);
      }
    } finally {
      await gateway.database.client.query("alter role gateway noinherit");
    }
  });

  it("doctor names stored methods whose table is gone", async () => {
    const { client } = gateway.database;
    await client.query("create table world.buoys_2025 (id int)");
    for (const [method, q] of [
      ["gone", "with world as (select 1) select b.* from world.buoys_2025 b, world"],
      ["there", "select * from world.cities"],
    ])
      await captain("post", "/methods", { method, q, published: true }).expect(201);
    await client.query("drop table world.buoys_2025");
    const { body } = await captain("get", "/doctor").expect(200);
    const about = (body as { ok: boolean; finding: string; remedy: string[] }[]).filter(({ finding }) =>
      /stored methods/.test(finding),
    );
    assert.deepEqual(
      about.map(({ ok, finding, remedy }) => [ok, finding, remedy]),
      [[false, "there is no world.buoys_2025, which stored methods name: gone", ["npx portolan method remove gone"]]],
    );
    for (const method of ["gone", "there"]) await captain("delete", `/methods/${method}`).expect(204);
  });

  it("whatever another session does at the same moment, no door answers 500: 409, or 503 that says when to try again", async () => {
    const { client, name: database } = gateway.database;
    const own = ["list_sizes", "use_console_session"];
    const { rows: functions } = await client.query<{ text: string }>(
      "select pg_get_functiondef(p.oid) as text from pg_proc p where p.pronamespace = 'portolan'::regnamespace and p.proname = any ($1)",
      [own],
    );
    assert.equal(functions.length, own.length);
    const failing = ({ text }: { text: string }): string =>
      text
        .replace(/LANGUAGE \w+/, "LANGUAGE plpgsql")
        .replace(/AS \$function\$[^]*/, "AS $function$ begin perform world.at_moment(); return; end $function$");
    await client.query(`
select portolan.create_dashboard('moments', 'Moments', '[{"q": "select id from world.moments", "show": "table"}]', '{*}');
insert into portolan.sessions (hash, user_name, token_version, expires_at, console_hash, console_at)
select 'a', name, token_version, now() + interval '1 day', '${hashOf("moment")}', now() from portolan.users where name = 'captain'`);
    const Authorization = `Bearer ${await gateway.token("captain")}`;
    const items = `/api/v4/ogc/database/${database}/collections/world.moments`;
    const cookie = `portolan-console-${Buffer.from(database).toString("base64url")}=moment`;
    const doors: readonly (readonly [path: string, body?: object | string, headers?: Record<string, string>])[] = [
      ["/api/v4/sizes"],
      ["/api/v4/schemas/world/tables/moments/rows"],
      [`${items}/items`],
      [`${items}/tiles/WebMercatorQuad/0/0/0?f=mvt`],
      [`${items}/map?width=32&height=32&bbox=0,0,9,9`],
      ["/api/graphql/schema/world", { query: "{ getMoments { id } }" }],
      ["/api/v4/sql", { q: "select id from world.moments" }],
      [`/dashboards/${database}/moments/panels/1`],
      ["/console/session/token", "", { Cookie: cookie, Origin: gateway.baseUrl, "Sec-Fetch-Site": "same-origin" }],
    ];
    try {
      await client.query(functions.map(failing).join(";\n"));
      for (const moment of ["deadlock", "serialization", "changed type", "dropped index"]) {
        await client.query("update world.moment set name = $1", [moment]);
        for (const [path, body, headers = { "Content-Type": "application/json" }] of doors) {
          const response = await fetch(gateway.baseUrl + path, {
            ...(body !== undefined && { method: "POST", body: typeof body === "string" ? body : JSON.stringify(body) }),
            headers: { Authorization, ...headers },
          });
          const text = await response.text();
          const told = `${moment}: ${path}: ${response.status} ${text}`;
          const again = response.status === 503 && response.headers.get("retry-after") !== null;
          const said = /deadlock detected|could not serialize/.test(text) && /CONFLICT|BAD_USER_INPUT/.test(text);
          assert.ok(again || said, told);
          assert.ok(response.status !== 500 && !text.includes("INTERNAL"), told);
        }
      }
    } finally {
      await client.query(functions.map(({ text }) => text).join(";\n"));
      await client.query(
        "select portolan.drop_dashboard('moments'); drop view world.moments; drop function world.at_moment(); drop table world.moment",
      );
    }
  });

  it("super users find a request by its id, status, account and errorId, with the reason", async () => {
    const failed = await gateway.graphql("guest", "world", "{ breaks }");
    await guest("get", "/users/guest").set("X-Request-Id", "asked-2").expect(200);
    problemOf(await guest("get", "/audit").set("X-Request-Id", "asked-3"), 403);
    problemOf(await gateway.http.get("/api/v4/audit").set("X-Request-Id", "asked-4"), 401);
    assert.doesNotMatch(JSON.stringify(failed.body), /mast/);
    const { errorId } = failed.body.errors[0].extensions;
    const find = async (query: string): Promise<Asked[]> =>
      (await captain("get", `/requests?${query}`).expect(200)).body;
    const [one, ...others] = await find(`errorId=${errorId}`);
    assert.deepEqual(others, []);
    assert.deepEqual(
      [one?.id, one?.account, one?.method, one?.path, one?.code, one?.address],
      [failed.headers["x-request-id"], "guest", "POST", "/api/graphql/schema/world", "INTERNAL", "127.0.0.1"],
    );
    assert.match(one?.error ?? "", /the mast is broken/);
    assert.ok((one?.ms ?? 0) > 0);
    const [read] = await find("id=asked-2");
    assert.deepEqual([read?.path, read?.status, read?.error_id, read?.error], ["/api/v4/users/guest", 200, null, null]);
    const ids = async (query: string) => (await find(query)).map(({ id }) => id);
    assert.deepEqual(await ids("status=403&account=guest&limit=1"), ["asked-3"]);
    assert.deepEqual(await ids("status=401&limit=1"), ["asked-4"]);
    assert.deepEqual(await ids(`before=${one?.number}&id=${one?.id}`), []);
    assert.deepEqual(await ids("id=asked-2&ms=60000"), []);
    assert.deepEqual(await ids(`since=${new Date(Date.now() + 60_000).toISOString()}`), []);
    assert.equal((await ids("status=4xx&limit=2")).length, 2);
    const client = read?.client ?? "";
    assert.notEqual(client, "");
    assert.deepEqual(await ids(`id=asked-2&client=${client}&door=-sql`), ["asked-2"]);
    assert.deepEqual(await ids(`id=asked-2&client=-${client}`), []);
    assert.deepEqual(await ids("id=asked-2&door=-rest"), []);
    assert.deepEqual(await ids("id=asked-4&client=-portolan-console"), ["asked-4"]); // nobody's request has no client
    problemOf(await guest("get", "/requests"), 403);
    for (const query of [
      "status=4x",
      "status=abc",
      "limit=0",
      "before=-1",
      "ms=-1",
      "since=soon",
      "door=-x",
      "error=1",
    ])
      problemOf(await captain("get", `/requests?${query}`), 400);
    const cli = portolan("requests", "--error-id", errorId, "--json");
    assert.deepEqual(JSON.parse(cli.stdout), [one]);
    const left = portolan("requests", "--id", "asked-2", "--client", `-${client}`, "--json");
    assert.deepEqual(JSON.parse(left.stdout), []);
    assert.match(portolan("requests", "--status", "4x").stderr, /^portolan: a status must be a number such as 404/);
  });

  it("a refusal in an answer of 200 is found by its code, with operation and relation, and counted", async () => {
    const find = async (query: string): Promise<Asked[]> =>
      (await captain("get", `/requests?${query}`).expect(200)).body;
    const asked = async (query: string) => {
      const { headers, body } = await gateway.graphql("guest", "world", query);
      assert.ok(body.errors.length > 0, query);
      const [one] = await find(`id=${headers["x-request-id"]}`);
      return [one?.status, one?.code, one?.operation, one?.relation];
    };
    const counted = async () => {
      const { body } = await captain("get", "/statistics").expect(200);
      return (body as Minute[]).reduce((total, { refused }) => total + refused, 0);
    };
    const before = await counted();
    assert.deepEqual(
      await asked(`mutation Sink { deleteCities(id: "1") { id } again: deleteCities(id: "2") { id } }`),
      [200, "FORBIDDEN", "mutation Sink { deleteCities, deleteCities }", "cities"],
    );
    assert.deepEqual(await asked("{ getNothing { id } }"), [200, "BAD_USER_INPUT", null, null]);
    assert.equal((await counted()) - before, 2);
    const [last] = await find("code=forbidden&account=guest&limit=1");
    assert.match(last?.error ?? "", /permission denied for table cities/);
    const token = await gateway.token("guest");
    const call = await gateway.http
      .post("/api/v4/call")
      .set("Authorization", `Bearer ${token}`)
      .send({ jsonrpc: "2.0", id: 1, method: "nowhere" });
    const [called] = await find(`id=${call.headers["x-request-id"]}`);
    assert.deepEqual([called?.status, called?.code, called?.operation], [200, "METHOD_NOT_FOUND", "nowhere"]);
    const cli = portolan("requests", "--code", "METHOD_NOT_FOUND", "--json");
    assert.deepEqual(JSON.parse(cli.stdout), [called]);
  });

  it("leaves assets of pages out of the log", async () => {
    await gateway.http.get("/assets/portolan.css").set("X-Request-Id", "asset-1").expect(200);
    await gateway.http.get("/assets/nothing.css").set("X-Request-Id", "asset-2").expect(404);
    const ids = async (id: string) => (await captain("get", `/requests?id=${id}`).expect(200)).body.length;
    assert.deepEqual([await ids("asset-1"), await ids("asset-2")], [0, 1]);
  });

  it("counts the requests of each minute by host, with failures and durations", async () => {
    const sums = async () => {
      const { body } = await captain("get", "/statistics").expect(200);
      const sum = (of: (minute: Minute) => number) => (body as Minute[]).reduce((total, one) => total + of(one), 0);
      return {
        body: body as Minute[],
        requests: sum((one) => one.requests),
        refused: sum((one) => one.refused),
        failed: sum((one) => one.failed),
      };
    };
    const before = await sums();
    await gateway.graphql("guest", "world", "{ breaks }"); // 200, and says in its answer that the service has failed
    for (let count = 0; count < 5; count++) await guest("get", "/users/captain").expect(403);
    await gateway.http.get("/livez").expect(200);
    const after = await sums();
    assert.equal(after.failed - before.failed, 1);
    assert.equal(after.refused - before.refused, 5);
    assert.equal(after.requests - before.requests, 7); // with the result of the first query, which had not ended at the first answer
    const last = after.body.at(-1);
    assert.equal(last?.host, hostname());
    assert.ok((last.p50_ms ?? 0) > 0 && (last.p95_ms ?? 0) >= (last.p50_ms ?? 0), JSON.stringify(last));
    const later = encodeURIComponent(new Date(Date.now() + 120_000).toISOString());
    assert.deepEqual((await captain("get", `/statistics?since=${later}`).expect(200)).body, []);
    problemOf(await guest("get", "/statistics"), 403);
    problemOf(await captain("get", "/statistics?since=soon"), 400);
    const { stdout } = portolan("statistics", "--json");
    assert.deepEqual(Object.keys((JSON.parse(stdout) as Minute[])[0] ?? {}), Object.keys(last));
  });

  it("running statements are listed with what they wait for, and cancelled: the request fails, and it is in the audit", async () => {
    const blocker = new pg.Client({ connectionString: gateway.database.url });
    await blocker.connect();
    try {
      await blocker.query("begin; lock table world.countries in access exclusive mode");
      const { rows: own } = await blocker.query("select pg_backend_pid() as pid");
      const waiting = guest("post", "/sql", { q: "select count(*) from world.countries where 'needle' <> ''" }).then(
        (answer) => answer,
      );
      const statements = async () => (await captain("get", "/statements").expect(200)).body as Statement[];
      const find = async () => (await statements()).find(({ statement }) => statement.includes("'needle'"));
      await until(async () => (await find())?.waits_for === "Lock: relation");
      const one = (await find())!;
      assert.deepEqual([one.account, one.state], ["guest", "active"]);
      assert.deepEqual(one.blocked_by, [own[0].pid]);
      const open = (await statements()).find(({ pid }) => pid === own[0].pid);
      assert.equal(open?.state, "idle in transaction");
      problemOf(await guest("get", "/statements"), 403);
      problemOf(await guest("delete", `/statements/${one.pid}`), 403);
      const before = encodeURIComponent("2020-01-01T00:00:00Z");
      problemOf(await captain("delete", `/statements/${one.pid}?started=${before}`), 404);
      await captain("delete", `/statements/${one.pid}?started=${encodeURIComponent(one.started)}`).expect(204);
      assert.match(problemOf(await waiting, 504), /cancelled/);
      assert.equal(await find(), undefined);
      const [entry] = await audit("?event=statement.&limit=1");
      assert.deepEqual([entry?.account, entry?.details["by"], entry?.details["pid"]], ["guest", "captain", one.pid]);
      for (const pid of ["0", "x", "99999999999", one.pid, own[0].pid])
        problemOf(await captain("delete", `/statements/${pid}`), 404);
    } finally {
      await blocker.end();
    }
  });

  it("lists the extensions, with their newest versions", async () => {
    const { client } = gateway.database;
    await client.query('create schema "Trees"; create extension ltree schema "Trees" version \'1.1\'');
    const { body } = await captain("get", "/extensions").expect(200);
    const names = body.map(({ name }: { name: string }) => name);
    assert.deepEqual(names, [...names].sort());
    const ltree = body.find(({ name }: { name: string }) => name === "ltree");
    const { version: _version, newer_version: newer, ...rest } = ltree;
    assert.deepEqual(rest, {
      name: "ltree",
      schema: "Trees",
      relocatable: true,
      description: "data type for hierarchical tree-like structures",
    });
    assert.notEqual(newer, "1.1");
    await client.query("alter extension ltree update");
    const now = (await captain("get", "/extensions").expect(200)).body;
    const updated = now.find(({ name }: { name: string }) => name === "ltree");
    assert.deepEqual([updated.version, updated.newer_version], [newer ?? "1.1", null]);
    const { status, stdout, stderr } = portolan("extension", "list", "--json");
    assert.equal(status, 0, stderr);
    assert.deepEqual(
      JSON.parse(stdout),
      now.map(({ relocatable: _relocatable, ...shown }: { relocatable: boolean }) => shown),
    );
    await client.query("drop extension ltree");
    problemOf(await captain("post", "/extensions", {}), 405);
  });

  it("are for super users; wrong parameters are refused", async () => {
    for (const path of ["/audit", "/doctor", "/sizes", "/requests", "/statistics", "/statements", "/extensions"]) {
      problemOf(await guest("get", path), 403);
      problemOf(await gateway.http.get(`/api/v4${path}`), 401);
    }
    for (const query of ["limit=0", "limit=1001", "before=x", "since=yesterday-ish", "all=1", "limit=1&limit=2"])
      problemOf(await captain("get", `/audit?${query}`), 400);
  });
});

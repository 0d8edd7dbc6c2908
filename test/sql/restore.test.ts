import assert from "node:assert/strict";
import { execFileSync, spawnSync, type SpawnSyncReturns } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { makeConfig } from "../../server/kernel/config.ts";
import { diagnose } from "../../server/operate/doctor/doctor.ts";
import { startLocalCluster, type LocalCluster } from "../../server/demo/cluster/localCluster.ts";
import { createLog } from "../../server/ground/log.ts";
import { startGateway, type Gateway } from "../../server/main.ts";
import { migrate } from "../../server/operate/migrate.ts";
import { findPostgres } from "../../server/setup/programs.mjs";
import { GATEWAY_LOGIN, testDatabase, type TestDatabase } from "../support/databases.ts";
import { tokenFor } from "../support/gateway.ts";
import { MEMBERSHIPS_SAY } from "../support/postgres.ts";
import { sized } from "../support/size.ts";
import { SocketClient } from "../support/webSocket.ts";

/** One in this number of rights is revoked, one by one. */
const EVERY = sized(4, 1);
const BIN = findPostgres()?.bin ?? "";

/** Objects of a team: grants to accounts, to its own role, policies that name roles, a revoked function. */
const OF_THE_TEAM = (name: string): string => `
create role accountants;
create table world.plans (id integer primary key, secret boolean not null);
insert into world.plans values (1, false), (2, true);
grant select on world.plans to "guest@${name}";
alter table world.plans enable row level security;
create policy everything on world.plans to public using (true);
create policy no_secrets on world.plans as restrictive for select to "guest@${name}" using (not secret);
create function world.plan_count() returns bigint language sql stable security definer as 'select count(*) from world.plans';
revoke execute on function world.plan_count() from public;
grant execute on function world.plan_count() to "captain@${name}", accountants;
grant usage on schema public to "anonymous@${name}", ${GATEWAY_LOGIN};
revoke all on schema public from public;
select portolan.enable_events('world.logbook');
select portolan.enable_versioning('world.cities');
select portolan.enable_workflow('world.plans');
insert into portolan.methods (method, q, owner, published) values ('hello', 'select 1 as one', 'captain', true);
`;

describe("a dump without roles, restored", () => {
  let source: TestDatabase;
  let cluster: LocalCluster;
  let folder: string;

  before(async () => {
    source = await testDatabase({ kind: "demo" });
    await source.client.query(OF_THE_TEAM(source.name));
    await migrate({ ownerUrl: source.url, gatewayLogin: GATEWAY_LOGIN }); // notes the team's grants, as the gateway does
    folder = mkdtempSync(join(tmpdir(), "portolan-restore-"));
    chmodSync(folder, 0o755); // as root, PostgreSQL runs as another user
    execFileSync(join(BIN, "pg_dump"), ["-Fc", "-f", join(folder, "dump"), source.url]);
    execFileSync(join(BIN, "pg_dump"), ["-f", join(folder, "dump.sql"), source.url]);
    cluster = await startLocalCluster({ directory: join(folder, "cluster"), durable: false });
    await run("postgres", `create role ${GATEWAY_LOGIN} login noinherit password 'gateway'`);
  });

  after(async () => {
    await source.drop();
    await cluster.stop();
    rmSync(folder, { recursive: true });
  });

  async function run<Row extends object>(database: string, text: string): Promise<Row[]> {
    const client = new pg.Client({ connectionString: cluster.url(database) });
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  }

  const restored = (name: string) => ({
    name,
    url: cluster.url(name, GATEWAY_LOGIN, "gateway"),
    ownerUrl: cluster.url(name),
    gatewayUrl: cluster.url(name, GATEWAY_LOGIN, "gateway"),
  });

  // gc2-cli is in every database, so a restored one has it too
  const findings = async (name: string) =>
    (await diagnose(restored(name), undefined))
      .filter(({ ok, text }) => !ok && !text.startsWith("the client gc2-cli "))
      .map(({ text }) => text);

  type Restore = (url: string) => SpawnSyncReturns<string>;
  const asSql: Restore = (url) =>
    spawnSync(join(BIN, "psql"), ["-q", "-d", url, "-f", join(folder, "dump.sql")], { encoding: "utf8" });
  const asArchive: Restore = (url) =>
    spawnSync(join(BIN, "pg_restore"), ["-d", url, join(folder, "dump")], { encoding: "utf8" });

  for (const [title, target, restore] of [
    ["as SQL, into a database of another name", () => "elsewhere", asSql],
    ["with pg_restore", () => source.name, asArchive],
  ] as const)
    describe(title, () => {
      let gateway: Gateway;
      let name: string;

      before(async () => {
        name = target();
        await run("postgres", `create database ${name}`);
        const { stderr } = restore(cluster.url(name));
        assert.match(stderr, /role "[^"]+" does not exist/); // a cluster without the roles, as intended
        const before = await findings(name);
        assert.ok(before.length > 0, "doctor has nothing to say of a restored database");
        assert.deepEqual(
          before.filter((text) => /the check failed/.test(text)),
          [],
        );
        assert.deepEqual(await run(name, "select part, what from portolan.changed_own_parts()"), []);
        await migrate({ ownerUrl: cluster.url(name), gatewayLogin: GATEWAY_LOGIN, repairRoles: true });
        gateway = await startGateway(
          makeConfig({
            databases: { [name]: { url: restored(name).gatewayUrl, ownerUrl: cluster.url(name) } },
            port: 0,
          }),
          createLog(process.env["TEST_LOG_LEVEL"] ?? "silent"),
        );
      });

      after(() => gateway.close());

      const token = (account: string) => tokenFor({ name, url: cluster.url(name) }, gateway.baseUrl, account);

      interface Answer {
        readonly status: number;
        readonly type: string;
        readonly body: unknown;
      }

      async function ask(account: string, path: string, body?: unknown): Promise<Answer> {
        const response = await fetch(gateway.baseUrl + path, {
          ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
          headers: {
            "Content-Type": "application/json",
            ...(account !== "anonymous" && { Authorization: `Bearer ${await token(account)}` }),
          },
        });
        const type = response.headers.get("content-type") ?? "";
        return {
          status: response.status,
          type,
          body: /json/.test(type) ? await response.json() : await response.text(),
        };
      }

      it("doctor finds nothing any more", async () => {
        assert.deepEqual(await findings(name), []);
      });

      it("what was revoked from public stays revoked", async () => {
        const open = await run(
          name,
          `select n.nspname from pg_namespace n cross join aclexplode(n.nspacl) a
          where n.nspname = 'public' and a.grantee = 0
          union all
          select p.proname from pg_proc p cross join aclexplode(p.proacl) a
          where p.proname = 'plan_count' and a.grantee = 0`,
        );
        assert.deepEqual(open, []);
      });

      it("GraphQL reads and writes under the caller's rights", async () => {
        const query = (account: string, text: string) => ask(account, "/api/graphql/schema/world", { query: text });
        const written = await query("guest", 'mutation { insertLogbook(data: {city_id: 1, entry: "Back"}) { entry } }');
        assert.deepEqual(written.body, { data: { insertLogbook: [{ entry: "Back" }] } });
        assert.deepEqual((await query("captain", "{ countPlans }")).body, { data: { countPlans: 2 } });
        assert.deepEqual((await query("guest", "{ countPlans }")).body, { data: { countPlans: 1 } });
        assert.equal((await query("anonymous", "{ countCountries }")).status, 401);
      });

      it("a stored method and an account's own SQL are answered", async () => {
        for (const account of ["captain", "guest"]) {
          const called = await ask(account, "/api/v4/call", { jsonrpc: "2.0", method: "hello", id: 1 });
          assert.match(JSON.stringify(called.body), /"one":1/);
        }
        assert.match(
          JSON.stringify((await ask("guest", "/api/v4/sql", { q: "select count(*)::int as n from world.plans" })).body),
          /"n":1/,
        );
        assert.equal((await ask("guest", "/api/v4/sql", { q: "select world.plan_count()" })).status, 403);
        assert.equal((await ask("captain", "/api/v4/sql", { q: "select world.plan_count()" })).status, 200);
        assert.equal((await ask("guest", "/api/v4/sql", { q: "select portolan.secrets()" })).status, 403);
      });

      it("items and maps are served", async () => {
        const collections = `/api/v4/ogc/database/${name}/collections`;
        for (const account of ["captain", "guest"]) {
          assert.equal((await ask(account, `${collections}/world.cities/items?limit=2`)).status, 200);
          assert.equal(
            (await ask(account, `${collections}/world.cities/map?width=64&height=64&f=png`)).type,
            "image/png",
          );
        }
        assert.equal((await ask("anonymous", `${collections}/world.graticule/items?limit=2`)).status, 200);
        assert.equal((await ask("anonymous", `${collections}/world.cities/items`)).status, 401);
      });

      it("an account signs in with its password", async () => {
        const { status } = await ask("anonymous", "/api/v4/oauth", {
          grant_type: "password",
          client_id: "portolan-cli",
          username: "guest",
          password: "guest",
          database: name,
        });
        assert.equal(status, 200);
      });

      it("events, history and workflow continue", async () => {
        const socket = await new SocketClient(
          `${gateway.baseUrl.replace("http", "ws")}/?token=${await token("guest")}`,
        ).opened();
        socket.send({ type: "subscription", id: "a", schema: "world", rel: "logbook" });
        await socket.take("subscription_ack");
        await run(name, "insert into world.logbook (city_id, author, entry) values (1, 'guest', 'Seen')");
        assert.match(JSON.stringify(await socket.take("batch")), /Seen/);
        socket.webSocket.terminate();
        const [before] = await run<{ n: number }>(name, "select count(*)::int as n from world__history.cities");
        await run(name, "update world.cities set name = name || '!' where id = 1");
        const [after] = await run<{ n: number }>(name, "select count(*)::int as n from world__history.cities");
        assert.equal(after!.n, before!.n + 1);
        const [row] = await run<{ status: number }>(
          name,
          "insert into world.plans (id, secret) values (3, true) returning portolan_status as status",
        );
        assert.equal(row!.status, 3);
      });
    });

  // after the other tests, which make the roles that it had before the dump
  describe("beside the roles of the database that it came from", () => {
    it("has policies that name the roles of its own accounts", async () => {
      await run("postgres", "create database twin");
      asSql(cluster.url("twin"));
      await migrate({ ownerUrl: cluster.url("twin"), gatewayLogin: GATEWAY_LOGIN, repairRoles: true });
      const policies = await run(
        "twin",
        "select polroles::regrole[]::text[] as roles from pg_policy where polname = 'no_secrets'",
      );
      assert.deepEqual(policies, [{ roles: ['"guest@twin"'] }]);
    });
  });

  it("each missing right is named by doctor, and restored by a repair", async () => {
    const name = "taken";
    await run("postgres", `create database ${name}`);
    asArchive(cluster.url(name));
    const repair = () => migrate({ ownerUrl: cluster.url(name), gatewayLogin: GATEWAY_LOGIN, repairRoles: true });
    await repair();
    assert.deepEqual(await findings(name), []);
    const client = new pg.Client({ connectionString: cluster.url(name) });
    await client.connect();
    try {
      const { rows: grants } = await client.query<{ take: string; name: string }>(`
with grants as (
  select w.*, portolan.role_sql(w.grantee) as role, case w.catalogue
    when 'pg_namespace'::regclass then 'schema portolan'
    when 'pg_class'::regclass then 'table ' || w.object::regclass
    else 'function ' || w.object::regprocedure end as name
  from portolan.wanted_rights() w
)
select format('revoke %s %s on %s from %s', g.privilege, '(' || quote_ident(a.attname) || ')', g.name, g.role) as take, g.name
from grants g left join pg_attribute a on g.attnum > 0 and a.attrelid = g.object and a.attnum = g.attnum
union all
select format('revoke %I from %I', m.role, m.member), quote_ident(m.member) from portolan.wanted_memberships(array(select u.name from portolan.users u)) m
union all
select format('grant %I to %I with %s', m.role, m.member, o.option), quote_ident(m.member)
from portolan.wanted_memberships(array(select u.name from portolan.users u)) m
  cross join lateral (values ('inherit ' || not m.inherit), ('set false')) o (option)
where ${MEMBERSHIPS_SAY}
union all
select format('revoke all on %s from %I', p.relation, u.role), p.relation::text
from portolan.privileges p join portolan.users u on u.name = p.user_name
union all
select format('revoke select on %s from %I', a.relation, portolan.role_name('anonymous')), a.relation::text
from portolan.authentication a
union all
values
  (format('revoke usage on schema world from %I, %I', portolan.role_name('guest'), portolan.role_name('anonymous')), 'world'),
  (format('revoke usage on sequence %s from %I', pg_get_serial_sequence('world.logbook', 'id'), portolan.role_name('guest')),
    'logbook'),
  ('grant execute on function portolan.secrets() to public', 'secrets'),
  ('grant select on portolan.users to public', 'portolan.users'),
  (format('alter role %I bypassrls', portolan.role_name('guest')), 'guest@'),
  (format('alter role %I superuser', portolan.role_name('guest')), 'guest@'),
  (format('alter role %I createrole', portolan.role_name('guest')), 'guest@'),
  (format('alter role %I noinherit', portolan.role_name('guest')), 'guest@'),
  (format('alter role %I inherit', portolan.pool_role()), 'pool')`);
      assert.ok(grants.length > 150, `only ${grants.length}`);
      for (const { take, name: object } of grants.filter((_, index) => index % EVERY === 0)) {
        await client.query(take);
        const { rows } = await client.query<{ finding: string; statement: string }>(
          "select * from portolan.rights_to_mend()",
        );
        assert.ok(
          rows.some(({ finding }) => finding.includes(object)),
          `${take}: ${JSON.stringify(rows)}`,
        );
        await client.query("select portolan.mend_rights(true)");
        assert.deepEqual((await client.query("select from portolan.rights_to_mend()")).rowCount, 0, take);
      }
      // and through the commands, when the login has lost its rights
      for (const take of [
        "revoke usage on schema portolan from public",
        `revoke execute on function portolan.rights_to_mend() from ${GATEWAY_LOGIN}`,
        `revoke select on portolan.code from ${GATEWAY_LOGIN}`,
      ]) {
        await client.query(take);
        assert.match((await findings(name)).join("\n"), /gateway lacks rights in schema portolan/, take);
        await repair();
        assert.deepEqual(await findings(name), [], take);
      }
    } finally {
      await client.end();
    }
  });

  describe("that stopped half way", () => {
    const repair = (name: string) =>
      migrate({ ownerUrl: cluster.url(name), gatewayLogin: GATEWAY_LOGIN, repairRoles: true });

    /** Restores the entries of the archive's table of contents up to the first that matches. */
    async function restoreUntil(name: string, end: RegExp): Promise<void> {
      await run("postgres", `create database ${name}`);
      const list = execFileSync(join(BIN, "pg_restore"), ["-l", join(folder, "dump")], { encoding: "utf8" }).split(
        "\n",
      );
      const at = list.findIndex((line) => end.test(line));
      assert.ok(at > 0);
      writeFileSync(join(folder, "list"), list.slice(0, at).join("\n"));
      const words = ["-d", cluster.url(name), "-L", join(folder, "list"), join(folder, "dump")];
      spawnSync(join(BIN, "pg_restore"), words);
    }

    for (const [what, end] of [
      ["before its data", / TABLE DATA /],
      ["before its keys", / CONSTRAINT /],
    ] as const)
      it(`${what} is refused`, async () => {
        const name = what.replaceAll(" ", "_");
        await restoreUntil(name, end);
        await assert.rejects(
          repair(name),
          /schema portolan of the database is not whole\. It was restored only in part: drop/,
        );
        await run("postgres", `drop database ${name}`);
      });

    it("before its policies is refused, and named by doctor, until the missing parts exist or are declined", async () => {
      await restoreUntil("half", / POLICY /);
      const lacks = /lacks \d+ parts .*policy \S+ of \S+, .*only in part: drop it and restore it again/;
      await assert.rejects(repair("half"), lacks);
      await assert.rejects(repair("half"), lacks, "it has repaired something");
      const missing = await run<{ part: string }>("half", "select part from portolan.missing_parts() part");
      const parts = missing.map(({ part }) => part);
      assert.ok(parts.includes("policy everything of world.plans"), parts.join());
      assert.ok(parts.includes("row security of world.plans"), parts.join());
      // as a login that may query, which it may not before the repair
      await run("half", `grant usage on schema portolan to ${GATEWAY_LOGIN}`);
      await run("half", `grant execute on all functions in schema portolan to ${GATEWAY_LOGIN}`);
      await run("half", `grant select on all tables in schema portolan to ${GATEWAY_LOGIN}`);
      assert.match((await findings("half")).join("\n"), /was restored only in part: it lacks .*policy/);
      await run("half", "truncate portolan.noted_parts");
      await repair("half");
      assert.ok((await findings("half")).every((text) => !/only in part/.test(text)));
      await run("postgres", "drop database half");
    });
  });

  it("every function in the list exists", async () => {
    const { rows } = await source.client.query(`
select r.name
from regexp_matches((select p.prosrc from pg_proc p where p.proname = 'wanted_rights'), 'unnest\\(''\\{([^}]+)\\}''::name', 'g') m (names)
  cross join unnest(('{' || m.names[1] || '}')::name[]) r (name)
where not exists (select from pg_proc p where p.pronamespace = 'portolan'::regnamespace and p.proname = r.name)`);
    assert.deepEqual(rows, []);
  });
});

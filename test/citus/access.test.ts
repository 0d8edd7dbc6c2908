import assert from "node:assert/strict";
import pg from "pg";
import { LoginPasswords } from "../../server/kernel/database/loginPasswords.ts";
import { diagnose } from "../../server/operate/doctor/doctor.ts";
import { migrate } from "../../server/operate/migrate.ts";
import { hasCitus, urlAt } from "../support/citusCluster.ts";
import { openAsGateway } from "../support/databases.ts";
import { describeOnlyIf } from "../support/onlyIf.ts";
import { until } from "../support/until.ts";
import { startTown, type Town } from "./town.ts";

describeOnlyIf(hasCitus(), "Citus: test/citus/build.sh")("accounts and rules on a Citus cluster", () => {
  let town: Town;
  const query = (text: string, values?: unknown[]) => town.query(text, values);
  const rule = async (members: object): Promise<number> =>
    (await query("select portolan.create_rule($1) as id", [JSON.stringify(members)]))[0]!["id"] as number;
  const refused = (text: string, values?: unknown[]): Promise<string> =>
    query(text, values).then(
      () => assert.fail("it was not refused"),
      (error: { code: string; message: string }) => {
        assert.match(error.code, /^PX4/, error.message);
        return error.message;
      },
    );
  const doctor = async (): Promise<string[]> =>
    (
      await diagnose(
        {
          name: "town",
          url: town.cluster.database.gatewayUrl,
          ownerUrl: town.cluster.database.url,
        },
        undefined,
      )
    )
      .filter(({ page }) => page === "cluster.md")
      .map(({ ok, text }) => `${ok ? "ok" : "not ok"}: ${text}`);
  const nodes = (): string[] =>
    [town.cluster.coordinator, ...town.cluster.workers].map(({ port }) => `127.0.0.1:${port}`).sort();

  const LOCK_SHARDS =
    "set citus.show_shards_for_app_name_prefixes to '*'; set citus.enable_ddl_propagation to off; set citus.enable_manual_changes_to_shards to on";
  /** The name of the table on a node, or of one of its shards there. */
  const oneOf = async (client: pg.Client, table: string, isShard: boolean): Promise<string> => {
    const { rows } = await client.query<{ name: string }>(
      `select oid::regclass::text as name from pg_class where relkind = 'r' and relname ~ $1 and relnamespace = 'app'::regnamespace`,
      [`^${table}${isShard ? "_\\d+" : ""}$`],
    );
    return rows[0]!.name;
  };

  before(async function () {
    this.timeout(240_000);
    town = await startTown();
    await query("select portolan.create_user('chief', null, superuser => true)");
  });
  after(() => town.close());

  describe("logins", () => {
    it("lets an account read shards from the moment that it is made, and no more when it is gone", async () => {
      await query("select portolan.create_user('eve', null)");
      await query("select portolan.set_privilege('app.tenants', 'eve', 'read')");
      assert.deepEqual(await town.graphql("eve", "app", "{ countTenants }"), {
        countTenants: 10,
      });
      await query("select portolan.drop_user('eve')");
      assert.deepEqual(await query("select from pg_dist_authinfo where rolename = 'eve@town'"), []);
      assert.deepEqual(
        await query(
          "select distinct result from run_command_on_workers($$select count(*) from pg_roles where rolname = 'eve@town'$$)",
        ),
        [{ result: "0" }],
      );
    });

    it("tells the nodes how accounts log in at each other", async () => {
      await query("select portolan.create_user('fay', null)");
      await until(async () => {
        const rows = await query(
          "select result from run_command_on_workers($$select count(*) from pg_dist_authinfo where rolename = 'fay@town'$$)",
        );
        return rows.length === 2 && rows.every(({ result }) => result === "1");
      });
    });

    it("derives the passwords as the gateway does, and verifiers that PostgreSQL accepts", async () => {
      const opened = openAsGateway(town.cluster.database);
      try {
        const [row] = await query("select portolan.derived_password('ann@town', 2) as password");
        assert.equal(row!["password"], await new LoginPasswords(opened.db).of("ann@town"));
      } finally {
        await opened.close();
      }
    });
  });

  describe("rules", () => {
    afterEach(() => query("delete from portolan.rules"));

    it("hold on the shards of tables of all kinds, for reads and writes, by account and group", async () => {
      await query("select portolan.create_user('crew', null)");
      await query("select portolan.create_user('cyd', null, user_group => 'crew')");
      await query("select portolan.set_privilege('app.tenants', 'cyd', 'all')");
      await rule({
        schema: "app",
        table: "points",
        username: "ann",
        request: "select",
        access: "limit",
        filter: "kind_id = 1",
      });
      await rule({
        schema: "app",
        table: "tenants",
        username: "crew",
        access: "limit",
        filter: "id < 4",
      });
      await rule({
        schema: "app",
        table: "kinds",
        username: "bob",
        access: "limit",
        filter: "name = 'tree'",
      });
      await rule({
        schema: "s1",
        table: "things",
        access: "limit",
        filter: "id <= 5 and st_x(geom) > 1",
      });
      assert.deepEqual(await town.graphql("ann", "app", "{ countPoints countTenants countKinds }"), {
        countPoints: 20,
        countTenants: 10,
        countKinds: 2,
      });
      assert.deepEqual(await town.graphql("bob", "app", "{ countPoints countKinds }"), {
        countPoints: 40,
        countKinds: 1,
      });
      assert.deepEqual(await town.graphql("cyd", "app", "{ countTenants }"), {
        countTenants: 3,
      });
      assert.deepEqual(await town.graphql("bob", "s1", "{ countThings }"), {
        countThings: 4,
      });
      assert.deepEqual(
        await town.graphql(
          "cyd",
          "app",
          'mutation { updateTenants(where: {id: {gt: 0}}, data: {name: "cyd"}) { id } }',
        ),
        { updateTenants: [{ id: "1" }, { id: "2" }, { id: "3" }] },
      );
      const error = await town.graphql("cyd", "app", 'mutation { insertTenants(data: {id: 99, name: "x"}) { id } }');
      assert.equal((error as { extensions: { code: string } }).extensions.code, "FORBIDDEN");
    });

    it("are asked by the nodes themselves: a role that reads a shard there gets no more", async () => {
      await rule({
        schema: "app",
        table: "points",
        username: "ann",
        request: "select",
        access: "limit",
        filter: "kind_id = 1",
      });
      const [{ client }] = [town.cluster.coordinator];
      await client.query('set role "ann@town"');
      try {
        const { rows } = await client.query<{ rows: string }>(
          "select sum(result::int)::text as rows from run_command_on_shards('app.points', 'select count(*) from %s')",
        );
        assert.equal(rows[0]!.rows, "20");
      } finally {
        await client.query("reset role");
      }
    });

    it("say who may not, at the doors", async () => {
      await rule({
        schema: "app",
        table: "kinds",
        username: "ann",
        access: "deny",
      });
      const error = await town.graphql("ann", "app", "{ getKinds { id } }");
      assert.equal((error as { extensions: { code: string } }).extensions.code, "FORBIDDEN");
      const written = await town.graphql("ann", "app", 'mutation { deleteKinds(id: "1") { id } }');
      assert.equal((written as { extensions: { code: string } }).extensions.code, "FORBIDDEN");
      assert.deepEqual(await town.graphql("bob", "app", "{ countKinds }"), {
        countKinds: 2,
      });
    });

    it("are refused with the reason where a shard cannot tell", async () => {
      const on = (members: object) =>
        refused("select portolan.create_rule($1)", [JSON.stringify({ schema: "app", table: "points", ...members })]);
      assert.match(
        await on({ service: "ogc", access: "deny" }),
        /cannot hold on the shards of app.points: it is for the service ogc, and a shard learns of a request only by settings, which SQL of the account can change$/,
      );
      assert.match(
        await on({ iprange: "10.0.0.0/8", access: "deny" }),
        /it is for the addresses 10.0.0.0\/8, and a shard/,
      );
      assert.match(await on({ mfa: true, access: "allow" }), /it asks for a second factor, and a shard/);
      assert.match(
        await on({ access: "limit", filter: "tenant_id = {{tenant}}" }),
        /its filter reads properties of the account, which the nodes do not have: write a rule for each account or group$/,
      );
      assert.deepEqual(await query("select from portolan.rules"), []);
      await query("create policy own on app.points using (true)");
      await query("alter table app.points enable row level security");
      assert.match(await on({ access: "deny" }), /^rules cannot hold on app.points beside row level security of yours/);
      await query("drop policy own on app.points");
      await query("alter table app.points disable row level security");
      await query("create table app.local (id int primary key)");
      await rule({
        schema: "app",
        table: "local",
        service: "ogc",
        access: "deny",
      });
    });

    it("are refused for an account that could act as its group instead, and doctor finds one that came to a group", async () => {
      await query("select portolan.create_user('dora', null, user_group => 'crew')");
      await query("select portolan.set_privilege('app.points', 'crew', 'read')");
      const denied = { schema: "app", table: "points", username: "dora", access: "deny" };
      assert.match(
        await refused("select portolan.create_rule($1)", [JSON.stringify(denied)]),
        /cannot hold on the shards of app.points: "dora" can act as its group crew in its own SQL: write the rule for that group$/,
      );
      await query("select portolan.create_user('ed', null)");
      const number = await rule({ ...denied, username: "ed" });
      assert.doesNotMatch((await doctor()).join("\n"), /does not hold/);
      await query("select portolan.update_user('ed', '{\"user_group\": \"crew\"}')");
      assert.match(
        (await doctor()).join("\n"),
        new RegExp(`not ok: rule ${number} does not hold on the shards of app.points: "ed" can act as its group crew`),
      );
    });

    it("hold for the accounts and groups that a pattern of names means, also those that come later", async () => {
      const count = async (role: string): Promise<unknown> => {
        const { client } = town.cluster.coordinator;
        await client.query(`set role "${role}"`);
        try {
          return (await client.query<{ count: number }>("select count(*)::int from app.points")).rows[0]!.count;
        } finally {
          await client.query("reset role");
        }
      };
      const make = async (name: string, groups: string | null = null): Promise<void> => {
        await query("select portolan.create_user($1, null, user_group => $2)", [name, groups]);
        await query("select portolan.set_privilege('app.points', $1, 'read')", [name]);
      };
      await query("create role team_hand login password 'team'");
      await query("insert into pg_dist_authinfo values (0, 'team_hand', 'password=team')");
      await query("select portolan.adopt_role('an_adopted', 'team_hand')");
      await query("select portolan.set_privilege('app.points', 'an_adopted', 'read')");
      await make("a1");
      const filter = "tenant_id = 3";
      await rule({
        schema: "app",
        table: "points",
        username: "an*",
        priority: 1,
        access: "limit",
        filter: "kind_id = 1",
      });
      await rule({ schema: "app", table: "points", username: "a?", priority: 2, access: "deny" });
      await rule({ schema: "app", table: "points", username: "gu_ld*", priority: 3, access: "limit", filter });
      assert.deepEqual(
        [await count("ann@town"), await count("team_hand"), await count("a1@town"), await count("bob@town")],
        [20, 20, 0, 40],
      );
      await make("a2");
      await make("a22");
      await make("guild"); // `_` is no pattern here
      await make("gu_ld-1");
      assert.deepEqual(
        [await count("a2@town"), await count("a22@town"), await count("guild@town"), await count("gu_ld-1@town")],
        [0, 40, 40, 4],
      );
      // a group holds from its first member on, in the same transaction
      await make("mia", "gu_ld-1");
      await make("mo");
      await make("gu_ld-2");
      assert.deepEqual([await count("mia@town"), await count("mo@town")], [4, 40]);
      await query("select portolan.update_user('mo', '{\"user_group\": \"gu_ld-2\"}')");
      assert.equal(await count("mo@town"), 4);
      assert.deepEqual(await town.graphql("ann", "app", "{ countPoints }"), { countPoints: 20 });
      assert.doesNotMatch((await doctor()).join("\n"), /not ok/);
      for (const name of ["mia", "mo", "gu_ld-1", "gu_ld-2", "guild", "a1", "a2", "a22", "an_adopted"])
        await query("select portolan.drop_user($1)", [name]);
    });

    it("are refused if an account that they name, itself or by a group, can act as a group that they do not name", async () => {
      await query("select portolan.create_user('staff', null)");
      await query("select portolan.create_user('clerks', null)");
      await query("select portolan.create_user('cleo', null, user_group => 'clerks, staff')");
      await query("select portolan.set_privilege('app.points', 'clerks', 'read')");
      for (const username of ["clerks", "cle*"]) {
        const limited = { schema: "app", table: "points", username, access: "limit", filter: "kind_id = 1" };
        const number = await rule(limited); // as staff it could do nothing
        await query("select portolan.set_privilege('app.points', 'staff', 'read')");
        assert.match(
          (await doctor()).join("\n"),
          new RegExp(
            `not ok: rule ${number} does not hold on the shards of app.points: "cleo" can act as its group staff`,
          ),
        );
        await query("delete from portolan.rules");
        assert.match(
          await refused("select portolan.create_rule($1)", [JSON.stringify(limited)]),
          /cannot hold on the shards of app.points: "cleo" can act as its group staff in its own SQL: write the rule for that group$/,
        );
        await query("select portolan.set_privilege('app.points', 'staff', 'none')");
      }
    });

    it("keep their policies: what would take them away or open them is refused, on shards too", async () => {
      const number = await rule({
        schema: "app",
        table: "points",
        username: "ann",
        access: "limit",
        filter: "kind_id = 1",
      });
      for (const text of [
        "alter table app.points disable row level security",
        `drop policy portolan_rules_${number}_insert on app.points`,
        `alter policy portolan_rules_${number}_insert on app.points with check (true)`,
        "create policy own on app.points using (true)",
      ])
        await assert.rejects(query(text), ({ code, message }: { code: string; message: string }) => {
          assert.deepEqual(
            [code, message],
            [
              "PX409",
              "the rules for app.points need its row level security and its policies as they are: drop the rules first",
            ],
            text,
          );
          return true;
        });
      assert.deepEqual(await town.graphql("ann", "app", "{ countPoints }"), { countPoints: 20 });
      assert.doesNotMatch((await doctor()).join("\n"), /not ok/);
      await query("alter table app.points add extra int");
      await query("alter table app.points drop extra");
    });

    it("are none where nobody needs them: the table is as it was", async () => {
      await rule({ schema: "app", table: "points", access: "deny" });
      await query("delete from portolan.rules");
      assert.deepEqual(
        await query(
          "select relrowsecurity, (select count(*)::int from pg_policy where polrelid = c.oid) as policies from pg_class c where oid = 'app.points'::regclass",
        ),
        [{ relrowsecurity: false, policies: 0 }],
      );
    });
  });

  describe("a rule that waits for a name", () => {
    afterEach(() => query("delete from portolan.rules"));

    /** How many rows of a table ann sees, as the shards tell her. */
    const seen = async (table: string): Promise<number> => {
      const { client } = town.cluster.coordinator;
      await client.query('set role "ann@town"');
      try {
        return (await client.query<{ count: number }>(`select count(*)::int from ${table}`)).rows[0]!.count;
      } finally {
        await client.query("reset role");
      }
    };
    /** With 8 rows, in 4 of which grade is 1. */
    const makeTable = async (table: string): Promise<void> => {
      await query(`create table ${table} (id int primary key, grade int)`);
      await query(`select create_distributed_table('${table}', 'id')`);
      await query(`insert into ${table} select n, n % 2 from generate_series(1, 8) n`);
      await query(`select portolan.set_privilege('${table}', 'ann', 'all')`);
    };

    it("holds with the statement that renames a distributed table, and ends with the one that renames it back", async () => {
      await makeTable("app.birds");
      await rule({ schema: "app", table: "fowl*", access: "deny" });
      await query("alter table app.birds rename to fowls");
      assert.equal(await seen("app.fowls"), 0);
      await query("alter table app.fowls rename to birds");
      assert.equal(await seen("app.birds"), 8);
    });

    it("holds with the transaction that exchanges two distributed tables", async () => {
      await makeTable("app.boats");
      await makeTable("app.boats_new");
      await rule({ schema: "app", table: "boats", access: "limit", filter: "grade = 1" });
      await query("begin");
      await query("alter table app.boats rename to boats_old");
      await query("alter table app.boats_new rename to boats");
      await query("commit");
      assert.deepEqual([await seen("app.boats"), await seen("app.boats_old")], [4, 8]);
      assert.doesNotMatch((await doctor()).join("\n"), /not ok/);
    });

    it("lets nobody see a table without the column of its filter, until a column is renamed to it", async () => {
      await makeTable("app.trams");
      await rule({ schema: "app", table: "cart*", access: "limit", filter: "level = 1" });
      await query("alter table app.trams rename to carts");
      assert.equal(await seen("app.carts"), 0);
      await query("alter table app.carts rename grade to level");
      assert.equal(await seen("app.carts"), 4);
      await query("alter table app.carts rename level to grade"); // the policy names the column, not its name
      assert.equal(await seen("app.carts"), 4);
    });

    it("holds with the statement that moves a distributed table to another schema, or renames its schema", async () => {
      await query("create schema far");
      await query('grant usage on schema far to "ann@town"');
      await makeTable("app.moths");
      await rule({ schema: "far*", table: "*", access: "deny" });
      await query("alter table app.moths set schema far");
      assert.equal(await seen("far.moths"), 0);
      await query("alter schema far rename to near");
      assert.equal(await seen("near.moths"), 8);
      await query("alter schema near rename to farther");
      assert.equal(await seen("farther.moths"), 0);
    });

    it("holds with the statement that makes a table which Citus keeps at once", async () => {
      await query("create table app.days (day int not null, id int, primary key (day, id)) partition by range (day)");
      await query("select create_distributed_table('app.days', 'id')");
      for (const [schema, table, made] of [
        ["s1", "more", "(id int primary key)"],
        ["app", "days_1", "partition of app.days for values from (0) to (10)"],
        ["app", "marks", "(id int primary key, kind_id int references app.kinds)"],
      ] as const) {
        await rule({ schema, table: `${table}*`, access: "deny" });
        await query(`create table ${schema}.${table} ${made}`);
        await query(`insert into ${schema}.${table} values (${schema === "s1" ? "1" : "1, 1"})`);
        await query(`select portolan.set_privilege('${schema}.${table}', 'ann', 'all')`);
        assert.equal(await seen(`${schema}.${table}`), 0, table);
        assert.notDeepEqual(
          await query(`select from pg_dist_partition where logicalrelid = '${schema}.${table}'::regclass`),
          [],
          table,
        );
      }
    });
  });

  describe("a table that somebody holds", () => {
    /** Runs `work` while other sessions have read the table: at the coordinator, on a worker, and one of its shards there. */
    const whileHeld = async (table: string, work: () => Promise<void>): Promise<void> => {
      const { coordinator, workers } = town.cluster;
      for (const [{ port }, isShard] of [
        [coordinator, false],
        [workers[0]!, false],
        [workers[1]!, true],
      ] as const) {
        const other = new pg.Client({ connectionString: urlAt(port, "owner") });
        await other.connect();
        try {
          await other.query(LOCK_SHARDS);
          await other.query(`begin; lock table ${await oneOf(other, table, isShard)} in access share mode`);
          await work();
        } finally {
          await other.end();
        }
      }
    };

    it("gets no rule: the error comes after 5 s, wherever it is held, and nothing is changed", async () => {
      await whileHeld("points", async () => {
        const fromMs = performance.now();
        await assert.rejects(
          rule({ schema: "app", table: "points", access: "deny" }),
          ({ code, message }: { code: string; message: string }) => {
            assert.deepEqual([code, message], ["55P03", "app.points is in use: try again"]);
            return true;
          },
        );
        assert.ok(performance.now() - fromMs < 30_000);
        assert.deepEqual(await query("select from portolan.rules"), []);
      });
      assert.deepEqual(await town.graphql("ann", "app", "{ countPoints }"), { countPoints: 40 });
      assert.doesNotMatch((await doctor()).join("\n"), /not ok/);
      assert.deepEqual(await query("show lock_timeout"), [{ lock_timeout: "0" }]);
    });

    it("gets no column: it is 503 after the limit, and no node has the column", async () => {
      await query("create table app.cars (id int primary key)");
      await query("select create_distributed_table('app.cars', 'id')");
      await query('alter table app.cars owner to "chief@town"');
      await whileHeld("cars", async () => {
        const { status, body } = await town.http
          .post("/api/v4/schemas/app/tables/cars/columns")
          .set("Authorization", `Bearer ${await town.token("chief")}`)
          .send({ name: "late", type: "text" });
        assert.deepEqual(
          [status, body.code, body.message],
          [503, "UNAVAILABLE", "Another session has locked what this needs: try again"],
        );
      });
      const counts = await query(
        "select distinct result from run_command_on_all_nodes($$select count(*) from pg_attribute where attname = 'late'$$)",
      );
      assert.deepEqual(counts, [{ result: "0" }]);
    });
  });

  describe("what triggers would do", () => {
    it("is refused on tables with shards, also where Citus allows unsafe triggers", async () => {
      for (const unsafe of ["off", "on"]) {
        await query(`set citus.enable_unsafe_triggers = ${unsafe}`);
        assert.match(
          await refused("select portolan.enable_events('app.points')"),
          /^app.points is kept by Citus, and the node 127.0.0.1:\d+ does not report changes: set wal_level = logical/,
        );
        assert.match(
          await refused("select portolan.enable_versioning('app.kinds')"),
          /^app.kinds is a reference table of Citus, and history is made by triggers/,
        );
        assert.match(
          await refused("select portolan.enable_workflow('s1.things')"),
          /^s1.things is in a distributed schema of Citus, and workflow is made by triggers/,
        );
      }
      await query("reset citus.enable_unsafe_triggers");
      assert.deepEqual(
        await town.graphql("ann", "app", 'mutation { updateKinds(id: "1", data: {name: "tree"}) { id } }'),
        {
          updateKinds: [{ id: "1" }],
        },
      );
    });

    it("goes on for tables of the coordinator", async () => {
      await query("select portolan.enable_events('app.plain'), portolan.enable_versioning('app.plain')");
      assert.deepEqual(
        await town.graphql("ann", "app", 'mutation { updatePlain(id: "1", data: {name: "new"}) { name } }'),
        {
          updatePlain: [{ name: "new" }],
        },
      );
    });
  });

  describe("doctor", () => {
    it("tells the version and the nodes, and tries each as an account", async () => {
      const [version, ...others] = await doctor();
      assert.match(version!, /^ok: Citus 13\.\d+-\d+ with 3 nodes$/);
      assert.deepEqual(
        others,
        nodes().map((node) => `ok: accounts can log in at the node ${node}`),
      );
    });

    it("finds policies that are others on shards", async () => {
      await query("create policy own on app.visits as restrictive using (tenant_id < 3)");
      assert.match(
        (await doctor()).at(-1)!,
        /^not ok: the policies of app.visits are others on its shards, .*own permissive/,
      );
      await query("drop policy own on app.visits");
    });

    it("finds a table with triggers of Portolan that became distributed", async () => {
      await query("create table app.followed (id int primary key)");
      await query("select portolan.enable_events('app.followed')");
      await query("set citus.enable_unsafe_triggers = on");
      await query("select create_distributed_table('app.followed', 'id')");
      await query("reset citus.enable_unsafe_triggers");
      assert.match(
        (await doctor()).at(-1)!,
        /^not ok: app.followed has triggers of Portolan and shards, where they cannot run/,
      );
      await query("select undistribute_table('app.followed')");
      assert.doesNotMatch((await doctor()).join(), /app.followed/);
    });

    it("finds a node that lets no accounts in", async () => {
      const [worker] = town.cluster.workers;
      await worker!.client.query('alter role "anonymous@town" nologin');
      await worker!.client.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'anonymous@town'",
      );
      await worker!.client.query('alter role "ann@town" nologin');
      const found = await doctor();
      await worker!.client.query('alter role "anonymous@town" login');
      await worker!.client.query('alter role "ann@town" login');
      assert.match(
        found.join("\n"),
        new RegExp(`not ok: an account cannot log in at the node 127.0.0.1:${worker!.port}`),
      );
    });
  });

  describe("a node that came later", () => {
    it("is served, and told how accounts log in", async () => {
      const added = await town.cluster.addWorker();
      await query("select citus_add_node('127.0.0.1', $1)", [added.port]);
      await query("select replicate_reference_tables('block_writes')");
      await query(
        "select citus_move_shard_placement(shardid, nodename, nodeport, '127.0.0.1', $1, 'block_writes') from pg_dist_shard join pg_dist_shard_placement using (shardid) where logicalrelid = 'app.tenants'::regclass limit 1",
        [added.port],
      );
      assert.deepEqual(await town.graphql("ann", "app", "{ countPoints }"), {
        countPoints: 40,
      });
      // the gateway tells it, and so does a migration where none runs
      await until(async () => !(await doctor()).some((finding) => finding.startsWith("not ok")));
      await added.client.query("delete from pg_dist_authinfo where rolename = 'ann@town'");
      assert.match(
        (await doctor()).at(-1)!,
        new RegExp(`^not ok: the node 127.0.0.1:${added.port} knows no passwords by which .*: ann$`),
      );
      await migrate({ ownerUrl: town.cluster.database.url, repairRoles: true });
      assert.doesNotMatch((await doctor()).join("\n"), /not ok/);
    });
  });

  describe("a worker that is down", () => {
    it("and back again, fails no write but by 503, also on connections that Citus had kept", async () => {
      const send = (query: string) =>
        Promise.all(Array.from({ length: 8 }, () => town.graphql("ann", "app", query) as Promise<object>));
      const write = 'mutation { updateKinds(id: "1", data: {name: "tree"}) { id } }';
      const writeUntilAllAreDone = () =>
        until(async () => {
          const failed = (await send(write)).filter((written) => !("updateKinds" in written));
          for (const error of failed)
            assert.equal((error as { extensions?: { code: string } }).extensions?.code, "UNAVAILABLE");
          return failed.length === 0;
        });
      for (let times = 1; times <= 8; times++) {
        await send("{ countPoints }");
        await writeUntilAllAreDone();
        await town.cluster.workers[1]!.restart();
        await writeUntilAllAreDone();
      }
    });

    it("lets no rule be made that waits for a lock there: it is 503, nothing is kept, and it can be made later", async () => {
      const [, worker] = town.cluster.workers;
      const other = new pg.Client({ connectionString: urlAt(worker!.port, "owner") });
      other.on("error", () => undefined);
      await other.connect();
      await other.query(LOCK_SHARDS);
      const shard = await oneOf(other, "points", true);
      await other.query(`begin; lock table ${shard} in access share mode`);
      const chief = await town.token("chief");
      const made = town.http
        .post("/api/v4/rules")
        .set("Authorization", `Bearer ${chief}`)
        .send({ schema: "app", table: "points", access: "deny" })
        .then(({ status, body }) => [status, body.code, body.message]);
      await until(
        async () =>
          (await worker!.client.query("select from pg_locks where not granted and locktype = 'relation'")).rows.length >
          0,
      );
      const start = await worker!.crash();
      assert.deepEqual(await made, [503, "UNAVAILABLE", "The service is not available at the moment"]);
      assert.deepEqual(await query("select from portolan.rules"), []);
      await start();
      // Citus has kept connections that are gone: each fails once
      await until(() =>
        rule({ schema: "app", table: "points", access: "deny" }).then(
          () => true,
          () => false,
        ),
      );
      await query("delete from portolan.rules");
      assert.doesNotMatch((await doctor()).join("\n"), /not ok/);
    });

    it("lets no account be made, which is 503 and leaves nothing, and no shard of it be read", async () => {
      await query("select portolan.create_user('boss', null, superuser => true)");
      const make = async () =>
        town.http
          .post("/api/v4/users")
          .set("Authorization", `Bearer ${await town.token("boss")}`)
          .send({ name: "late", password: "a long secret" });
      const [, worker] = town.cluster.workers;
      await worker!.cluster.stop();
      const { status, body } = await make();
      assert.deepEqual([status, body.code], [503, "UNAVAILABLE"]);
      assert.deepEqual(await query("select from portolan.users where name = 'late'"), []);
      assert.deepEqual(await query("select from pg_roles where rolname = 'late@town'"), []);
      const error = await town.graphql("ann", "app", "{ countPoints }");
      assert.equal((error as { extensions: { code: string } }).extensions.code, "UNAVAILABLE");
      assert.deepEqual(await town.graphql("ann", "app", "{ countPlain }"), { countPlain: 5 });
    });
  });
});

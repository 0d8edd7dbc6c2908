import assert from "node:assert/strict";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { until } from "../support/until.ts";
import { INJECTIONS, problemOf, requestsAs, type Requests } from "./requests.ts";

const PRIVILEGES = "/schemas/world/tables/logbook/privileges";
const AUTHENTICATION = "/schemas/world/tables/logbook/authentication";

describe("/api/v4/schemas/{schema}/tables/{table}", () => {
  let gateway: TestGateway;
  let captain: Requests;
  let guest: Requests;
  const query = async (text: string, values: unknown[] = []) =>
    (await gateway.database.client.query(text, values)).rows;
  const may = async (account: string, relation: string, privilege: string): Promise<boolean> =>
    (
      await query("select has_table_privilege(role, $2, $3) as may from portolan.users where name = $1", [
        account,
        relation,
        privilege,
      ])
    )[0].may;
  const rights = () =>
    query(`
select relname, relacl::text[] from pg_class where relkind in ('r', 'v', 'S') and relnamespace::regnamespace::text !~ '^(pg_|information)'
union all select 'authentication', array_agg(a::text order by a::text) from portolan.authentication a
union all select 'privileges', array_agg(p::text order by p::text) from portolan.privileges p
order by 1`);

  before(async () => {
    gateway = await testGateway({
      prepare: async ({ client }) => {
        await client.query(
          `
create schema "odd ""schema""/x";
create table "odd ""schema""/x"."a,b' <c>%" (id serial primary key);
create view world.logbook_view as select * from world.logbook;`,
        );
      },
    });
    captain = await requestsAs(gateway, "captain");
    guest = await requestsAs(gateway, "guest");
    await captain("post", "/users", [{ name: "crew" }, { name: "bob", user_group: "crew" }]).expect(201);
  });
  after(() => gateway.close());

  describe("privileges", () => {
    const list = async (path = PRIVILEGES) => (await captain("get", path).expect(200)).body;

    it("are listed for every account that is not a super user", async () => {
      const { text } = await captain("get", PRIVILEGES).expect(200);
      assert.equal(
        text,
        '[{"subuser":"bob","privilege":"none"},{"subuser":"crew","privilege":"none"},{"subuser":"guest","privilege":"write"}]',
      );
    });

    it("PATCH writes grants for those in the list: 303 and the link to read them", async () => {
      const { headers, text } = await captain("patch", PRIVILEGES, [
        { subuser: "crew", privilege: "read" },
        { subuser: "guest", privilege: "all" },
      ]).expect(303);
      assert.equal(headers["location"], `/api/v4${PRIVILEGES}`);
      assert.equal(text, `[{"_links":{"self":"/api/v4${PRIVILEGES}"}}]`);
      assert.deepEqual(await list(), [
        { subuser: "bob", privilege: "none" },
        { subuser: "crew", privilege: "read" },
        { subuser: "guest", privilege: "all" },
      ]);
      assert.deepEqual(
        [await may("bob", "world.logbook", "select"), await may("crew", "world.logbook", "insert")],
        [true, false],
      );
      await captain("patch", PRIVILEGES, { subuser: "Crew", privilege: "write" }).expect(303);
      assert.equal(await may("crew", "world.logbook", "insert"), true);
      await captain("patch", PRIVILEGES, { subuser: "crew", privilege: "none" }).expect(303);
      assert.equal(await may("crew", "world.logbook", "select"), false);
      assert.equal((await list()).find(({ subuser }: { subuser: string }) => subuser === "crew").privilege, "none");
    });

    it("show the grants, whoever made them", async () => {
      await query(`grant select on world.logbook to "bob@${gateway.database.name}"`);
      assert.deepEqual((await list())[0], { subuser: "bob", privilege: "read" });
      await query(`revoke select on world.logbook from "bob@${gateway.database.name}"`);
      assert.deepEqual((await list())[0], { subuser: "bob", privilege: "none" });
    });

    it("take effect at once in GraphQL", async () => {
      const read = () => gateway.graphql("bob", "world", "{ countLogbook }");
      assert.notEqual((await read()).body.data?.countLogbook, 0);
      await captain("patch", PRIVILEGES, { subuser: "bob", privilege: "read" }).expect(303);
      const deadline = Date.now() + 5000;
      while (typeof (await read()).body.data?.countLogbook !== "number") assert.ok(Date.now() < deadline);
      await captain("patch", PRIVILEGES, { subuser: "bob", privilege: "none" }).expect(303);
    });

    it("are set all or none", async () => {
      const before = await rights();
      problemOf(
        await captain("patch", PRIVILEGES, [
          { subuser: "crew", privilege: "write" },
          { subuser: "nobody", privilege: "read" },
        ]),
        404,
      );
      assert.deepEqual(await rights(), before);
    });

    it("are 409 if the table has no room for them, with a hint at groups, which still have room", async () => {
      const crowd = (from: number, to: number) =>
        Array.from({ length: to - from }, (_, n) => `"crowd ${from + n}"`).join(", ");
      await query("create table world.crowded (id serial primary key)");
      await captain("patch", "/schemas/world/tables/crowded/privileges", { subuser: "crew", privilege: "read" });
      await captain("post", "/users", { name: "dan" }).expect(201);
      await query(
        `do $$ begin for n in 0..2599 loop execute format('create role %I', 'crowd ' || n); end loop; end $$`,
      );
      try {
        await query(`grant select on world.crowded to ${crowd(0, 2400)}`);
        await assert.rejects(async () => {
          for (let n = 2400; n < 2600; n++) await query(`grant select on world.crowded to ${crowd(n, n + 1)}`);
        }, /row is too big/); // PostgreSQL's own limit: grants of a team count too
        // the gateway grants super users their right on the sequence when it sees it
        const missing = () => query("select from portolan.missing_owner_rights('{world}')");
        await until(async () => (await missing()).length === 0);
        const before = await rights();
        const both = [
          { subuser: "crew", privilege: "write" },
          { subuser: "dan", privilege: "read" },
        ];
        const path = "/schemas/world/tables/crowded";
        const detail = problemOf(await captain("patch", `${path}/privileges`, both), 409);
        assert.match(
          detail,
          /^world\.crowded has no room for the rights of another account, since 24\d\d have rights: grant them to a group instead/,
        );
        problemOf(await captain("patch", `${path}/authentication`, { level: "None" }), 409);
        assert.deepEqual(await rights(), before);
        assert.equal(await may("dan", "world.crowded", "select"), false);
        await captain("patch", "/users/dan", { user_group: "crew" }).expect(303);
        assert.equal(await may("dan", "world.crowded", "select"), true);
      } finally {
        await query("drop table world.crowded");
        await captain("delete", "/users/dan").expect(204);
        await query(
          `do $$ begin for n in 0..2599 loop execute format('drop role %I', 'crowd ' || n); end loop; end $$`,
        );
      }
    });

    it("of a table with an odd name, and of a view, are set by their names", async () => {
      const odd = `/schemas/${encodeURIComponent('odd "schema"/x')}/tables/${encodeURIComponent("a,b' <c>%")}/privileges`;
      const { headers } = await captain("patch", odd, { subuser: "crew", privilege: "write" }).expect(303);
      assert.equal(decodeURIComponent(headers["location"] ?? ""), `/api/v4${decodeURIComponent(odd)}`);
      assert.equal((await list(odd)).find(({ subuser }: { subuser: string }) => subuser === "crew").privilege, "write");
      const view = "/schemas/world/tables/logbook_view/privileges";
      await captain("patch", view, { subuser: "crew", privilege: "read" }).expect(303);
      assert.equal(await may("crew", "world.logbook_view", "select"), true);
    });

    it("set by many at the same time are all set", async () => {
      const answers = await Promise.all(
        Array.from({ length: 16 }, (_, n) =>
          captain(
            "patch",
            n % 4 === 0 ? AUTHENTICATION : PRIVILEGES,
            n % 4 === 0
              ? { level: n % 8 === 0 ? "None" : "Read/write" }
              : { subuser: ["bob", "crew", "guest"][n % 3], privilege: ["read", "write"][n % 2] },
          ),
        ),
      );
      for (const { status, text } of answers) assert.equal(status, 303, text);
    });

    it("bad ones are 400 and named", async () => {
      const before = await rights();
      for (const [body, fault] of [
        [[{ subuser: "crew", privilege: "own" }], /^0\/privilege: expected one of "none"\|"read"\|"write"\|"all"$/],
        [{ subuser: "crew" }, /^privilege: /],
        [{ privilege: "read" }, /^subuser: is missing$/],
        [
          [{ subuser: 1, privilege: 2, role: 3 }],
          /^(?=.*0\/subuser: )(?=.*0\/privilege: )(?=.*0\/role: is not a member here)/,
        ],
        [[], /./],
        ["crew", /expected object/],
      ] as const)
        assert.match(problemOf(await captain("patch", PRIVILEGES).type("json").send(JSON.stringify(body)), 400), fault);
      for (const text of INJECTIONS)
        problemOf(await captain("patch", PRIVILEGES, { subuser: text, privilege: "read" }), 400);
      assert.deepEqual(await rights(), before);
    });
  });

  describe("authentication", () => {
    it("is Read/write at first; a level lets anonymous read or not", async () => {
      assert.equal(
        (await captain("get", AUTHENTICATION.replace("logbook", "cities")).expect(200)).text,
        '{"level":"Read/write"}',
      );
      for (const [level, readable] of [
        ["None", true],
        ["Read/write", false],
        ["Write", true],
      ] as const) {
        const { headers, body } = await captain("patch", AUTHENTICATION, { level }).expect(303);
        assert.equal(headers["location"], `/api/v4${AUTHENTICATION}`);
        assert.deepEqual(body, [{ _links: { self: `/api/v4${AUTHENTICATION}` } }]);
        assert.deepEqual((await captain("get", AUTHENTICATION).expect(200)).body, { level });
        assert.deepEqual(
          [await may("anonymous", "world.logbook", "select"), await may("anonymous", "world.logbook", "insert")],
          [readable, false],
        );
      }
    });

    it("of another level, type or with other members is 400", async () => {
      const before = await rights();
      for (const body of [
        { level: "read" },
        { level: null },
        {},
        [{ level: "None" }],
        { level: "None", x: 1 },
        ...INJECTIONS.map((level) => ({ level })),
      ])
        problemOf(await captain("patch", AUTHENTICATION, body), 400);
      assert.deepEqual(await rights(), before);
    });
  });

  describe("shards", () => {
    const path = "/schemas/world/tables/logbook/shards";

    it("are none without Citus, which is told", async () => {
      assert.deepEqual((await captain("get", path).expect(200)).body, { kind: "local" });
      for (const body of [{ kind: "reference" }, { kind: "distributed", column: "id" }])
        assert.match(
          problemOf(await captain("patch", path, body), 400),
          /the database does not have the extension Citus/,
        );
      for (const body of [
        {},
        { kind: "local" },
        { kind: "distributed" },
        { kind: "reference", column: "id" },
        { kind: "reference", x: 1 },
      ])
        problemOf(await captain("patch", path, body), 400);
    });
  });

  describe("events", () => {
    const path = (table: string) => `/schemas/world/tables/${table}/events`;
    const isOn = async (table: string) => (await captain("get", path(table)).expect(200)).body;

    it("are switched on and off, and shown as they are", async () => {
      await query("create table world.notes (id int primary key)");
      assert.deepEqual(await isOn("notes"), { enabled: false });
      for (const enabled of [true, true, false, false, true]) {
        const { headers, body } = await captain("patch", path("notes"), { enabled }).expect(303);
        assert.equal(headers["location"], `/api/v4${path("notes")}`);
        assert.deepEqual(body, [{ _links: { self: `/api/v4${path("notes")}` } }]);
        assert.deepEqual(await isOn("notes"), { enabled });
        const [{ count }] = await query("select count(*)::int from pg_trigger where tgrelid = 'world.notes'::regclass");
        assert.equal(count > 0, enabled);
      }
      await query("drop table world.notes");
    });

    it("of a table whose comment says otherwise, and of a view, are 400", async () => {
      assert.deepEqual(await isOn("cities"), { enabled: true });
      assert.match(problemOf(await captain("patch", path("cities"), { enabled: false }), 400), /comment/);
      assert.match(problemOf(await captain("patch", path("logbook_view"), { enabled: true }), 400), /view/);
    });

    it("other values are 400", async () => {
      for (const body of [{ enabled: "true" }, { enabled: 1 }, { enabled: null }, {}, { enabled: true, x: 1 }, [true]])
        problemOf(await captain("patch", path("logbook"), body), 400);
    });
  });

  for (const [name, body] of [
    ["events", { enabled: true }],
    ["privileges", [{ subuser: "guest", privilege: "all" }]],
    ["authentication", { level: "None" }],
  ] as const)
    describe(`${name}, like every setting`, () => {
      const path = (schema: string, table: string) =>
        `/schemas/${encodeURIComponent(schema)}/tables/${encodeURIComponent(table)}/${name}`;

      it("is for super users: anonymous 401, an account 403, and nothing is done", async () => {
        const before = await rights();
        for (const table of ["logbook", "cities", "nowhere"]) {
          problemOf(await gateway.http.get(`/api/v4${path("world", table)}`), 401);
          problemOf(await gateway.http.patch(`/api/v4${path("world", table)}`).send(body), 401);
          problemOf(await guest("get", path("world", table)), 403);
          problemOf(await guest("patch", path("world", table), body), 403);
        }
        assert.deepEqual(await rights(), before);
      });

      it("is 404 for anything but a table or view of an exposed schema", async () => {
        const before = await rights();
        for (const [schema, table] of [
          ["world", "nowhere"],
          ["nowhere", "cities"],
          ["world", "world.cities"],
          ["world", "CITIES"],
          ["world", "cities_pkey"],
          ["portolan", "users"],
          ["pg_catalog", "pg_authid"],
          ["information_schema", "tables"],
          ...INJECTIONS.flatMap((text) => [
            ["world", text],
            [text, "cities"],
          ]),
        ] as [string, string][]) {
          // PostgreSQL allows no NUL in a name
          const status = schema === "world" && table.includes("\0") ? 400 : 404;
          problemOf(await captain("get", path(schema, table)), status);
          problemOf(await captain("patch", path(schema, table), body), status);
        }
        assert.deepEqual(await rights(), before);
      });

      it("takes GET and PATCH only", async () => {
        for (const method of ["post", "delete", "put"] as const)
          assert.equal(
            (await captain(method, path("world", "cities")).expect(405)).headers["allow"],
            "GET, HEAD, PATCH, OPTIONS",
          );
      });
    });

  it("an unknown setting is 404", async () => {
    problemOf(await captain("get", "/schemas/world/tables/cities/nonsense"), 404);
  });
});

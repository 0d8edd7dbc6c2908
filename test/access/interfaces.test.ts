import assert from "node:assert/strict";
import { requestsAs, problemOf, INJECTIONS, type Requests } from "../management/requests.ts";
import { until } from "../support/events.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";

describe("rules through the interfaces", () => {
  let gateway: TestGateway;
  let captain: Requests;
  let guest: Requests;
  const query = async (text: string, values: unknown[] = []) =>
    (await gateway.database.client.query(text, values)).rows;
  const graphql = async (text: string, account = "guest") => (await gateway.graphql(account, "world", text)).body;

  before(async () => {
    gateway = await testGateway();
    captain = await requestsAs(gateway, "captain");
    guest = await requestsAs(gateway, "guest");
  });
  afterEach(() => query("delete from portolan.rules"));
  after(() => gateway.close());

  describe("/api/v4/rules", () => {
    it("POST makes one or several, GET shows them in the order of asking, PATCH changes, DELETE removes", async () => {
      const made = await captain("post", "/rules", [
        { access: "deny", username: "guest", schema: "world", table: "countries", priority: 10 },
        {
          access: "limit",
          username: "guest",
          schema: "world",
          table: "cities",
          filter: "id < {{most}}",
          service: "rpc",
        },
      ]).expect(201);
      const [first, second] = String(made.headers["location"]).split("/").at(-1)!.split(",").map(Number);
      assert.deepEqual(made.body, [
        { _links: { self: `/api/v4/rules/${first}` }, id: first },
        { _links: { self: `/api/v4/rules/${second}` }, id: second },
      ]);
      assert.deepEqual((await captain("get", "/rules").expect(200)).body, [
        {
          id: second,
          priority: 0,
          username: "guest",
          service: "rpc",
          request: "*",
          schema: "world",
          table: "cities",
          iprange: "*",
          mfa: false,
          access: "limit",
          filter: "id < {{most}}",
        },
        {
          id: first,
          priority: 10,
          username: "guest",
          service: "*",
          request: "*",
          schema: "world",
          table: "countries",
          iprange: "*",
          mfa: false,
          access: "deny",
          filter: null,
        },
      ]);
      const changed = await captain("patch", `/rules/${first}`, { iprange: "192.0.2.7/24", priority: -1 }).expect(303);
      assert.equal(changed.headers["location"], `/api/v4/rules/${first}`);
      const { body } = await captain("get", `/rules/${first}`).expect(200);
      assert.deepEqual([body.iprange, body.priority], ["192.0.2.0/24", -1]);
      await captain("delete", `/rules/${first},${second}`).expect(204);
      assert.deepEqual((await captain("get", "/rules").expect(200)).body, []);
    });

    it("is for super users: 401, 403", async () => {
      problemOf(await gateway.http.get("/api/v4/rules"), 401);
      for (const method of ["get", "post"] as const)
        problemOf(await guest(method, "/rules", method === "post" ? { access: "deny" } : undefined), 403);
      problemOf(await guest("delete", "/rules/1"), 403);
      problemOf(await guest("patch", "/rules/1", { access: "deny" }), 403);
    });

    it("bad ones are 400 and name what is wrong; unknown ones 404; all or none", async () => {
      for (const [body, fault] of [
        [{}, /^access: /],
        [{ access: "maybe" }, /^access: /],
        [{ access: "deny", priority: 1.5 }, /^priority: /],
        [{ access: "deny", rows: 1 }, /^rows: is not a member here$/],
        [{ access: "deny", username: 5 }, /^username: /],
        [{ access: "limit" }, /^access limit needs a filter/],
        [{ access: "allow", filter: "true" }, /only access limit takes a filter/],
        [{ access: "limit", schema: "world", filter: "nothing = 1" }, /column "nothing" does not exist/],
        [{ access: "deny", username: "captain" }, /super users/],
        [{ access: "deny", iprange: "nowhere" }, /iprange must be/],
        [{ access: "deny", schema: "world", table: "southern_cities" }, /./],
        [
          [
            { access: "deny", username: "guest" },
            { access: "limit", filter: "x" },
          ],
          /./,
        ],
      ] as const)
        assert.match(problemOf(await captain("post", "/rules", body), 400), fault);
      for (const text of INJECTIONS) {
        problemOf(await captain("post", "/rules", { access: "deny", username: text }), 400);
        problemOf(
          await captain("post", "/rules", { access: "limit", schema: "world", table: "cities", filter: text }),
          400,
        );
        problemOf(await captain("post", "/rules", { access: "deny", iprange: text }), 400);
      }
      for (const id of ["1", "0", "x", "2147483648", "-1"]) {
        problemOf(await captain("get", `/rules/${id}`), 404);
        problemOf(await captain("patch", `/rules/${id}`, { access: "deny" }), 404);
        problemOf(await captain("delete", `/rules/${id}`), 404);
      }
      assert.deepEqual(await query("select * from portolan.rules"), []);
    });
  });

  describe("GraphQL", () => {
    const denied = /^a rule denies (select|insert|update|delete) on world\.(cities|logbook)$/;
    const deny = async (members: object = {}) => {
      await captain("post", "/rules", {
        access: "deny",
        username: "guest",
        schema: "world",
        table: "cities",
        ...members,
      }).expect(201);
      await until(
        async () => (await graphql("{ getCities(limit: 1) { id } }")).errors !== undefined || "request" in members,
      );
    };

    it("a denied read is FORBIDDEN, for its own field only, wherever the table comes in", async () => {
      await deny();
      const { data, errors } = await graphql(
        '{ getCities(limit: 1) { id } one: getCities(id: "1") { id } getCountries(limit: 1) { code } nested: getCountries(limit: 1) { code cities { id } } }',
      );
      assert.deepEqual([data.getCities, data.one, data.nested, data.getCountries.length], [null, null, null, 1]);
      assert.deepEqual(errors.map(({ path }: { path: string[] }) => path[0]).sort(), ["getCities", "nested", "one"]);
      for (const { message, extensions } of errors) {
        assert.match(message, denied);
        assert.deepEqual(extensions, { code: "FORBIDDEN", sqlstate: "42501" });
      }
      assert.deepEqual((await graphql("{ countCities }")).data, null);
      assert.equal((await graphql("{ countCities }")).errors[0].extensions.code, "FORBIDDEN");
    });

    it("the same where Grafast plans the query, with fragments, functions and computed columns", async () => {
      await deny();
      const { data, errors } = await graphql(
        "query { ...Both ... { near: nearestCities(lon: 10, lat: 55, n: 2) { id } } } fragment Both on Query { __typename getCities { id } getCountries(limit: 1) { __typename code } }",
      );
      assert.deepEqual(data?.getCities ?? null, null, JSON.stringify(errors));
      assert.ok(
        errors.every(({ extensions }: { extensions: { code: string } }) =>
          /FORBIDDEN|BAD_USER_INPUT/.test(extensions.code),
        ),
      );
    });

    it("a denied table is FORBIDDEN in a filter too, wherever the filter stands", async () => {
      await deny();
      for (const text of [
        "{ getCountries(where: {cities: null}) { code } }",
        "{ getCountries(where: {AND: [{not: {cities: {id: {gt: 0}}}}]}) { code } }",
        "{ countCountries(where: {cities: {}}) }",
        'mutation { updateLogbook(where: {cities: {id: 1}}, data: {entry: "x"}) { id } }',
        "mutation { deleteLogbook(where: {cities: null}) { id } }",
      ]) {
        const { data, errors } = await graphql(text);
        assert.deepEqual(
          Object.values(data ?? {}).filter((value) => value !== null),
          [],
          text,
        );
        assert.equal(errors[0].extensions.code, "FORBIDDEN", text);
        assert.match(errors[0].message, denied);
      }
      const { body } = await gateway.graphql(
        "guest",
        "world",
        'query ($w: JSON) { getCountries(where: $w) { code } fine: getCountries(limit: 1, where: {name: {like: "%"}}) { code } }',
        { w: { or: [{ cities: null }] } },
      );
      assert.deepEqual([body.data.getCountries, body.data.fine.length], [null, 1]);
      assert.equal(body.errors[0].extensions.code, "FORBIDDEN");
    });

    it("does not tell whether a row is there", async () => {
      await deny();
      const [there, missing] = await Promise.all(
        ["1", "-1"].map(async (id) => JSON.stringify((await graphql(`{ getCities(id: "${id}") { id } }`)).errors)),
      );
      assert.equal(there, missing);
    });

    it("a denied write is FORBIDDEN and nothing of the request is done", async () => {
      await captain("post", "/rules", {
        access: "deny",
        request: "delete",
        username: "guest",
        schema: "world",
        table: "logbook",
      }).expect(201);
      const before = (await query("select count(*)::int as n from world.logbook"))[0].n;
      const { data, errors } = await graphql(
        'mutation { insertLogbook(data: {city_id: 1, entry: "x"}) { id } deleteLogbook(where: {id: {gt: 0}}) { id } }',
      );
      assert.equal(data, null);
      assert.match(errors[0].message, denied);
      assert.equal(errors[0].extensions.code, "FORBIDDEN");
      assert.equal((await query("select count(*)::int as n from world.logbook"))[0].n, before);
    });

    it("limits hold for reading, counting and writing", async () => {
      await captain("post", "/rules", {
        access: "limit",
        username: "guest",
        schema: "world",
        table: "cities",
        filter: "id <= 3",
      }).expect(201);
      assert.deepEqual((await graphql("{ countCities getCities { id } }")).data, {
        countCities: 3,
        getCities: [{ id: "1" }, { id: "2" }, { id: "3" }],
      });
      assert.ok((await graphql("{ countCities }", "captain")).data.countCities > 3);
    });
  });

  describe("a rule refuses from the moment that it is there, and no longer", () => {
    const add = (username = "guest", table = "cities") =>
      query("select portolan.create_rule($1)", [{ access: "deny", username, schema: "world", table }]);
    const remove = () => query("delete from portolan.rules");
    /** Twice: what is remembered of a rule that came or went must not speak. */
    async function byTurns(ask: () => Promise<"refused" | "answered">, username?: string): Promise<void> {
      for (let i = 0; i < 3; i++) {
        assert.equal(await ask(), "answered");
        await add(username);
        assert.equal(await ask(), "refused");
        await remove();
      }
    }
    const answered = (isIt: boolean, what: unknown): "answered" => {
      assert.ok(isIt, JSON.stringify(what));
      return "answered";
    };

    it("GraphQL, as text of PostgreSQL and planned", async () => {
      const [{ code }] = await query(
        "select country_code as code from world.cities where country_code is not null limit 1",
      );
      for (const text of [
        "{ getCities(limit: 1) { id } }",
        "{ getCities(limit: 1) { id @include(if: true) } }",
        `{ getCountries(where: {code: "${code}"}) { cities(limit: 1) { id } } }`,
      ])
        await byTurns(async () => {
          const { data, errors } = await graphql(text);
          if (errors?.[0].extensions.code === "FORBIDDEN") return "refused";
          return answered(JSON.stringify(data).includes('"id"'), data);
        });
    });

    it("stored methods and SQL", async () => {
      await captain("post", "/methods", { method: "townsOf", q: "select id from world.cities limit 1" }).expect(201);
      await captain("patch", "/methods/townsOf", { published: true }).expect(303);
      await byTurns(async () => {
        const { body } = await guest("post", "/call", { jsonrpc: "2.0", id: 1, method: "townsOf" });
        if (body.error?.data?.sqlstate === "42501") return "refused";
        return answered(body.result?.data.length === 1, body);
      });
      await byTurns(async () => {
        const { status, body } = await guest("post", "/sql", { q: "select id from world.cities limit 1" });
        if (status === 403) return "refused";
        return answered(body.data?.length === 1, body);
      });
    });

    it("OGC API, where who is anonymous is told so with 403 and not asked to sign in", async () => {
      const { name } = gateway.database;
      await query("select portolan.set_authentication('world.cities', 'None')");
      const items = `/api/v4/ogc/database/${name}/collections/world.cities/items?limit=1`;
      for (const username of ["guest", "anonymous"])
        await byTurns(async () => {
          const request = gateway.http.get(items);
          if (username === "guest") void request.set("Authorization", `Bearer ${await gateway.token("guest")}`);
          const { status, body } = await request;
          if (status === 403) {
            assert.equal(body.detail, "A rule denies reading the collection world.cities");
            return "refused";
          }
          return answered(status === 200 && body.features.length === 1, [status, body]);
        }, username);
      await query("select portolan.set_authentication('world.cities', 'Read/write')");
      assert.equal((await gateway.http.get(items)).status, 401);
    });
  });

  it("a table that appears falls under the rules before the gateway shows it", async () => {
    await captain("post", "/rules", { access: "deny", username: "guest", schema: "world", table: "new_*" }).expect(201);
    await query(
      "create table world.new_land (id int primary key); insert into world.new_land values (1); grant select on world.new_land to public",
    );
    await until(async () => (await graphql("{ getNewLand { id } }")).errors?.[0].extensions.code === "FORBIDDEN");
    await query("drop table world.new_land");
  });
});

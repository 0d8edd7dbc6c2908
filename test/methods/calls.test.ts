import assert from "node:assert/strict";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { as, type As } from "./requests.ts";

describe("stored methods", () => {
  let gateway: TestGateway;
  let guest: As;

  before(async () => {
    gateway = await testGateway();
    guest = await as(gateway, "guest");
  });

  after(() => gateway.close());

  it("a statement is stored, called by its name, changed and removed", async () => {
    const made = await guest.request("post", "/methods", {
      method: "citiesOf",
      q: "select c.name, c.geom from world.cities c where c.country_code = :code order by 1 limit 1",
    });
    assert.deepEqual(
      [made.status, made.headers["location"], made.body],
      [201, "/api/v4/methods/citiesOf", [{ _links: { self: "/api/v4/methods/citiesOf" } }]],
    );
    assert.deepEqual(await guest.rpc({ jsonrpc: "2.0", method: "citiesOf", params: { code: "DE" }, id: 1 }), {
      jsonrpc: "2.0",
      id: 1,
      result: {
        schema: { name: { type: "text", array: false }, geom: { type: "geometry", array: false } },
        data: [{ name: "Berlin", geom: { type: "Point", coordinates: [13.36667, 52.5] } }],
      },
    });

    const changed = await guest.request("patch", "/methods/citiesOf", {
      q: "select count(*) as n from world.cities where country_code = :code",
    });
    assert.deepEqual([changed.status, changed.headers["location"]], [303, "/api/v4/methods/citiesOf"]);
    assert.deepEqual((await guest.call("citiesOf", { code: "DE" })).data, [{ n: 1 }]);

    assert.equal((await guest.request("delete", "/methods/citiesOf")).status, 204);
    assert.deepEqual(await guest.fail("citiesOf", { code: "DE" }), { code: -32601, message: "Method not found" });
    assert.equal((await guest.request("get", "/methods/citiesOf")).status, 404);
    assert.deepEqual((await guest.request("get", "/methods")).body, []);
  });

  it("a parameter that is missing, unknown or of a wrong value is named", async () => {
    await guest.define({ method: "half", q: "select :n::int / 2 as half" });
    for (const [params, parameter] of [
      [{}, "n"],
      [undefined, "n"],
      [{ n: 1, m: 2 }, "m"],
      [{ n: "one" }, "n"],
      [{ n: 1e10 }, "n"],
    ] as const) {
      const { code, message, data } = await guest.fail("half", params);
      assert.deepEqual([code, message, data.parameter], [-32602, "Invalid params", parameter]);
    }
    assert.deepEqual((await guest.call("half", { n: 5 })).data, [{ half: 2 }]);
  });

  it("a failure that no parameter can cause is an internal error", async () => {
    await guest.define({ method: "none", q: "select 1 / 0 as none" });
    const { code, message, data } = await guest.fail("none");
    assert.deepEqual([code, message, data.sqlstate], [-32603, "Internal error", "22012"]);
  });

  it("a value that does not fit its parameter has a SQLSTATE of class 22, whoever finds it", async () => {
    await guest.define({ method: "fitting", q: "select :n::int, :d::date, :r::int4range, :b::bytea" });
    const fit = { n: 1, d: "2026-01-02", r: "[1,2)", b: "" };
    await guest.call("fitting", fit);
    for (const [parameter, value] of [
      ["n", "one"],
      ["n", 1e10],
      ["d", "2026-13-01"],
      ["r", { lower: 1, middle: 2 }],
      ["b", "?"],
    ] as const) {
      const { code, data } = await guest.fail("fitting", { ...fit, [parameter]: value });
      assert.deepEqual([code, data.parameter], [-32602, parameter]);
      assert.match(data.sqlstate, /^22/, `${parameter}: ${JSON.stringify(value)}`);
    }
  });

  it("numbers keep all their digits, in and out, and json stays a number", async () => {
    for (const [type, digits, shown] of [
      ["int8", "9007199254740993", "9007199254740993"],
      ["numeric", "0.1234567890123456789012345", '"0.1234567890123456789012345"'],
      ["float8", "1.5", "1.5"],
      ["jsonb", "12345678901234567890.5", "12345678901234567890.5"],
      ["json", "1e400", "1e400"],
      ["jsonb[]", "[12345678901234567890]", "[12345678901234567890]"],
      ["jsonb", '{"a":12345678901234567890}', '{"a": 12345678901234567890}'],
    ] as const) {
      const body = `{"q":"select :v::${type} as v","params":{"v":${digits}}}`;
      const { text } = await guest.request("post", "/sql", body);
      assert.ok(text.endsWith(`"data":[{"v":${shown}}]}`), text);
    }
    const { status, body } = await guest.request("post", "/sql", '{"q":"select :v::float8","params":{"v":1e400}}');
    assert.deepEqual([status, body.parameter, body.sqlstate], [400, "v", "22003"]);
  });

  it("a dry run types the method, and rolls back no more than it should", async () => {
    await guest.define({
      method: "log",
      q: "insert into world.logbook (city_id, entry) values (:city, :entry) returning id, entry",
    });
    assert.match(
      await guest.interfaces(),
      /^ {2}log\(params: \{ city: Record<string, unknown>; entry: Record<string, unknown> \}\): Promise<Record<string, unknown>\[\]>;$/m,
    );
    const dry = await guest.dry("log", { city: 1, entry: "dry" });
    assert.match(dry.notes.join(), /sequence/);
    assert.match(
      await guest.interfaces(),
      /^ {2}log\(params: \{ city: number; entry: string \}\): Promise<\{ id: number(?: \| null)?; entry: string(?: \| null)? \}\[\]>;$/m,
    );
    await gateway.database.client.query(`
create sequence world.tally;
grant all on world.tally to public;
create function world.reset_tally() returns bigint language sql as $$ select setval('world.tally', 1) $$;`);
    const notes = async (q: string): Promise<string> => {
      const method = `dry_${(count += 1)}`;
      await guest.define({ method, q });
      return (await guest.dry(method)).notes.join();
    };
    let count = 0;
    assert.match(await notes("select world.reset_tally()"), /^setval/);
    assert.match(await notes("select setval('world.tally', 5)"), /^setval/);
    assert.match(await notes("select nextval('world.tally')"), /^Values that were taken/);
    assert.match(await notes("select nextval('world.tally'), setval('world.tally', 5)"), /^Values .*,setval/);
    assert.equal(await notes("select setval('world.tally', 5) where false"), "");
    assert.equal(await notes("select last_value is null from world.tally"), "");
    const { rows } = await gateway.database.client.query(
      "select count(*)::int as n from world.logbook where entry = 'dry'",
    );
    assert.equal(rows[0].n, 0);
  });

  it("a dry run of a definition gives its types and its errors, and leaves the stored method unchanged", async () => {
    await guest.define({ method: "draft", q: "select 1 as one" });
    const dry = async (definition: unknown, more: object = {}) =>
      (
        await guest.request("post", "/call/dry", {
          jsonrpc: "2.0",
          method: "draft",
          definition,
          id: 1,
          ...more,
        })
      ).body;
    const q = "insert into world.logbook (city_id, entry) values (:city, :entry) returning id, entry";
    const described = (await dry({ q })).result;
    assert.deepEqual(described.data, []);
    assert.deepEqual(described.input_schema, {
      city: { type: "int4", array: false, typescript: "number" },
      entry: { type: "text", array: false, typescript: "string" },
    });
    const tried = (await dry({ q }, { params: { city: 1, entry: "a draft" } })).result;
    assert.equal(tried.data[0].entry, "a draft");
    assert.match(tried.notes.join(), /sequence/);
    assert.deepEqual(tried.output_schema, described.output_schema);
    const { rows } = await gateway.database.client.query("select from world.logbook where entry = 'a draft'");
    assert.equal(rows.length, 0, "it was rolled back");
    assert.deepEqual((await guest.call("draft")).data, [{ one: 1 }]);
    assert.equal(
      (await dry({ q: "select :a::int + 1 as b" }, { method: "nobody", params: { a: 1 } })).result.data[0].b,
      2,
    );

    const denied = (await dry({ q: "select * from portolan.users" }, { params: {} })).error;
    assert.deepEqual(denied.data, { sqlstate: "42501" });
    for (const [definition, sqlstate, position, detail] of [
      [{ q: "selec 1" }, "42601", 1, /syntax error/],
      [{ q: "select 'é' as a, :x::int,, 2" }, "42601", 26, /syntax error/],
      [{ q: "select :x::int, nothing from world.cities" }, "42703", 17, /column "nothing" does not exist/],
      [{ q: "select 1; select 2" }, undefined, undefined, /one statement/],
      [{ q: "select 1", srs: 990_000 }, undefined, undefined, /990000/],
      [{ q: "select :a", type_hints: { a: "no_type" } }, undefined, undefined, /no_type/],
      [{}, undefined, undefined, /q/],
      [{ q: "select 1", published: true }, undefined, undefined, /published/],
      ["select 1", undefined, undefined, /object/],
      [null, undefined, undefined, /object/],
    ] as const) {
      const { error } = await dry(definition);
      assert.deepEqual([error?.data?.sqlstate, error?.data?.position], [sqlstate, position], JSON.stringify(error));
      if (detail) assert.match(error.data.detail, detail);
    }
  });

  it("statements are tried and undone, one or several, whatever the format of the answer", async () => {
    const captain = await as(gateway, "captain");
    const stored = async () =>
      (await gateway.database.client.query("select count(*)::int as routes from world.routes")).rows[0].routes;
    const before = await stored();
    const write = { q: "delete from world.routes where id > :id", params: { id: 0 }, dry: true };
    const one = await captain.request("post", "/sql", write);
    assert.deepEqual([one.status, one.body.affected_rows], [200, before], one.text);
    const several = await captain.request("post", "/sql", [
      write,
      { q: "select count(*) as left, nextval('world.logbook_id_seq') is null as none from world.routes", dry: true },
      { q: "select 1 as one", dry: true },
    ]);
    assert.deepEqual(several.body[1]?.data, [{ left: 0, none: false }], several.text);
    assert.match(several.body[2].notes[0], /sequence/);
    const csv = await gateway.http
      .post("/api/v4/sql")
      .set("Authorization", `Bearer ${await gateway.token("captain")}`)
      .set("Accept", "text/csv")
      .send({ q: "delete from world.routes returning 1 as gone", dry: true });
    assert.match(csv.text, /^gone\r?\n1\r?\n/);
    assert.equal(await stored(), before);
    const mixed = await captain.request("post", "/sql", [write, { q: "select 1" }]);
    assert.equal(mixed.status, 400, mixed.text);
    assert.match(mixed.body.detail, /^dry: /);
    const reads = await captain.request("post", "/sql", [
      { q: "select 1 as one", dry: true },
      { q: "select 2 as two", dry: true },
    ]);
    assert.deepEqual(
      reads.body.map(({ data, notes }: { data: object[]; notes?: string[] }) => [data, notes]),
      [
        [[{ one: 1 }], undefined],
        [[{ two: 2 }], undefined],
      ],
    );
    assert.equal(await stored(), before);
  });

  it("a dry run checks what a commit would check: deferred constraints too", async () => {
    const { client } = gateway.database;
    await client.query(
      "create table world.later (id int primary key, other int references world.later deferrable initially deferred)",
    );
    const captain = await as(gateway, "captain");
    const insert = (id: number, other: number) => ({
      q: "insert into world.later values (:id, :other)",
      params: { id, other },
      dry: true,
    });
    const late = await captain.request("post", "/sql", [insert(1, 2), insert(2, 1)]);
    assert.equal(late.status, 200, late.text);
    const never = await captain.request("post", "/sql", [insert(1, 2), { q: "select 1", dry: true }]);
    assert.deepEqual([never.status, never.body.sqlstate], [400, "23503"], never.text);
    await captain.define({ method: "later", q: "insert into world.later values (:id, :other)" });
    const call = { jsonrpc: "2.0", method: "later", params: { id: 1, other: 2 }, id: 1 };
    const { body, text } = await captain.request("post", "/call/dry", call);
    assert.equal(body.error?.data?.sqlstate, "23503", text);
    assert.deepEqual((await client.query("select from world.later")).rows, []);
  });

  it("a statement is explained, by its plan or by running it, and leaves nothing behind", async () => {
    const captain = await as(gateway, "captain");
    const explain = (who: As, statement: object) => who.request("post", "/sql", statement);
    const q = "select name from world.cities where country_code = :code order by name";
    const planned = await explain(guest, { q, params: { code: "DE" }, explain: "plan" });
    assert.equal(planned.status, 200, planned.text);
    assert.deepEqual(Object.keys(planned.body), ["plan"]);
    assert.equal(planned.body.plan.Plan["Node Type"], "Sort");
    assert.equal(planned.body.plan.Plan["Actual Rows"], undefined);
    const write = { q: "delete from world.routes returning nextval('world.logbook_id_seq')", explain: "analyze" };
    const before = (await gateway.database.client.query("select count(*)::int from world.routes")).rows;
    const run = await explain(captain, write);
    assert.equal(run.status, 200, run.text);
    assert.equal(run.body.plan.Plan["Operation"], "Delete");
    assert.equal(run.body.plan.Plan["Actual Rows"], before[0].count);
    assert.match(run.body.notes[0], /sequence/);
    assert.deepEqual((await gateway.database.client.query("select count(*)::int from world.routes")).rows, before);
    const long = "select from pg_class where relname::text = repeat('x', 53000000)"; // is in the plan unchanged
    for (const [who, statement, status, detail, position] of [
      [guest, { q: "delete from world.cities", explain: "plan" }, 403, /permission denied/, undefined],
      [guest, { q: "select * from portolan.users", explain: "analyze" }, 403, /permission denied/, undefined],
      [guest, { q: "select 'é', nothing from world.cities", explain: "plan" }, 400, /nothing/, 13],
      [guest, { q: "select 1", explain: "all" }, 400, /explain/, undefined],
      [guest, { q, explain: "plan" }, 400, /code is missing/, undefined],
      [guest, { q, params: [{ code: "DE" }, { code: "FR" }], explain: "plan" }, 400, /one set/, undefined],
      [guest, [{ q: "select 1" }, { q: "select 2", explain: "plan" }], 400, /not a list/, undefined],
      [guest, { q: "select 1; drop table world.cities", explain: "analyze" }, 400, /one statement/, undefined],
      [guest, { q: long, explain: "plan" }, 400, /too large/, undefined],
    ] as const) {
      const answer = await explain(who, statement);
      assert.deepEqual([answer.status, answer.body.position], [status, position], answer.text);
      assert.match(answer.body.detail, detail);
    }
    const slow = { q: "select pg_sleep(60)", timeout_ms: 200, explain: "analyze" };
    assert.equal((await explain(guest, slow)).status, 504);
    const csv = await gateway.http
      .post("/api/v4/sql")
      .set("Authorization", `Bearer ${await gateway.token("guest")}`)
      .set("Accept", "text/csv, application/json")
      .send({ q: "select 1", explain: "plan", output_format: "csv" });
    assert.equal(csv.body.plan.Plan["Node Type"], "Result", csv.text);
  });
});

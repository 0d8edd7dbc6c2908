import assert from "node:assert/strict";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { connectAs, type SocketClient } from "../support/webSocket.ts";
import { as, type As } from "./requests.ts";

describe("options of a method that are wrong", () => {
  let gateway: TestGateway;
  let guest: As;
  let captain: As;
  let socket: SocketClient;

  before(async () => {
    gateway = await testGateway();
    [guest, captain] = await Promise.all([as(gateway, "guest"), as(gateway, "captain")]);
    socket = await connectAs(gateway, "guest");
  });

  after(async () => {
    const started = performance.now();
    socket.close();
    await gateway.close();
    assert.ok(performance.now() - started < 5000, "connections were kept");
  });

  it("a format for something other than a date is the same error each time, alone and 200 at once, and holds no connection", async () => {
    const wrong = { q: "select 1 as a", type_formats: { a: "Y" } };
    await captain.define({ method: "misformatted", ...wrong, published: true });
    const viaSql = async (): Promise<void> => {
      const { status, body } = await guest.request("post", "/sql", wrong);
      assert.deepEqual([status, body.parameter], [400, "a"]);
      assert.match(body.detail, /^type_formats: a is of type int4, not a date or time$/);
    };
    const viaCall = async (): Promise<void> => {
      const { code, data } = await guest.fail("misformatted");
      assert.deepEqual([code, data.parameter], [-32602, "a"]);
    };
    const viaSocket = async (id: string): Promise<void> => {
      const { error } = await socket.ask({ jsonrpc: "2.0", method: "misformatted", id });
      assert.equal((error as { code: number }).code, -32602);
    };
    for (let n = 0; n < 15; n++) {
      await viaSql();
      await viaCall();
      await viaSocket(`alone ${n}`);
    }
    await Promise.all(
      Array.from({ length: 200 }, (_, n) => [viaSql, viaCall, () => viaSocket(`together ${n}`)][n % 3]!()),
    );
    assert.deepEqual((await guest.request("post", "/sql", { q: "select 2 as a" })).body.data, [{ a: 2 }]);
  });

  it("an unknown reference system is 400 wherever it is given, naming srs", async () => {
    const geometry = { q: "select geom from world.cities limit 1" };
    await guest.define({ method: "placed", ...geometry, srs: 3857 });
    const told = /srs: there is no reference system 99999/;
    for (const [method, path, body] of [
      ["post", "/methods", { method: "unplaced", ...geometry, srs: 99_999 }],
      [
        "post",
        "/methods",
        [
          { method: "fine", q: "select 1" },
          { method: "unplaced", q: "select 1", srs: 99_999 },
        ],
      ],
      ["patch", "/methods/placed", { srs: 99_999 }],
      ["patch", "/methods/placed", { q: "select 1", srs: 99_999 }],
      ["post", "/sql", { ...geometry, srs: 99_999 }],
      ["post", "/sql", { q: "select 1", srs: 99_999 }],
      ["post", "/sql", [{ q: "select 1" }, { ...geometry, srs: 99_999 }]],
    ] as const) {
      const { status, body: problem } = await guest.request(method, path, body);
      assert.deepEqual([status, told.test(problem.detail)], [400, true], JSON.stringify([path, body, problem]));
    }
    assert.equal((await guest.request("get", "/methods/fine")).status, 404);
    assert.equal((await guest.request("get", "/methods/placed")).body.srs, 3857);
    const { client } = gateway.database;
    await assert.rejects(client.query("select portolan.create_method('by_sql', 'select 1', srs => 99999)"), told);
    await assert.rejects(client.query("update portolan.methods set srs = 0 where method = 'placed'"), {
      code: "PX400",
    });
    // one that the database had when the method was made
    await client.query(
      "insert into spatial_ref_sys select 990001, auth_name, 990001, srtext, proj4text from spatial_ref_sys where srid = 3857",
    );
    await captain.define({ method: "gone", ...geometry, srs: 990_001, published: true });
    await client.query("delete from spatial_ref_sys where srid = 990001");
    await Promise.all(
      Array.from({ length: 200 }, async (_, n) => {
        const { code, data } = await guest.fail("gone");
        assert.deepEqual([code, data.detail], [-32602, "srs: there is no reference system 990001"], String(n));
      }),
    );
  });

  it("a type in a hint that its column cannot be cast to is reported, naming the column", async () => {
    for (const [q, type_hints, sqlstate] of [
      ["select 'x' as a", { a: "int4" }, "22P02"],
      ["select 'x' as a, :n::int as n", { a: "date" }, "22007"],
      ["select point '(1,2)' as a", { a: "int4" }, "22P02"],
      ["select 'none' as a", { a: "public.geometry" }, "XX000"],
      ["select -2 as a", { a: "information_schema.cardinal_number" }, "23514"],
    ] as const) {
      const params = q.includes(":n") ? { n: 1 } : {};
      const { status, body } = await guest.request("post", "/sql", { q, type_hints, params });
      assert.deepEqual([status, body.parameter, body.sqlstate], [400, "a", sqlstate], JSON.stringify(body));
      assert.match(body.detail, /^type_hints: a: /);
      const method = `hinted_${sqlstate}_${q.length}`;
      await guest.define({ method, q, type_hints });
      const { code, data } = await guest.fail(method, params);
      assert.deepEqual([code, data.parameter, data.sqlstate], [-32602, "a", sqlstate]);
    }
  });

  it("a hint that names no type of a value is 400 wherever it is given, and -32602 where SQL stored it before it looked, naming it", async () => {
    await guest.define({ method: "unhinted", q: "select 1 as a" });
    const { client } = gateway.database;
    for (const [n, type] of [
      "setof int4",
      "numeric(4000, 2)",
      "int4(5)",
      "record",
      "void",
      "anyarray",
      "nosuch",
    ].entries()) {
      const wrong = { q: "select 1 as a", type_hints: { a: type } };
      const told = `type_hints: a: ${JSON.stringify(type)} is not a type of values`;
      for (const [method, path, body] of [
        ["post", "/methods", { method: "mishinted", ...wrong }],
        ["patch", "/methods/unhinted", { type_hints: wrong.type_hints }],
        ["post", "/sql", wrong],
      ] as const) {
        const { status, body: problem } = await guest.request(method, path, body);
        assert.deepEqual([status, problem.detail], [400, told], path);
      }
      const store = ["select portolan.create_method($1, $2, $3)", [`stored${n}`, wrong.q, wrong.type_hints]] as const;
      await assert.rejects(client.query(store[0], [...store[1]]), { code: "PX400" });
      await client.query("alter table portolan.methods disable trigger _110_check_hints");
      await client.query(store[0], [...store[1]]);
      await client.query("alter table portolan.methods enable trigger _110_check_hints");
      const { code, data } = await guest.fail(`stored${n}`);
      assert.deepEqual([code, data.parameter, data.detail], [-32602, "a", told]);
    }
  });

  it("an impossible value of an option is 400 at every door, naming the member", async () => {
    await guest.define({ method: "sound", q: "select 1 as a" });
    for (const [member, values] of Object.entries({
      srs: [0, -1, 1.5, "4326", 1_000_000, true, [4326]],
      timeout_ms: [0, -1, 1.5, "5", 86_400_001],
      max_rows: [0, -1, 1.5, 2_147_483_648],
      cache_seconds: [-1, 1.5, 86_401, "1"],
      output_format: ["xml", "", 1, null],
      type_hints: ["int4", { a: "" }, { a: "int4; drop table x" }, { a: 1 }, []],
      type_formats: ["Y", { a: "" }, { a: 1 }, []],
      q: ["", " ", ";", "-- nothing", "/* nothing */", 1, null],
    }))
      for (const value of values) {
        const wrong = { [member]: value };
        const answers = await Promise.all([
          guest.request("post", "/methods", { method: "unsound", q: "select 1", ...wrong }),
          guest.request("patch", "/methods/sound", wrong),
          ...(member === "cache_seconds" ? [] : [guest.request("post", "/sql", { q: "select 1", ...wrong })]),
        ]);
        for (const { status, body } of answers) {
          assert.equal(status, 400, JSON.stringify([wrong, body]));
          assert.match(body.detail, new RegExp(`\\b${member}\\b`), JSON.stringify([wrong, body]));
        }
      }
    for (const q of ["", " ", ";", "-- nothing", "/* nothing */"])
      assert.equal((await guest.request("post", "/sql", { q })).body.detail, "q: the statement is empty");
    assert.deepEqual((await guest.call("sound")).data, [{ a: 1 }]);
  });

  it("limits of a method that its result or its time is over are told, 200 at once, and keep no connection", async () => {
    await captain.define(
      { method: "few", q: "select n from generate_series(1, 3) n", max_rows: 2, published: true },
      { method: "brief", q: "select pg_sleep(0.2)", timeout_ms: 20, published: true },
    );
    await Promise.all(
      Array.from({ length: 200 }, async (_, n) => {
        const [method, sqlstate] = n % 20 === 0 ? ["brief", "57014"] : ["few", "54000"];
        const { data } = await guest.fail(method);
        assert.equal(data.sqlstate, sqlstate);
      }),
    );
    assert.deepEqual((await guest.request("post", "/sql", { q: "select 2 as a" })).body.data, [{ a: 2 }]);
  });

  it("a format is a parameter's and a column's where both have its name, and the other's where only one is a date", async () => {
    for (const [q, params, data] of [
      ["select extract(day from :d::date)::int as d", { d: "03/02/2024" }, [{ d: 3 }]],
      ["select to_char(:d::date, 'YYYY') as d", { d: "03/02/2024" }, [{ d: "2024" }]],
      ["select date '2024-02-01' + :d::int as d", { d: 2 }, [{ d: "03/02/2024" }]],
      ["select :d::date as d", { d: "03/02/2024" }, [{ d: "03/02/2024" }]],
    ] as const)
      for (let n = 0; n < 3; n++) {
        const { body } = await guest.request("post", "/sql", { q, params, type_formats: { d: "d/m/Y" } });
        assert.deepEqual(body.data, data, `${q} ${JSON.stringify(body)}`);
      }
    const neither = { q: "select :d::int as d", params: { d: 2 }, type_formats: { d: "d/m/Y" } };
    assert.deepEqual((await guest.request("post", "/sql", neither)).status, 400);
  });
});

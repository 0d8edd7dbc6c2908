/** Every example of https://www.jsonrpc.org/specification#examples, and the cases that it leaves to the service. */
import assert from "node:assert/strict";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { as, type As } from "./requests.ts";

describe("JSON-RPC 2.0", () => {
  let gateway: TestGateway;
  let guest: As;
  const rows = (column: string, type: string, ...values: unknown[]) => ({
    schema: { [column]: { type, array: false } },
    data: values.map((value) => ({ [column]: value })),
  });
  const entries = async (): Promise<string[]> =>
    (await gateway.database.client.query("select entry from world.logbook order by id")).rows.map((row) => row.entry);

  before(async () => {
    gateway = await testGateway();
    await gateway.database.client.query("truncate world.logbook");
    guest = await as(gateway, "guest");
    await guest.define(
      { method: "subtract", q: "select :minuend::int - :subtrahend::int as difference" },
      {
        method: "update",
        q: "insert into world.logbook (city_id, entry) select 1, 'update ' || :a::int + :b + :c + :d + :e",
      },
      { method: "sum", q: "select :a::int + :b::int + :c::int as sum" },
      { method: "notify_hello", q: "insert into world.logbook (city_id, entry) values (1, 'hello ' || :n::int)" },
      { method: "get_data", q: "values ('hello', 5)" },
      { method: "write", q: "insert into world.logbook (city_id, entry) values (:city, :entry)" },
      { method: "fails", q: "select 1 / :n::int as n" },
    );
  });

  beforeEach(() => gateway.database.client.query("truncate world.logbook"));
  after(() => gateway.close());

  it("positional parameters", async () => {
    const answer = (result: unknown, id: unknown) => ({ jsonrpc: "2.0", result, id });
    assert.deepEqual(
      await guest.rpc({ jsonrpc: "2.0", method: "subtract", params: [42, 23], id: 1 }),
      answer(rows("difference", "int4", 19), 1),
    );
    assert.deepEqual(
      await guest.rpc({ jsonrpc: "2.0", method: "subtract", params: [23, 42], id: 2 }),
      answer(rows("difference", "int4", -19), 2),
    );
  });

  it("named parameters, in any order", async () => {
    for (const params of [
      { subtrahend: 23, minuend: 42 },
      { minuend: 42, subtrahend: 23 },
    ])
      assert.deepEqual(await guest.call("subtract", params), rows("difference", "int4", 19));
  });

  it("a notification is not answered, whether it succeeds, fails or names nothing", async () => {
    assert.equal(await guest.rpc({ jsonrpc: "2.0", method: "update", params: [1, 2, 3, 4, 5] }), undefined);
    assert.deepEqual(await entries(), ["update 15"]);
    assert.equal(await guest.rpc({ jsonrpc: "2.0", method: "foobar" }), undefined);
    assert.equal(await guest.rpc({ jsonrpc: "2.0", method: "fails", params: [0] }), undefined);
  });

  it("a method that does not exist", async () => {
    assert.deepEqual(await guest.rpc({ jsonrpc: "2.0", method: "foobar", id: "1" }), {
      jsonrpc: "2.0",
      error: { code: -32601, message: "Method not found" },
      id: "1",
    });
  });

  it("invalid JSON, alone and in a batch", async () => {
    for (const text of [
      '{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]',
      '[{"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"}, {"jsonrpc": "2.0", "method"]',
      "",
    ]) {
      const { error, id, jsonrpc } = await guest.rpc(text);
      assert.deepEqual([jsonrpc, error.code, error.message, id], ["2.0", -32700, "Parse error", null]);
    }
  });

  it("a body that is not a request", async () => {
    for (const text of [
      '{"jsonrpc": "2.0", "method": 1, "params": "bar"}',
      "[]",
      "1",
      "null",
      '"x"',
      "{}",
      '{"jsonrpc":"2.0","method":"sum","id":{}}',
      '{"jsonrpc":"1.0","method":"sum","id":[1]}',
      '{"id":true}',
    ]) {
      const { error, id } = await guest.rpc(text);
      assert.deepEqual([error.code, error.message, id], [-32600, "Invalid Request", null], text);
    }
  });

  it("an object with a readable id that is not a request is answered with that id", async () => {
    for (const id of ["6", '"six"', '""', "0", "null", "12345678901234567890"])
      for (const members of [
        '"jsonrpc":"2.0"',
        '"method":"sum"',
        '"jsonrpc":"1.0","method":"sum"',
        '"jsonrpc":"2.0","method":1',
        '"jsonrpc":"2.0","method":"sum","params":1',
      ]) {
        const wrong = `{${members},"id":${id}}`;
        for (const path of ["/call", "/call/dry"])
          assert.match(
            (await guest.request("post", path, wrong)).text,
            new RegExp(`^\\{"jsonrpc":"2.0","error":\\{"code":-32600,.*,"id":${id}\\}$`),
            `${path} ${wrong}`,
          );
        const right = '{"jsonrpc":"2.0","method":"get_data","id":"right"}';
        const batch = await guest.request("post", "/call", `[${right},${wrong},{"foo":1}]`);
        assert.ok(batch.text.includes(`,"id":${id}},`), wrong);
        assert.deepEqual(codes(batch.body), [
          [-32000, "right"],
          [-32600, JSON.parse(id)],
          [-32600, null],
        ]);
        assert.deepEqual(batch.body[0].error.data, { failed: JSON.parse(id) });
      }
  });

  it("a batch of other values has an error for each", async () => {
    assert.deepEqual(codes(await guest.rpc("[1]")), [[-32600, null]]);
    assert.deepEqual(codes(await guest.rpc("[1,2,3]")), [
      [-32600, null],
      [-32600, null],
      [-32600, null],
    ]);
  });

  it("a mixed batch with invalid and unknown members takes no effect as a whole", async () => {
    const answer = await guest.rpc([
      { jsonrpc: "2.0", method: "sum", params: [1, 2, 4], id: "1" },
      { jsonrpc: "2.0", method: "notify_hello", params: [7] },
      { jsonrpc: "2.0", method: "subtract", params: [42, 23], id: "2" },
      { foo: "boo" },
      { jsonrpc: "2.0", method: "foo.get", params: { name: "myself" }, id: "5" },
      { jsonrpc: "2.0", method: "get_data", id: "9" },
    ]);
    assert.deepEqual(codes(answer), [
      [-32000, "1"],
      [-32000, "2"],
      [-32600, null],
      [-32601, "5"],
      [-32000, "9"],
    ]);
    assert.deepEqual(answer[0].error, { code: -32000, message: "rolled back", data: { failed: null } });
    assert.deepEqual(await entries(), []);
  });

  it("the same batch without those is answered whole, in order", async () => {
    const answer = await guest.rpc([
      { jsonrpc: "2.0", method: "sum", params: [1, 2, 4], id: "1" },
      { jsonrpc: "2.0", method: "notify_hello", params: [7] },
      { jsonrpc: "2.0", method: "subtract", params: [42, 23], id: "2" },
      { jsonrpc: "2.0", method: "get_data", id: "9" },
    ]);
    assert.deepEqual(
      answer.map(({ id, result }: { id: string; result: { data: object[] } }) => [id, result.data]),
      [
        ["1", [{ sum: 7 }]],
        ["2", [{ difference: 19 }]],
        ["9", [{ column1: "hello", column2: 5 }]],
      ],
    );
    assert.deepEqual(await entries(), ["hello 7"]);
  });

  it("a batch of notifications is not answered, and has taken effect", async () => {
    assert.equal(
      await guest.rpc([
        { jsonrpc: "2.0", method: "notify_hello", params: [1] },
        { jsonrpc: "2.0", method: "notify_hello", params: [2] },
      ]),
      undefined,
    );
    assert.deepEqual(await entries(), ["hello 1", "hello 2"]);
  });

  it("a request that fails undoes the batch, and the others' errors name it", async () => {
    const answer = await guest.rpc([
      { jsonrpc: "2.0", method: "write", params: { city: 1, entry: "a" }, id: 1 },
      { jsonrpc: "2.0", method: "write", params: { city: -1, entry: "b" }, id: "two" },
      { jsonrpc: "2.0", method: "write", params: { city: 1, entry: "c" }, id: 3 },
      { jsonrpc: "2.0", method: "write", params: { city: 1, entry: "d" } },
    ]);
    assert.deepEqual(codes(answer), [
      [-32000, 1],
      [-32603, "two"],
      [-32000, 3],
    ]);
    assert.deepEqual(answer[0].error.data, { failed: "two" });
    assert.equal(answer[1].error.data.sqlstate, "23503");
    assert.deepEqual(await entries(), []);
  });

  it("a batch of many reads, long and short ones among each other, is answered as each alone", async () => {
    await guest.define(
      { method: "many", q: "select n, repeat('x', 50) as x from generate_series(1, :n::int) n" },
      { method: "rows_csv", q: "select n from generate_series(1, :n::int) n", output_format: "csv" },
    );
    const requests = Array.from({ length: 60 }, (_, id) => ({
      jsonrpc: "2.0",
      id,
      ...[
        { method: "subtract", params: [id, 1] },
        { method: "many", params: [id * 40] },
        { method: "get_data" },
        { method: "rows_csv", params: [id] },
        { method: "fails", params: [id + 1] },
      ][id % 5]!,
    }));
    const alone = await Promise.all(requests.map((request) => guest.rpc(request)));
    for (let time = 0; time < 2; time++) assert.deepEqual(await guest.rpc(requests), alone);

    for (const at of [0, 33, 59]) {
      const failing = requests.with(at, { jsonrpc: "2.0", id: at, method: "fails", params: [0] });
      const answer = await guest.rpc(failing.with(58, { jsonrpc: "2.0", id: 58, method: "fails", params: [0] }));
      const first = Math.min(at, 58);
      for (const { id, error } of answer)
        if (id === first) assert.deepEqual([error.code, error.data.sqlstate], [-32602, "22012"]);
        else assert.deepEqual([error.code, error.data], [-32000, { failed: first }]);
    }
    assert.deepEqual(await guest.rpc(requests.slice(0, 9)), alone.slice(0, 9));
  });

  it("of several failures the first one of the batch is named, whichever was found first", async () => {
    const answer = await guest.rpc([
      { jsonrpc: "2.0", method: "fails", params: { n: 1 }, id: "a" },
      { jsonrpc: "2.0", method: "fails", params: { n: 0 }, id: "b" },
      { jsonrpc: "2.0", method: "fails", params: { n: 1, nobody: 1 }, id: "c" },
    ]);
    assert.deepEqual(
      answer.map(({ id, error }: { id: string; error: { data: { failed?: string } } }) => [id, error.data.failed]),
      [
        ["a", "b"],
        ["b", undefined],
        ["c", "b"],
      ],
    );
  });

  it("a notification that fails undoes the batch, and only the others get an error", async () => {
    const answer = await guest.rpc([
      { jsonrpc: "2.0", method: "write", params: { city: 1, entry: "a" }, id: 1 },
      { jsonrpc: "2.0", method: "fails", params: [0] },
    ]);
    assert.deepEqual(codes(answer), [[-32000, 1]]);
    assert.deepEqual(answer[0].error.data, { failed: null });
    assert.deepEqual(await entries(), []);
  });

  it("a batch of one is an array; ids of every kind come back as they were", async () => {
    const answer = await guest.rpc([{ jsonrpc: "2.0", method: "get_data", id: 0 }]);
    assert.deepEqual([answer.length, answer[0].id], [1, 0]);
    for (const id of ["1", '""', "-1.5", "null", '"é\\u0000"', "12345678901234567890", "1e400"]) {
      const { text } = await guest.request("post", "/call", `{"jsonrpc":"2.0","method":"get_data","id":${id}}`);
      assert.ok(text.endsWith(`,"id":${id}}`), text);
    }
  });

  it("a number beyond a double is not an object, as params or in them", async () => {
    for (const params of ["12345678901234567890", "1e400", "1"]) {
      const { body } = await guest.request(
        "post",
        "/call",
        `{"jsonrpc":"2.0","method":"get_data","params":${params},"id":1}`,
      );
      assert.deepEqual([body.error.code, body.id], [-32600, 1], params);
    }
    const body = '{"q":"select :v::numeric as v","params":[12345678901234567890]}';
    assert.deepEqual((await guest.request("post", "/sql", body)).body.data, [{ v: "12345678901234567890" }]);
  });

  it("a name that no method can have is an unknown method", async () => {
    for (const method of ["", "x\u0000", "__proto__", "rpc.discover", "\ud800", "a".repeat(1_000_000)])
      assert.equal((await guest.fail(method)).code, -32601, method.slice(0, 20));
    const answer = await guest.rpc([{ jsonrpc: "2.0", method: "x\u0000", id: 1 }]);
    assert.deepEqual(codes(answer), [[-32601, 1]]);
  });

  it("an array of parameter objects runs the method once for each, all or none", async () => {
    assert.deepEqual(
      await guest.call("write", [
        { city: 1, entry: "a" },
        { city: 1, entry: "b" },
      ]),
      { schema: {}, data: [], affected_rows: 2 },
    );
    assert.deepEqual(await entries(), ["a", "b"]);
    assert.equal(
      (
        await guest.fail("write", [
          { city: 1, entry: "c" },
          { city: -1, entry: "d" },
        ])
      ).code,
      -32603,
    );
    assert.deepEqual(await entries(), ["a", "b"]);
    assert.deepEqual(
      (
        await guest.call("sum", [
          { a: 1, b: 1, c: 1 },
          { a: 2, b: 2, c: 2 },
        ])
      ).data,
      [{ sum: 3 }, { sum: 6 }],
    );
  });

  it("limits: 1,000 requests, 10,000 sets of parameters, 10 MB", async () => {
    const request = { jsonrpc: "2.0", method: "get_data", id: 1 };
    assert.equal((await guest.rpc(Array.from({ length: 1000 }, () => request))).length, 1000);
    assert.equal((await guest.rpc(Array.from({ length: 1001 }, () => request))).error.code, -32600);
    const params = Array.from({ length: 10_001 }, () => ({ n: 1 }));
    const tooMany = { jsonrpc: "2.0", method: "notify_hello", params };
    const { error, id } = await guest.rpc({ ...tooMany, id: 7 });
    assert.deepEqual([error.code, id], [-32600, 7]);
    assert.equal(await guest.rpc(tooMany), undefined);
    assert.deepEqual(codes(await guest.rpc([request, { ...tooMany, id: "many" }, tooMany])), [
      [-32000, 1],
      [-32600, "many"],
    ]);
    const dry = await guest.request("post", "/call/dry", { ...tooMany, id: 7 });
    assert.deepEqual([dry.body.error.code, dry.body.id], [-32600, 7]);
    assert.deepEqual(await entries(), []);
    const { status, body } = await guest.request("post", "/call", `{"x":"${"x".repeat(10_000_001)}"}`);
    assert.deepEqual([status, body.code], [413, "TOO_LARGE"]);
  });

  it("a dry run takes one request with an id", async () => {
    for (const message of [
      [{ jsonrpc: "2.0", method: "get_data", id: 1 }],
      { jsonrpc: "2.0", method: "get_data" },
      1,
    ]) {
      const { body } = await guest.request("post", "/call/dry", JSON.stringify(message));
      assert.deepEqual([body.error.code, body.id], [-32600, null]);
    }
  });

  it("wrong methods, wrong media types and missing tokens are problems", async () => {
    const { status, headers } = await guest.request("get", "/call");
    assert.deepEqual([status, headers["allow"]], [405, "POST, OPTIONS"]);
    await gateway.http.post("/api/v4/call").send({ jsonrpc: "2.0", method: "get_data", id: 1 }).expect(401);
    const token = await gateway.token("guest");
    await gateway.http
      .post("/api/v4/call")
      .set("Authorization", `Bearer ${token}`)
      .set("Content-Type", "text/plain")
      .send("{}")
      .expect(415);
  });
});

function codes(answer: { error: { code: number }; id: unknown }[]): unknown[] {
  return answer.map(({ error, id }) => [error.code, id]);
}

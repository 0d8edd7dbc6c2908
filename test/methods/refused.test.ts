import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { pipeline } from "node:stream/promises";
import { from as copyFrom } from "pg-copy-streams";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { CORPUS, FIXTURE } from "./corpus.ts";
import { as, type As } from "./requests.ts";

/** Statements that no stored method may be, whichever interface stores it. */
const REFUSED: readonly Readonly<Record<string, unknown>>[] = [
  { method: "1st" },
  { method: "rpc.x" },
  { method: "RPC.x" },
  { method: "" },
  { method: "a".repeat(101) },
  ...[
    "",
    ";",
    "-- nothing",
    "/* /* */",
    "drop table x",
    "delete from lab.ships; select 1",
    "select :a:: from",
    "select 1; select 2",
    "select $1",
    "select 1 into t",
    "with a as (select 1) select * into t from a",
    "create table t (a int)",
    "explain select 1",
    "execute x",
    "begin",
    "end; begin",
    "select 1) from (select 2",
    "(select 1))",
    "do $$ begin end $$",
    "set role postgres",
    "select 1 from",
    "select 'open",
    `select ${"(".repeat(201)}1${")".repeat(201)}`,
    `select '${"x".repeat(100_000)}'`,
  ].map((q) => ({ q })),
  { type_hints: [] },
  { type_hints: "int" },
  { type_hints: { a: 1 } },
  { type_hints: { a: "int; drop table x" } },
  { type_hints: { a: "no_such_type" } },
  { type_hints: { a: "x".repeat(201) } },
  { type_formats: ["d/m/Y"] },
  { type_formats: { a: "" } },
  { type_formats: { a: 1 } },
  { type_formats: { a: "Y".repeat(201) } },
  { output_format: "gif" },
  { srs: 0 },
  { srs: 999_000 },
  { srs: 99_999 },
  { description: "x".repeat(10_001) },
  { timeout_ms: 0 },
  { timeout_ms: 86_400_001 },
  { max_rows: 0 },
  { cache_seconds: -1 },
  { cache_seconds: 86_401 },
];

describe("statements that no stored method may be", () => {
  let gateway: TestGateway;
  let captain: As;

  before(async () => {
    gateway = await testGateway({ prepare: ({ client }) => client.query(FIXTURE) });
    captain = await as(gateway, "captain");
    await gateway.database.client.query("select portolan.create_method('good', 'select 1 as n')");
  });

  after(() => gateway.close());

  type Method = Readonly<Record<string, unknown>>;
  const query = (text: string, values: readonly unknown[]) => gateway.database.client.query(text, [...values]);
  const insert = (method: Method) =>
    query(
      `insert into portolan.methods (${Object.keys(method).join()})
select ${Object.keys(method).join()} from jsonb_populate_record(null::portolan.methods, $1)`,
      [JSON.stringify(method)],
    );
  const given = (method: Method): Method => ({ method: "bad", q: "select 1 as n", ...method });
  const refuses = (work: Promise<unknown>): Promise<void> => assert.rejects(work, { code: "PX400" });
  const answers400 = async (verb: "post" | "patch", path: string, body: Method): Promise<void> => {
    const { status, text } = await captain.request(verb, path, body);
    assert.equal(status, 400, text);
  };

  /** Every way in which a method is written. `wrong`: the member that is refused. */
  const WAYS: Readonly<Record<string, (wrong: Method) => Promise<void>>> = {
    POST: (wrong) => answers400("post", "/methods", given(wrong)),
    PATCH: (wrong) => answers400("patch", "/methods/good", wrong),
    INSERT: (wrong) => refuses(insert(given(wrong))),
    UPDATE: (wrong) =>
      refuses(
        query(
          `update portolan.methods m set ${Object.keys(wrong).join()} = n.${Object.keys(wrong).join()}
from jsonb_populate_record(null::portolan.methods, $1) n where m.method = 'good'`,
          [JSON.stringify(wrong)],
        ),
      ),
    COPY: async (wrong) => {
      const method = given(wrong);
      const json = new Set(["type_hints", "type_formats"]);
      const texts = Object.entries(method).map(([name, value]) => (json.has(name) ? JSON.stringify(value) : value));
      const copy = gateway.database.client.query(
        copyFrom(`copy portolan.methods (${Object.keys(method).join()}) from stdin (format csv)`),
      );
      await refuses(pipeline([texts.map((text) => `"${String(text).replaceAll('"', '""')}"`).join()], copy));
    },
    create_method: (wrong) => {
      const method = given(wrong);
      const named = Object.keys(method).map((name) => `${name} => r.${name}`);
      return refuses(
        query(
          `select portolan.create_method(${named.join()}) from jsonb_populate_record(null::portolan.methods, $1) r`,
          [JSON.stringify(method)],
        ),
      );
    },
    update_method: (wrong) => refuses(query("select portolan.update_method('good', $1)", [JSON.stringify(wrong)])),
  };

  const stored = async () =>
    (await query("select to_jsonb(m) as method from portolan.methods m order by m.method", [])).rows;

  for (const wrong of REFUSED)
    it(`are refused however they are written: ${JSON.stringify(wrong).slice(0, 70)}`, async () => {
      const before = await stored();
      for (const [way, refuse] of Object.entries(WAYS))
        await refuse(wrong).catch((error: Error) => assert.fail(`${way}: ${error.message}`));
      assert.deepEqual(await stored(), before);
    });

  it("are refused by psql's \\copy, with the error and the method", () => {
    assert.throws(
      () =>
        execFileSync("psql", ["-d", gateway.database.url, "-c", "\\copy portolan.methods (method, q) from stdin"], {
          input: "bad\tdrop table x\n",
          stdio: "pipe",
        }),
      /q: must be a SELECT, VALUES, WITH, INSERT, UPDATE, DELETE or MERGE \(method "bad"\)/,
    );
  });

  it("do not occur among the statements of valid methods", async () => {
    for (const { params: _params, declared: _declared, ...method } of CORPUS) await insert(method);
  });

  it("are not checked again when something else of a method changes, but doctor names them", async () => {
    const { client } = gateway.database;
    await client.query("alter table portolan.methods disable trigger user");
    await client.query("insert into portolan.methods (method, q, published) values ('older', 'drop table x', true)");
    await client.query("alter table portolan.methods enable trigger user");
    await client.query("update portolan.methods set description = 'of before' where method = 'older'");
    const { body } = await captain.request("get", "/doctor");
    const about = (body as { ok: boolean; finding: string; remedy: string[] }[]).filter(({ finding }) =>
      finding.includes("stored method"),
    );
    assert.deepEqual(
      about.map(({ ok, finding, remedy }) => [ok, finding, remedy]),
      [
        [
          false,
          "the stored method older cannot be called: q: must be a SELECT, VALUES, WITH, INSERT, UPDATE, DELETE or MERGE",
          ["npx portolan method remove older"],
        ],
      ],
    );
    await client.query("delete from portolan.methods where method = 'older'");
  });
});

import assert from "node:assert/strict";
import { compile } from "../support/compile.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { CORPUS, FIXTURE } from "./corpus.ts";
import { as, type As } from "./requests.ts";

describe("interfaces", () => {
  let gateway: TestGateway;
  let guest: As;

  before(async () => {
    gateway = await testGateway({ prepare: ({ client }) => client.query(FIXTURE) });
    guest = await as(gateway, "guest");
    await guest.define(
      ...CORPUS.map(({ method, q, type_hints, type_formats, output_format }) => ({
        method,
        q,
        type_hints,
        type_formats,
        output_format,
      })),
    );
  });

  after(() => gateway.close());

  it("before a dry run every parameter and result is a record of unknowns", async () => {
    const text = await guest.interfaces();
    assert.match(
      text,
      /^ {2}parameters\(params: \{ id: Record<string, unknown>; name: Record<string, unknown> \}\): Promise<Record<string, unknown>\[\]>;$/m,
    );
    assert.equal(compile({ "methods.ts": text }), "");
  });

  it("declared types are those of the values that come back, under tsc --strict", async () => {
    assert.ok(CORPUS.length >= 60);
    const checks: string[] = ['import type { Methods } from "./methods.ts";'];
    for (const [n, { method, params }] of CORPUS.entries()) {
      const { data } = await guest.dry(method, params === undefined ? undefined : [params]);
      const name = JSON.stringify(method);
      const values = JSON.stringify(data);
      checks.push(`export const result${n}: Awaited<ReturnType<Methods[${name}]>> = ${values};`);
      checks.push(`export const params${n}: Parameters<Methods[${name}]>[0] = ${JSON.stringify(params ?? {})};`);
    }
    const text = await guest.interfaces();
    for (const { declared } of CORPUS)
      if (declared) assert.ok(text.includes(`  ${declared}\n`), `${declared}\n${text}`);
    assert.equal(compile({ "methods.ts": text, "values.ts": checks.join("\n") }), "");
  });

  it("types go when the statement or a table of it changes, and come back with the next dry run", async () => {
    const declaration = async (): Promise<string | undefined> =>
      /^ {2}not_null\(.*$/m.exec(await guest.interfaces())?.[0];
    const typed = await declaration();
    assert.match(typed ?? "", /captain_id: number \| null/);
    await gateway.database.client.query("alter table lab.ships alter captain_id type text");
    assert.match((await declaration()) ?? "", /Promise<Record<string, unknown>\[\]>/);
    await guest.dry("not_null");
    assert.match((await declaration()) ?? "", /captain_id: string \| null/);
    await guest.request("patch", "/methods/not_null", { q: "select id from lab.ships" });
    assert.match((await declaration()) ?? "", /Promise<Record<string, unknown>\[\]>/);
  });

  it("a parameter that a dry run was given null for takes null, under tsc --strict; others do not", async () => {
    await guest.define({ method: "stays", q: "select :id::int as id, :stay::date as stay, :text::text as text" });
    const declaration = async (): Promise<string | undefined> => /^ {2}stays\(.*$/m.exec(await guest.interfaces())?.[0];
    const params = { id: 1, stay: "2024-02-03", text: "a" };
    await guest.dry("stays", params);
    assert.match((await declaration()) ?? "", /\(params: \{ id: number; stay: string; text: string \}\)/);
    await guest.dry("stays", [params, { ...params, stay: null }]);
    assert.match((await declaration()) ?? "", /\(params: \{ id: number; stay: string \| null; text: string \}\)/);
    await guest.dry("stays", [1, null, "a"]);
    assert.match((await declaration()) ?? "", /\(params: \{ id: number; stay: string \| null; text: string \}\)/);
    const use = (call: string): string =>
      compile({
        "methods.ts": /export interface[^]*$/.exec(text)![0],
        "use.ts": `import type { Methods } from "./methods.ts";\nexport const use = (m: Methods) => m.stays(${call});`,
      });
    const text = `export interface Methods {\n${await declaration()}\n}\n`;
    assert.equal(use("{ id: 1, stay: null, text: 'a' }"), "");
    assert.match(use("{ id: null, stay: null, text: 'a' }"), /null/);
    assert.equal((await guest.call("stays", { id: 1, stay: null, text: "a" })).data[0].stay, null);
  });
});

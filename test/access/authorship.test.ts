/** Who did it, from where, and with which factors: no request can say so by a setting, at any door. */
import assert from "node:assert/strict";
import { testGateway, type TestGateway } from "../support/gateway.ts";

const SETTINGS = { user: "captain", ip: "203.0.113.66", mfa: "true", service: "ogc" };
const forge = (isLocal: boolean): string =>
  Object.entries(SETTINGS)
    .map(([name, value]) => `set_config('portolan.${name}', '${value}', ${isLocal})`)
    .join(", ");
/** As a condition. */
const CALL = "set_config('portolan.user','captain',true)='captain'";

describe("the settings of a session", () => {
  let gateway: TestGateway;
  let token: string;
  const query = async (text: string, values: unknown[] = []) =>
    (await gateway.database.client.query(text, values)).rows;

  before(async () => {
    gateway = await testGateway({
      kind: "portolan",
      config: { schemas: ["shop"], poolSize: 1, ownPoolSize: 1 },
      prepare: ({ client, name }) =>
        client.query(`
create schema shop;
grant usage on schema shop to public;
create table shop.notes (id int primary key, text text, more jsonb, tags text[], at timestamptz, geom geometry(Point, 4326));
alter schema shop owner to "owner@${name}"; alter table shop.notes owner to "owner@${name}";
select portolan.create_user('captain', null, superuser => true), portolan.create_user('eve', null);
select portolan.set_privilege('shop.notes', 'eve', 'write'),
  portolan.enable_versioning('shop.notes'), portolan.enable_workflow('shop.notes'),
  portolan.set_workflow_role('shop.notes', 'eve', 'publisher');
select portolan.create_rule('{"schema": "shop", "table": "notes", "request": "delete", "access": "deny", "mfa": false}');`),
    });
    token = await gateway.token("eve");
  });
  after(() => gateway?.close());

  const ask = async (method: string, path: string, body?: unknown, { type = "application/json", of = token } = {}) => {
    const response = await fetch(gateway.baseUrl + path, {
      method,
      headers: { Authorization: `Bearer ${of}`, ...(body !== undefined && { "Content-Type": type }) },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  };

  /** Who wrote the present version of a row, and who the audit says published or drafted it, and from where. */
  const writers = async (id: number): Promise<unknown> => {
    const [row] = await query(
      `
select (select h.written_by from portolan.history('shop.notes', $1) h where h.valid_until is null) as history, a.account, a.address
from portolan.audit a
where a.event like 'workflow.%' and a.details ->> 'key' = $1 order by a.id desc limit 1`,
      [String(id)],
    );
    return row;
  };
  const OF_EVE = { history: "eve", account: "eve", address: "127.0.0.1" };

  it("say nothing of who wrote, in SQL of the account's own", async () => {
    const insert = "insert into shop.notes (id, text) values (%, 'own')";
    for (const [at, q] of [
      `with f as materialized (select ${forge(true)}) insert into shop.notes (id, text) select %, 'own' from f`,
      `with f as materialized (select ${forge(false)}) insert into shop.notes (id, text) select %, 'own' from f`,
    ].entries()) {
      const id = 100 + at;
      const { status, text } = await ask("POST", "/api/v4/sql", { q: q.replace("%", String(id)) });
      assert.equal(status, 200, text);
      assert.deepEqual(await writers(id), OF_EVE);
      // left on the session for the next statement
      const next = await ask("POST", "/api/v4/sql", { q: insert.replace("%", String(id + 10)) });
      assert.equal(next.status, 200, next.text);
      assert.deepEqual(await writers(id + 10), OF_EVE);
    }
    const q = `select m.name, m.service, host(m.ip) as ip, m.mfa from (select ${forge(true)}) f cross join portolan.me m`;
    const me = await ask("POST", "/api/v4/sql", { q });
    assert.deepEqual((JSON.parse(me.text) as { data: unknown }).data, [
      { name: "eve", service: "sql", ip: "127.0.0.1", mfa: false },
    ]);
  });

  it("say nothing of who wrote, in a stored method", async () => {
    await query("select portolan.create_method('forged', $1)", [
      `with f as materialized (select ${forge(true)}) insert into shop.notes (id, text) select :id::int, 'method' from f`,
    ]);
    const call = { jsonrpc: "2.0", id: 1, method: "forged", params: { id: 200 } };
    const { status, text } = await ask("POST", "/api/v4/call", call);
    assert.equal(status, 200, text);
    assert.deepEqual(await writers(200), OF_EVE);
  });

  it("are texts in the values and arguments of GraphQL, in the same transaction as what is written", async () => {
    const v = `' || ${forge(true)} || '`;
    for (const [at, where] of [
      "text: {eq: $v}",
      "text: {similar: $v}",
      "text: {like: $v}",
      "text: {regex: $v}",
      "not: {text: {eq: $v}}",
    ].entries()) {
      const id = 301 + at;
      const document = `mutation ($v: String!) {
a: updateNotes(where: {${where}}, data: {tags: [$v]}) { id }
b: insertNotes(data: {id: ${id}, text: $v}) { text }
c: updateNotes(where: {id: {eq: ${id}}}, data: {tags: [$v, $v]}) { tags }
}`;
      const { text } = await ask("POST", "/api/graphql/schema/shop", { query: document, variables: { v } });
      const { data } = JSON.parse(text) as { data?: { b?: unknown } };
      if (!data?.b) continue; // no operator of that type, or no valid pattern
      assert.deepEqual(data.b, [{ text: v }]);
      assert.deepEqual(await writers(id), OF_EVE, where);
    }
    assert.ok((await query("select from shop.notes where id > 300 and id < 400")).length >= 3);
  });

  it("are no part of what REST, the OGC API, imports and styles take", async () => {
    const captain = await gateway.token("captain");
    const table = "/api/v4/schemas/shop/tables/notes";
    const items = `/api/v4/ogc/database/${gateway.database.name}/collections/shop.notes`;
    const of = encodeURIComponent;
    const refused: readonly (readonly [method: string, path: string, body?: unknown, of?: string])[] = [
      ["GET", `${table}/rows?where=${of(CALL)}`],
      ["GET", `${table}/rows?where=${of(JSON.stringify({ [CALL]: { eq: 1 } }))}`],
      ["GET", `${table}/rows?columns=${of(JSON.stringify([CALL]))}`],
      ["GET", `${table}/rows?orderBy=${of(JSON.stringify([{ [CALL]: "ASC" }]))}`],
      ["GET", `${items}/items?filter=${of(CALL)}`],
      ["GET", `${items}/items?filter=${of(`text = 'a' AND ${CALL}`)}`],
      ["GET", `${items}/items?filter=${of(`casei(${CALL.slice(0, -10)}) = 'captain'`)}`],
      ["GET", `${items}/items?sortby=${of(CALL)}`],
      ["GET", `${items}/items?properties=${of(CALL)}`],
      ["GET", `${items}/items?${of(CALL)}=1`],
      ["GET", `${items}/tiles/WebMercatorQuad/0/0/0?filter=${of(CALL)}`],
      ["GET", `${items}/map?filter=${of(CALL)}`],
      ["POST", "/api/v4/rules", { schema: "shop", table: "notes", access: "limit", filter: CALL }, captain],
      [
        "POST",
        "/api/v4/rules",
        { schema: "shop", table: "notes", access: "limit", filter: `{{a}} is null or ${CALL}` },
        captain,
      ],
      ["POST", `${table}/columns`, { name: "x", type: "text", default: { function: CALL } }, captain],
      ["POST", `${table}/columns`, { name: "x", type: `text default ${CALL}` }, captain],
      [
        "POST",
        `${table}/constraints`,
        { kind: "check", columns: ["text"], operator: `= '' or ${CALL} or text =`, value: "" },
        captain,
      ],
      [
        "POST",
        `${table}/constraints`,
        { kind: "check", columns: [`text) = '' or ${CALL} or (text`], operator: "=", value: "" },
        captain,
      ],
    ];
    const told: string[] = [];
    for (const [method, path, body, by] of refused) {
      const { status } = await ask(method, path, body, { of: by ?? token });
      if (status < 400 || status >= 500) told.push(`${status} ${method} ${path} ${JSON.stringify(body)}`);
    }
    assert.deepEqual(told, []);
    // with a text that is a value, written by the same request
    const import_ = await ask("POST", `${table}/import`, `id,text\n401,"' || ${forge(true)} || '"\n`, {
      type: "text/csv",
    });
    assert.equal(import_.status, 200, import_.text);
    const row = await ask("POST", `${table}/rows`, { id: 402, text: `' || ${forge(true)} || '` });
    const feature = await ask(
      "POST",
      `${items}/items`,
      { type: "Feature", id: 403, geometry: null, properties: { id: 403, text: `' || ${forge(true)} || '` } },
      { type: "application/geo+json" },
    );
    for (const { status, text } of [feature]) assert.ok(status === 201 || status === 405, text);
    assert.ok(row.status < 500, row.text);
    for (const { id } of await query("select id from shop.notes where id > 400"))
      assert.deepEqual(await writers(id), OF_EVE);
    assert.deepEqual(
      await query("select distinct account from portolan.audit where event like 'workflow.%' and details ? 'key'"),
      [{ account: "eve" }],
    );
  });

  it("are the gateway's for a second factor: a rule that asks for one stays closed", async () => {
    await query(
      `select portolan.create_rule('{"schema": "shop", "table": "notes", "request": "select", "access": "allow", "mfa": true, "priority": 1, "username": "eve"}')`,
    );
    try {
      const q = `with f as materialized (select ${forge(true)}) select n.id from f cross join shop.notes n`;
      const own = await ask("POST", "/api/v4/sql", { q });
      assert.equal(own.status, 403, own.text);
    } finally {
      await query("delete from portolan.rules");
    }
  });
});

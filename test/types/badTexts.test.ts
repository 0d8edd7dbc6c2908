/** Texts that are not values of a type, for every base type of a database, at every door. */
import assert from "node:assert/strict";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { connectAs, type SocketClient } from "../support/webSocket.ts";

/** Of these texts, each type gets the first refused one for each SQLSTATE. */
const TEXTS = [
  ...["'", "a..b", "a.b.c.d", "nothing", "nothing()", "nothing(int4)", "(", "1,2", "a b", "{", "-", "!", "*", "\\", ""],
  ...["SRID=1;POINT(1 2)", "POINT(1", "BOX3D(", 'SPHEROID["x', "01", "zz", "1 !", "a & ", "(1,2"],
  ...["99999999999999999999", "\u0001", "{1,a}", "é".repeat(300)],
];

const EXTENSIONS = ["hstore", "citext", "ltree", "cube", "seg", "isn", "intarray", "pg_trgm", "postgis_raster"];

const FUNCTIONS = `
create function bad.state(given text, name text) returns text language plpgsql as $$
begin
  execute format('select %L::%s', given, name);
  return null;
exception when others then return sqlstate;
end $$;
create function bad.install(name text) returns void language plpgsql as $$
begin
  if exists (select from pg_available_extensions e where e.name = install.name) then
    execute format('create extension if not exists %I schema public', name);
  end if;
end $$`;

/** All types but json, which accepts any text where values are JSON. */
const SAMPLES = `
select distinct on (t.oid, s.state) t.oid::regtype::text as "sqlName", 'c' || t.oid::regtype::oid as "column", c.text, s.state,
  t.typarray <> 0 as "hasList", exists (select from pg_opclass o join pg_am a on a.oid = o.opcmethod
    where o.opcintype = t.oid and o.opcdefault and a.amname = 'btree') as "mayBeKey"
from pg_type t, unnest($1::text[]) with ordinality c (text, i), bad.state(c.text, t.oid::regtype::text) s (state)
where t.typtype = 'b' and t.typisdefined and s.state is not null and t.typname not in ('json', 'jsonb')
  and not exists (select from pg_type e where e.typarray = t.oid)
order by t.oid, s.state, c.i`;

interface Sample {
  readonly sqlName: string;
  /** Columns of `bad.things`; a table with the column's name has it as its key. */
  readonly column: string;
  readonly text: string;
  readonly state: string;
  readonly hasList: boolean;
  readonly mayBeKey: boolean;
}

describe("a text that is not a value of its type is the caller's error", function () {
  this.timeout(300_000);
  let gateway: TestGateway;
  let token: string;
  let socket: SocketClient;
  let samples: readonly Sample[];

  before(async () => {
    gateway = await testGateway({
      prepare: async ({ client }) => {
        await client.query(`create schema bad; ${FUNCTIONS}`);
        await client.query("select bad.install(e) from unnest($1::text[]) e", [EXTENSIONS]);
        samples = (await client.query<Sample>(SAMPLES, [TEXTS])).rows;
        const types = [...new Map(samples.map((sample) => [sample.column, sample])).values()];
        const columns = types.map(({ column, sqlName }) => `${column} ${sqlName}`);
        const lists = types
          .filter(({ hasList }) => hasList)
          .map(({ column, sqlName }) => `list_${column} ${sqlName}[]`);
        await client.query(
          `create table bad.things (id int primary key, geom geometry(Point, 4326), ${[...columns, ...lists].join(", ")});
          comment on table bad.things is '@ogc write';
          insert into bad.things (id) values (1);
          select portolan.enable_events('bad.things');`,
        );
        for (const { column, sqlName, mayBeKey } of types)
          if (mayBeKey)
            await client.query(`create table bad.${column} (key ${sqlName} primary key, geom geometry(Point, 4326));
              select portolan.create_method('${column}', 'select :v::${sqlName} as v')`);
          else await client.query(`select portolan.create_method('${column}', 'select :v::${sqlName} as v')`);
      },
    });
    token = await gateway.token("captain");
    socket = await connectAs(gateway, "captain");
  });
  after(async () => {
    socket?.close();
    await gateway?.close();
  });

  /** Sends one request for each, and reports all wrong answers together. `ask`: "", or the wrong answer. */
  async function each(ask: (sample: Sample) => Promise<string>, which: (sample: Sample) => boolean = () => true) {
    const wrong: string[] = [];
    for (const sample of samples.filter(which)) {
      const answer = await ask(sample);
      const { sqlName, text, state } = sample;
      if (answer !== "")
        wrong.push(`${sqlName} ${JSON.stringify(text.slice(0, 20))} ${state}: ${answer.slice(0, 300)}`);
    }
    assert.deepEqual(wrong, []);
  }

  async function graphql(query: string, variables: object): Promise<string> {
    const { body, status } = await gateway.graphql("captain", "bad", query, variables);
    const code = body.errors?.[0]?.extensions?.code;
    return status === 200 && code === "BAD_USER_INPUT" ? "" : JSON.stringify(body);
  }

  async function send(path: string, body?: string | object, type = "application/json"): Promise<Response> {
    return fetch(gateway.baseUrl + path, {
      ...(body !== undefined && { method: "POST", body: typeof body === "string" ? body : JSON.stringify(body) }),
      headers: { Authorization: `Bearer ${token}`, ...(body !== undefined && { "Content-Type": type }) },
    });
  }

  /** `holds`: a text that the answer must also contain. */
  async function refused(status: number, response: Promise<Response>, ...holds: readonly string[]): Promise<string> {
    const answer = await response;
    const text = await answer.text();
    return answer.status === status && holds.every((each) => text.includes(each)) ? "" : `${answer.status} ${text}`;
  }

  const items = (table: string): string =>
    `/api/v4/ogc/database/${gateway.database.name}/collections/bad.${table}/items`;
  const insert = "mutation ($row: JSON) { insertThings(data: $row) { id } }";

  it("and every SQLSTATE for it is tried", () => {
    const states = new Set(samples.map(({ state }) => state));
    for (const state of ["22P02", "42601", "42602", "42704", "42883", "42P01", "0A000", "3F000", "XX000"])
      assert.ok(states.has(state), state);
    assert.ok(new Set(samples.map(({ sqlName }) => sqlName)).size > 60);
  });

  it("in GraphQL's mutations", async () => {
    await each(({ column, text }) => graphql(insert, { row: { id: 2, [column]: text } }));
    await each(
      ({ column, text }) => graphql(insert, { row: { id: 2, [`list_${column}`]: [text] } }),
      ({ hasList }) => hasList,
    );
    const update = "mutation ($row: JSON) { updateThings(where: {id: 1}, data: $row) { id } }";
    await each(({ column, text }) => graphql(update, { row: { [column]: text } }));
  });

  for (const operator of ["eq", "neq", "gt"])
    it(`in GraphQL's filters: ${operator}`, () =>
      each(({ column, text }) =>
        graphql("query ($where: JSON) { getThings(where: $where) { id } }", {
          where: { [column]: { [operator]: text } },
        }),
      ));

  it("in GraphQL's filters: in", () =>
    each(({ column, text }) =>
      graphql("query ($where: JSON) { getThings(where: $where) { id } }", { where: { [column]: { in: [text] } } }),
    ));

  it("in the OGC API's filters", () =>
    each(({ column, text }) => {
      const filter = `${column} = '${text.replaceAll("'", "''")}'`;
      return refused(400, send(`${items("things")}?${new URLSearchParams({ filter })}`));
    }));

  it("in the OGC API's parameters", () =>
    each(({ column, text }) => refused(400, send(`${items("things")}?${new URLSearchParams({ [column]: text })}`))));

  it("in the OGC API's bodies, with the property", () =>
    each(({ sqlName, column, text }) => {
      const feature = { type: "Feature", geometry: null, properties: { id: 2, [column]: text } };
      const place = sqlName.startsWith("geo") ? "" : `properties.${column}`;
      return refused(400, send(items("things"), feature, "application/geo+json"), place);
    }));

  it("as the id of a missing feature", () =>
    each(
      ({ column, text }) => refused(404, send(`${items(column)}/${encodeURIComponent(text)}`)),
      ({ mayBeKey, text }) => mayBeKey && text !== "",
    ));

  it("in statements and in what type_hints casts", async () => {
    await each(({ sqlName, text }) =>
      refused(400, send("/api/v4/sql", { q: `select :v::${sqlName} as v`, params: { v: text } })),
    );
    await each(({ sqlName, text }) =>
      refused(400, send("/api/v4/sql", { q: "select :v as v", params: { v: text }, type_hints: { v: sqlName } })),
    );
  });

  it("in the parameters of methods", () =>
    each(({ column, text }) =>
      refused(
        200,
        send("/api/v4/call", { jsonrpc: "2.0", method: column, params: { v: text }, id: 1 }),
        '"code":-32602',
      ),
    ));

  it("in the conditions of rows that are read as a file", () =>
    each(({ column, text }) => {
      const where = JSON.stringify({ [column]: { eq: text } });
      return refused(400, send(`/api/v4/schemas/bad/tables/things/rows?${new URLSearchParams({ where })}`));
    }));

  it("in imports, with the line and the column", () =>
    each(({ column, text }) => {
      const csv = `id,${column}\n2,"${text.replaceAll('"', '""')}"\n`;
      const response = send("/api/v4/schemas/bad/tables/things/import", csv, "text/csv");
      return refused(400, response, '"line":2', `line 2: ${column}: `);
    }));

  it("in the conditions of subscriptions", () =>
    each(async ({ column, text }) => {
      const id = `${column} ${text}`.slice(0, 100);
      const where = { [column]: { eq: text } };
      const answer = await socket.ask({ type: "subscription", id, schema: "bad", rel: "things", where });
      const said = JSON.stringify(answer);
      return answer["type"] === "error" && !said.includes("INTERNAL") ? "" : said;
    }));
});

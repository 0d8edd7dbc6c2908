/**
 * Cursors that were changed, forged, or taken from another account, table or tool. Those of pages and of features hold
 * places that their receiver may read, and are no secret: a forged one must show nothing but the caller's own rows. Those of
 * agents hold the arguments of a call, and are signed.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { connectAgent, type TestAgent } from "../support/agent.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";

const TABLES = ["deals", "offers"];
const OWN = [3, 6, 9, 12, 15, 18, 21, 24, 27, 30];
const FIXTURE = `
create schema desk;
select portolan.create_user('ann', null), portolan.create_user('ben', null);
${TABLES.map(
  (table) => `
create table desk.${table} (id int primary key, owner text not null, num int, secret text, geom geometry(Point, 4326));
insert into desk.${table} select i, case when i % 3 = 0 then 'ann' else 'ben' end, i % 7, 'secret ' || i,
  st_setsrid(st_makepoint(i, i), 4326) from generate_series(1, 30) i;
alter table desk.${table} enable row level security;
create policy own on desk.${table} using (owner = (portolan.request_context()).name);
grant select (id, owner, num, geom) on desk.${table} to "ann@$DATABASE";
grant select on desk.${table} to "ben@$DATABASE";`,
).join("\n")}
grant usage on schema desk to public`;

interface Page {
  readonly data?: { readonly page: { readonly edges: { cursor: string; node: { id: number } }[] } } | null;
  readonly errors?: readonly { message: string; extensions: { code: string } }[];
}

interface Rows {
  readonly rows: readonly { readonly id: number }[];
  readonly cursor?: string;
}

const DIGEST = 16;

describe("cursors of others", () => {
  let gateway: TestGateway;
  let ann: TestAgent;
  let ben: TestAgent;

  before(async () => {
    gateway = await testGateway({
      kind: "portolan",
      config: { schemas: ["desk"], mcp: true },
      prepare: ({ client, name }) => client.query(FIXTURE.replaceAll("$DATABASE", name)),
    });
    ann = await connectAgent(gateway, "ann");
    ben = await connectAgent(gateway, "ben");
  });

  after(async () => {
    await ann?.close();
    await ben?.close();
    await gateway?.close();
  });

  async function page(account: string, table: string, given: string): Promise<Page> {
    const type = `${table[0]!.toUpperCase()}${table.slice(1)}`;
    const query = `{ page: page${type}(first: 4, ${given}) { edges { cursor node { id } } } }`;
    return (await gateway.graphql(account, "desk", query)).body as Page;
  }

  const idsOf = ({ data }: Page): number[] => data!.page.edges.map(({ node }) => Number(node.id));
  const refusalOf = ({ errors }: Page): string => `${errors?.[0]?.extensions.code} ${errors?.[0]?.message}`;

  /** The same list at another place, with the check that it needs. */
  function forged(cursor: string, place: string): string {
    const list = Buffer.from(cursor, "base64url").toString("utf8").slice(0, DIGEST);
    const check = createHash("sha256")
      .update(list + place)
      .digest("hex")
      .slice(0, DIGEST);
    return Buffer.from(list + check + place).toString("base64url");
  }

  it("a page takes none of another account, table or order", async () => {
    const order = 'orderBy: {num: "asc"}';
    const { data } = await page("ben", "deals", order);
    const cursor = data!.page.edges[0]!.cursor;
    for (const side of ["after", "before"]) {
      assert.match(
        refusalOf(await page("ann", "deals", `${order}, ${side}: "${cursor}"`)),
        /^BAD_USER_INPUT .*another list/,
      );
      assert.match(
        refusalOf(await page("ben", "offers", `${order}, ${side}: "${cursor}"`)),
        /^BAD_USER_INPUT .*another list/,
      );
      assert.match(refusalOf(await page("ben", "deals", `${side}: "${cursor}"`)), /^BAD_USER_INPUT .*another list/);
    }
  });

  it("a page at a forged place shows the caller's own rows, and is refused in words where it has no meaning", async () => {
    const { data } = await page("ann", "deals", 'orderBy: {num: "asc"}');
    const cursor = data!.page.edges[0]!.cursor;
    const place = Buffer.from(cursor, "base64url")
      .toString("utf8")
      .slice(2 * DIGEST);
    assert.equal(forged(cursor, place), cursor, "the check is no longer made as this test makes it");
    const given = (at: string): string => `orderBy: {num: "asc"}, after: "${forged(cursor, at)}"`;
    for (let num = -1; num <= 7; num++)
      for (const id of [0, 1, 7, 14, 30]) {
        const shown = idsOf(await page("ann", "deals", given(JSON.stringify([String(num), String(id)]))));
        assert.ok(
          shown.every((each) => OWN.includes(each)),
          String(shown),
        );
      }
    for (const at of [
      "",
      "[]",
      '["1"]',
      '["1","2","3"]',
      '["a","b"]',
      '["1","1); select 1"]',
      "[1,2]",
      '[{"a":1},"1"]',
      '["1e400","9"]',
      '["\\u0000","1"]',
      "{}",
      "null",
      `["1","${"9".repeat(400)}"]`,
    ])
      // oxfmt-ignore
      assert.match(refusalOf(await page("ann", "deals", given(at))), /^BAD_USER_INPUT /, at);
  });

  it("a page in the order of a column that the account may not read is refused, whatever its cursor", async () => {
    const order = 'orderBy: {secret: "asc"}';
    const cursor = (await page("ben", "deals", order)).data!.page.edges[0]!.cursor;
    for (const given of [order, `${order}, after: "${cursor}"`])
      assert.match(refusalOf(await page("ann", "deals", given)), /^(FORBIDDEN|BAD_USER_INPUT) /);
  });

  it("features behind a forged place are the caller's own, and places of other orders are refused", async () => {
    const path = `/api/v4/ogc/database/${gateway.database.name}/collections/desk.deals/items?limit=4`;
    const ask = async (account: string, query: string): Promise<{ status: number; text: string }> => {
      const response = await fetch(`${gateway.baseUrl}${path}${query}`, {
        headers: { Authorization: `Bearer ${await gateway.token(account)}` },
      });
      return { status: response.status, text: await response.text() };
    };
    const afterOf = (text: string): string => {
      const { links } = JSON.parse(text) as { links: { rel: string; href: string }[] };
      return new URL(links.find(({ rel }) => rel === "next")!.href).searchParams.get("after")!;
    };
    const token = (parts: unknown): string => Buffer.from(JSON.stringify(parts)).toString("base64url");
    const ofBen = afterOf((await ask("ben", "&sortby=-num&offset=1")).text);
    const ofSecret = afterOf((await ask("ben", "&sortby=secret&offset=1")).text);
    for (const [query, status] of [
      [`&sortby=-num&after=${ofBen}`, 200],
      [`&after=${ofBen}`, 400],
      [`&sortby=secret&after=${ofSecret}`, 400],
      [`&sortby=-num&after=${ofSecret}`, 400],
      [`&after=${token([0, "1"])}`, 200],
      [`&before=${token([1, "29"])}`, 200],
      [`&after=${token([0, "1", "2"])}`, 400],
      [`&after=${token([0, "x"])}`, 400],
      [`&after=${token([0, "1) or true --"])}`, 400],
      [`&after=${token([2, "1"])}`, 400],
      [`&after=${token([0, ["secret"], "secret 1", "1"])}`, 400],
      [`&after=${token([])}`, 400],
    ] as const) {
      const answer = await ask("ann", query);
      assert.equal(answer.status, status, `${query}: ${answer.text}`);
      if (status !== 200) continue;
      const { features } = JSON.parse(answer.text) as { features: { id: number }[] };
      assert.ok(
        features.every(({ id }) => OWN.includes(id)),
        answer.text,
      );
      assert.doesNotMatch(answer.text, /secret/);
    }
  });

  it("an agent's is refused if any of its characters was changed, cut or added", async () => {
    const { cursor = "" } = await ann.call<Rows>("read", { table: "desk.deals", limit: 2 });
    const [text = "", mark = ""] = cursor.split(".");
    const place = JSON.parse(Buffer.from(text, "base64url").toString()) as { arguments: object };
    const other = Buffer.from(JSON.stringify({ ...place, arguments: { table: "desk.offers", limit: 9 } })).toString(
      "base64url",
    );
    const changed = [...cursor].flatMap((character, at) => {
      const another = character === "A" ? "B" : "A";
      return at === text.length || at === cursor.length - 1
        ? []
        : [`${cursor.slice(0, at)}${another}${cursor.slice(at + 1)}`];
    });
    const tried = [
      ...changed.filter((_, at) => at % 9 === 0),
      ...[
        `${other}.${mark}`,
        `${text}.`,
        text,
        `.${mark}`,
        `${cursor}.${mark}`,
        `${text}.${mark.slice(0, -2)}`,
        `${text}.${mark}AA`,
      ],
      ...[`${text}.${"A".repeat(mark.length)}`, `${mark}.${text}`, "a".repeat(100_000)],
    ];
    for (const given of tried)
      assert.match((await ann.refused("read", { cursor: given })).message, /^cursor: /, given.slice(0, 200));
  });

  it("an agent's is of one account and one tool, and keeps no right that was taken", async () => {
    const { cursor = "" } = await ben.call<Rows>("read", { table: "desk.deals", limit: 2 });
    assert.match((await ann.refused("read", { cursor })).message, /^cursor: /);
    assert.match((await ben.refused("features", { cursor })).message, /^cursor: /);
    const { rows } = await ben.call<Rows>("read", { cursor });
    assert.ok(rows.every(({ id }) => !OWN.includes(Number(id))));
    await gateway.database.client.query(`revoke select on desk.deals from "ben@${gateway.database.name}"`);
    assert.equal((await ben.refused("read", { cursor })).code, "NOT_FOUND");
  });
});

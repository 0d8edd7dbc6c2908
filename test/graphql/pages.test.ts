import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { Random } from "../support/random.ts";

interface Page {
  readonly edges: readonly { readonly cursor: string; readonly node: { readonly id: string } }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

const FIELDS = "edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }";
const WALK = `query ($orderBy: JSON, $where: JSON, $first: Int, $after: String, $last: Int, $before: String) {
  page: pageShips(orderBy: $orderBy, where: $where, first: $first, after: $after, last: $last, before: $before) { ${FIELDS} }
}`;

describe("pages", () => {
  let gateway: TestGateway;

  before(async () => {
    gateway = await testGateway({
      config: { events: "all" },
      prepare: ({ client }) =>
        client.query(`
create table world.owners (id int primary key, name text);
create table world.ships (id int primary key, owner_id int references world.owners, name text, tons numeric, at timestamptz, sunk boolean);
insert into world.owners values (1, 'Ann'), (2, 'Bob');
insert into world.ships select i, nullif(i % 3, 0), (array['Swan', 'gull', null, 'Ærø'])[i % 4 + 1], nullif(i % 5, 0) / 2.0,
  case when i % 2 = 0 then '2024-03-31 00:59:59.999999+00'::timestamptz + i % 3 * interval '1 hour' end, (array[true, false, null])[i % 3 + 1]
from generate_series(1, 37) i;
select portolan.set_privilege(format('world.%s', t)::regclass, 'guest', 'read') from unnest('{owners,ships}'::text[]) t;`),
    });
  });
  after(() => gateway.close());
  afterEach(() => gateway.database.client.query("delete from portolan.rules"));

  type Answer = { data: Record<string, unknown> | null; errors?: { message: string; extensions: { code: string } }[] };
  const ask = async (query: string, variables?: object, account = "guest"): Promise<Answer> =>
    (await gateway.graphql(account, "world", query, variables)).body as Answer;
  async function page(variables: object): Promise<Page> {
    const { data, errors } = await ask(WALK, variables);
    assert.equal(errors, undefined, JSON.stringify(errors));
    return data!["page"] as Page;
  }
  const ids = ({ edges }: Page): number[] => edges.map(({ node }) => Number(node.id));

  it("walked forth and back give each row once and in order, whatever the order, ties and nulls", async () => {
    const random = new Random(7);
    for (let round = 0; round < 12; round++) {
      const orderBy = random
        .some(["name", "tons", "at", "sunk", "owner_id", "id", "owners.name"], 3)
        .map((name) => ({ [name]: random.of(["asc", "desc", "asc_nulls_first", "desc_nulls_last"]) }));
      const where = random.next() < 0.3 ? { id: { gt: 9 } } : undefined;
      const size = 1 + random.below(12);
      const all = await ask(
        `query ($orderBy: JSON, $where: JSON) { getShips(orderBy: $orderBy, where: $where) { id } }`,
        { orderBy, where },
      );
      const expected = (all.data!["getShips"] as { id: string }[]).map(({ id }) => Number(id));
      const told = JSON.stringify({ orderBy, where, size });

      const forth: number[] = [];
      let after: string | null = null;
      for (let more = true; more;) {
        const { edges, pageInfo }: Page = await page({ orderBy, where, first: size, after });
        forth.push(...edges.map(({ node }) => Number(node.id)));
        assert.equal(pageInfo.hasPreviousPage, after !== null, told);
        assert.deepEqual([pageInfo.startCursor, pageInfo.endCursor], [edges[0]?.cursor, edges.at(-1)?.cursor], told);
        [after, more] = [pageInfo.endCursor, pageInfo.hasNextPage];
      }
      assert.deepEqual(forth, expected, told);

      const back: number[] = [];
      let before: string | null = null;
      for (let more = true; more;) {
        const { edges, pageInfo }: Page = await page({ orderBy, where, last: size, before });
        back.unshift(...edges.map(({ node }) => Number(node.id)));
        assert.equal(pageInfo.hasNextPage, before !== null, told);
        [before, more] = [pageInfo.startCursor, pageInfo.hasPreviousPage];
      }
      assert.deepEqual(back, expected, told);
    }
  });

  it("lie between after and before, and continue after a row was removed or added", async () => {
    const [one, , , four] = (await page({ first: 4 })).edges;
    const between = await page({ after: one!.cursor, before: four!.cursor });
    assert.deepEqual(ids(between), [2, 3]);
    assert.deepEqual([between.pageInfo.hasNextPage, between.pageInfo.hasPreviousPage], [true, true]);
    assert.deepEqual(ids(await page({ before: four!.cursor })), [1, 2, 3]);
    const { client } = gateway.database;
    await client.query("begin; delete from world.ships where id = 4; commit");
    assert.deepEqual(ids(await page({ first: 2, after: four!.cursor })), [5, 6]);
    await client.query("insert into world.ships (id) values (4)");
    assert.deepEqual(ids(await page({ last: 1, before: four!.cursor })), [3]);
  });

  describe("refuse", () => {
    const refusal = async (variables: object, account = "guest", query = WALK): Promise<string> => {
      const { data, errors } = await ask(query, variables, account);
      assert.equal(data && Object.values(data)[0], null);
      assert.equal(errors?.[0]?.extensions.code, "BAD_USER_INPUT", JSON.stringify(errors));
      return errors[0].message;
    };
    let cursor: string;
    before(async () => {
      cursor = (await page({ first: 1, orderBy: { name: "asc" }, where: { id: { gt: 1 } } })).pageInfo.endCursor!;
    });
    const list = { first: 1, orderBy: { name: "asc" }, where: { id: { gt: 1 } } };

    it("a cursor of another order, filter, table or account", async () => {
      assert.equal((await page({ ...list, after: cursor })).edges.length, 1);
      assert.match(await refusal({ ...list, orderBy: { name: "desc" }, after: cursor }), /another list/);
      assert.match(await refusal({ ...list, orderBy: { name: "asc_nulls_first" }, before: cursor }), /another list/);
      assert.match(await refusal({ ...list, where: { id: { gt: 2 } }, after: cursor }), /another list/);
      assert.match(await refusal({ ...list, after: cursor }, "captain"), /another list/);
      const distinct = WALK.replace("orderBy: $orderBy,", 'orderBy: $orderBy, distinctOn: "name",');
      assert.match(await refusal({ ...list, after: cursor }, "guest", distinct), /another list/);
      assert.match(
        await refusal({ ...list, after: cursor }, "guest", WALK.replace("pageShips", "pageOwners")),
        /another list/,
      );
    });

    it("a cursor that was cut, changed or made up", async () => {
      const text = Buffer.from(cursor, "base64url").toString();
      const encode = (changed: string): string => Buffer.from(changed).toString("base64url");
      const signed = (place: string): string => {
        const list = text.slice(0, 16);
        return encode(
          `${list}${createHash("sha256")
            .update(list + place)
            .digest("hex")
            .slice(0, 16)}${place}`,
        );
      };
      assert.equal(signed(text.slice(32)), cursor);
      for (const after of [
        cursor.slice(0, -1),
        cursor.slice(1),
        `${cursor}=`,
        ` ${cursor}`,
        cursor.toLowerCase(),
        encode(text.slice(0, 32)),
        encode(`${text.slice(0, 32)}["x","1"]`),
        encode(`${text} `),
        signed("[]"),
        signed("null"),
        signed('["x"]'),
        signed('["x","1","2"]'),
        signed('[1,"1"]'),
        signed(String.raw`["x\u0000","1"]`),
        signed("["),
        encode("{}"),
        "'; drop table world.ships; --",
        "\u0000",
      ])
        assert.match(await refusal({ ...list, after }), /is not a cursor/, after);
      // texts in the form of a cursor, with values that do not fit the columns
      for (const id of ["y", "", "1.5", "99999999999", "1); drop table world.ships; --"])
        assert.match(await refusal({ ...list, after: signed(JSON.stringify(["x", id])) }), /integer/, id);
    });

    it("first with last, a negative number and one over the limit", async () => {
      assert.match(await refusal({ first: 1, last: 1 }), /first and last/);
      assert.match(await refusal({ first: -1 }), /first/);
      assert.match(await refusal({ last: -1 }), /last/);
      assert.match(await refusal({ last: 10_001 }), /last: must not be over 10000/);
    });
  });

  it("and node show no row that a rule hides, and are forbidden if it denies", async () => {
    const rule = (access: string, table: string, filter: string | null) =>
      gateway.database.client.query(
        `insert into portolan.rules (username, schema, "table", access, filter) values ('guest', 'world', $1, $2, $3)`,
        [table, access, filter],
      );
    const nodeId = (id: number): string => Buffer.from(`Ships:${id}`).toString("base64url");
    const node = "query ($nodeId: ID!) { node(nodeId: $nodeId) { nodeId ... on Ships { id owners { name } } } }";
    await rule("limit", "ships", "id > 30");
    const { data } = await ask("{ pageShips(first: 1) { nodes { id } totalCount } }");
    assert.deepEqual(data, { pageShips: { nodes: [{ id: "31" }], totalCount: 7 } });
    const alike = await ask(
      '{ getShips(distinctOn: "sunk") { id } pageShips(distinctOn: "sunk", last: 1) { totalCount } }',
    );
    assert.deepEqual(alike.data, {
      getShips: [{ id: "31" }, { id: "33" }, { id: "32" }],
      pageShips: { totalCount: 3 },
    });
    assert.deepEqual(await ask(node, { nodeId: nodeId(1) }), { data: { node: null } });
    assert.deepEqual((await ask(node, { nodeId: nodeId(31) })).data, {
      node: { nodeId: nodeId(31), id: "31", owners: { name: "Ann" } },
    });
    await gateway.database.client.query("delete from portolan.rules");
    await rule("limit", "owners", "name = 'Ann'");
    const byOwner = `(where: {id: {lt: 4}}, orderBy: {owners: {name: "desc_nulls_last"}})`; // Ann, Bob, none
    const ordered = await ask(`{ getShips${byOwner} { id } }`);
    await gateway.database.client.query("delete from portolan.rules");
    const seen = await ask(`{ getShips${byOwner} { id } }`);
    assert.deepEqual(
      [ordered.data!["getShips"], seen.data!["getShips"]],
      [
        [{ id: "1" }, { id: "3" }, { id: "2" }],
        [{ id: "2" }, { id: "1" }, { id: "3" }],
      ],
      "a hidden owner counts as none",
    );
    await rule("deny", "owners", null);
    for (const denied of [`getShips${byOwner} { id }`, `pageShips${byOwner} { nodes { id } }`])
      assert.equal((await ask(`{ ${denied} }`)).errors?.[0]?.extensions.code, "FORBIDDEN", denied);
    assert.equal((await ask(node, { nodeId: nodeId(31) })).errors?.[0]?.extensions.code, "FORBIDDEN");
    await gateway.database.client.query("delete from portolan.rules");
    await rule("deny", "ships", null);
    assert.equal((await ask("{ pageShips { totalCount } }")).errors?.[0]?.extensions.code, "FORBIDDEN");
    assert.equal(
      (await ask("query ($nodeId: ID!) { node(nodeId: $nodeId) { nodeId } }", { nodeId: nodeId(31) })).errors?.[0]
        ?.extensions.code,
      "FORBIDDEN",
    );
  });

  it("of versions walk through the table as it was", async () => {
    const { client } = gateway.database;
    await client.query(`create table world.buoys (id int primary key, name text);
select portolan.set_privilege('world.buoys', 'guest', 'read'), portolan.enable_versioning('world.buoys');
insert into world.buoys select i, 'old' from generate_series(1, 5) i`);
    const { rows } = await client.query<{ at: string }>("select to_json(clock_timestamp()) #>> '{}' as at");
    await client.query("update world.buoys set name = 'new'; delete from world.buoys where id < 4");
    const query = `query ($asOf: DateTime, $after: String) {
      pageBuoys(first: 2, asOf: $asOf, after: $after) { nodes { id name } pageInfo { endCursor } totalCount } }`;
    type Buoys = { pageBuoys: { nodes: object[]; pageInfo: { endCursor: string }; totalCount: number } };
    const asOf = rows[0]!.at;
    let answer = await ask(query, { asOf });
    for (let tries = 0; answer.errors && tries < 50; tries++) answer = await ask(query, { asOf }); // the schema is built again after DDL
    const { pageBuoys: first } = answer.data as unknown as Buoys;
    assert.deepEqual([first.nodes, first.totalCount], [[1, 2].map((id) => ({ id: String(id), name: "old" })), 5]);
    for (const more of ["", " other: __typename @include(if: true)"]) {
      const alike = `query ($asOf: DateTime) { getBuoys(asOf: $asOf, distinctOn: "name", orderBy: [{name: "asc"}, {id: "desc"}]) { id name }${more} }`;
      assert.deepEqual((await ask(alike, { asOf })).data!["getBuoys"], [{ id: "5", name: "old" }]);
    }
    const next = await ask(query, { asOf, after: first.pageInfo.endCursor });
    assert.deepEqual(
      (next.data as unknown as Buoys).pageBuoys.nodes,
      [3, 4].map((id) => ({ id: String(id), name: "old" })),
    );
    assert.equal(
      (await ask(query, { after: first.pageInfo.endCursor })).errors?.[0]?.extensions.code,
      "BAD_USER_INPUT",
    );
  });
});

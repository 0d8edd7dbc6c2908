import assert from "node:assert/strict";
import type { GraphQLFieldConfig } from "graphql";
import { annotate, type RowsOfTable } from "../../plugins/rows/fieldMetadata.ts";
import type { TableResource } from "../../plugins/tables/resources.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";

type FieldConfig = GraphQLFieldConfig<unknown, unknown> & { plan?: object };

/** Typical changes of a team's plugins to Portolan's fields. */
const TamperingPlugin: GraphileConfig.Plugin = {
  name: "TamperingPlugin",
  version: "0.0.0",
  schema: {
    hooks: {
      GraphQLObjectType_fields_field_args(args, build, context) {
        const { fieldName } = context.scope;
        const { GraphQLInt, GraphQLString } = build.graphql;
        if (fieldName === "getExtended") return { ...args, more: { type: GraphQLString } };
        if (fieldName === "getRenamed") {
          const { offset: _offset, ...rest } = args;
          return { ...rest, skip: { type: GraphQLInt } };
        }
        if (fieldName === "getDefaulted") return { ...args, limit: { ...args["limit"]!, defaultValue: 1 } };
        return args;
      },
      GraphQLObjectType_fields_field(field, _build, context) {
        const { fieldName, pgFieldResource } = context.scope as { fieldName: string; pgFieldResource: TableResource };
        if (fieldName !== "getBroken") return field;
        const read = (): never => {
          throw new TypeError("a fault of ours");
        };
        const { plan, args } = field as FieldConfig;
        // another plan, so that the field keeps its meaning
        const broken = Object.assign((...values: unknown[]) => (plan as (...values: unknown[]) => unknown)(...values));
        const ours = { kind: "rows", resource: pgFieldResource, read, ...({} as RowsOfTable) } as const;
        return { ...field, plan: annotate(broken, ours, args) };
      },
    },
  },
};

describe("plain reads", () => {
  let gateway: TestGateway;

  before(async () => {
    gateway = await testGateway({
      preset: { plugins: [TamperingPlugin] },
      prepare: ({ client }) =>
        client.query(
          ["extended", "renamed", "defaulted", "broken", "untouched"]
            .map(
              (name) => `
create table world.${name} (id int primary key);
insert into world.${name} values (1), (2), (3);
select portolan.set_privilege('world.${name}', 'guest', 'read');`,
            )
            .concat(
              `
create table world.parted (id int, part text, note text, untouched_id int references world.untouched, primary key (id, part));
insert into world.parted values (1, 'a', 'x', 1), (2, 'é, %☃', 'y', null), (3, '', 'z', 1);
create view world.seen as select * from world.parted;
comment on view world.seen is '@primaryKey id,part';
select portolan.set_privilege(t::regclass, 'guest', 'read') from unnest('{world.parted,world.seen}'::text[]) t;
create table world.halved (
  id int, kind text, lab text, num int, untouched_id int references world.untouched, primary key (id, kind));
insert into world.halved values (2, 'a', 'x', 1, 1), (1, 'c', 'y', 1, 1), (1, 'b', 'z', 2, null);
select portolan.create_user('narrow', null), portolan.enable_versioning('world.parted');
do $$ begin
  execute format('grant usage on schema world to %I', 'narrow@' || current_database());
  execute format('grant select (id, part, note) on world.parted to %I', 'narrow@' || current_database());
  execute format('grant select (id, lab, num, untouched_id) on world.halved to %I', 'narrow@' || current_database());
  execute format('grant select on world.untouched to %I', 'narrow@' || current_database());
end $$;`,
            )
            .join("\n"),
        ),
    });
  });

  after(() => gateway.close());

  /** The answer, and the number of root fields that were counted for it. */
  async function ask(query: string, variables?: object, account = "guest") {
    const counted = async (way: string): Promise<number> => {
      const { text } = await gateway.http.get("/metrics");
      return Number(
        new RegExp(`^portolan_graphql_root_fields_total\\{way="${way}"\\} (\\d+)$`, "m").exec(text)?.[1] ?? 0,
      );
    };
    const before = [await counted("plain"), await counted("planned")] as const;
    const { body } = await gateway.graphql(account, "world", query, variables);
    return { body, plain: (await counted("plain")) - before[0], planned: (await counted("planned")) - before[1] };
  }

  it("are counted separately from planned ones", async () => {
    const plain = await ask("{ getUntouched(limit: 2) { id } countUntouched more: getUntouched(id: 3) { id } }");
    assert.deepEqual(plain, {
      body: { data: { getUntouched: [{ id: "1" }, { id: "2" }], countUntouched: 3, more: [{ id: "3" }] } },
      plain: 3,
      planned: 0,
    });
    const page = `pageUntouched(first: 2) { nodes { id } edges { cursor node { id nodeId } } pageInfo { hasNextPage endCursor } totalCount }`;
    const pages = await ask(
      `{ ${page} more: pageUntouched(last: 1) { nodes { id } pageInfo { hasNextPage hasPreviousPage } } }`,
    );
    assert.deepEqual([pages.plain, pages.planned], [2, 0]);
    assert.deepEqual(pages.body.data.more, {
      nodes: [{ id: "3" }],
      pageInfo: { hasNextPage: false, hasPreviousPage: true },
    });
    const { edges, nodes, pageInfo, totalCount } = pages.body.data.pageUntouched;
    assert.deepEqual([nodes, pageInfo.hasNextPage, totalCount], [[{ id: "1" }, { id: "2" }], true, 3]);
    assert.equal(pageInfo.endCursor, edges[1].cursor);
    const planned = await ask("query ($no: Boolean!) { getUntouched(limit: 1) { id } countUntouched @skip(if: $no) }", {
      no: true,
    });
    assert.deepEqual(planned, { body: { data: { getUntouched: [{ id: "1" }] } }, plain: 0, planned: 2 });
    assert.deepEqual(await ask("{ __typename __schema { queryType { name } } }"), {
      body: { data: { __typename: "Query", __schema: { queryType: { name: "Query" } } } },
      plain: 0,
      planned: 0,
    });
  });

  it("have versions of rows and ids of several columns, if the account may select whole rows of a table", async () => {
    const VERSIONS = `getParted { nodeId _version untouched { _version } } getUntouched { parted { _version } }
      pageParted(first: 2) { nodes { nodeId _version } edges { node { _version } } }`;
    const plain = await ask(`{ ${VERSIONS} }`);
    assert.deepEqual([plain.plain, plain.planned, plain.body.errors], [3, 0, undefined]);
    const planned = await ask(`query ($yes: Boolean!) { ${VERSIONS} __typename @include(if: $yes) }`, { yes: true });
    assert.deepEqual({ ...plain.body.data, __typename: "Query" }, planned.body.data);
    const ids = (plain.body.data.getParted as { nodeId: string }[]).map(({ nodeId }) => nodeId);
    assert.deepEqual(
      ids.map((id) => Buffer.from(id, "base64url").toString()),
      ["Parted:1,a", "Parted:2,%C3%A9%2C%20%25%E2%98%83", "Parted:3,"],
    );
    for (const nodeId of ids) {
      const { body } = await ask("query ($nodeId: ID!) { node(nodeId: $nodeId) { nodeId } }", { nodeId });
      assert.deepEqual(body, { data: { node: { nodeId } } });
    }
  });

  it("that need the rights to whole rows are planned if the account has fewer, and so are views and earlier versions", async () => {
    const narrow = await ask("{ getParted { id _version } pageParted { nodes { _version } } }", undefined, "narrow");
    assert.deepEqual([narrow.plain, narrow.planned, narrow.body.errors], [2, 2, undefined]);
    assert.match(narrow.body.data.getParted[0]._version, /^[0-9a-f]{32}$/);
    const secret = await ask("{ getParted { _version untouched_id } }", undefined, "narrow");
    assert.equal(secret.body.errors[0].extensions.code, "FORBIDDEN");
    const view = await ask("{ getSeen { _version } }");
    assert.deepEqual([view.plain, view.planned, view.body.data.getSeen.length], [0, 1, 3]);
    const asOf = new Date().toISOString();
    const then = await ask(
      "query ($asOf: DateTime) { getParted(asOf: $asOf) { _version } pageParted(asOf: $asOf) { nodes { _version } } }",
      { asOf },
    );
    assert.deepEqual([then.plain, then.planned, then.body.errors], [0, 2, undefined]);
    assert.match(then.body.data.getParted[0]._version, /^[0-9a-f]{32}$/);
    assert.deepEqual(then.body.data.pageParted.nodes, then.body.data.getParted);
  });

  it("are ordered by the visible part of the key if the account may select only a part", async () => {
    const lists = `getHalved { id lab } some: getHalved(where: {num: 1}, orderBy: {num: "desc"}) { id }
      getUntouched(id: 1) { halved(limit: 1) { id lab } }`;
    const some = [{ id: "2" }, { id: "1" }];
    const expected = { some, getUntouched: [{ halved: [{ id: "1", lab: "y" }] }] };
    for (const [query, variables] of [
      [`{ ${lists} }`, {}],
      [`query ($yes: Boolean!) { ${lists} __typename @include(if: $yes) }`, { yes: true }],
    ] as const) {
      const { body } = await ask(query, variables, "narrow");
      assert.equal(body.errors, undefined, JSON.stringify(body.errors));
      const { getHalved, __typename: _, ...rest } = body.data;
      assert.deepEqual(
        (getHalved as { id: string }[]).map(({ id }) => id),
        ["1", "1", "2"],
      );
      assert.deepEqual(rest, expected);
    }
    for (const query of [
      "{ getHalved { id kind } }",
      '{ getHalved(orderBy: {kind: "asc"}) { id } }',
      '{ getHalved(where: {kind: "a"}) { id } }',
    ]) {
      const { body } = await ask(query, {}, "narrow");
      assert.deepEqual(
        [body.errors[0].extensions.code, body.errors[0].message],
        ["FORBIDDEN", "permission denied for table halved"],
      );
    }
    const page = await ask("{ pageHalved(first: 1) { nodes { id } } }", {}, "narrow");
    assert.deepEqual(
      [page.body.errors[0].extensions.code, page.body.errors[0].message],
      ["FORBIDDEN", 'pages of halved are ordered by its key, and the account may not select "kind": use get'],
    );
  });

  it("with a wrong argument are planned, and the plan reports the error and its place", async () => {
    for (const [query, variables] of [
      ["{ getUntouched(where: {nothing: 1}) { id } }", {}],
      ["{ getUntouched(limit: -1) { id } }", {}],
      ["query ($where: JSON) { getUntouched(where: $where) { id } }", { where: { id: { near: 1 } } }],
    ] as const) {
      const { body, plain, planned } = await ask(query, variables);
      assert.deepEqual([body.errors[0].extensions.code, body.errors[0].path], ["BAD_USER_INPUT", ["getUntouched"]]);
      assert.deepEqual([plain, planned], [0, 1]);
    }
  });

  it("leave a field whose arguments another plugin has added, replaced or changed to the plan", async () => {
    for (const [query, ids] of [
      ["{ getExtended(limit: 2) { id } }", ["1", "2"]],
      ['{ getExtended(limit: 2, more: "x") { id } }', ["1", "2"]],
      ["{ getDefaulted { id } }", ["1"]],
    ] as const) {
      const { body, plain, planned } = await ask(query);
      const [rows] = Object.values(body.data as Record<string, { id: string }[]>);
      assert.deepEqual(
        rows!.map(({ id }) => id),
        ids,
        query,
      );
      assert.deepEqual([plain, planned], [0, 1], query);
    }
    const { plain } = await ask("{ getRenamed(skip: 1) { id } }");
    assert.equal(plain, 0);
  });

  it("that fail by a fault of Portolan are an error, and do not silently become slow", async () => {
    for (const query of ["{ getBroken { id } }", "query ($n: Int) { getBroken(limit: $n) { id } }"]) {
      const { body } = await ask(query, { n: 1 });
      assert.equal(body.errors[0].extensions.code, "INTERNAL", JSON.stringify(body));
      assert.ok(body.errors[0].extensions.errorId);
      assert.doesNotMatch(JSON.stringify(body), /fault of ours/);
    }
    assert.equal((await ask("{ countBroken }")).body.data.countBroken, 3);
  });
});

import assert from "node:assert/strict";
import type { GraphQLFieldConfig } from "graphql";
import { annotate } from "../../plugins/fieldMetadata.ts";
import type { TableResource } from "../../plugins/resources.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";

type FieldConfig = GraphQLFieldConfig<unknown, unknown> & { plan?: object };

/** What teams do to fields of ours. */
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
        // another plan, so that what ours means stays
        const broken = Object.assign((...values: unknown[]) => (plan as (...values: unknown[]) => unknown)(...values));
        return { ...field, plan: annotate(broken, { kind: "rows", resource: pgFieldResource, read }, args) };
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
            .join("\n"),
        ),
    });
  });

  after(() => gateway.close());

  /** The answer, and how many root fields were counted for it. */
  async function ask(query: string, variables?: object) {
    const counted = async (way: string): Promise<number> => {
      const { text } = await gateway.http.get("/metrics");
      return Number(
        new RegExp(`^portolan_graphql_root_fields_total\\{way="${way}"\\} (\\d+)$`, "m").exec(text)?.[1] ?? 0,
      );
    };
    const before = [await counted("plain"), await counted("planned")] as const;
    const { body } = await gateway.graphql("guest", "world", query, variables);
    return { body, plain: (await counted("plain")) - before[0], planned: (await counted("planned")) - before[1] };
  }

  it("are counted apart from those that are planned", async () => {
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

  it("with an argument that is wrong are planned, which says what is wrong and where", async () => {
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

  it("that fail by a fault of ours are an error, and do not become slow in silence", async () => {
    for (const query of ["{ getBroken { id } }", "query ($n: Int) { getBroken(limit: $n) { id } }"]) {
      const { body } = await ask(query, { n: 1 });
      assert.equal(body.errors[0].extensions.code, "INTERNAL", JSON.stringify(body));
      assert.ok(body.errors[0].extensions.errorId);
      assert.doesNotMatch(JSON.stringify(body), /fault of ours/);
    }
    assert.equal((await ask("{ countBroken }")).body.data.countBroken, 3);
  });
});

import assert from "node:assert/strict";
import { testGateway, type TestGateway } from "../support/gateway.ts";

describe("graphql: long statements", () => {
  let gateway: TestGateway;

  before(async () => {
    gateway = await testGateway({
      config: { statementTimeoutMs: 1000 },
      prepare: ({ client }) =>
        client.query(`
create table world.texts (id int primary key, text text, doc jsonb);
insert into world.texts values (1, repeat('a', 401) || 'b', jsonb_build_array(repeat('a', 401) || 'b', (repeat('[', 100) || '1' || repeat(']', 100))::jsonb));
select portolan.set_privilege('world.texts', 'guest', 'write');`),
    });
  });
  after(() => gateway.close());

  const WHERES: Readonly<Record<string, { text: object } | { doc: { path: string } }>> = {
    "a regular expression": { text: { regex: "^(a+)(a+)(a+)\\1\\2\\3b$" } },
    "a path of SQL/JSON": { doc: { path: "$.**.**.**.**.** ? (@ == 7)" } },
    "a regular expression within a path": {
      doc: { path: String.raw`$[0] ? (@ like_regex "^(a+)(a+)(a+)\\1\\2\\3b$")` },
    },
  };
  for (const [what, where] of Object.entries(WHERES))
    it(`${what} ends with the time of a statement, in lists, aggregates, pages and writes, and the next is answered`, async () => {
      const answers = [
        "query ($where: JSON) { getTexts(where: $where) { id } }",
        "query ($where: JSON) { aggregateTexts(where: $where) { count } }",
        "query ($where: JSON) { pageTexts(where: $where) { nodes { id } } }",
        "mutation ($where: JSON) { deleteTexts(where: $where) { id } }",
      ].map(async (query) => (await gateway.graphql("guest", "world", query, { where })).body);
      for (const body of await Promise.all(answers))
        assert.equal(body.errors?.[0]?.extensions.code, "TIMEOUT", JSON.stringify(body));
      if ("doc" in where) {
        const query = "query ($path: String) { getTexts { doc(path: $path) } }";
        const { body } = await gateway.graphql("guest", "world", query, { path: where.doc.path });
        assert.equal(body.errors?.[0]?.extensions.code, "TIMEOUT", JSON.stringify(body));
      }
      const { body } = await gateway.graphql("guest", "world", "{ countTexts }");
      assert.deepEqual(body, { data: { countTexts: 1 } });
    });
});

/** No account can fill the lists that others read with what it saves. */
import assert from "node:assert/strict";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { problemOf, requestsAs, type Requests } from "./requests.ts";

/** Makes rows in one statement of SQL that an account wrote; the names begin with a letter. */
const SAVED: Readonly<Record<string, (letter: string, count: number) => string>> = {
  queries: (letter, count) =>
    `insert into portolan.queries (name, title, q) select '${letter}' || i, 'T', 'select 1' from generate_series(1, ${count}) i`,
  dashboards: (letter, count) =>
    `insert into portolan.dashboards (name, title, panels) select '${letter}' || i, 'T', '[]' from generate_series(1, ${count}) i`,
};

describe("what one account saves", function () {
  this.timeout(60_000);
  let gateway: TestGateway;
  let ann: Requests;
  let ben: Requests;
  let boss: Requests;

  before(async () => {
    gateway = await testGateway({
      kind: "portolan",
      prepare: ({ client }) =>
        client.query(
          "select portolan.create_user('ann', null), portolan.create_user('ben', null), portolan.create_user('boss', null, superuser => true)",
        ),
    });
    [ann, ben, boss] = (await Promise.all(["ann", "ben", "boss"].map((name) => requestsAs(gateway, name)))) as [
      Requests,
      Requests,
      Requests,
    ];
  });
  after(() => gateway.close());

  for (const [kind, insert] of Object.entries(SAVED))
    it(`is at most 1,000 ${kind}, in one statement or in many; others and super users go on`, async () => {
      const one = (name: string): object => ({ name, ...(kind === "queries" ? { q: "select 1" } : { panels: [] }) });
      assert.match(problemOf(await ann("post", "/sql", { q: insert("a", 1001) }), 400), /at most 1000 /);
      assert.deepEqual((await ann("get", `/${kind}`).expect(200)).body, []);
      await ann("post", "/sql", { q: insert("a", 1000) }).expect(200);
      const { body } = await ann("post", `/${kind}`, one("more")).expect(400);
      assert.equal((body as { code: string }).code, "LIMIT_EXCEEDED");
      await ben("post", `/${kind}`, one("more")).expect(201);
      await boss("post", "/sql", { q: insert("c", 1001) }).expect(200);
      await ann("delete", `/${kind}/a1`).expect(204);
      await ann("post", `/${kind}`, one("another")).expect(201);
    });
});

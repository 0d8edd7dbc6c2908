/** Requests beside an author whose script makes and alters tables without a pause. */
import assert from "node:assert/strict";
import { testGateway, type TestGateway } from "../support/gateway.ts";

const TABLES = 300;

describe("DDL in a loop", function () {
  this.timeout(180_000);
  let gateway: TestGateway;
  let token = "";

  before(async () => {
    gateway = await testGateway({
      kind: "portolan",
      prepare: ({ client }) =>
        client.query(`
select portolan.create_user('chief', null, superuser => true);
create schema large;
do $$ begin
  for i in 1..${TABLES} loop
    execute format('create table large.t%s (id int primary key, name text, at timestamptz, parent int references large.t%s)', i, greatest(i - 1, 1));
  end loop;
end $$;
create schema small;
create table small.notes (id int primary key, text text)`),
    });
    token = await gateway.token("chief", 3600);
  });

  after(() => gateway?.close());

  async function ask(schema: string, query: string): Promise<{ data?: unknown; errors?: unknown }> {
    const response = await fetch(`${gateway.baseUrl}/api/graphql/schema/${schema}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify({ query }),
    });
    return (await response.json()) as { data?: unknown };
  }

  async function timed(work: () => Promise<unknown>): Promise<number> {
    const begunMs = performance.now();
    await work();
    return performance.now() - begunMs;
  }

  /** Asks again until there is an answer without errors. */
  async function answered(schema: string, query: string): Promise<void> {
    while ((await ask(schema, query)).errors) await new Promise((resolve) => setTimeout(resolve, 20));
  }

  it("leaves most of the time to requests, and is shown in the end", async () => {
    const { client } = gateway.database;
    await ask("large", "{ getT1 { id } }");
    const one = (): Promise<number> => timed(() => ask("small", "{ getNotes { id } }"));
    let [isOver, made] = [false, 0];
    const making = (async () => {
      for (; !isOver; made++) {
        await client.query(
          `create table large.made${made} (id int primary key); alter table large.made${made} add more text`,
        );
        await new Promise((resolve) => setTimeout(resolve, 20)); // else there are thousands of tables in the end
      }
    })();
    const waits: { readonly atMs: number; readonly forMs: number }[] = [];
    /** Builds keep the event loop: the longest waits are for them. */
    const builds = (): typeof waits => {
      const longestMs = Math.max(...waits.map(({ forMs }) => forMs));
      return waits.filter(({ forMs }) => forMs > longestMs / 3 && forMs > 100);
    };
    for (const endMs = performance.now() + 90_000; builds().length < 4 && performance.now() < endMs;) {
      const atMs = performance.now();
      waits.push({ atMs, forMs: await one() });
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    isOver = true;
    await making;
    const built = builds();
    assert.ok(built.length > 1, "nothing was built again");
    const builtMs = built.slice(0, -1).reduce((sum, { forMs }) => sum + forMs, 0);
    const share = builtMs / (built.at(-1)!.atMs - built[0]!.atMs);
    assert.ok(share < 0.34, `${Math.round(100 * share)} % of the time was spent on builds`);
    await answered("large", `{ getMade${made - 1} { id more } }`);
  });

  it("another schema does not wait until one that rests is built", async () => {
    const { client } = gateway.database;
    await client.query("alter table large.t1 add a text");
    await answered("large", "{ getT1 { a } }");
    await client.query("alter table large.t1 add b text; alter table small.notes add b text");
    const order: string[] = [];
    await Promise.all([
      answered("large", "{ getT1 { b } }").then(() => order.push("large")),
      answered("small", "{ getNotes { b } }").then(() => order.push("small")),
    ]);
    assert.deepEqual(order, ["small", "large"]);
  });
});

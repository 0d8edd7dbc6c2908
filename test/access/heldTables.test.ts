/** Tables of Portolan that all accounts share: no account can lock one, and so keep the others waiting. */
import assert from "node:assert/strict";
import { testDatabase, type TestDatabase } from "../support/databases.ts";

describe("a table of Portolan that all accounts share", () => {
  let database: TestDatabase;
  /** The rows of the last statement. */
  async function query(text: string): Promise<Record<string, unknown>[]> {
    const results = [await database.client.query(text)].flat();
    return results.at(-1)!.rows as Record<string, unknown>[];
  }
  /** Asks on a connection that is logged in as the account. The answer is that of the last statement, or the SQLSTATE. */
  async function as(account: string, text: string): Promise<unknown> {
    await query(`begin; set session authorization "${account}@${database.name}"`);
    return query(text)
      .catch(({ code }: { code: string }) => code)
      .finally(() => query("rollback; reset session authorization"));
  }

  before(async () => {
    database = await testDatabase({ kind: "portolan" });
    await query(`
select portolan.create_user('ann', null), portolan.create_user('ben', null), portolan.create_user('boss', null, superuser => true);
insert into portolan.queries (name, title, q, owner) values ('hers', 'Hers', 'select 1', 'ann'), ('his', 'His', 'select 1', 'ben');
update portolan.queries set shared = '{ann,ben}'`);
  });
  after(() => database.drop());

  it("is locked by no account, in no mode that keeps anybody waiting", async () => {
    const relations = await query(
      "select format('portolan.%I', relname) as name from pg_class where relnamespace = 'portolan'::regnamespace and relkind in ('r', 'p', 'v')",
    );
    assert.ok(relations.length > 50);
    const locked: string[] = [];
    for (const { name } of relations)
      for (const mode of ["row exclusive", "share", "access exclusive"])
        if ((await as("ann", `lock table ${String(name)} in ${mode} mode`)) !== "42501")
          locked.push(`${String(name)} ${mode}`);
    assert.deepEqual(locked, []);
  });

  it("has rows that their owners and super users remove, and nobody else", async () => {
    const left = "select string_agg(name, ' ' order by name) as names from portolan.queries";
    const drop = (name: string): string => `select portolan.drop_query('${name}')`;
    assert.deepEqual(await as("ann", `${drop("hers")}; reset session authorization; ${left}`), [{ names: "his" }]);
    assert.equal(await as("ann", drop("his")), "PX403");
    assert.equal(await as("anonymous", drop("his")), "PX404");
    assert.deepEqual(await as("ann", "select portolan.remove_own('query', 'his') as is"), [{ is: false }]);
    assert.deepEqual(
      await as(
        "ann",
        "select set_config('portolan.user', 'ben', true); select portolan.remove_own('query', 'his') as is",
      ),
      [{ is: false }],
    );
    assert.deepEqual(await as("boss", "select portolan.remove_own('query', 'his') as is"), [{ is: true }]);
  });
});

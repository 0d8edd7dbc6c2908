import assert from "node:assert/strict";
import { Memory } from "../../server/kernel/database/memory.ts";
import { checkAccess } from "../../server/kernel/catalogue/access.ts";
import type { Database, Identity } from "../../server/kernel/database/database.ts";
import { findAccount } from "../../server/kernel/identity/tokens.ts";
import { openAsGateway, testDatabase, type TestDatabase } from "../support/databases.ts";

describe("cached facts of a database", () => {
  it("are read once for all callers, each question separately, and again after they were dropped", async () => {
    const memory = new Memory();
    let reads = 0;
    const first = (source: string): Promise<string> => Promise.resolve(`${source} ${++reads}`);
    const second = (source: string): Promise<string> => Promise.resolve(`${source} apart`);
    const answers = await Promise.all([memory.of("a", first), memory.of("a", first), memory.of("a", second)]);
    assert.deepEqual(answers, ["a 1", "a 1", "a apart"]);
    memory.forget();
    assert.equal(await memory.of("a", first), "a 2");
    assert.equal(await memory.of("a", first, 0), "a 3");
  });

  it("are not failures: the next caller tries again", async () => {
    const memory = new Memory();
    let reads = 0;
    const read = (): Promise<number> => (++reads === 1 ? Promise.reject(new Error("away")) : Promise.resolve(reads));
    await assert.rejects(memory.of("a", read), { message: "away" });
    assert.equal(await memory.of("a", read), 2);
  });

  it("are never older than the last drop, also if an earlier read ends late", async () => {
    const memory = new Memory();
    const late = Promise.withResolvers<string>();
    let reads = 0;
    const read = (): Promise<string> => (++reads === 1 ? late.promise : Promise.resolve("new"));
    const old = memory.of("a", read);
    memory.forget();
    assert.equal(await memory.of("a", read), "new");
    late.reject(new Error("late"));
    await assert.rejects(old, { message: "late" });
    assert.equal(await memory.of("a", read), "new");
    assert.equal(reads, 2);
  });

  describe("of two databases of the same name in one process", () => {
    const tests: TestDatabase[] = [];
    const databases: Database[] = [];
    after(async () => {
      for (const database of databases) await database.close();
      for (const test of tests) await test.drop();
    });

    it("belong to the database from which they were read", async () => {
      const refused: boolean[] = [];
      const deny = { username: "ann", schema: "town", table: "notes", access: "deny" };
      for (const rule of [`select portolan.create_rule('${JSON.stringify(deny)}')`, "select"]) {
        const test = await testDatabase({ kind: "portolan" });
        tests.push(test);
        await test.client.query(
          `create schema town; create table town.notes (id int); select portolan.create_user('ann', null);
           select portolan.set_privilege('town.notes', 'ann', 'read'); ${rule}`,
        );
        const database: Database = openAsGateway({ ...test, name: "same" });
        databases.push(database);
        const account = await findAccount(database, "ann");
        assert.ok(account);
        const ann: Identity = { database: "same", name: "ann", role: account.role, roleMade: true, claims: {} };
        const asked = database.withIdentity(ann, { service: "graphql", readOnly: true }, (transaction) =>
          checkAccess(database, transaction, [{ schema: "town", name: "notes" }]),
        );
        refused.push(
          await asked.then(
            () => false,
            (error: { code: string }) => error.code === "42501",
          ),
        );
      }
      assert.deepEqual(refused, [true, false]);
    });
  });
});

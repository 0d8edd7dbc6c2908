import assert from "node:assert/strict";
import {
  openDatabase,
  type ByteRow,
  type Database,
  type Identity,
  type RequestContext,
} from "../../server/database.ts";
import { findAccount } from "../../server/tokens.ts";
import { testDatabase, type TestDatabase } from "../support/databases.ts";

const READ: RequestContext = { service: "ogc", readOnly: true };

describe("rows that stay bytes", () => {
  let test: TestDatabase;
  let database: Database;
  let alice: Identity;

  before(async () => {
    test = await testDatabase({ kind: "portolan" });
    await test.client.query("select portolan.create_user('alice', null)");
    // one connection, so that each test meets what the one before it has left
    database = openDatabase({
      name: test.name,
      url: test.gatewayUrl,
      poolSize: 1,
      connectTimeoutMs: 5000,
      statementTimeoutMs: 20_000,
    });
    const account = await findAccount(database, "alice");
    assert.ok(account);
    alice = { database: database.name, name: "alice", role: account.role, roleMade: account.roleMade, claims: {} };
  });
  after(async () => {
    await database.close();
    await test.drop();
  });

  async function read<T>(text: string, values: unknown[], take: (row: ByteRow) => T): Promise<T[]> {
    const taken: T[] = [];
    await database.withIdentity(alice, READ, (transaction) =>
      transaction.read({ text, values, onRow: (row) => void taken.push(take(row)) }),
    );
    return taken;
  }

  const texts = (row: ByteRow): (string | null)[] => Array.from({ length: row.size }, (_, index) => row.text(index));

  it("have each column as PostgreSQL's text, empty apart from null, as the caller's role", async () => {
    const rows = await read(
      "select 1, '', null, 'é€😀', $1::text, current_user from generate_series(1, 2)",
      ["given"],
      texts,
    );
    const expected = ["1", "", null, "é€😀", "given", alice.role];
    assert.deepEqual(rows, [expected, expected]);
  });

  it("are copied to where they are wanted, nothing for null", async () => {
    const target = Buffer.alloc(20, ".");
    const places = await read("select 'abc', null, 'é'", [], (row) => {
      const lengths = [0, 1, 2].map((index) => row.lengthOf(index));
      const at = row.copy(2, target, row.copy(1, target, row.copy(0, target, 1)));
      return { lengths, at };
    });
    assert.deepEqual(places, [{ lengths: [3, 0, 2], at: 6 }]);
    assert.equal(target.toString("utf8", 0, 8), ".abcé..");
  });

  it("come whole whatever their length: many in a packet, and one in many packets", async () => {
    const rows = await read(
      "select i::text, repeat(chr(97 + i % 26), (i * 7919) % 200000) from generate_series(1, 400) i",
      [],
      (row) => ({ number: Number(row.text(0)), text: row.text(1) }),
    );
    assert.equal(rows.length, 400);
    for (const [index, { number, text }] of rows.entries()) {
      const i = index + 1;
      assert.equal(number, i);
      assert.ok(text === String.fromCharCode(97 + (i % 26)).repeat((i * 7919) % 200000), `row ${i}`);
    }
  });

  it("statements before and after have rows of the usual kind, sent in the same breath or not", async () => {
    const seen: unknown[] = [];
    await database.withIdentity(alice, READ, async (transaction) => {
      const onRow = (row: ByteRow): void => void seen.push(row.text(0));
      const [first, , last] = await Promise.all([
        transaction.query({ text: "select 'first' as word" }),
        transaction.read({ text: "select 'bytes' from generate_series(1, 3)", onRow }),
        transaction.query({ text: "select $1::text as word", values: ["last"] }),
      ]);
      seen.push(first.rows, last.rows);
    });
    assert.deepEqual(seen, ["bytes", "bytes", "bytes", [{ word: "first" }], [{ word: "last" }]]);
  });

  it("of a statement that fails come until then; the error is PostgreSQL's, and the connection is sound", async () => {
    const taken: number[] = [];
    await assert.rejects(
      read("select i, 1 / (3 - i) from generate_series(1, 5) i", [], (row) => taken.push(Number(row.text(0)))),
      { code: "22012" },
    );
    assert.deepEqual(taken, [1, 2]);
    await assert.rejects(read("select nothing", [], texts), { code: "42703" });
    assert.deepEqual(await read("select 'sound'", [], texts), [["sound"]]);
  });

  it("what takes them may throw: the statement rejects with that, and the connection is sound", async () => {
    const pid = await read("select pg_backend_pid()", [], texts);
    await assert.rejects(
      read("select i from generate_series(1, 10000) i", [], (row) => {
        if (row.text(0) === "5000") throw new Error("no more");
      }),
      { message: "no more" },
    );
    assert.deepEqual(await read("select pg_backend_pid()", [], texts), pid);
  });

  it("two connections at a time do not disturb each other's", async () => {
    const other = openDatabase({
      name: test.name,
      url: test.gatewayUrl,
      poolSize: 8,
      connectTimeoutMs: 5000,
      statementTimeoutMs: 20_000,
    });
    try {
      const sums = await Promise.all(
        Array.from({ length: 8 }, (_, n) => {
          let wrong = 0;
          let count = 0;
          return other
            .withIdentity(alice, READ, (transaction) =>
              transaction.read({
                text: "select repeat($1::text, 1000 + i % 3000) from generate_series(1, 3000) i",
                values: [String(n)],
                onRow: (row) => {
                  if (row.text(0) !== String(n).repeat(1000 + (++count % 3000))) wrong++;
                },
              }),
            )
            .then(() => [count, wrong]);
        }),
      );
      assert.deepEqual(sums, Array(8).fill([3000, 0]));
    } finally {
      await other.close();
    }
  });
});

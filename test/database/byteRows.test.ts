import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import pg from "pg";
import {
  CATALOGUE,
  type ByteRow,
  type Database,
  type Identity,
  type RequestContext,
} from "../../server/kernel/database/database.ts";
import { findAccount } from "../../server/kernel/identity/tokens.ts";
import { openAsGateway, testDatabase, type TestDatabase } from "../support/databases.ts";

const READ: RequestContext = { service: "ogc", readOnly: true };

describe("rows as bytes", () => {
  let test: TestDatabase;
  let database: Database;
  let alice: Identity;

  before(async () => {
    test = await testDatabase({ kind: "portolan" });
    await test.client.query("select portolan.create_user('alice', null)");
    // one connection, so that each test has the state that the one before left
    database = openAsGateway(test, { statementTimeoutMs: 20_000, pinAfterMs: 0 });
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
      transaction.read({ text, values }, (row) => void taken.push(take(row))),
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

  it("are copied to the target, nothing for null", async () => {
    const target = Buffer.alloc(20, ".");
    const places = await read("select 'abc', null, 'é'", [], (row) => {
      const lengths = [0, 1, 2].map((index) => row.lengthOf(index));
      const at = row.copy(2, target, row.copy(1, target, row.copy(0, target, 1)));
      return { lengths, at };
    });
    assert.deepEqual(places, [{ lengths: [3, 0, 2], at: 6 }]);
    assert.equal(target.toString("utf8", 0, 8), ".abcé..");
  });

  it("arrive complete at any length: many in a packet, and one in many packets", async () => {
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

  it("leave the rows of other statements as usual, sent at the same time or not", async () => {
    const seen: unknown[] = [];
    await database.withIdentity(alice, READ, async (transaction) => {
      const onRow = (row: ByteRow): void => void seen.push(row.text(0));
      const [first, , last] = await Promise.all([
        transaction.query({ text: "select 'first' as word" }),
        transaction.read({ text: "select 'bytes' from generate_series(1, 3)" }, onRow),
        transaction.query({ text: "select $1::text as word", values: ["last"] }),
      ]);
      seen.push(first.rows, last.rows);
    });
    assert.deepEqual(seen, ["bytes", "bytes", "bytes", [{ word: "first" }], [{ word: "last" }]]);
  });

  it("are the same on a session that is the caller's already, where nothing but the statement is sent", async () => {
    const long = "é€😀".repeat(3000);
    const statement = {
      name: "of three values",
      text: "select i, $1::text, $2::int4, $3::text from generate_series(1, $2::int4) i where i <> 3 or 1 / (i - 3) = 0",
    };
    async function alone(values: readonly unknown[], take: (row: ByteRow) => unknown = texts): Promise<unknown[]> {
      let taken: unknown[] = [];
      const onAgain = (): void => void (taken = []);
      await database.withIdentity(alice, { ...READ, reach: CATALOGUE }, (transaction) =>
        transaction.read({ ...statement, values, last: true, onAgain }, (row) => void taken.push(take(row))),
      );
      return taken;
    }
    for (let time = 0; time < 3; time++) await alone(["", 1, null]); // so that it is known and prepared
    const before = database.pins.answered;
    assert.deepEqual(await alone([long, 2, null]), [
      ["1", long, "2", null],
      ["2", long, "2", null],
    ]);
    assert.deepEqual(await alone([null, "1", ""]), [["1", null, "1", ""]]);
    assert.deepEqual(await alone(["none", 0, "x"]), []);
    assert.deepEqual(await alone([Buffer.from("bytes"), 1, "x"]), [["1", "bytes", "1", "x"]]);
    const both = await Promise.all([alone(["one", 1, "x"]), alone(["two", 1, "x"])]);
    assert.deepEqual(both.flat(), [
      ["1", "one", "1", "x"],
      ["1", "two", "1", "x"],
    ]);
    assert.equal(database.pins.answered - before, 6);
    await assert.rejects(alone(["a", 3, "x"]), { code: "22012" });
    await assert.rejects(alone(["a", "no number", "x"]), { code: "22P02" });
    const full = (): never => {
      throw new Error("no more");
    };
    await assert.rejects(alone(["a", 2, "x"], full), { message: "no more" });
    assert.deepEqual(await alone(["sound", 1, "x"]), [["1", "sound", "1", "x"]]);
  });

  it("arrive until a statement fails; the error is PostgreSQL's, and the connection is intact", async () => {
    const taken: number[] = [];
    await assert.rejects(
      read("select i, 1 / (3 - i) from generate_series(1, 5) i", [], (row) => taken.push(Number(row.text(0)))),
      { code: "22012" },
    );
    assert.deepEqual(taken, [1, 2]);
    await assert.rejects(read("select nothing", [], texts), { code: "42703" });
    assert.deepEqual(await read("select 'sound'", [], texts), [["sound"]]);
  });

  it("may meet a receiver that throws: the statement rejects with its error, and the connection is intact", async () => {
    const pid = await read("select pg_backend_pid()", [], texts);
    await assert.rejects(
      read("select i from generate_series(1, 10000) i", [], (row) => {
        if (row.text(0) === "5000") throw new Error("no more");
      }),
      { message: "no more" },
    );
    assert.deepEqual(await read("select pg_backend_pid()", [], texts), pid);
  });

  it("arrive a portion at a time, in order, awaited or not; after the last comes an empty one", async () => {
    const portions: number[][] = [];
    await database.withIdentity(alice, READ, async (transaction) => {
      const next = transaction.readPortions({ text: "select i from generate_series(1, $1) i", values: [10] });
      const portion = (rows: number): Promise<void> => {
        const taken: number[] = [];
        portions.push(taken);
        return next(rows, (row) => void taken.push(Number(row.text(0))));
      };
      await portion(2);
      await Promise.all([portion(3), portion(1), portion(3)]);
      await portion(3);
      await portion(3);
      const { rows } = await transaction.query<{ word: string }>({ text: "select 'after' as word" });
      assert.deepEqual(rows, [{ word: "after" }]);
    });
    assert.deepEqual(portions, [[1, 2], [3, 4, 5], [6], [7, 8, 9], [10], []]);
  });

  it("two statements' portions, and other statements between them, do not mix", async () => {
    const taken: string[] = [];
    await database.withIdentity(alice, READ, async (transaction) => {
      const take = (row: ByteRow): void => void taken.push(row.text(0)!);
      const [a, b] = ["a", "b"].map((letter) =>
        transaction.readPortions({ text: "select $1 || i from generate_series(1, 5) i", values: [letter] }),
      );
      await Promise.all([a!(2, take), b!(2, take), a!(2, take), transaction.query({ text: "select 1" }), b!(9, take)]);
    });
    assert.deepEqual(taken, ["a1", "a2", "b1", "b2", "a3", "a4", "b3", "b4", "b5"]);
  });

  it("a failed portion fails the later ones; the transaction can begin again", async () => {
    const word = await database.withIdentity(alice, READ, async (transaction) => {
      const next = transaction.readPortions({ text: "select 1 / (3 - i) from generate_series(1, 9) i" });
      const outcomes = await Promise.allSettled([2, 2, 2].map((rows) => next(rows, () => undefined)));
      assert.deepEqual(
        outcomes.map((each) => (each.status === "rejected" ? (each.reason as { code: string }).code : "")),
        ["", "22012", "25P02"],
      );
      return (await transaction.query<{ word: string }>({ text: "select 'sound' as word" })).rows[0]?.word;
    });
    assert.equal(word, "sound");
  });

  it("two connections at once do not disturb each other", async () => {
    const other = openAsGateway(test, { poolSize: 8, statementTimeoutMs: 20_000 });
    try {
      const sums = await Promise.all(
        Array.from({ length: 8 }, (_, n) => {
          let wrong = 0;
          let count = 0;
          return other
            .withIdentity(alice, READ, (transaction) =>
              transaction.read(
                {
                  text: "select repeat($1::text, 1000 + i % 3000) from generate_series(1, 3000) i",
                  values: [String(n)],
                },
                (row) => {
                  if (row.text(0) !== String(n).repeat(1000 + (++count % 3000))) wrong++;
                },
              ),
            )
            .then(() => [count, wrong]);
        }),
      );
      assert.deepEqual(sums, Array(8).fill([3000, 0]));
    } finally {
      await other.close();
    }
  });

  it("a read of one statement is sent in one packet with its BEGIN and COMMIT, and answered in one", async () => {
    const packets = { there: 0, back: 0 };
    const network = createServer({ noDelay: true }, (near) => {
      const far = connectTo(test).on("error", () => near.destroy());
      near.on("error", () => far.destroy());
      let isOfRequests = false; // or of the gateway's own statements
      near.on("data", (bytes) => {
        isOfRequests ||= bytes.includes("portolan requests");
        if (isOfRequests) packets.there++;
        far.write(bytes);
      });
      far.on("data", (bytes) => {
        if (isOfRequests) packets.back++;
        near.write(bytes);
      });
      near.on("end", () => far.end());
      far.on("end", () => near.end());
    }).listen(0, "127.0.0.1");
    await once(network, "listening");
    const through = openAsGateway(test, { url: urlBy(network, test), poolSize: 1 });
    const basis = { sql: "current_user::text || $1", values: ["!"], check: (value?: string) => void told.push(value) };
    const told: (string | undefined)[] = [];
    const ask = (text: string, values: unknown[] = []): Promise<string | null | undefined> =>
      through.withIdentity(alice, { ...READ, basis }, async (transaction) => {
        let given: string | null | undefined;
        await transaction.read({ name: `one ${text}`, text, values, last: true }, (row) => (given = row.text(0)));
        return given;
      });
    try {
      const good = "select current_user || $1::int";
      for (let n = 0; n < 2; n++) await ask(good, [1]); // a role's second run of a statement prepares it
      Object.assign(packets, { there: 0, back: 0 });
      told.splice(0);
      assert.equal(await ask(good, [2]), `${alice.role}2`);
      assert.deepEqual(packets, { there: 1, back: 1 });
      assert.deepEqual(told, [`${alice.role}!`], "asked as the caller");
      const query = (text: string): Promise<unknown> =>
        through.withIdentity(alice, { ...READ, basis }, async (transaction) => {
          const { rows } = await transaction.query({ name: "two", text, last: true });
          return rows;
        });
      for (const time of ["allowed", "prepared", "kept"]) {
        Object.assign(packets, { there: 0, back: 0 });
        assert.deepEqual(await query("select 1::int4 as one, null as none"), [{ one: 1, none: null }], time);
      }
      assert.deepEqual(packets, { there: 1, back: 1 }, "rows that are read by their types too");
      const bad = "select 1 / $1::int";
      assert.equal(await ask(bad, [1]), "1");
      await assert.rejects(ask(bad, [0]), { code: "22012" });
      assert.equal(await ask(bad, [1]), "1", "the connection is sound");
      await assert.rejects(ask("select 1 +"), { code: "42601" });
      assert.equal(await ask(good, [3]), `${alice.role}3`);
      told.splice(0);
      basis.check = () => {
        throw new Error("another basis");
      };
      await assert.rejects(ask(bad, [0]), /another basis/);
      await assert.rejects(ask(good, [4]), /another basis/);
      basis.check = () => undefined;
      assert.equal(await ask(good, [5]), `${alice.role}5`);
    } finally {
      await through.close();
      network.close();
    }
  });

  it("survive a network that splits PostgreSQL's messages anywhere, and so does the sign-in", async () => {
    const network = createServer({ noDelay: true }, (near) => {
      const far = connectTo(test).on("error", () => near.destroy());
      near.on("error", () => far.destroy());
      near.pipe(far);
      far.on("end", () => near.end());
      far.on("readable", () => void forward());
      let busy = false;
      async function forward(): Promise<void> {
        if (busy) return;
        busy = true;
        for (let bytes; (bytes = far.read() as Buffer | null) !== null;)
          for (let at = 0; at < bytes.length; at += 7) {
            near.write(bytes.subarray(at, at + 7));
            await new Promise((resolve) => setTimeout(resolve, 1)); // so that it is read by itself
          }
        busy = false;
      }
    }).listen(0, "127.0.0.1");
    await once(network, "listening");
    const through = openAsGateway(test, {
      url: urlBy(network, test),
      poolSize: 2,
      connectTimeoutMs: 10_000,
      statementTimeoutMs: 20_000,
    });
    try {
      const lengths: number[] = [];
      await through.withIdentity(alice, READ, (transaction) =>
        transaction.read(
          { text: "select repeat('é', i * 10) from generate_series(1, 3) i" },
          (row) => void lengths.push(row.text(0)!.length),
        ),
      );
      assert.deepEqual(lengths, [10, 20, 30]);
    } finally {
      await through.close();
      network.close();
    }
  });
});

/** Reads the connection string; never connected. */
const clientOf = ({ gatewayUrl }: TestDatabase): pg.Client => new pg.Client(gatewayUrl);

function connectTo(test: TestDatabase): Socket {
  const { host, port } = clientOf(test);
  return host.startsWith("/") ? connect({ path: `${host}/.s.PGSQL.${port}` }) : connect({ host, port });
}

/** The test's database by way of `network`. */
function urlBy(network: Server, test: TestDatabase): string {
  const { user, password, database } = clientOf(test);
  const url = new URL("postgres://127.0.0.1");
  url.port = String((network.address() as AddressInfo).port);
  url.username = user!;
  url.password = password!;
  url.pathname = database!;
  return url.href;
}

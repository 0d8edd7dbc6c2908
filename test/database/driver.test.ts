/** The internals of pg and pg-protocol that server/database/ uses: each member, its shape, and its effect. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { connect, createServer, type AddressInfo } from "node:net";
import { Duplex } from "node:stream";
import pg from "pg";
import { Parser } from "pg-protocol/dist/parser.js";
import { byteSocket } from "../../server/kernel/database/wire/byteSocket.ts";
import { openPool, takeWire, type TextRow, type Wire } from "../../server/kernel/database/wire/wire.ts";
import { testDatabase, type TestDatabase } from "../support/databases.ts";
import { until } from "../support/events.ts";

interface Inside {
  readonly processID: unknown;
  readonly secretKey: unknown;
  readonly host: unknown;
  readonly port: unknown;
  readonly connection: {
    readonly stream: Duplex;
    readonly parsedStatements: Record<string, string>;
    on(name: string, listener: (message: Record<string, unknown>) => void): void;
  } & Record<string, unknown>;
}

type Messages = Record<"name", string>[];

const require = createRequire(import.meta.url);
const versionOf = (name: string): unknown =>
  (JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8")) as { version: string }).version;

describe("the internals of the driver", () => {
  let test: TestDatabase;
  let client: pg.Client;
  let inside: Inside;

  before(async () => {
    test = await testDatabase();
    client = new pg.Client({ connectionString: test.url, stream: byteSocket, pipeline: true } as object);
    await client.connect();
    inside = client as unknown as Inside;
  });

  after(async () => {
    await client.end();
    await test.drop();
  });

  /** A query of Portolan: the calls that it gets, in order. `begin` sends its messages. */
  class Recorder extends (Object.assign(function () {}, {
    prototype: pg.Query.prototype,
  }) as unknown as new () => object) {
    readonly called: string[] = [];
    readonly given: Record<string, unknown> = {};
    readonly ended = Promise.withResolvers<void>();
    readonly name: string | undefined;
    readonly text: string;
    readonly #begin: (connection: Inside["connection"]) => unknown;

    constructor(text: string, name: string | undefined, begin: (connection: Inside["connection"]) => unknown) {
      super();
      this.text = text;
      this.name = name;
      this.#begin = begin;
      for (const method of [
        "handleRowDescription",
        "handleDataRow",
        "handlePortalSuspended",
        "handleCommandComplete",
        "handleEmptyQuery",
        "handleError",
        "handleReadyForQuery",
      ]) {
        assert.equal(typeof (pg.Query.prototype as unknown as Record<string, unknown>)[method], "function", method);
        Object.assign(this, {
          [method]: (message: unknown) => {
            this.called.push(method);
            this.given[method] = message;
            if (method === "handleReadyForQuery") this.ended.resolve();
            if (method === "handleError") this.ended.reject(message as Error);
          },
        });
      }
    }

    submit(connection: Inside["connection"]): unknown {
      this.called.push("submit");
      return this.#begin(connection) ?? null;
    }
  }

  const run = (recorder: Recorder): Recorder => {
    recorder.ended.promise.catch(() => undefined);
    client.query(recorder as unknown as pg.Submittable);
    return recorder;
  };
  const call = (connection: Inside["connection"], name: string, ...values: unknown[]): void =>
    (connection[name] as (...values: unknown[]) => void)(...values);
  const extended =
    (text: string, { name, rows }: { name?: string; rows?: number } = {}) =>
    (connection: Inside["connection"]): void => {
      if (name === undefined || connection.parsedStatements[name] === undefined)
        call(connection, "parse", { name, text });
      call(connection, "bind", { portal: "p", statement: name, values: [] });
      call(connection, "describe", { type: "P", name: "p" });
      call(connection, "execute", { portal: "p", rows });
      call(connection, "sync");
    };

  it("are of exactly the expected versions, one of each", () => {
    const { dependencies } = JSON.parse(readFileSync("package.json", "utf8")) as {
      dependencies: Record<string, string>;
    };
    for (const name of ["pg", "pg-protocol", "pg-promise"])
      assert.equal(dependencies[name], versionOf(name), `${name} is not pinned to what is installed`);
    assert.equal(createRequire(require.resolve("pg-promise")).resolve("pg"), require.resolve("pg"));
    assert.equal(createRequire(require.resolve("pg"))("pg-protocol/dist/parser.js").Parser, Parser);
  });

  it("a client has its connection, and what a CancelRequest needs", () => {
    assert.equal(typeof inside.processID, "number");
    assert.ok(typeof inside.secretKey === "number" || Buffer.isBuffer(inside.secretKey));
    assert.equal(typeof inside.host, "string");
    assert.equal(typeof inside.port, "number");
    const { connection } = inside;
    for (const name of ["query", "parse", "bind", "describe", "execute", "sync", "emit", "once", "off"])
      assert.equal(typeof connection[name], "function", name);
    assert.ok(connection.stream instanceof Duplex);
    assert.equal(connection.stream.listenerCount("data"), 1);
  });

  it("a connection remembers prepared statements by name, but not failed ones", async () => {
    await run(new Recorder("select 1", "one", extended("select 1", { name: "one" }))).ended.promise;
    assert.equal(inside.connection.parsedStatements["one"], "select 1");
    const wrong = run(new Recorder("selec 1", "wrong", extended("selec 1", { name: "wrong" })));
    await assert.rejects(wrong.ended.promise, { code: "42601" });
    assert.equal(inside.connection.parsedStatements["wrong"], undefined);
    delete (inside.connection.parsedStatements as Record<string, unknown>)["one"]; // how one is forgotten
    await client.query("deallocate one");
    await run(new Recorder("select 1", "one", extended("select 1", { name: "one" }))).ended.promise;
  });

  it("a pipelined client sends at once, gives each query its own messages, and takes a subclass of Query only", async () => {
    const first = new Recorder("", undefined, extended("select n, null from generate_series(1, 2) n"));
    const second = new Recorder("", undefined, extended("select 1 / 0"));
    const third = new Recorder("", undefined, (connection) => call(connection, "query", "select 3"));
    for (const recorder of [first, second, third]) {
      run(recorder);
      assert.deepEqual(recorder.called, ["submit"]);
    }
    await Promise.allSettled([first, second, third].map(({ ended }) => ended.promise));
    const rows = ["handleRowDescription", "handleDataRow"];
    const end = ["handleCommandComplete", "handleReadyForQuery"];
    assert.deepEqual(first.called, ["submit", ...rows, "handleDataRow", ...end]);
    assert.deepEqual(second.called.slice(0, 2), ["submit", "handleError"]);
    assert.equal((second.given["handleError"] as { code: string }).code, "22012");
    assert.deepEqual(third.called, ["submit", ...rows, ...end]);
    assert.deepEqual((first.given["handleDataRow"] as { fields: unknown }).fields, ["2", null]);
    assert.equal(typeof (first.given["handleDataRow"] as { length: unknown }).length, "number");
    const [field] = (first.given["handleRowDescription"] as { fields: Record<string, unknown>[] }).fields;
    for (const name of ["tableID", "columnID", "dataTypeID", "dataTypeModifier"])
      assert.equal(typeof field![name], "number", name);
    assert.equal(field!["name"], "n");
    assert.equal((first.given["handleCommandComplete"] as { text: string }).text, "SELECT 2");
    const stranger = Promise.withResolvers<Error>();
    client.query({ submit: () => null, handleError: stranger.resolve } as unknown as pg.Submittable);
    assert.match((await stranger.promise).message, /not supported in pipeline mode/);
  });

  it("a portal reports suspension, and outlives its Sync in a transaction", async () => {
    await client.query("begin");
    const part = run(new Recorder("", undefined, extended("select generate_series(1, 3)", { rows: 2 })));
    await part.ended.promise;
    assert.ok(part.called.includes("handlePortalSuspended"));
    assert.ok(!part.called.includes("handleCommandComplete"));
    const rest = run(
      new Recorder("", undefined, (connection) => {
        call(connection, "execute", { portal: "p", rows: 0 });
        call(connection, "sync");
      }),
    );
    await rest.ended.promise;
    assert.deepEqual((rest.given["handleDataRow"] as { fields: unknown }).fields, ["3"]);
    await client.query("commit");
  });

  it("the types of parameters come as an event of the connection", async () => {
    const told = new Promise((resolve) => {
      (inside.connection["once"] as (name: string, listener: unknown) => void)("parameterDescription", resolve);
    });
    await run(
      new Recorder("", undefined, (connection) => {
        call(connection, "parse", { text: "select $1::int4 + $2", types: [0, 0] });
        call(connection, "describe", { type: "S", name: "" });
        call(connection, "sync");
      }),
    ).ended.promise;
    assert.deepEqual(((await told) as { dataTypeIDs: unknown }).dataTypeIDs, [23, 23]);
  });

  it("an error that submit returns fails that query alone", async () => {
    const failed = run(new Recorder("", undefined, () => new Error("no")));
    await assert.rejects(failed.ended.promise, { message: "no" });
    assert.deepEqual((await client.query("select 1 as n")).rows, [{ n: 1 }]);
  });

  it("Query prepares with its text, values and portal, then calls _getRows", async () => {
    const prototype = pg.Query.prototype as unknown as Record<string, unknown>;
    assert.equal(typeof prototype["prepare"], "function");
    assert.equal(typeof prototype["_getRows"], "function");
    const recorder = new Recorder("select $1::text as v", undefined, (connection) => {
      (prototype["prepare"] as (this: unknown, connection: unknown) => void).call(recorder, connection);
    });
    Object.assign(recorder, {
      values: ["given"],
      portal: "q",
      _getRows(connection: Inside["connection"]) {
        recorder.called.push("_getRows");
        call(connection, "execute", { portal: "q" });
        call(connection, "sync");
      },
    });
    await run(recorder).ended.promise;
    assert.deepEqual(recorder.called.slice(0, 3), ["submit", "_getRows", "handleRowDescription"]);
    assert.deepEqual((recorder.given["handleDataRow"] as { fields: unknown }).fields, ["given"]);
  });

  it("the parser hands each message's bytes to handlePacket, and keeps what is not complete in its buffer", () => {
    const seen: [offset: number, code: number, length: number][] = [];
    class Watched extends (Parser as unknown as new () => {
      buffer: Buffer;
      bufferOffset: number;
      bufferLength: number;
      parse(chunk: Buffer, onMessage: (message: { name: string }) => void): void;
      handlePacket(offset: number, code: number, length: number, bytes: Buffer): { name: string };
    }) {
      override handlePacket(offset: number, code: number, length: number, bytes: Buffer): { name: string } {
        seen.push([offset, code, length]);
        if (code === 0x44) assert.equal(bytes.readInt16BE(offset), 1); // DataRow: the number of its columns
        return super.handlePacket(offset, code, length, bytes);
      }
    }
    const parser = new Watched();
    const messages: Messages = [];
    // DataRow of one column "ab", then the first three bytes of ReadyForQuery
    const row = Buffer.from([0x44, 0, 0, 0, 12, 0, 1, 0, 0, 0, 2, 0x61, 0x62]);
    const chunk = Buffer.concat([row, Buffer.from([0x5a, 0, 0])]);
    parser.parse(chunk, (message) => messages.push(message));
    assert.deepEqual(seen, [[5, 0x44, 12]]);
    assert.deepEqual([parser.bufferLength, parser.bufferOffset, parser.buffer === chunk], [3, 13, true]);
    parser.parse(Buffer.from([0, 5, 0x49]), (message) => messages.push(message));
    assert.deepEqual(
      messages.map(({ name }) => name),
      ["dataRow", "readyForQuery"],
    );
    assert.equal(parser.bufferLength, 0);
  });

  it("a closed socket rejects every query of its connection", async () => {
    const other = new pg.Client({ connectionString: test.url, pipeline: true } as object);
    other.on("error", () => undefined);
    await other.connect();
    const asked = [other.query("select pg_sleep(5)"), other.query("select 1")];
    (other as unknown as Inside).connection.stream.destroy();
    for (const { status } of await Promise.allSettled(asked)) assert.equal(status, "rejected");
    await assert.rejects(other.query("select 1"));
  });
});

describe("the one interface to the driver", () => {
  let test: TestDatabase;
  let pool: pg.Pool;
  let wire: Wire;

  before(async () => {
    test = await testDatabase();
    pool = openPool({ connectionString: test.url, max: 1 });
  });
  beforeEach(async () => {
    wire = await takeWire(pool);
  });
  afterEach(() => wire.release(false));
  after(async () => {
    await pool.end();
    await test.drop();
  });

  const pidOf = async (): Promise<number> =>
    (await wire.query<{ pid: number }>({ text: "select pg_backend_pid() as pid" }, false)).rows[0]!.pid;

  it("knows PostgreSQL's process", async () => {
    assert.equal(await pidOf(), wire.processId);
  });

  it("takes no connection of an abandoned pool again, not even one that was in use", async () => {
    const before = await pidOf();
    wire.abandonPool();
    assert.equal(await pidOf(), before);
    wire.release(false);
    wire = await takeWire(pool);
    const next = await pidOf();
    assert.notEqual(next, before);
    wire.release(false);
    wire = await takeWire(pool);
    assert.equal(await pidOf(), next);
  });

  it("answers simultaneous statements in order; a failure affects one alone", async () => {
    const answers = await Promise.allSettled([
      wire.query({ text: "select $1::int as n", values: [1], name: "n" }, false),
      wire.query({ text: "select 1 / 0", values: [] }, true),
      wire.query({ text: "select 1; select 2" }, true),
      wire.command("select 1; select 2"),
      wire.describe({ text: "select $1::date as d" }),
    ]);
    assert.deepEqual(
      answers.map((answer) => (answer.status === "rejected" ? (answer.reason as { code: string }).code : "")),
      ["", "22012", "42601", "", ""],
    );
    const [first, , , word, described] = answers.map((answer) => (answer.status === "fulfilled" ? answer.value : null));
    assert.deepEqual((first as { rows: unknown }).rows, [{ n: 1 }]);
    assert.deepEqual(word, { words: ["SELECT 1", "SELECT 1"], row: ["2"] });
    assert.deepEqual((described as { parameters: unknown }).parameters, [1082]);
  });

  it("gives rows as bytes, and a portion at a time", async () => {
    const texts: (string | null)[] = [];
    await wire.command("begin");
    const statement = { text: "select n::text from generate_series(1, 5) n", values: [], portal: "p" };
    await wire.readRows({ ...statement, rows: 3 }, (row) => void texts.push(row.text(0)));
    await wire.readRows({ ...statement, rows: 3, goesOn: true }, (row) => void texts.push(row.text(0)));
    assert.deepEqual(texts, ["1", "2", "3", "4", "5"]);
    const rows: TextRow[] = [];
    const run = { text: statement.text, values: [], portion: 2, onRows: () => undefined };
    let portion = await wire.readPortion(run, "q", {});
    for (; portion.suspended; portion = await wire.readPortion(run, "q", { after: portion }))
      rows.push(...portion.rows);
    rows.push(...portion.rows);
    assert.deepEqual(rows, [["1"], ["2"], ["3"], ["4"], ["5"]]);
    assert.deepEqual((await wire.command("commit")).words, ["COMMIT"]);
  });

  it("keeps 200 statements prepared, and deallocates one on request", async () => {
    for (let n = 0; n < 210; n++) await wire.query({ text: `select ${n}`, name: `s${n}` }, false);
    assert.deepEqual(
      [wire.isPrepared("s0"), wire.isPrepared("s209"), wire.isPrepared(undefined)],
      [false, true, false],
    );
    await wire.forget("s209");
    assert.equal(wire.isPrepared("s209"), false);
    const { rows } = await wire.query<{ n: number }>(
      { text: "select count(*)::int as n from pg_prepared_statements" },
      false,
    );
    assert.equal(rows[0]!.n, 199);
  });

  it("cancels the running statement and no later one", async () => {
    const pid = wire.processId;
    const slow = assert.rejects(wire.query({ text: "select pg_sleep(10)" }, false), { code: "57014" });
    const sleeping = "select from pg_stat_activity where pid = $1 and wait_event = 'PgSleep'";
    await until(async () => (await test.client.query(sleeping, [pid])).rows.length === 1);
    await wire.cancel();
    await slow;
    assert.equal(await pidOf(), pid);
  });

  it("is closed when it is destroyed, and when it is given back as lost", async () => {
    const pids = [await pidOf()];
    const slow = wire.query({ text: "select pg_sleep(10)" }, false);
    wire.destroy();
    await assert.rejects(slow);
    wire.release(true);
    wire = await takeWire(pool);
    pids.push(await pidOf());
    wire.release(true);
    wire = await takeWire(pool);
    pids.push(await pidOf());
    assert.equal(new Set(pids).size, 3);
  });

  it("fails a request if the server ends the session at once, and serves the next one", async () => {
    const { host, port, user, database, password } = new pg.Client(test.url);
    const fields = Buffer.from("SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0");
    const fatal = Buffer.concat([Buffer.from([0x45, 0, 0, 0, fields.length + 4]), fields]);
    let stopping = true;
    const relay = createServer((socket) => {
      const server = connect(`${host}/.s.PGSQL.${port}`);
      server.on("data", (bytes) => {
        const begins = bytes.at(-6) === 0x5a; // ReadyForQuery
        if (begins && stopping) socket.end(Buffer.concat([bytes, fatal]));
        else socket.write(bytes);
      });
      socket.on("data", (bytes) => server.write(bytes)).on("close", () => server.destroy());
    });
    await once(relay.listen(0, "127.0.0.1"), "listening");
    const { port: relayed } = relay.address() as AddressInfo;
    const behind = openPool({ host: "127.0.0.1", port: relayed, user, database, password, max: 1 } as pg.PoolConfig);
    await assert.rejects(takeWire(behind), { code: "57P01" });
    stopping = false;
    const next = await takeWire(behind);
    assert.deepEqual((await next.command("select 1")).words, ["SELECT 1"]);
    next.release(false);
    await behind.end();
    relay.close();
  });
});

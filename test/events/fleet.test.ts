/** Gateways that share the work of events over NATS, as separate hubs in this process. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeConfig } from "../../server/kernel/config.ts";
import { createLog } from "../../server/ground/log.ts";
import { openNats } from "../../server/fleet/nats.ts";
import { VERSION } from "../../server/ground/packageDirectory.ts";
import { findNatsServer } from "../../server/setup/programs.mjs";
import { testDatabase, type TestDatabase } from "../support/databases.ts";
import { testHub, until, type Subscriber, type TestHub } from "../support/events.ts";
import { freePort } from "../support/freePort.ts";
import { NatsServer, Way } from "../support/nats.ts";
import { describeOnlyIf, mountsTmpfs, onlyIf } from "../support/onlyIf.ts";

const GROUPS = 10;
/** On a busy machine every verdict may be late for a while, and the gateways do without it. */
const PATIENCE_MS = 60_000;
const GATEWAYS = 4;

describeOnlyIf(findNatsServer() !== undefined, "nats-server")("events of a fleet", () => {
  let database: TestDatabase;
  let nats: NatsServer;
  const hubs: TestHub[] = [];
  const ways: Way[] = [];
  const query = async (text: string, values: unknown[] = []) => (await database.client.query(text, values)).rows;
  let next = 0;
  const insert = async () => query("insert into town.rows select $1::int, 'r' || $1 % 3", [++next]);

  before(async () => {
    database = await testDatabase({ kind: "portolan" });
    nats = await NatsServer.start();
    await query(`
alter database ${database.name} set track_functions = 'all';
create schema town;
create function town.asked() returns boolean language plpgsql stable as 'begin return true; end';
create function town.counted() returns boolean language plpgsql stable as 'begin return true; end';
create table town.rows (id int primary key, owner text);
create table town.open (id int primary key);
alter table town.rows enable row level security;
create policy counted on town.rows using ((select town.asked()) and id % 7 <> 0);
select portolan.enable_events('town.rows'), portolan.enable_events('town.open');
grant usage on schema town to public;`);
    for (let group = 0; group < GROUPS; group++)
      await query(
        "select portolan.create_user($1, null), portolan.set_privilege('town.rows', $1, 'read'), portolan.set_privilege('town.open', $1, 'read')",
        [`reader${group}`],
      );
  });
  afterEach(async () => {
    await Promise.all(hubs.splice(0).map((one) => one.close()));
    await Promise.all(ways.splice(0).map((way) => way[Symbol.asyncDispose]()));
    await nats.end();
    await nats.start();
  });
  after(async () => {
    await nats[Symbol.asyncDispose]();
    await database.drop();
  });

  const figure = async ({ registry }: TestHub, name: string, labels = ""): Promise<number> =>
    Number(new RegExp(`^${name}\\{[^}\\n]*${labels}[^}\\n]*\\} (\\S+)$`, "m").exec(await registry.metrics())?.[1] ?? 0);
  const sum = async (name: string, labels = ""): Promise<number> =>
    (await Promise.all(hubs.map((one) => figure(one, name, labels)))).reduce((all, one) => all + one, 0);

  /** Starts this number of gateways, and waits until each knows all others. */
  async function fleet(count: number, url: (index: number) => string | Promise<string> = () => nats.url) {
    for (let index = 0; index < count; index++) hubs.push(await testHub(database, { nats: await url(index) }));
    await until(async () => (await sum("portolan_events_gateways")) === count * count);
    return hubs;
  }

  /** Gives each gateway a subscriber of each of the groups, and waits until they share the judging. */
  async function subscribers(groups = GROUPS): Promise<Subscriber[]> {
    const all = await Promise.all(
      hubs.flatMap((one) => Array.from({ length: groups }, (_, group) => one.subscribe(`reader${group}`, "town.rows"))),
    );
    await until(() => isShared(all, groups), PATIENCE_MS);
    return all;
  }

  /** Whether one gateway judges one row for each group. */
  async function isShared(all: readonly Subscriber[], groups: number): Promise<boolean> {
    const taken = () => sum("portolan_events_verdicts_total", 'by="other"');
    const before = await taken();
    await insertAndWait(all);
    return (await taken()) - before === groups * (hubs.length - 1);
  }

  async function insertAndWait(all: readonly Subscriber[]): Promise<void> {
    do await insert();
    while (next % 7 === 0);
    await until(
      () => all.every(({ changes }) => changes.at(-1)?.key === String(next)),
      undefined,
      () => JSON.stringify(all.map(({ changes }) => changes.at(-1)?.key)),
    );
  }

  /** The statements that evaluate policies while `run` runs, as PostgreSQL counts them. Ends the gateways. */
  async function counted(run: () => Promise<void>): Promise<number> {
    const calls = async (): Promise<number> => {
      const [row] = await query("select calls from pg_stat_user_functions where funcname = 'counted'");
      return Number(row?.calls ?? 0);
    };
    const before = await calls();
    // the condition is a separate plan, which runs once for each statement
    await query("alter policy counted on town.rows using ((select town.counted()) and id % 7 <> 0)");
    await run();
    await query("alter policy counted on town.rows using ((select town.asked()) and id % 7 <> 0)");
    await Promise.all(hubs.splice(0).map((one) => one.close()));
    // connections report their counts when they end
    await until(async () => {
      const [row] = await query(`
select count(*)::int as left from pg_stat_activity
where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`);
      return row?.left === 0;
    });
    return (await calls()) - before;
  }

  /** Writes this number of visible rows one after the other. */
  const statements = (all: readonly Subscriber[], rows: number): Promise<number> =>
    counted(async () => {
      for (let row = 0; row < rows; row++) {
        if ((next + 1) % 7 === 0) next++; // an invisible row would be judged too, at times together with the next row
        await insertAndWait(all);
      }
    });

  it("judges each group once: as many statements for four gateways as for one", async () => {
    await fleet(1);
    assert.equal(await statements(await subscribers(), 20), GROUPS * 20);
    let together = Infinity;
    // on a busy machine a verdict may be late, which costs one more statement
    for (let round = 0; round < 5 && together > GROUPS * 20 * 1.05; round++) {
      await fleet(GATEWAYS);
      together = await statements(await subscribers(), 20);
    }
    assert.ok(together <= GROUPS * 20 * 1.05, `${together} statements for ${GATEWAYS} gateways`);
    assert.ok(together >= GROUPS * 20, `${together} statements are not all`);
  });

  it("judges many transactions together for a subscriber that returns after a while, and delivers each unchanged", async () => {
    const [one] = await fleet(1);
    const always = await one!.subscribe("reader0", "town.rows");
    await insertAndWait([always]);
    const after = always.subscription.position;
    always.batches.length = 0;
    for (let n = 0; n < 40; n++) await insertAndWait([always]);
    await query("update portolan.batches set at = at - interval '1 minute'");
    const asked = await counted(async () => {
      hubs.push(await testHub(database));
      const back = await hubs.at(-1)!.subscribe("reader0", "town.rows", { after });
      await until(() => back.changes.length >= 40);
      const given = ({ batches }: Subscriber) => batches.map(({ position, changes }) => [position, changes]);
      assert.deepEqual(given(back), given(always));
    });
    assert.ok(asked < 20, `${asked} statements for 40 transactions`);
  });

  it("judges a table without policies by one gateway for all accounts", async () => {
    await fleet(3);
    const all = await Promise.all(
      hubs.flatMap((one) => [0, 1, 2, 3].map((group) => one.subscribe(`reader${group}`, "town.open"))),
    );
    const own = () => Promise.all(hubs.map((one) => figure(one, "portolan_events_verdicts_total", 'by="own"')));
    await until(async () => {
      const before = await own();
      await query("insert into town.open values ($1)", [++next]);
      await until(() => all.every(({ changes }) => changes.at(-1)?.key === String(next)));
      const judged = (await own()).map((count, index) => count - (before[index] ?? 0)).sort();
      return judged.join() === "0,0,4";
    });
  });

  it("sends no row and no account to NATS, and believes only gateways of the database", async () => {
    const { connect } = await import("@nats-io/transport-node");
    const listener = await connect({ servers: nats.url });
    const heard: { subject: string; text: string }[] = [];
    listener.subscribe(">", {
      callback: (_, message) => void heard.push({ subject: message.subject, text: message.string() }),
    });
    await listener.flush();
    await fleet(2);
    const all = await subscribers(2);
    // a gateway that does not exist, and would be waited for
    const groups = heard.find(({ text }) => text.includes('"kind":"groups"'));
    for (const mark of ["", "x"])
      listener.publish(groups!.subject, groups!.text.slice(mark.length).replace(/"id":"..../, '"id":"none') + mark);
    listener.publish(groups!.subject, "");
    await query("insert into town.rows select i * 7, 'secret of ' || i from generate_series(1000, 1100) i");
    await query("insert into town.rows values (100000, 'not so secret')");
    await until(() => all.every(({ changes }) => changes.at(-1)?.key === "100000"));
    assert.ok(all.every(({ changes }) => changes.every(({ key }) => Number(key) % 7 !== 0)));
    await until(() => heard.some(({ subject }) => subject.includes(".verdicts.")));
    assert.ok(heard.some(({ subject }) => subject.endsWith(".positions")));
    for (const { subject, text } of heard) assert.doesNotMatch(subject + text, /secret|reader\d|town/);
    assert.equal(await sum("portolan_events_gateways"), 4);
    await query("delete from town.rows where id >= 7000");
    await listener.close();
  });

  it("takes the order from NATS", async () => {
    await fleet(2);
    const all = await subscribers(1);
    const taken = () => sum("portolan_events_positions_total", 'way="taken"');
    const before = await taken();
    for (let n = 0; n < 5; n++) await insertAndWait(all);
    assert.ok((await taken()) - before >= 10, "each of both has heard of each batch");
  });

  it("lists the serving gateways, with or without NATS: the reader, what each judges, and none that is gone", async () => {
    await fleet(2);
    hubs.push(await testHub(database));
    await Promise.all(hubs.map((one) => one.subscribe("reader0", "town.rows")));
    const list = () => query("select * from portolan.fleet()");
    const isListed = async () => {
      const rows = await list();
      const judges = rows.flatMap((row) => (row.judges as string[] | null) ?? []);
      return rows.length === 3 && rows.every((row) => row.subscriptions === 1) && judges.length === 1;
    };
    await until(isListed, undefined, () => "");
    const rows = await list();
    assert.deepEqual(
      rows.map(({ reader }) => reader as boolean),
      [true, false, false],
    );
    assert.match(rows.flatMap((row) => (row.judges as string[] | null) ?? []).join(), /^town\.rows reader0@/);
    assert.equal(rows.filter((row) => row.judges === null).length, 1, "one goes by PostgreSQL alone");
    for (const row of rows) assert.deepEqual([row.process, row.version, row.lag_ms], [process.pid, VERSION, 0]);
    await hubs.shift()?.close();
    await until(async () => (await list()).length === 2);
    await until(async () => (await list())[0]?.reader === true);
  });

  it("a database that falls asleep leaves nothing behind: the process gets no more messages about it", async () => {
    const port = await freePort();
    await using server = await NatsServer.start({ config: `http: "127.0.0.1:${port}"\n` });
    const shared = openNats(makeConfig({ natsUrl: server.url }), createLog("silent"))!;
    // subscriptions of all connections, and the readers of the stream
    const heard = async (): Promise<number> => {
      const { connections } = (await (await fetch(`http://127.0.0.1:${port}/connz`)).json()) as {
        connections: { subscriptions: number }[];
      };
      return connections.reduce((all, { subscriptions }) => all + subscriptions, 0);
    };
    try {
      await until(() => shared.connection !== undefined);
      const before = await heard();
      for (let time = 0; time < 2; time++) {
        const hub = await testHub(database, { nats: shared });
        try {
          await hub.subscribe("reader0", "town.open");
          await until(async () => (await heard()) >= before + 3);
        } finally {
          await hub.close();
        }
      }
      await until(async () => (await heard()) === before);
    } finally {
      await shared.close();
    }
  });

  it("continues without NATS, and with it again when it is back", async () => {
    await fleet(3);
    const all = await subscribers(3);
    await nats.end();
    for (let n = 0; n < 5; n++) await insertAndWait(all);
    await nats.start();
    await until(async () => (await sum("portolan_events_gateways")) === 9);
    await until(() => isShared(all, 3));
    assert.deepEqual(
      all.map(({ gaps }) => gaps.length).filter((gaps) => gaps > 0),
      [],
    );
  });

  it("starts without NATS, and shares the work when NATS starts", async () => {
    await nats.end();
    for (let index = 0; index < 2; index++) hubs.push(await testHub(database, { nats: nats.url }));
    const all = await Promise.all(hubs.map((one) => one.subscribe("reader0", "town.rows")));
    await insertAndWait(all);
    await nats.start();
    await until(() => isShared(all, 1));
  });

  it("a gateway that is cut off from NATS judges by itself, and the others without it", async () => {
    const way = await Way.to(nats.port);
    ways.push(way);
    await fleet(3, (index) => (index === 0 ? way.url : nats.url));
    const all = await subscribers(4);
    way.cut();
    for (let n = 0; n < 10; n++) await insertAndWait(all);
    const gateways = () => Promise.all(hubs.map((one) => figure(one, "portolan_events_gateways")));
    await until(async () => (await gateways()).join() === "1,2,2");
    const waited = () => figure(hubs[0]!, "portolan_events_verdicts_total", 'by="late"');
    const before = await waited();
    for (let n = 0; n < 5; n++) await insertAndWait(all);
    assert.equal(await waited(), before, "it waits for nobody whom it cannot hear");
    way.heal();
    await until(() => isShared(all, 4));
  });

  it("a verdict is not used for events that are read again, nor for an account that has lost its right", async () => {
    await fleet(2);
    const [one, other] = await subscribers(1);
    const { position } = one!.subscription;
    await insertAndWait([one!, other!]);
    const before = await sum("portolan_events_verdicts_total");
    const again = await hubs[1]!.subscribe("reader0", "town.rows", { after: position });
    await again.expect(1);
    assert.equal(await sum("portolan_events_verdicts_total"), before);
    await query("select portolan.set_privilege('town.rows', 'reader0', 'none')");
    await insert();
    await until(() => [one, other, again].every((each) => each?.endCode === "FORBIDDEN"));
    assert.ok(![one, other].some((each) => each?.changes.at(-1)?.key === String(next)));
    await query("select portolan.set_privilege('town.rows', 'reader0', 'read')");
  });

  it("if the stream is full, events continue by PostgreSQL", async () => {
    await using full = await NatsServer.start({
      config: "jetstream {\n max_file_store: 1\n store_dir: /tmp/portolan-full\n}",
    });
    for (let index = 0; index < 2; index++) hubs.push(await testHub(database, { nats: full.url }));
    const all = await Promise.all(hubs.map((one) => one.subscribe("reader0", "town.rows")));
    for (let n = 0; n < 5; n++) await insertAndWait(all);
    await until(
      () => isShared(all, 1),
      undefined,
      () => "verdicts need no stream",
    );
  });

  onlyIf(mountsTmpfs(), "a system where it may mount")(
    "where the disk of NATS is full, events go on by PostgreSQL, and by NATS when it has room again",
    async () => {
      const small = mkdtempSync(join(tmpdir(), "portolan-small-"));
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", small]);
      try {
        await using full = await NatsServer.start({
          config: `jetstream {\n max_file_store: 1G\n store_dir: "${small}"\n}`,
        });
        const all = await Promise.all(
          (await fleet(2, () => full.url)).map((one) => one.subscribe("reader0", "town.rows")),
        );
        const taken = () => sum("portolan_events_positions_total", 'way="taken"');
        await until(async () => (await insertAndWait(all), (await taken()) > 0));
        const filler = join(small, "filler");
        assert.throws(() => writeFileSync(filler, Buffer.alloc(5_000_000)), /ENOSPC/);
        // takes 4 s: a server that cannot store a message does not answer
        const failed = () => sum("portolan_events_positions_total", 'way="failed"');
        await until(async () => (await insertAndWait(all), (await failed()) > 0));
        await full.end();
        rmSync(filler);
        await full.start();
        const before = await taken();
        await until(async () => (await insertAndWait(all), (await taken()) > before));
      } finally {
        execFileSync("umount", ["--lazy", small]);
        rmSync(small, { recursive: true });
      }
    },
  );
});

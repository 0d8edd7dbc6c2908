/**
 * A Citus cluster under Patroni, by the files of `deploy/patroni`: the leaders of its coordinator and of its worker hand over, and are
 * killed, while rows are written and followed. One gateway names the members of the coordinator, another goes through HAProxy.
 */
import assert from "node:assert/strict";
import pg from "pg";
import { migrate } from "../../server/operate/migrate.ts";
import { findPatroni, findProxies } from "../../server/setup/programs.mjs";
import { hasCitus } from "../support/citusCluster.ts";
import { GATEWAY_LOGIN } from "../support/databases.ts";
import { describeOnlyIf } from "../support/onlyIf.ts";
import { DATABASE, PatroniCluster, SUPERUSER, type Member } from "../support/patroni.ts";
import {
  assertWhole,
  Door,
  ENOUGH,
  makeSpots,
  PATIENCE_MS,
  survive,
  untilFollowed,
  writesThrough,
} from "../support/spots.ts";
import { until } from "../support/until.ts";

type Pair = readonly [Member, Member];
const COORDINATORS: Pair = [
  { name: "coordinator1", host: 21, group: 0 },
  { name: "coordinator2", host: 22, group: 0 },
];
const WORKERS: Pair = [
  { name: "worker1", host: 23, group: 1 },
  { name: "worker2", host: 24, group: 1 },
];
/** The slot of events, which `patroni.yml` names. */
const SLOT = "from pg_replication_slots where slot_name like 'portolan_events%'";
const GATEWAY = `${GATEWAY_LOGIN}:gateway`;

describeOnlyIf(
  hasCitus() && findPatroni() !== undefined && findProxies() !== undefined,
  "Citus (test/citus/build.sh), Patroni, etcd and HAProxy",
)("a Citus cluster under Patroni", function () {
  this.timeout(1_800_000);
  let cluster: PatroniCluster;
  /** The first names both members of the coordinator, the second goes through HAProxy. */
  let doors: readonly Door[] = [];

  before(async () => {
    cluster = await PatroniCluster.start();
    for (const pair of [COORDINATORS, WORKERS])
      for (const member of pair) {
        await cluster.add(member); // one after the other: the second copies the first
        await until(async () => (await cluster.leaderOf(pair)) !== undefined, PATIENCE_MS);
      }
    const admin = await asAdmin();
    await until(
      async () => (await admin.query("select from pg_dist_node where isactive")).rows.length === 2,
      PATIENCE_MS,
    );
    await admin.query("create extension postgis");
    await admin.query(`create role ${GATEWAY_LOGIN} login noinherit password 'gateway'`);
    const ownerUrl = cluster.urlFor(COORDINATORS);
    await migrate({ ownerUrl, gatewayLogin: GATEWAY_LOGIN });
    await makeSpots(admin);
    await admin.query(`
create table app.pins (tenant int, id int, v int, kind int, primary key (tenant, id));
select portolan.set_privilege('app.pins', 'ann', 'write'), portolan.enable_events('app.pins')`);
    const proxied = await cluster.proxy();
    doors = [
      await Door.open(DATABASE, cluster.urlFor(COORDINATORS, GATEWAY), ownerUrl),
      await Door.open(DATABASE, proxied(GATEWAY), proxied(SUPERUSER)),
    ];
    await untilFollowed(admin, 2);
    for (const pair of [COORDINATORS, WORKERS]) await untilSafe(pair);
    await admin.end();
  });
  after(async () => {
    for (const { gateway } of doors) await gateway.stop();
    await cluster?.stop();
  });

  async function asAdmin(): Promise<pg.Client> {
    const leader = await leaderOf(COORDINATORS);
    const client = new pg.Client({ connectionString: cluster.urlFor([leader]) });
    await client.connect();
    return client;
  }

  /** As the super user of a member. A standby that restarts answers nothing. */
  async function ask(member: Member, text: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const client = new pg.Client({ connectionString: cluster.urlFor([member]) });
    client.on("error", () => undefined); // of the server that ends
    try {
      await client.connect();
      return (await client.query(text)).rows;
    } catch {
      return [];
    } finally {
      await client.end().catch(() => undefined); // it may never have been there
    }
  }

  async function leaderOf(pair: Pair): Promise<Member> {
    let leader: Member | undefined;
    await until(async () => (leader = await cluster.leaderOf(pair)) !== undefined, PATIENCE_MS);
    return leader!;
  }
  const otherOf = (pair: Pair, one: Member): Member => (pair[0] === one ? pair[1] : pair[0]);

  /** Until the standby of the leader has each answered write, and a slot of events that goes on where that of the leader is. */
  async function untilSafe(pair: Pair): Promise<void> {
    const leader = await leaderOf(pair);
    const standby = otherOf(pair, leader);
    const told = (): string => cluster.log(standby.name);
    await until(() => cluster.isSynchronous(standby), PATIENCE_MS, told);
    const [slot] = await ask(leader, `select confirmed_flush_lsn as at ${SLOT}`);
    const goesOn = `select ${SLOT} and confirmed_flush_lsn >= '${String(slot?.["at"])}'`;
    await until(async () => (await ask(standby, goesOn)).length === 1, PATIENCE_MS, told);
  }

  async function handOver(pair: Pair): Promise<void> {
    const leader = await leaderOf(pair);
    const other = otherOf(pair, leader);
    await cluster.switchOver(leader, other);
    assert.equal(await leaderOf(pair), other);
  }

  async function kill(pair: Pair): Promise<Member> {
    const leader = await leaderOf(pair);
    await cluster.kill(leader);
    assert.equal(await leaderOf(pair), otherOf(pair, leader));
    return leader;
  }

  it("loses no write, tells of none twice and of each row in order, while its leaders hand over and are killed", async () => {
    const [spots, pins] = [writesThrough(doors), writesThrough(doors, "pins")];
    const followers = [doors[0]!.follow(spots), doors[1]!.follow(pins, "pins")] as const;
    const goOn = async (what: string, fault: () => Promise<unknown>): Promise<void> => {
      await survive(what, fault, [
        { name: "spots", history: spots, follower: followers[0] },
        { name: "pins", history: pins, follower: followers[1] },
      ]);
      for (const door of doors) door.tell();
    };
    try {
      await until(() => followers.every(({ isLive }) => isLive), PATIENCE_MS);
      await until(() => spots.acknowledged > ENOUGH && pins.acknowledged > ENOUGH, PATIENCE_MS);
      for (const [name, pair] of [
        ["coordinator", COORDINATORS],
        ["worker", WORKERS],
      ] as const) {
        await goOn(`the ${name} hands over`, () => handOver(pair));
        await goOn("  the former leader follows", () => untilSafe(pair));
        let killed: Member | undefined;
        await goOn(`the leader of the ${name} is killed`, async () => (killed = await kill(pair)));
        cluster.start(killed!);
        await goOn("  the killed one follows", () => untilSafe(pair));
      }
    } finally {
      await Promise.all([spots.stop(), pins.stop()]);
    }
    const admin = await asAdmin();
    try {
      await assertWhole(spots, admin);
      await assertWhole(pins, admin, 1, "pins");
      assert.deepEqual(
        followers.map(({ gaps }) => gaps),
        [0, 0],
        "the standbys had all of it",
      );
    } finally {
      await admin.end();
      await Promise.all(followers.map((follower) => follower.stop()));
    }
  });
});

/**
 * The primary is killed while rows are written, and its standby promoted: answered writes, delivered events, and gaps.
 */
import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { GATEWAY_LOGIN } from "../support/databases.ts";
import { Follower } from "../support/follower.ts";
import { tokenFor } from "../support/gateway.ts";
import { ownCluster, type OwnCluster } from "../support/ownCluster.ts";
import { GatewayProcess } from "../support/process.ts";
import { severalServers, startStandby, type Standby } from "../support/standby.ts";
import { until } from "../support/until.ts";

const WRITERS = 4;
const SUBSCRIBERS = 20;
const ENOUGH = 100;
const PATIENCE_MS = 60_000;

describe("the primary is killed under load, and its standby promoted", function () {
  this.timeout(300_000);
  let own: OwnCluster;
  let standby: Standby;
  let gateway: GatewayProcess;
  let token: string;
  let followers: readonly { readonly follower: Follower; readonly shown: Set<number> }[];
  /** Rows whose insert was answered with success. */
  let answered: number[];
  let next: number;
  let isWriting: boolean;
  let writing: Promise<unknown>;

  beforeEach(async () => {
    own = await ownCluster();
    await own.database.client.query(`
create schema port; create table port.ships (id int primary key);
select portolan.create_user('ann', null), portolan.set_privilege('port.ships', 'ann', 'write'), portolan.enable_events('port.ships')`);
    standby = await startStandby(own.cluster);
    const [primaryUrl, standbyUrl] = [own, standby].map(({ cluster }) =>
      cluster.url("town", GATEWAY_LOGIN, "gateway"),
    ) as [string, string];
    const ownerUrl = severalServers(own.cluster.url("town"), standby.cluster.url("town"));
    gateway = await GatewayProcess.start({
      DATABASE_URL: severalServers(primaryUrl, standbyUrl),
      OWNER_DATABASE_URL: ownerUrl,
      PORT: "0",
      CONNECT_TIMEOUT_MS: "2000",
      MAX_SOCKETS_PER_ACCOUNT: String(SUBSCRIBERS),
      LOG_LEVEL: "fatal",
    });
    token = await tokenFor({ name: "town", url: ownerUrl }, gateway.baseUrl, "ann");
    followers = Array.from({ length: SUBSCRIBERS }, () => {
      const shown = new Set<number>();
      const follower = new Follower({
        url: () => gateway.baseUrl.replace(/^http/, "ws"),
        token: () => Promise.resolve(token),
        schema: "port",
        relation: "ships",
        take: (rows) => rows.forEach(({ id }) => shown.add(Number(id))),
      });
      return { follower, shown };
    });
    await until(() => followers.every(({ follower }) => follower.isLive), PATIENCE_MS);
    answered = [];
    next = 0;
  });

  afterEach(async () => {
    await endWriting();
    await Promise.all(followers.map(({ follower }) => follower.stop()));
    await gateway.stop();
    await standby.stop();
    await own.stop();
  });

  async function insert(id: number): Promise<boolean> {
    const response = await fetch(`${gateway.baseUrl}/api/graphql/schema/port`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify({ query: `mutation { insertShips(data: {id: ${id}}) { id } }` }),
    });
    const { errors } = (await response.json()) as { errors?: unknown };
    return !errors;
  }
  const beginWriting = (): void => {
    isWriting = true;
    writing = Promise.all(
      Array.from({ length: WRITERS }, async () => {
        while (isWriting) {
          const id = ++next;
          if (await insert(id)) answered.push(id);
          else await setTimeout(20);
        }
      }),
    );
  };
  const endWriting = async (): Promise<void> => {
    isWriting = false;
    await writing;
  };
  const answeredMore = (): Promise<void> => {
    const before = answered.length;
    return until(() => answered.length > before + ENOUGH, PATIENCE_MS);
  };
  const kill = async (): Promise<void> => {
    process.kill(own.cluster.pid, "SIGQUIT");
    await own.cluster.exited;
    await standby.promote();
  };
  /** The rows of the database at the end, at the promoted server. */
  async function rows(): Promise<Set<number>> {
    const client = new pg.Client({ connectionString: standby.cluster.url("town") });
    await client.connect();
    const found = await client.query<{ id: number }>("select id from port.ships");
    await client.end();
    return new Set(found.rows.map(({ id }) => id));
  }
  const setting = async (url: string, text: string): Promise<void> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(text);
    await client.query("select pg_reload_conf()");
    await client.end();
  };

  it("a synchronous one has all that was answered and all that was shown", async () => {
    await setting(own.cluster.url("town"), "alter system set synchronous_standby_names = '*'");
    await until(async () => {
      const { rows: found } = await own.database.client.query(
        "select from pg_stat_replication where sync_state = 'sync'",
      );
      return found.length === 1;
    }, PATIENCE_MS);
    beginWriting();
    await answeredMore();
    await kill();
    await answeredMore();
    await endWriting();
    const kept = await rows();
    assert.deepEqual(
      answered.filter((id) => !kept.has(id)),
      [],
      "answered, and lost",
    );
    for (const { shown } of followers)
      assert.deepEqual(
        [...shown].filter((id) => !kept.has(id)),
        [],
        "shown, and lost",
      );
    await until(() => followers.every(({ shown }) => answered.every((id) => shown.has(id))), PATIENCE_MS);
    assert.ok(
      followers.every(({ follower }) => follower.gaps === 0),
      "nothing is missing",
    );
  });

  it("an asynchronous one lacks what it had not got: whoever was shown that is told of a gap", async () => {
    beginWriting();
    await answeredMore();
    await endWriting();
    await standby.caughtUp();
    const safe = [...answered];
    await setting(standby.cluster.url("postgres"), "alter system set primary_conninfo = ''");
    await until(async () => {
      const { rows: found } = await own.database.client.query("select from pg_stat_replication");
      return found.length === 0;
    }, PATIENCE_MS);
    beginWriting();
    await answeredMore();
    await endWriting();
    await until(() => followers.every(({ shown }) => answered.every((id) => shown.has(id))), PATIENCE_MS);
    assert.ok(followers.every(({ follower }) => follower.gaps === 0));
    await kill();
    await until(() => followers.every(({ follower }) => follower.gaps > 0), PATIENCE_MS);
    assert.deepEqual(await rows(), new Set(safe));
    beginWriting();
    await answeredMore();
    const since = next;
    await until(() => followers.every(({ shown }) => Math.max(...shown) > since), PATIENCE_MS);
    await endWriting();
  });
});

import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { chmodSync, chownSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { diagnose } from "../../server/operate/doctor/doctor.ts";
import { startLocalCluster } from "../../server/demo/cluster/localCluster.ts";
import { makeCertificate } from "../support/certificate.ts";
import { GATEWAY_LOGIN } from "../support/databases.ts";
import { tokenFor } from "../support/gateway.ts";
import { ownCluster, type OwnCluster } from "../support/ownCluster.ts";
import { GatewayProcess } from "../support/process.ts";
import { severalServers, startStandby, type Standby } from "../support/standby.ts";
import { until } from "../support/until.ts";
import { SocketClient } from "../support/webSocket.ts";

/** The port of such a cluster is always the same, so each takes its own loopback address if there are several. */
const ADDRESS =
  process.platform === "linux" ? `127.${randomInt(256)}.${randomInt(256)}.${randomInt(2, 250)}` : "127.0.0.1";
/** Nothing listens on port 1. */
const NOBODY = "postgres://nobody@127.0.0.1:1/town";

describe("a connection string with several servers", () => {
  let own: OwnCluster;
  let standby: Standby;
  let gateway: GatewayProcess | undefined;
  let token: string;

  before(async () => {
    own = await ownCluster({ listen_addresses: ADDRESS });
    await own.database.client.query(`
create schema port;
create table port.ships (id int primary key, name text, geom public.geometry(Point, 4326) default 'SRID=4326;POINT(1 1)');
select portolan.create_user('ann', null), portolan.set_privilege('port.ships', 'ann', 'write');
select portolan.enable_events('port.ships');
create role port_author;
create table port.crews (id int primary key);
insert into port.crews values (1);
create function port.crews_seen(crew port.crews) returns text language plpgsql stable as $$
begin return concat_ws(' ', session_user, pg_is_in_recovery()); end $$;
select portolan.set_privilege('port.crews', 'ann', 'read');
grant execute on function port.crews_seen(port.crews) to public;
alter table port.crews owner to port_author; alter function port.crews_seen(port.crews) owner to port_author`);
    standby = await startStandby(own.cluster);
    await standby.caughtUp();
  });

  afterEach(async () => {
    await gateway?.stop();
    gateway = undefined;
  });

  after(async () => {
    await standby.stop();
    await own.stop();
  });

  const primaryUrl = (): string => own.cluster.url("town", GATEWAY_LOGIN, "gateway");
  const standbyUrl = (): string => standby.cluster.url("town", GATEWAY_LOGIN, "gateway");

  async function start(url: string): Promise<GatewayProcess> {
    const ownerUrl = severalServers(standby.cluster.url("town"), own.cluster.url("town"));
    gateway = await GatewayProcess.start({
      DATABASE_URL: url,
      OWNER_DATABASE_URL: ownerUrl,
      PORT: "0",
      CONNECT_TIMEOUT_MS: "2000",
    });
    token = await tokenFor({ name: "town", url: ownerUrl }, gateway.baseUrl, "ann");
    return gateway;
  }

  const ask = (path: string, body?: object): Promise<Response> =>
    fetch(`${gateway!.baseUrl}${path}`, {
      method: body ? "POST" : "GET",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
  const insert = async (id: number): Promise<string> => {
    const query = `mutation { insertShips(data: {id: ${id}}) { id } }`;
    const response = await ask("/api/graphql/schema/port", { query });
    const { errors } = (await response.json()) as { errors?: { extensions: { code: string } }[] };
    return errors?.[0]?.extensions.code ?? "ok";
  };
  /** What code of an author sees, or the error. */
  const seen = async (): Promise<{ readonly seen: unknown } | { readonly code: string; readonly message: string }> => {
    const { data, errors } = (await (
      await ask("/api/graphql/schema/port", { query: "{ getCrews { seen } }" })
    ).json()) as {
      data?: { getCrews: readonly { seen: string }[] };
      errors?: readonly { message: string; extensions: { code: string } }[];
    };
    if (!errors) return { seen: data!.getCrews[0]?.seen };
    return { code: errors[0]!.extensions.code, message: errors[0]!.message };
  };
  const map = (): Promise<Response> => ask("/api/v4/ogc/database/town/collections/port.ships/map?width=10&height=10");

  it("the standby first: everything is served from the primary", async () => {
    await start(severalServers(standbyUrl(), primaryUrl()));
    assert.equal(await insert(1), "ok");
    assert.equal((await ask("/api/v4/sql", { q: "update port.ships set name = 'a'" })).status, 200);
    assert.equal((await map()).status, 200);
    assert.equal((await fetch(`${gateway!.baseUrl}/readyz`)).status, 200);
  });

  it("a host that does not answer is skipped, and start and doctor name it", async () => {
    const url = severalServers(NOBODY, primaryUrl()).replace("nobody@", `${GATEWAY_LOGIN}:gateway@`);
    const started = await start(url);
    assert.equal(await insert(2), "ok");
    await until(() => /127\.0\.0\.1:1.*a server of the database does not answer/.test(started.stderr));
    const findings = await diagnose({ name: "town", url, ownerUrl: own.database.url }, undefined);
    assert.ok(findings.some(({ ok, text }) => !ok && /^127\.0\.0\.1:1 does not answer/.test(text)));
    assert.ok(findings.some(({ ok, text }) => ok && /answers, as a primary$/.test(text)));
  });

  it("a primary that accepts no writes for a while is 503 for writes, and serves reads", async () => {
    await start(primaryUrl());
    const set = (value: string) =>
      own.database.client
        .query(`alter system set default_transaction_read_only = ${value}`)
        .then(() => own.database.client.query("select pg_reload_conf()"));
    const write = () => ask("/api/v4/sql", { q: "update port.ships set name = 'c'" });
    assert.equal((await write()).status, 200);
    await set("on");
    try {
      await until(async () => (await insert(10)) === "UNAVAILABLE");
      await until(async () => (await write()).status === 503);
      const read = await ask("/api/graphql/schema/port", { query: "{ getShips { name } }" });
      assert.equal(((await read.json()) as { errors?: unknown }).errors, undefined);
    } finally {
      await set("off");
    }
    await until(async () => (await insert(11)) === "ok");
    await until(async () => (await write()).status === 200);
  });

  it("/metrics and doctor give the expiry of the server's certificate, also of a renewed one", async () => {
    const { client } = own.database;
    const data = join(own.cluster.directory, "cluster", "data");
    const renew = async (days: number): Promise<void> => {
      makeCertificate(data, { cert: "server.crt", key: "server.key", days });
      const { uid, gid } = statSync(data);
      for (const name of ["server.crt", "server.key"]) chownSync(join(data, name), uid, gid);
      await client.query("alter system set ssl = on");
      await client.query("select pg_reload_conf()");
    };
    const port = new URL(own.cluster.url("town").replace(/@[^:]*/, "@host")).port;
    const url = `postgres://${GATEWAY_LOGIN}:gateway@${ADDRESS}:${port}/town?sslmode=no-verify`;
    const daysLeft = async (): Promise<number | undefined> => {
      const text = await (await fetch(`${gateway!.baseUrl}/metrics`)).text();
      const figures = text
        .split("\n")
        .filter((line) => line.startsWith("portolan_certificate_expires_timestamp_seconds{"));
      const [line = ""] = figures.filter((one) => one.includes(`{use="server",certificate="${ADDRESS}:${port}"}`));
      assert.equal(figures.length, line === "" ? 0 : 1);
      return line === "" ? undefined : Math.ceil((Number(line.split(" ").at(-1)) - Date.now() / 1000) / 86_400);
    };
    const found = async (): Promise<string[]> =>
      (await diagnose({ name: "town", url, ownerUrl: own.database.url }, undefined))
        .filter(({ text }) => text.includes("certificate"))
        .map(({ ok, severity, text }) => `${ok} ${severity} ${text.replace(/: .*/, "")}`);

    await renew(3);
    // the server accepts it a moment after the command
    await until(async () => (await found().catch(() => [])).length > 0);
    assert.deepEqual(await found(), [`false warning the certificate of ${ADDRESS}:${port} expires soon`]);
    await start(url);
    assert.equal(await daysLeft(), 3);
    await renew(90);
    await until(async () => (await found())[0] === `true warning the certificate of ${ADDRESS}:${port} is valid until`);
    await client.query("select pg_terminate_backend(pid) from pg_stat_activity where usename = $1", [GATEWAY_LOGIN]);
    await until(async () => (await daysLeft()) === 90);
  });

  it("if no server fits, start gives the reason for each", async () => {
    const refused = await GatewayProcess.start(
      { DATABASE_URL: `${severalServers(primaryUrl(), primaryUrl())}?target_session_attrs=standby`, PORT: "0" },
      { wait: false },
    );
    await assert.rejects(refused.ready, /The database town does not answer: .*is no standby; .*is no standby/);
  });

  it("a server of another cluster is refused at start", async () => {
    const folder = mkdtempSync(join(tmpdir(), "portolan-other-"));
    chmodSync(folder, 0o755); // as root, PostgreSQL runs as another user
    const other = await startLocalCluster({ directory: join(folder, "cluster"), durable: false });
    try {
      // the password of the cluster's own user differs, so that it must connect as the gateway's login
      const { Client } = (await import("pg")).default;
      const client = new Client({ connectionString: other.url("postgres") });
      await client.connect();
      await client.query(`create role ${GATEWAY_LOGIN} login noinherit password 'gateway'`);
      await client.query("create database town");
      await client.end();
      const url = severalServers(primaryUrl(), other.url("town"));
      const refused = await GatewayProcess.start({ DATABASE_URL: url, PORT: "0" }, { wait: false });
      await assert.rejects(refused.ready, /The database town cannot be served\. .* is of another cluster/);
      const findings = await diagnose({ name: "town", url, ownerUrl: own.database.url }, undefined);
      assert.ok(findings.some(({ ok, text }) => !ok && /is of another cluster/.test(text)));
    } finally {
      await other.stop();
      rmSync(folder, { recursive: true });
    }
  });

  it("the primary dies: 503 with Retry-After; the standby is promoted: everything continues without a restart", async () => {
    const { baseUrl } = await start(severalServers(primaryUrl(), standbyUrl()));
    const socket = await new SocketClient(`${baseUrl.replace(/^http/, "ws")}/?token=${token}`).opened();
    socket.send({ type: "subscribe", id: "s", schema: "port", query: "subscription { ShipsMessageAdded { id } }" });
    await socket.take("subscribe_ack");
    assert.equal(await insert(3), "ok");
    await socket.take("subscription");
    assert.equal((await map()).status, 200);
    assert.deepEqual(await seen(), { seen: "ann@town f" });
    await own.database.client.query("insert into port.ships (id) values (30)");
    await standby.caughtUp();
    process.kill(own.cluster.pid, "SIGQUIT");
    await own.cluster.exited;
    const unavailable = await ask("/api/v4/sql", { q: "select 1" });
    assert.deepEqual([unavailable.status, unavailable.headers.get("retry-after")], [503, "1"]);
    assert.equal(await insert(4), "UNAVAILABLE");
    const refused = await seen(); // the standby answers, and is not asked
    assert.equal("code" in refused && refused.code, "UNAVAILABLE", JSON.stringify(refused));
    await standby.promote();
    await until(async () => (await insert(5)) === "ok");
    await until(async () => "seen" in (await seen()));
    assert.deepEqual(await seen(), { seen: "ann@town f" });
    assert.equal((await ask("/api/v4/sql", { q: "update port.ships set name = 'b' where id = 5" })).status, 200);
    await until(async () => (await map()).status === 200);
    assert.equal(await insert(6), "ok");
    const shown: unknown[] = [];
    while (!shown.includes("6")) {
      // the standby has all, so nothing is missing, and nothing comes twice
      const message = await socket.take((one) => one.type === "subscription" || one.type === "gap");
      assert.equal(message.type, "subscription");
      shown.push(
        ...JSON.stringify(message)
          .matchAll(/"id":"(\d+)"/g)
          .map(([, id]) => id),
      );
    }
    assert.deepEqual(shown, ["30", "5", "6"]);
    await until(async () => (await fetch(`${baseUrl}/readyz`)).status === 200);
    socket.close();
  });
});

/** Several clusters are served whole: `{"north/*": "postgres://…/*", "south/*": …}`. */
import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import supertest from "supertest";
import { startLocalCluster, type LocalCluster } from "../../server/demo/cluster/localCluster.ts";
import { createLog } from "../../server/ground/log.ts";
import { ConfigError, makeConfig } from "../../server/kernel/config.ts";
import { startGateway, type Gateway } from "../../server/main.ts";
import { migrate } from "../../server/operate/migrate.ts";
import { commandBeside } from "../support/commands.ts";
import { GATEWAY_LOGIN, SETTINGS, testCluster, testDatabase, type TestDatabase } from "../support/databases.ts";
import { tokenFor } from "../support/gateway.ts";
import { until } from "../support/until.ts";

describe("databases of several patterns", () => {
  const parent = mkdtempSync(join(tmpdir(), "portolan-south-"));
  let south: LocalCluster;
  let north: TestDatabase;
  let databases: Record<string, { url: string; ownerUrl: string }>;
  const warned: string[] = [];

  const startSouth = async (): Promise<void> => {
    south = await startLocalCluster({ directory: join(parent, "cluster"), durable: false, settings: SETTINGS });
  };
  const run = async (url: string, ...texts: string[]): Promise<void> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    for (const text of texts) await client.query(text);
    await client.end();
  };
  /** A town that says where it is. */
  const furnish = (url: string, place: string) =>
    run(
      url,
      "create schema town",
      "create table town.places (name text primary key)",
      `insert into town.places values ('${place}')`,
      "select portolan.create_user('ann', null), portolan.set_privilege('town.places', 'ann', 'read')",
    );
  const makeSouthern = async (name: string): Promise<void> => {
    await run(south.url("postgres"), `create database ${name}`);
    await migrate({ ownerUrl: south.url(name), gatewayLogin: GATEWAY_LOGIN });
    await furnish(south.url(name), "south");
  };
  const start = (): Promise<Gateway> => {
    const log = createLog(process.env["TEST_LOG_LEVEL"] ?? "silent");
    log.warn = (...said: unknown[]) => void warned.push(...said.map(String));
    return startGateway(makeConfig({ databases, port: 0, idleDatabaseMs: 1500 }), log);
  };
  const placeIn = async (gateway: Gateway, name: string, url: string): Promise<unknown> => {
    const { body } = await supertest(gateway.baseUrl)
      .post("/api/graphql/schema/town")
      .set("Authorization", `Bearer ${await tokenFor({ name, url }, gateway.baseUrl, "ann")}`)
      .send({ query: "{ getPlaces { name } }" });
    return body.data?.getPlaces[0].name ?? body;
  };
  const cli = async (...args: string[]): Promise<string> => {
    const { stdout, stderr } = await commandBeside(args, { env: { DATABASES: JSON.stringify(databases) } });
    return stdout + stderr;
  };

  before(async () => {
    chmodSync(parent, 0o755); // as root, PostgreSQL runs as another user
    await startSouth();
    await run(south.url("postgres"), `create role ${GATEWAY_LOGIN} login noinherit password 'gateway'`);
    north = await testDatabase({ kind: "portolan", keepsOwner: false });
    await furnish(north.url, "north");
    await makeSouthern("harbour");
    await makeSouthern(north.name);
    const all = (cluster: LocalCluster) => ({
      url: cluster.url("x", GATEWAY_LOGIN, "gateway").replace(/x$/, "*"),
      ownerUrl: cluster.url("x").replace(/x$/, "*"),
    });
    databases = { "north/*": all(await testCluster()), "south/*": all(south) };
  });

  after(async () => {
    await south.stop();
    await north.drop();
    rmSync(parent, { recursive: true, force: true });
  });

  it("are served by one gateway, each by its own name, asleep until somebody asks", async () => {
    const gateway = await start();
    try {
      assert.equal(await placeIn(gateway, north.name, north.url), "north");
      assert.equal(await placeIn(gateway, "harbour", south.url("harbour")), "south");
      await until(async () => {
        const client = new pg.Client({ connectionString: south.url("postgres") });
        await client.connect();
        const { rows } = await client.query("select from pg_stat_activity where datname = 'harbour'");
        await client.end();
        return rows.length === 0;
      });
    } finally {
      await gateway.close();
    }
  });

  it("have unique names: of two of one name, that of the first pattern is served, and doctor tells", async () => {
    warned.length = 0;
    const gateway = await start();
    try {
      assert.equal(await placeIn(gateway, north.name, north.url), "north");
      assert.match(
        warned.join("\n"),
        /the database is in two clusters: that of north\/\* is served, and that of south\/\* is not/,
      );
    } finally {
      await gateway.close();
    }
    const said = await cli("doctor");
    assert.match(
      said,
      new RegExp(
        `the database ${north.name} is in the clusters of north/\\* and south/\\*: that of south/\\* is not served`,
      ),
    );
    assert.match(said, new RegExp(`npx portolan database remove ${north.name} --cluster south --yes`));
  });

  it("go on being served while a cluster is down, whose databases come with it", async () => {
    await south.stop();
    const gateway = await start();
    try {
      assert.equal(await placeIn(gateway, north.name, north.url), "north");
      await startSouth();
      await until(async () => (await placeIn(gateway, "harbour", south.url("harbour"))) === "south");
    } finally {
      await gateway.close();
    }
  });

  it("are found by commands while a cluster is down, which name it", async () => {
    await south.stop();
    try {
      const away = /the cluster south does not answer, so its databases are left out: /;
      const listed = await cli("database", "list");
      assert.match(listed, away);
      assert.match(listed, new RegExp(`${north.name} +north`));
      assert.match(await cli("user", "list", "--database", north.name), /admin|name/);
      assert.match(await cli("doctor"), away);
    } finally {
      await startSouth();
    }
  });

  it("are made, listed and removed by commands, in the cluster that is named or has them", async () => {
    assert.match(await cli("database", "add", "quay"), /--cluster: choose one of north, south/);
    assert.match(await cli("database", "add", "quay", "--cluster", "east"), /--cluster: choose one of north, south/);
    assert.match(
      await cli("database", "add", "harbour", "--cluster", "north"),
      /there is a database harbour in the cluster south already/,
    );
    assert.match(await cli("database", "add", "quay", "--cluster", "south"), /quay was made/);
    const listed = JSON.parse(await cli("database", "list", "--json")) as { name: string; cluster: string }[];
    assert.deepEqual(
      listed.filter(({ cluster }) => cluster === "south").map(({ name }) => name),
      ["harbour", "quay", north.name].sort(),
    );
    assert.match(
      await cli("database", "freeze", north.name),
      new RegExp(`--cluster: ${north.name} is in several, choose one of north, south`),
    );
    assert.match(await cli("database", "freeze", "quay"), /quay is frozen/);
    assert.match(await cli("database", "remove", "quay", "--yes"), /quay was removed/);
    assert.match(await cli("database", "remove", "quay", "--yes"), /there is no database quay/);
  });

  it("need names of clusters, and connection strings that end with /*", () => {
    const refused = (given: object): string => {
      try {
        makeConfig({ databases: given });
      } catch (error) {
        assert(error instanceof ConfigError);
        return error.problems.join("\n");
      }
      assert.fail("it was not refused");
    };
    assert.match(
      refused({ "north/*": "postgres://db/town" }),
      /portolan.databases.north\/\*: all or none may end with \/\*/,
    );
    assert.match(refused({ north: "postgres://db/*" }), /portolan.databases.north: all or none may end with \/\*/);
    assert.match(refused({ "/*": "postgres://db/*" }), /is not a valid database name|invalid key/i);
  });
});

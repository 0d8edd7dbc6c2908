/** A schema owner leaves a transaction open that changes his table: what waits for it is told so, and nothing is half done. */
import assert from "node:assert/strict";
import pg from "pg";
import { command } from "../support/commands.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { until } from "../support/until.ts";

const TABLES = `
create role crew_author login password 'fair wind';
create schema crew authorization crew_author;
select portolan.create_user('ann', null), portolan.create_user('boss', null, superuser => true);
set role crew_author;
create table crew.nets (id int primary key);
create table crew.traps (id int primary key);
reset role`;

const RULE = { username: "ann", schema: "crew", table: "nets", access: "deny" };

describe("an open transaction of a schema owner", function () {
  this.timeout(60_000);
  let gateway: TestGateway;
  let author: pg.Client;
  let process = 0;

  before(async () => {
    gateway = await testGateway({
      kind: "portolan",
      config: { schemas: ["crew"], poolSize: 5 },
      prepare: ({ client }) => client.query(TABLES),
    });
    author = await connect("crew_author", "fair wind", "psql");
    const { rows } = await author.query<{ pid: number }>("select pg_backend_pid() as pid");
    process = rows[0]!.pid;
  });
  beforeEach(() => author.query("begin; alter table crew.traps add column x int"));
  afterEach(() => author.query("rollback"));
  after(async () => {
    await author?.end();
    await gateway?.close();
  });

  async function connect(user?: string, password?: string, program = "test"): Promise<pg.Client> {
    const url = new URL(gateway.database.url);
    if (user !== undefined && password !== undefined) [url.username, url.password] = [user, password];
    const client = new pg.Client({ connectionString: url.href, application_name: program });
    await client.connect();
    return client;
  }

  /** A time is in UTC, and the operator of the tests may see it. */
  const holder = (): string =>
    `The lock is held by crew_author \\(psql, process ${process}\\)( since \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d UTC)?, which has locked crew.traps`;

  async function ask(method: "post" | "patch" | "delete", path: string, body: object, account = "boss") {
    const begun = performance.now();
    const {
      status,
      headers,
      body: said,
    } = await gateway.http[method](`/api/v4${path}`)
      .set("Authorization", `Bearer ${await gateway.token(account)}`)
      .send(body);
    return { status, after: headers["retry-after"], said, tookMs: performance.now() - begun };
  }

  const rules = async (): Promise<number> =>
    (await gateway.database.client.query("select from portolan.rules")).rowCount ?? 0;

  it("is named to a super user whose rule waits for it, within seconds", async () => {
    const { status, after: seconds, said, tookMs } = await ask("post", "/rules", RULE);
    assert.deepEqual([status, said.code, Number(seconds) > 0], [503, "UNAVAILABLE", true], JSON.stringify(said));
    assert.match(said.detail, new RegExp(`^another transaction changes tables or rules: try again\\. ${holder()}$`));
    assert.ok(tookMs < 10_000, `${tookMs} ms`);
    assert.equal(await rules(), 0);
  });

  it("is named to the operator: in SQL as the detail, on the command line in the message", async () => {
    await assert.rejects(
      gateway.database.client.query("select portolan.create_rule($1)", [RULE]),
      ({ code, message, detail }: pg.DatabaseError) => {
        assert.deepEqual([code, message], ["55P03", "another transaction changes tables or rules: try again"]);
        assert.match(detail ?? "", new RegExp(`^${holder()}\\.$`));
        return true;
      },
    );
    const { status, stderr } = command(["rule", "add", "deny", "--user", "ann", "--schema", "crew"], {
      env: { DATABASE_URL: gateway.database.gatewayUrl, OWNER_DATABASE_URL: gateway.database.url },
    });
    assert.equal(status, 1);
    assert.match(
      stderr,
      new RegExp(`^portolan: another transaction changes tables or rules: try again\\. ${holder()}`),
    );
    assert.equal(await rules(), 0);
  });

  it("does not keep the DDL of others waiting behind such a rule, which is still followed", async () => {
    const others = await connect();
    try {
      const asked = ask("post", "/rules", RULE);
      await until(async () => {
        const { rowCount } = await others.query(
          "select from pg_locks where relation = 'portolan.rules'::regclass and not granted",
        );
        return rowCount !== 0;
      });
      const warnings: (string | undefined)[] = [];
      others.on("notice", ({ message }) => warnings.push(message));
      await others.query("create table crew.boats (id int primary key)");
      assert.deepEqual(warnings, []);
      assert.equal((await asked).status, 503);
    } finally {
      await others.end();
    }
  });

  it("that has locked the table of a rule is named too", async () => {
    await author.query("rollback; begin; lock table crew.nets in access share mode");
    const { status, said } = await ask("post", "/rules", RULE);
    assert.equal(status, 503, JSON.stringify(said));
    assert.match(
      said.detail,
      /^crew\.nets is in use: try again\. The lock is held by crew_author \(psql, process \d+\)/,
    );
    assert.equal(await rules(), 0);
  });

  for (const [what, change] of Object.entries({
    "a privilege": "select portolan.set_privilege('crew.traps', 'ann', 'read')",
    "privileges on columns": `select portolan.set_column_privileges('crew.traps', 'ann', '{"id": ["select"]}')`,
    events: "select portolan.enable_events('crew.traps', wait => true)",
    history: "select portolan.enable_versioning('crew.traps', wait => true)",
  }))
    it(`keeps ${what} of its table waiting for seconds only, and the changes behind that, too`, async () => {
      await author.query("rollback; begin; alter table crew.traps add column x int, alter column id set default 1");
      const asked = ask("post", "/sql", { q: change });
      await until(async () => {
        const { rowCount } = await gateway.database.client.query(
          "select from pg_locks where relation = 'portolan.migrations'::regclass and mode = 'ShareRowExclusiveLock'",
        );
        return rowCount !== 0;
      });
      const next = ask("patch", "/users/ann", { email: `${change.length}@example.org` });
      const { status, said } = await asked;
      assert.equal(status, 503, JSON.stringify(said));
      assert.match(said.detail, new RegExp(`^crew\\.traps is in use: try again\\. ${holder()}`));
      assert.ok((await next).tookMs < 15_000);
    });

  it("of a super user that changes rights is named to another who changes an account", async () => {
    await gateway.database.client.query("begin; select portolan.set_privilege('crew.nets', 'ann', 'read')");
    try {
      const { status, said } = await ask("post", "/users", { name: "cyd", password: "a fair wind blows" });
      assert.equal(status, 503, JSON.stringify(said));
      assert.match(said.detail, /^another transaction changes accounts or rights: try again\. The lock is held by \w+/);
    } finally {
      await gateway.database.client.query("rollback");
    }
    const { rows } = await gateway.database.client.query("select from portolan.users where name = 'cyd'");
    assert.equal(rows.length, 0);
  });
});

/** A migration that ends at any of its steps leaves the database unchanged, and can be run again from the beginning. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { appendFileSync, cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { migrate } from "../../server/operate/migrate.ts";
import { GATEWAY_LOGIN, testDatabase, type TestDatabase } from "../support/databases.ts";
import { sized } from "../support/size.ts";
import { until } from "../support/until.ts";

const SQL = join(import.meta.dirname, "../../sql");

describe("a migration that ends in the middle", function () {
  this.timeout(sized(120_000, 3_600_000));
  let database: TestDatabase;
  let directory: string;

  beforeEach(async () => {
    database = await testDatabase();
    directory = copyOfSql();
  });
  afterEach(async () => {
    await database.drop();
    rmSync(directory, { recursive: true });
  });

  function copyOfSql(): string {
    const folder = mkdtempSync(join(tmpdir(), "portolan-sql-"));
    cpSync(SQL, folder, { recursive: true });
    return folder;
  }
  /** The changes of a newer Portolan: state, changed code, and a dropped part. */
  function makeNewer(folder: string): void {
    writeFileSync(join(folder, "migrations/900000.sql"), "create table portolan.more (id int primary key);");
    appendFileSync(join(folder, "accounts/role_name.sql"), "\n-- newer\n");
    appendFileSync(join(folder, "catalogue/note_own_parts.sql"), "\n-- newer\n");
  }
  const run = (folder = directory, ownerUrl = database.url) =>
    migrate({ ownerUrl, gatewayLogin: GATEWAY_LOGIN, directory: folder });
  const query = async (text: string) => (await database.client.query<Record<string, unknown>>(text)).rows;

  /** Everything that a migration writes: objects, applied migrations, notes, roles, secrets. */
  async function state(): Promise<unknown> {
    const [there] = await query("select to_regclass('portolan.noted_own_parts') is not null as yes");
    const roles = await query(
      `select rolname, rolcanlogin from pg_roles where rolname like '%@' || current_database() order by 1`,
    );
    if (!there?.["yes"]) return { roles };
    return {
      roles,
      applied: await query(
        "select id, hash from portolan.migrations union all select path, hash from portolan.code order by 1",
      ),
      parts: await query("select part, state from portolan.own_parts() order by 1"),
      noted: await query("select part, state from portolan.noted_own_parts order by 1"),
      secrets: await query(
        "select kid from portolan.signing_keys union all select value::text from portolan.settings order by 1",
      ),
      logins: await query("select role, kind from portolan.logins order by 1"),
    };
  }
  /** Runs it, undisturbed. */
  async function endsWell(): Promise<void> {
    await run();
    assert.deepEqual(await run(), { migrations: [], code: [] });
    assert.deepEqual(await query("select part, what from portolan.changed_own_parts()"), []);
    assert.deepEqual(
      await query(
        "select finding from portolan.rights_to_mend() union all select finding from portolan.state_findings()",
      ),
      [],
    );
    assert.deepEqual(await query("select count(*)::int as keys from portolan.signing_keys"), [{ keys: 2 }]);
  }

  const all = [
    "note_own_parts(migrated boolean, coded boolean)",
    "its secrets",
    "repair_roles(regrant boolean default false)",
    "register_login(login text)",
    "harden()",
  ];
  for (const step of all.slice(0, sized(1, all.length))) {
    // an upgrade has the login already
    const rounds = step.startsWith("register_login") ? ["the first time"] : ["the first time", "at an upgrade"];
    it(`since ${step.replace(/\(.*/, "")} fails, ${rounds.join(" and ")}`, async () => {
      const failing = copyOfSql();
      const [, name = ""] = /^(\w+)\(/.exec(step) ?? [];
      const thrown = "language plpgsql as $$ begin raise exception 'thrown on purpose'; end $$;";
      const text =
        name === ""
          ? `delete from portolan.signing_keys;
create or replace function portolan.tg__fail() returns trigger ${thrown}
create trigger _000_fail before insert on portolan.signing_keys for each row execute function portolan.tg__fail();`
          : `create or replace function portolan.${step} returns void ${thrown}`;
      writeFileSync(join(failing, "workflow/zz_failing.trigger.sql"), text);
      try {
        for (const round of rounds) {
          if (round === "at an upgrade") for (const folder of [directory, failing]) makeNewer(folder);
          const before = await state();
          await assert.rejects(run(failing), /thrown on purpose/, round);
          assert.deepEqual(await state(), before, round);
          await endsWell();
        }
      } finally {
        rmSync(failing, { recursive: true });
      }
    });
  }

  /**
   * Ends the connection at the client's nth message, instead of passing it on (`isSent`: right after). Gives the number
   * of messages.
   */
  async function cutAt(n: number, isSent: boolean): Promise<number> {
    let sent = 0;
    const { host, port, user, password } = new pg.Client(database.url);
    const way = createServer((near) => {
      const far = connect(host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
      const end = () => [near, far].forEach((socket) => socket.destroy());
      for (const socket of [near, far]) socket.on("error", end).on("close", end);
      far.on("data", (bytes) => near.write(bytes));
      near.on("data", (bytes) => {
        if (++sent !== n) far.write(bytes);
        else if (isSent) far.write(bytes, end);
        else end();
      });
    }).listen(0, "127.0.0.1");
    await once(way, "listening");
    const url = `postgres://${user}:${password}@127.0.0.1:${(way.address() as AddressInfo).port}/${database.name}`;
    try {
      await run(directory, url);
    } catch (error) {
      assert.ok(sent >= n, String(error));
    } finally {
      way.close();
    }
    // for PostgreSQL a process that is killed in the middle is the same
    await until(async () => {
      const left = `select from pg_stat_activity where datname = current_database() and application_name = 'portolan migrate'`;
      return (await query(left)).length === 0;
    });
    return sent;
  }

  async function isApplied(id: string): Promise<boolean> {
    const [{ there } = {}] = await query("select to_regclass('portolan.migrations') is not null as there");
    return there === true && (await query(`select from portolan.migrations where id = '${id}'`)).length > 0;
  }

  it("because its connection is cut or its process killed, at any of its steps", async () => {
    const empty = await state();
    for (const n of sized(
      [3, 30, 500],
      Array.from({ length: 2000 }, (_, at) => at + 1),
    )) {
      await cutAt(n, n % 2 === 0);
      if (await isApplied("000001")) {
        assert.ok(n > 500);
        break; // COMMIT was sent, or everything passed
      }
      assert.deepEqual(await state(), empty, `cut at ${n}`);
    }
    await endsWell();
    makeNewer(directory);
    const before = await state();
    for (let n = 1; ; n += sized(4, 1)) {
      const sent = await cutAt(n, n % 8 === 1);
      if (await isApplied("900000")) {
        assert.ok(n > 15 && sent >= n - 4, `${n} of ${sent}`);
        break;
      }
      assert.deepEqual(await state(), before, `cut at ${n} of an upgrade`);
    }
    await endsWell();
  });
});

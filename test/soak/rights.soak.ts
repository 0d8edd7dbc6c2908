/**
 * Rights change at random under load over all doors: each answer must be right for the rights at some moment while it
 * was made. `SOAK_MINUTES` (30) is the duration, `SOAK_SEED` repeats the changes. Prints its figures.
 */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { LOGIN_VERSION } from "../../server/kernel/database/loginPasswords.ts";
import { Random } from "../support/random.ts";
import { testDatabase, type TestDatabase } from "../support/databases.ts";
import { otlpReceiver, type OtlpReceiver } from "../support/otlpReceiver.ts";
import { GatewayProcess, megabytesOf } from "../support/process.ts";
import { until } from "../support/until.ts";
import { Accounts, Tokens } from "./rights/accounts.ts";
import { Changes, buildRights } from "./rights/changes.ts";
import { Listeners } from "./rights/listeners.ts";
import { Load } from "./rights/load.ts";
import { Rights, STEADY, type Account, type Table, type Token } from "./rights/model.ts";

const MINUTES = Number(process.env["SOAK_MINUTES"] ?? 30);
const SEED = Number(process.env["SOAK_SEED"] ?? Date.now() % 1_000_000);
const CLIENTS = 6;
/** Time between two changes; between two ends of tokens. */
const CHANGE_MS = 250;
const TOKEN_MS = 6000;
/** Time between two changes of accounts. */
const ACCOUNT_MS = 1500;
const POOL_SIZE = 4;
/** A connection of an own login is closed after ten idle seconds. */
const IDLE_MS = 60_000;
const MOST_FAULTS = 20;

describe(`${MINUTES} minutes of rights that change under load (seed ${SEED})`, function () {
  this.timeout(MINUTES * 60_000 + 300_000);
  const logs = mkdtempSync(join(tmpdir(), "portolan-soak-rights-"));
  const logFile = join(logs, "log");
  const rights = new Rights();
  const secretsSeen = new Set<string>();
  const samples: number[] = [];
  let database: TestDatabase;
  let receiver: OtlpReceiver;
  let gateway: GatewayProcess;
  let secrets: readonly string[];
  let load: Load;
  let listeners: Listeners;
  let changer: pg.Client;
  let changes: Changes;
  let tokens: Tokens;
  let accounts: Accounts;

  before(async () => {
    database = await testDatabase({ kind: "portolan" });
    await buildRights(database);
    receiver = await otlpReceiver();
    const env = {
      ...{
        DATABASE_URL: database.gatewayUrl,
        OWNER_DATABASE_URL: database.url,
        PORT: "0",
        POOL_SIZE: String(POOL_SIZE),
      },
      ...{ PORTOLAN_SCHEMAS: "ours,theirs", OWN_CONNECTIONS: "12", LOG_LEVEL: "debug" },
      ...{ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint, OTEL_TRACES_SAMPLER: "always_on" },
    };
    gateway = await GatewayProcess.start(env, { logsTo: logFile });
    secrets = await secretsOf(database);
    const { baseUrl } = gateway;
    changer = new pg.Client({ connectionString: database.url });
    await changer.connect();
    changes = new Changes(changer, database.name, rights, new Random(SEED));
    await changes.grantAll();
    tokens = new Tokens(database, baseUrl);
    for (const account of STEADY) await tokens.signIn(account);
    const run = (text: string): Promise<void> => changes.run(text);
    accounts = new Accounts({ database, rights, tokens, random: new Random(SEED + 2), run });
    const random = new Random(SEED + 1);
    load = new Load({ baseUrl, database: database.name, rights, random, tokens, look, explain, logOf });
    listeners = new Listeners({ baseUrl, rights, tokenOf: (account) => tokens.of(account), explain, look });
  });

  after(async () => {
    await listeners?.close();
    await gateway?.stop();
    await receiver?.[Symbol.asyncDispose]();
    await changer?.end();
    await database?.drop();
    if (process.env["SOAK_KEEP_LOG"] === undefined) rmSync(logs, { recursive: true, force: true });
  });

  const logOf = (requestId: string): string => {
    const lines = readFileSync(logFile, "utf8").split("\n");
    return lines.filter((line) => line.includes(requestId)).join("\n");
  };

  /** Its grants, its owner, and its recent changes. */
  async function explain(account: Account, table: Table): Promise<string> {
    const { rows } = await database.client.query<{ told: string }>(
      "select concat_ws(' ', c.relacl, c.relowner::regrole, has_column_privilege(r.oid, c.oid, 'secret', 'select'), has_column_privilege(r.oid, c.oid, 'geom', 'select')) as told from pg_class c left join pg_roles r on r.rolname = $1 where c.oid = $2::regclass",
      [`${account}@${database.name}`, table],
    );
    return [
      rows[0]?.told,
      ...changes.last.filter((text) => [table.split(".")[1]!, account].some((name) => text.includes(name))),
    ].join("\n");
  }

  /** Remembers which secrets were in a text. A caller may read those of its own token. */
  function look(text: string, what: string): void {
    for (const secret of secrets) if (text.includes(secret)) secretsSeen.add(`${what}: a key`);
    for (const password of accounts.passwords) if (text.includes(password)) secretsSeen.add(`${what}: a password`);
    for (const token of tokens.list)
      if (text.includes(signatureOf(token))) secretsSeen.add(`${what}: a token of ${token.account}`);
  }

  it("shows each account what it may see at the time, and nobody else's rows", async () => {
    const endsAt = performance.now() + MINUTES * 60_000;
    const goesOn = (): boolean =>
      performance.now() < endsAt &&
      load.faults.length + listeners.faults.length < MOST_FAULTS &&
      secretsSeen.size === 0;
    const repeat = async (step: () => Promise<unknown>, everyMs: number): Promise<void> => {
      while (goesOn()) {
        await step();
        await setTimeout(everyMs); // the rate of changes is the subject
      }
    };
    listeners.start();
    await Promise.all([
      repeat(() => changes.next(), CHANGE_MS),
      repeat(() => tokens.alone(() => tokens.endOldest()), TOKEN_MS),
      repeat(() => tokens.alone(() => accounts.next()), ACCOUNT_MS),
      repeat(async () => samples.push(megabytesOf(gateway.pid)), 10_000),
      ...Array.from({ length: CLIENTS }, async () => {
        while (goesOn()) await load.next();
      }),
    ]);
    const { counts, busy, judged, left } = load;
    const told = {
      judged,
      left,
      counts,
      busy,
      events: listeners.rows,
      refusedEvents: listeners.refused,
      changes: changes.counts,
      accounts: accounts.counts,
    };
    process.stdout.write(`      ${JSON.stringify(told)}\n      MB: ${samples.map(Math.round).join(" ")}\n`);
    assert.deepEqual([...load.faults, ...listeners.faults], []);
    assert.ok(listeners.rows > 0 && judged > 100 * MINUTES);
    const waited = Object.values(busy).reduce((sum, count) => sum + count, 0);
    assert.ok(waited < judged / 50, `${waited} of ${judged} had no connection`);
  });

  it("runs triggers as the account that wrote, on its own login", async () => {
    const { rows } = await database.client.query(
      "select by, who, session, count(*)::int as n from traps.notes where who <> $1 and not (who = by || '@' || $2 and session = who) group by 1, 2, 3",
      ["", database.name],
    );
    assert.deepEqual(rows, []);
    const { rows: all } = await database.client.query("select count(*)::int as n from traps.notes");
    assert.ok(all[0].n > 10);
  });

  /** MapServer keeps an idle connection for each account. */
  it("gives all connections back", async () => {
    await listeners.close();
    let metrics = "";
    await until(
      async () => {
        metrics = await (await fetch(`${gateway.baseUrl}/metrics`)).text();
        return !/portolan_pool_connections\{[^}]*state="(busy|waiting)"[^}]*\} [1-9]/.test(metrics);
      },
      IDLE_MS,
      () => metrics,
    );
    let left: readonly object[] = [];
    await until(
      async () => {
        const { rows } = await database.client.query(
          "select usename, state, count(*)::int as n, left(max(query), 80) as query from pg_stat_activity where datname = $1 and backend_type = 'client backend' and (usename is null or usename like '%@%') and (usename is null or usename not like '.pool@%' or state <> 'idle') and (state <> 'idle' or query !~ 'ST_AsBinary') group by 1, 2",
          [database.name],
        );
        left = rows;
        return left.length === 0;
      },
      IDLE_MS,
      () => JSON.stringify(left),
    );
  });

  it("needs no more memory as it goes on", () => {
    const half = samples.slice(Math.floor(samples.length / 2));
    assert.ok(
      (half.at(-1) ?? 0) < (half[0] ?? 0) * 1.25 + 50,
      `memory keeps growing: ${samples.map(Math.round).join(" ")}`,
    );
  });

  it("tells no key and nobody's token in an answer, an event, a line of its log or a span", () => {
    look(readFileSync(logFile, "utf8"), "log");
    look(receiver.body, "span");
    assert.ok(receiver.requests > 0);
    assert.deepEqual([...secretsSeen], []);
  });
});

const signatureOf = ({ text }: Token): string => text.split(".")[2]!;

/** Private keys, the secret of logins, and the passwords that are derived from it. */
async function secretsOf({ client }: TestDatabase): Promise<readonly string[]> {
  const { rows } = await client.query<{ secret: string; is_own: boolean }>(`
select private_jwk ->> 'd' as secret, false as is_own from portolan.signing_keys
union all select value #>> '{}', true from portolan.settings where name = 'own_sql_secret'`);
  const own = rows.find(({ is_own }) => is_own)!.secret;
  const { rows: roles } = await client.query<{ role: string }>(
    "select rolname as role from pg_roles where rolcanlogin and rolname like '%@%'",
  );
  const passwords = roles.map(({ role }) =>
    createHmac("sha256", own).update(`portolan-own-sql\0${LOGIN_VERSION}\0${role}`).digest("base64url"),
  );
  assert.ok(own.length > 20 && rows.length >= 2);
  return [...rows.map(({ secret }) => secret), ...passwords];
}

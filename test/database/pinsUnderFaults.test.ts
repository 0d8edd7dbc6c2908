/**
 * Sessions that change hands while clients leave, statements fail and are cancelled, connections end, and what is known is
 * forgotten: each answer has the settings that a transaction would have. The seed stands in the name; `SEED` sets it.
 */
import assert from "node:assert/strict";
import type { Database, Identity, RequestContext } from "../../server/kernel/database/database.ts";
import { findAccount } from "../../server/kernel/identity/tokens.ts";
import { openAsGateway, testDatabase, type TestDatabase } from "../support/databases.ts";
import { Random } from "../support/random.ts";
import { sized } from "../support/size.ts";
import { until } from "../support/until.ts";

const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 1_000_000));

/** Properties of accounts, each with other names of claims. */
const PROPERTIES: readonly object[] = [
  {},
  { town: "" },
  { town: "x\0y", n: 5 },
  { user: "root", ip: "1.1.1.1", role: "postgres", pin: "p" },
  { Town: "T", tOwN: "U" },
  { SUB: "zz", superuser: true },
  { a: "{1,2}", b: "\\'\"", c: { d: [1] } },
  { town: "\ud800", n: null },
  Object.fromEntries(Array.from({ length: 130 }, (_, n) => [`q${n}`, n])),
];
const CONTEXTS: readonly Partial<RequestContext>[] = [
  {},
  { service: "graphql" },
  { address: "::1" },
  { timeoutMs: 2000 },
  { timeoutMs: 400 },
  { isoIntervals: true },
  { isPatient: true },
];
const CLAIMS = "town n user ip role pin sub superuser a b c jti uid q0 q64 q129".split(" ");
const SETTINGS = [
  ..."statement_timeout lock_timeout intervalstyle datestyle search_path transaction_read_only".split(" "),
  ..."portolan.user portolan.service portolan.ip portolan.mfa request.jwt.claims".split(" "),
  ...CLAIMS.map((name) => `jwt.claims.${name}`),
];
/** The role and the settings of the session, after a sleep of that many seconds; 0 for the last parameter fails. */
const TEXT = `
select current_user::text as role, s.settings::text as settings, pg_sleep($2::float8)::text as slept, 1 / $3::int as one
from (
  select json_object_agg(n, coalesce(current_setting(n, true), '') order by n) as settings
  from unnest(string_to_array($1, ',')) n) s`;
/** In one process, a name always means the same text. */
const STATEMENT = "settings of a caller under faults";
const LOGIN = "usename ~ '^.?pool@' and datname = current_database()";

interface Caller {
  readonly identity: Identity;
  readonly context: RequestContext;
  /** The answer in a transaction. */
  readonly expected: string;
}

interface Asked {
  readonly sleepS?: number;
  readonly divisor?: number;
  readonly signal?: AbortSignal;
  /** Whether what takes the rows throws. */
  readonly throws?: boolean;
}

describe(`sessions that change hands under faults (seed ${seed})`, () => {
  const random = new Random(seed);
  let test: TestDatabase;
  let database: Database;
  const callers: Caller[] = [];

  async function ask(
    { identity, context }: Omit<Caller, "expected">,
    name: string | undefined,
    asked: Asked = {},
  ): Promise<string> {
    const { sleepS = 0, divisor = 1, signal, throws = false } = asked;
    const values = [SETTINGS.join(","), sleepS, divisor];
    let told = "";
    await database.withIdentity(identity, { ...context, signal }, (transaction) =>
      transaction.read({ text: TEXT, name, values, last: true, onAgain: () => (told = "") }, (row) => {
        if (throws) throw new Error("no row is wanted");
        told = `${row.text(0)} ${row.text(1)}`;
      }),
    );
    return told;
  }

  /** A client that leaves at a random moment. */
  async function askAndLeave(caller: Caller): Promise<void> {
    const leaving = new AbortController();
    const timer = setTimeout(() => leaving.abort(), random.below(30));
    await ask(caller, STATEMENT, { sleepS: 0.02, signal: leaving.signal }).finally(() => clearTimeout(timer));
  }

  const all = (does: string): Promise<unknown> =>
    test.client.query(`select ${does}(pid) from pg_stat_activity where ${LOGIN}`);
  const FAULTS: readonly ((caller: Caller) => Promise<unknown>)[] = [
    askAndLeave,
    (caller) => ask(caller, STATEMENT, { divisor: 0 }),
    (caller) => ask(caller, STATEMENT, { throws: true }),
    ({ identity, context }) =>
      database.withIdentity(identity, { ...context, readOnly: false }, (transaction) =>
        transaction.query({ text: "select 1" }),
      ),
  ];
  const RARE_FAULTS: readonly ((caller: Caller) => Promise<unknown>)[] = [
    (caller) => ask({ ...caller, context: { ...caller.context, timeoutMs: 100 } }, STATEMENT, { sleepS: 3 }),
    () => all("pg_cancel_backend"),
    () => all("pg_terminate_backend"),
    async () => database.memory.forget(),
  ];

  before(async () => {
    test = await testDatabase({ kind: "portolan" });
    for (const name of ["a-lice", "_bob", "select"])
      await test.client.query("select portolan.create_user($1, null)", [name]);
    database = openAsGateway(test, { pinAfterMs: 0, poolSize: 3, lockTimeoutMs: 3000 });
    database.isCluster = random.of([false, true]); // on a cluster, a statement of its own compares the session
    for (const name of ["a-lice", "_bob", "select", "anonymous"]) {
      const { role, roleMade } = (await findAccount(database, name))!;
      for (const properties of PROPERTIES)
        for (const jti of ["one", undefined]) {
          const claims = { sub: name, uid: name, ...(jti && { jti }), properties };
          const identity: Identity = { database: database.name, name, role, roleMade, mfa: jti === undefined, claims };
          const common: RequestContext = { service: "ogc", address: "192.0.2.7", readOnly: true, reach: [] };
          const context = { ...common, ...random.of(CONTEXTS) };
          callers.push({ identity, context, expected: await ask({ identity, context }, undefined) });
        }
    }
  });

  after(async () => {
    await database.close();
    await test.drop();
  });

  it("answer each caller with its own settings, and give every connection back", async function () {
    this.timeout(sized(60_000, 900_000));
    let left = sized(3000, 60_000);
    let failures = 0;
    const worker = async (): Promise<void> => {
      while (left-- > 0) {
        const caller = random.of(callers);
        const chance = random.below(200);
        const fault = chance === 0 ? random.of(RARE_FAULTS) : chance < 50 ? random.of(FAULTS) : undefined;
        if (fault) await fault(caller).catch(() => failures++);
        else {
          const told = await ask(caller, STATEMENT).catch(() => undefined); // another worker has ended it
          if (told === undefined) failures++;
          else assert.equal(told, caller.expected);
        }
      }
    };
    await Promise.all(Array.from({ length: 6 }, worker));
    assert.ok(failures > 0);
    assert.ok(database.pins.answered > sized(300, 6000), String(database.pins.answered));
    for (const caller of callers) assert.equal(await ask(caller, STATEMENT), caller.expected);
    await until(() => database.pool.idleCount === database.pool.totalCount); // the end of a read is not waited for
    assert.ok(database.pool.totalCount <= 3);
  });
});

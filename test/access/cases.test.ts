import assert from "node:assert/strict";
import pg from "pg";
import { testHub } from "../support/events.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import {
  asker,
  collectionPath,
  featuresAdapter,
  graphqlAdapter,
  mapAdapter,
  methodAdapter,
  sqlAdapter,
  sqlDoorAdapter,
  subscribed,
  type Adapter,
  type Ask,
} from "./adapters.ts";
import { ACCOUNTS, CASES, Expectation, buildCases, putBack, type Account, type Case, type Outcome } from "./cases.ts";
import { sized } from "../support/size.ts";
import { sessionsOf, type Sessions } from "./support.ts";

const ROW_COUNT = 12;
/** Rows in the rectangle that reads by place ask for. */
const [FIRST, LAST] = [2, 7];
const TABLES_AT_A_TIME = 4;

/** Some of the rows, others for each case and account, so that all combinations come about. */
function targets(testCase: Case, { name }: Account, count: number): number[] {
  const start = CASES.indexOf(testCase) * 5 + ACCOUNTS.findIndex((account) => account.name === name) * 2;
  return Array.from({ length: count }, (_, index) => (start + index * 5) % ROW_COUNT);
}

/** Some tables at a time; each account on its own. */
async function eachCase(cases: readonly Case[], run: (testCase: Case) => Promise<void>): Promise<void> {
  const waiting = [...cases];
  const worker = async (): Promise<void> => {
    for (let testCase = waiting.shift(); testCase; testCase = waiting.shift()) await run(testCase);
  };
  await Promise.all(Array.from({ length: TABLES_AT_A_TIME }, worker));
}

/** `refused` where a rule denies the read and the interface says so; undefined: the rows that there are to see. */
function deniedIs(expected: Expectation, denied: Adapter["deniedRead"]): "refused" | undefined {
  return expected.isDenied("select") && denied === "refused" ? "refused" : undefined;
}

describe("rules × history × workflow × a team's own policies", () => {
  let gateway: TestGateway;
  let sessions: Sessions;
  let pool: pg.Pool;
  let instant: string;
  let ask: Ask;
  const adapters: Adapter[] = [];

  before(async function () {
    this.timeout(600_000);
    gateway = await testGateway({
      kind: "portolan",
      prepare: (database) => buildCases(database),
    });
    pool = new pg.Pool({ connectionString: gateway.database.url, max: TABLES_AT_A_TIME });
    sessions = await sessionsOf(gateway.database);
    instant = (await pool.query("select to_json(clock_timestamp()) #>> '{}' as at")).rows[0].at;
    ask = asker(gateway);
    adapters.push(
      graphqlAdapter(ask),
      sqlAdapter(sessions),
      sqlDoorAdapter(ask),
      await methodAdapter(gateway, ask, CASES),
      featuresAdapter(gateway, ask),
      mapAdapter(gateway, ask, ROW_COUNT),
    );
  });

  after(async () => {
    await Promise.all([sessions.close(), pool.end()]);
    await gateway.close();
  });

  const expectation = (testCase: Case, account: (typeof ACCOUNTS)[number]) => new Expectation(pool, testCase, account);

  it("every read gives what one plain statement says, through every interface", async function () {
    this.timeout(600_000);
    let cells = 0;
    await eachCase(CASES, async (testCase) => {
      for (const account of ACCOUNTS) {
        const expected = expectation(testCase, account);
        const visible = await expected.visible();
        for (const adapter of adapters) {
          const what = `${adapter.name}: ${account.name} reads ${testCase.table}`;
          const outcome = deniedIs(expected, adapter.deniedRead) ?? visible;
          const only = (wanted: (id: number) => boolean): Outcome =>
            outcome === "refused" ? outcome : outcome.filter(wanted);
          assert.deepEqual(await adapter.readMany(testCase, account), outcome, what);
          cells++;
          if (adapter.count) {
            const count = outcome === "refused" ? outcome : outcome.length;
            assert.equal(await adapter.count(testCase, account), count, `${what}, counted`);
            cells++;
          }
          if (adapter.readWithin) {
            const within = only((id) => id >= FIRST && id <= LAST);
            assert.deepEqual(await adapter.readWithin(testCase, account, FIRST, LAST), within, `${what}, by place`);
            cells++;
          }
          if (adapter.readOne)
            for (const id of targets(testCase, account, 2)) {
              const one = only((each) => each === id);
              assert.deepEqual(await adapter.readOne(testCase, account, id), one, `${what}, row ${id}`);
              cells++;
            }
        }
      }
    });
    assert.ok(cells >= sized(2000, 8000), String(cells));
  });

  it("whoever has not signed in gets 401 of features and maps", async () => {
    const rests = ["items", "items?limit=1", "items/1", "items/99", "map?bbox=0,0,12,1&width=120&height=10"];
    await eachCase(CASES, async (testCase) => {
      for (const rest of rests) {
        const { status } = await ask(undefined, collectionPath(gateway, testCase, rest));
        assert.equal(status, 401, `${testCase.table}/${rest}`);
      }
    });
  });

  it("every read as of an instant gives what one plain statement on a copy of then says", async function () {
    this.timeout(600_000);
    let cells = 0;
    await eachCase(
      CASES.filter(({ versioned }) => versioned),
      async (testCase) => {
        const { table, workflow } = testCase;
        await pool.query(`update town.${table} set kind = (kind + 1) % 3, owner = (array['liz', 'ann', 'joe'])[1 + id % 3]
            ${workflow ? ", portolan_status = -portolan_status" : ""}; delete from town.${table} where id in (1, 8)`);
        for (const account of ACCOUNTS) {
          const expected = expectation(testCase, account);
          for (const [at, visible] of [
            [instant, await expected.visible(`backup.${table}`)],
            ["9999-01-01", await expected.visible()],
          ] as const)
            for (const adapter of adapters) {
              const what = `${adapter.name}: ${account.name} reads ${table} as of ${at}`;
              const outcome = deniedIs(expected, adapter.deniedAsOf) ?? visible;
              const found = await adapter.readAsOf(testCase, account, at);
              assert.deepEqual(found === "refused" ? found : [...found].sort((a, b) => a - b), outcome, what);
              cells++;
              if (adapter.countAsOf) {
                const count = outcome === "refused" ? outcome : outcome.length;
                assert.equal(await adapter.countAsOf(testCase, account, at), count, `${what}, counted`);
                cells++;
              }
              if (adapter.readOneAsOf)
                for (const id of [1, ...targets(testCase, account, 1)]) {
                  const one = outcome === "refused" ? outcome : outcome.filter((each) => each === id);
                  assert.deepEqual(await adapter.readOneAsOf(testCase, account, at, id), one, `${what}, row ${id}`);
                  cells++;
                }
            }
        }
        await putBack(pool, testCase);
      },
    );
    assert.ok(cells >= sized(375, 1500), String(cells));
  });

  it("every write does what follows from it, through every interface", async function () {
    this.timeout(600_000);
    let cells = 0;
    await eachCase(CASES, async (testCase) => {
      for (const account of ACCOUNTS) {
        const expected = expectation(testCase, account);
        const changes: { id: number; request: "update" | "delete"; should: Outcome }[] = [];
        for (const id of targets(testCase, account, 3))
          for (const request of ["update", "delete"] as const)
            changes.push({ id, request, should: await expected.changed(request, id) });
        for (const adapter of adapters) {
          const what = `${adapter.name}: ${account.name} writes ${testCase.table}`;
          const restore = async (outcome: Outcome): Promise<void> => {
            cells++;
            if (adapter.commits && outcome !== "refused" && outcome.length > 0) await putBack(pool, testCase);
          };
          if (adapter.insert)
            for (const row of [
              { id: -1, kind: account.kind, owner: account.name },
              { id: 100, kind: account.kind, owner: account.name },
              { id: -2, kind: account.kind + 1, owner: account.name },
              { id: -3, kind: account.kind, owner: "somebody" },
            ]) {
              const outcome = await adapter.insert(testCase, account, row);
              assert.deepEqual(outcome, expected.inserted(row), `${what}: insert ${JSON.stringify(row)}`);
              await restore(outcome);
            }
          for (const { id, request, should } of changes) {
            const outcome = await adapter[request === "delete" ? "remove" : request]?.(testCase, account, id);
            if (outcome === undefined) continue;
            assert.deepEqual(outcome, should, `${what}: ${request} ${id}`);
            await restore(outcome);
          }
        }
      }
    });
    assert.ok(cells >= sized(2500, 10_000), String(cells));
  });

  it("every subscriber is told of what one plain statement says, and of nothing else", async function () {
    this.timeout(600_000);
    const hub = await testHub(gateway.database);
    try {
      for (const testCase of CASES) {
        const visible = new Map<string, Outcome>();
        for (const account of ACCOUNTS) {
          const expected = expectation(testCase, account);
          visible.set(account.name, expected.isDenied("select") ? "refused" : await expected.visible());
        }
        // a status below zero asks for that status: the rows stay what they are
        const write = `update town.${testCase.table} set t = t || '.'${testCase.workflow ? ", portolan_status = -portolan_status" : ""}`;
        const told = await subscribed(hub, testCase, ACCOUNTS, {
          write: () => pool.query(write),
          expected: ({ name }) => visible.get(name)!.length,
        });
        for (const { name } of ACCOUNTS)
          assert.deepEqual(told.get(name), visible.get(name), `${name} subscribes to ${testCase.table}`);
        await putBack(pool, testCase);
      }
    } finally {
      await hub.close();
    }
  });
});

import assert from "node:assert/strict";
import { testHub } from "../support/events.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { graphqlAdapter, sqlAdapter, subscribed, type Adapter } from "./adapters.ts";
import { ACCOUNTS, CASES, Expectation, buildCases, type Account, type Case, type Outcome } from "./cases.ts";
import { sessionsOf, type Sessions } from "./support.ts";

const ROW_COUNT = 12;

/** Some of the rows, others for each case and account, so that all combinations come about. */
function targets(testCase: Case, { name }: Account, count: number): number[] {
  const start = CASES.indexOf(testCase) * 5 + ACCOUNTS.findIndex((account) => account.name === name) * 2;
  return Array.from({ length: count }, (_, index) => (start + index * 5) % ROW_COUNT);
}

describe("rules × history × workflow × a team's own policies", () => {
  let gateway: TestGateway;
  let sessions: Sessions;
  let reset: (table: string) => Promise<void>;
  let instant: string;
  const adapters: Adapter[] = [];

  before(async function () {
    this.timeout(600_000);
    gateway = await testGateway({
      kind: "portolan",
      prepare: async (database) => {
        reset = await buildCases(database);
      },
    });
    sessions = await sessionsOf(gateway.database);
    instant = (await gateway.database.client.query("select clock_timestamp()::text as at")).rows[0].at;
    adapters.push(graphqlAdapter(gateway), sqlAdapter(sessions));
  });

  after(async () => {
    await sessions.close();
    await gateway.close();
  });

  const expectation = (testCase: Case, account: (typeof ACCOUNTS)[number]) =>
    new Expectation(gateway.database, testCase, account);

  it("every read gives what one plain statement says, through every interface", async function () {
    this.timeout(600_000);
    let cells = 0;
    for (const testCase of CASES)
      for (const account of ACCOUNTS) {
        const expected = expectation(testCase, account);
        const visible = await expected.visible();
        for (const adapter of adapters) {
          const what = `${adapter.name}: ${account.name} reads ${testCase.table}`;
          const refused = expected.isDenied("select") && adapter.deniedRead === "refused";
          const outcome: Outcome = refused ? "refused" : visible;
          assert.deepEqual(await adapter.readMany(testCase, account), outcome, what);
          assert.equal(
            await adapter.count(testCase, account),
            outcome === "refused" ? outcome : outcome.length,
            `${what}, counted`,
          );
          for (const id of targets(testCase, account, 2))
            assert.deepEqual(
              await adapter.readOne(testCase, account, id),
              outcome === "refused" ? outcome : outcome.filter((one) => one === id),
              `${what}, row ${id}`,
            );
          cells += 4;
          if (!testCase.versioned) continue;
          for (const at of [instant, "9999-01-01"])
            assert.deepEqual(
              [...((await adapter.readAsOf(testCase, account, at)) as number[])].sort((a, b) => a - b),
              [...(outcome as number[])].sort((a, b) => a - b),
              `${what} as of ${at}`,
            );
          cells += 2;
        }
      }
    assert.ok(cells >= 3000, String(cells));
  });

  it("every write does what follows from it, through every interface", async function () {
    this.timeout(600_000);
    let cells = 0;
    for (const testCase of CASES)
      for (const account of ACCOUNTS) {
        const expected = expectation(testCase, account);
        for (const adapter of adapters) {
          const what = `${adapter.name}: ${account.name} writes ${testCase.table}`;
          const putBack = async (outcome: Outcome): Promise<void> => {
            cells++;
            if (adapter.commits && outcome !== "refused" && outcome.length > 0) await reset(testCase.table);
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
              await putBack(outcome);
            }
          for (const id of targets(testCase, account, 3)) {
            for (const [request, run] of [
              ["update", adapter.update],
              ["delete", adapter.remove],
            ] as const) {
              const should = await expected.changed(request, id);
              const outcome = await run?.call(adapter, testCase, account, id);
              if (outcome === undefined) continue;
              assert.deepEqual(outcome, should, `${what}: ${request} ${id}`);
              await putBack(outcome);
            }
          }
        }
      }
    assert.ok(cells >= 3000, String(cells));
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
        const told = await subscribed(
          hub,
          testCase,
          ACCOUNTS,
          () => gateway.database.client.query(write),
          ({ name }) => visible.get(name)!.length,
        );
        for (const { name } of ACCOUNTS)
          assert.deepEqual(told.get(name), visible.get(name), `${name} subscribes to ${testCase.table}`);
        await reset(testCase.table);
      }
    } finally {
      await hub.close();
    }
  });
});

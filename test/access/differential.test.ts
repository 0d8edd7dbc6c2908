/**
 * What each way of asking shows to each account, beside what PostgreSQL shows it past the gateway, while sessions go from one
 * account to another and rights change. `DIFFERENTIAL_SEED` repeats a run of the large form, which prints it. `DIFFERENTIAL_WAYS`
 * chooses ways by a part of their names (`agent`), and `DIFFERENTIAL_ROUNDS` is how many rounds there are.
 */
import assert from "node:assert/strict";
import { Random } from "../support/random.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { sized } from "../support/size.ts";
import { FINE } from "./differential/classicWays.ts";
import { Comparison, WAYS } from "./differential/compare.ts";
import { files } from "./differential/ogcWays.ts";
import { Rights } from "./differential/rights.ts";
import { Truth } from "./differential/truth.ts";
import { ACCOUNTS, buildWorld, isSeeded, SEEDED, seedTiles, type Relation } from "./differential/world.ts";

const SEED = Number(process.env["DIFFERENTIAL_SEED"] ?? sized(34, Date.now() % 1_000_000));
const ROUNDS = Number(process.env["DIFFERENTIAL_ROUNDS"] ?? sized(4, 100));
const QUESTIONS = sized(360, 420);
/** Of the questions; the others were late, or busy. */
const LEAST_COMPARED = sized(0.69, 0.95);
const CHANGES = 3;
const MOST_DIFFERENCES = 5;

describe("what every door shows, beside what psql shows", function () {
  this.timeout(sized(600_000, 7_200_000));
  let gateway: TestGateway;
  let relations: readonly Relation[];
  let truth: Truth;
  let comparison: Comparison;
  const logins = new Set<string>();

  before(async () => {
    let instant = "";
    gateway = await testGateway({
      kind: "portolan",
      config: {
        schemas: ["open", "team"],
        poolSize: 3,
        mcp: true,
        mcpMaxRows: 200,
        events: "all",
        ogc: { downloads: true, transactions: true, tileMatrixSets: { fine: FINE } },
      },
      prepare: async (database) => ({ relations, instant } = await buildWorld(database)),
    });
    const random = new Random(SEED);
    const rights = new Rights(gateway.database, relations, random);
    truth = new Truth(gateway.database, rights);
    await rights.begin();
    await seedTiles(gateway.database, relations);
    comparison = new Comparison({ gateway, relations, instant, truth, rights, random });
  });

  after(async () => {
    await truth?.close();
    await gateway?.close();
  });

  /** Who is logged in: a connection of an own login stays for ten idle seconds. */
  async function noteLogins(): Promise<void> {
    const { rows } = await gateway.database.client.query<{ name: string }>(
      "select distinct usename::text as name from pg_stat_activity where datname = $1",
      [gateway.database.name],
    );
    for (const { name } of rows) logins.add(name);
  }

  it(`is the same, in each of ${WAYS.length} ways (seed ${SEED})`, async () => {
    const seeded = ACCOUNTS.filter(({ name }) => SEEDED.includes(name));
    await comparison.tiles(relations.filter(isSeeded), seeded);
    for (let round = 0; round < ROUNDS && comparison.differences.length < MOST_DIFFERENCES; round++) {
      if (round > 0) await comparison.change(CHANGES);
      await comparison.round(QUESTIONS);
      await noteLogins();
    }
    const { compared, late, refused, counts } = comparison;
    process.stdout.write(`      ${JSON.stringify({ seed: SEED, compared, refused, late })}\n`);
    assert.deepEqual(comparison.differences, []);
    assert.ok(compared >= ROUNDS * QUESTIONS * LEAST_COMPARED, String(compared));
    assert.ok(refused < compared / 2, `${refused} of ${compared} were refused`);
    assert.deepEqual(
      WAYS.filter(({ name }) => !counts.has(name)).map(({ name }) => name),
      [],
    );
  });

  it("was asked on sessions that went from one account to another, on logins of the accounts, and of tiles made beforehand", async () => {
    const { text } = await gateway.http.get("/metrics");
    const [, pinned] = /^portolan_pinned_reads_total\{.*outcome="answered".*\} (\d+)$/m.exec(text) ?? [];
    process.stdout.write(`      ${JSON.stringify({ pinned: Number(pinned), logins: [...logins].toSorted() })}\n`);
    assert.ok(
      Number(pinned) > comparison.compared / 50,
      `${pinned} reads of ${comparison.compared} on pinned sessions`,
    );
    if (process.env["DIFFERENTIAL_WAYS"] === undefined) {
      assert.match(text, /^portolan_tiles_total\{kind="vector",from="seeded"\} [1-9]/m, "no tile was made beforehand");
      assert.ok(files.shown > 0, "no file of tiles was shown");
    }
    const own = ACCOUNTS.filter(({ name }) => logins.has(`${name}@${gateway.database.name}`)).map(({ name }) => name);
    assert.ok(own.length >= 6, `own logins of ${own.join(", ")}`);
  });
});

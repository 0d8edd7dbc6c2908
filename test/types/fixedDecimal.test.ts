import assert from "node:assert/strict";
import { MOST_DECIMAL_BYTES, writeDecimal } from "../../server/types/fixedDecimal.ts";
import { testDatabase, type TestDatabase } from "../support/databases.ts";

const bytes = new Uint8Array(MOST_DECIMAL_BYTES);
const view = new DataView(bytes.buffer);

function written(value: number, places: number): string {
  const end = writeDecimal(value, places, view, 0);
  assert.ok(end <= MOST_DECIMAL_BYTES);
  return Buffer.from(bytes.subarray(0, end)).toString();
}

/** The same numbers in each run. */
function* numbers(count: number): Generator<number> {
  let state = 1;
  for (let index = 0; index < count; index++) {
    state = (state * 48_271) % 2_147_483_647;
    yield state / 2_147_483_647 - 0.5;
  }
}

describe("decimals as bytes", () => {
  let database: TestDatabase;

  before(async () => void (database = await testDatabase({ kind: "portolan" })));
  after(() => database.drop());

  it("are the nearest ones, without zeros at the end", () => {
    const examples: readonly (readonly [value: number, places: number, text: string])[] = [
      [0, 9, "0"],
      [-0, 9, "0"],
      [-1e-13, 9, "0"],
      [1.5, 9, "1.5"],
      [-2, 9, "-2"],
      [0.999_999_999_9, 9, "1"],
      [-179.999_999_999_9, 9, "-180"],
      [999.5, 0, "1000"],
      [1e-9, 9, "0.000000001"],
      [1_000_000.25, 6, "1000000.25"],
      [2_147_483_647.5, 1, "2147483647.5"],
      [2_147_483_648.25, 1, "2147483648.3"],
      [1e300, 9, "1e+300"],
      [0.1, 15, "0.1"],
    ];
    for (const [value, places, text] of examples) assert.equal(written(value, places), text);
  });

  it("are those of PostGIS where that writes no exponent", async () => {
    for (const [places, shapes] of [
      [9, [(one: number) => one * 360, (one: number) => Math.round(one * 360e10) / 1e10, (one: number) => one]],
      [6, [(one: number) => one * 2e7, (one: number) => Math.round(one * 2e14) / 1e7, (one: number) => one * 1000]],
      [0, [(one: number) => Math.round(one * 1e6) / 2, (one: number) => one * 1e9]],
    ] as const) {
      const values = shapes.flatMap((shape) => [...numbers(5000)].map(shape)).filter((one) => Math.abs(one) > 1e-6);
      const { rows } = await database.client.query<{ text: string }>(
        `select split_part(substring(st_asgml(3, st_makepoint(v, 7), $2) from '>([^<>]+)<'), ' ', 1) as text from unnest($1::float8[]) with ordinality as u (v, n) order by n`,
        [values, places],
      );
      assert.deepEqual(
        values.map((value) => written(value, places)),
        rows.map(({ text }) => (text === "-0" ? "0" : text)),
      );
    }
  });
});

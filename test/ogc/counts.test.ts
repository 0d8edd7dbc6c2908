/** The number of features is counted once for the requests that see the same data. */
import assert from "node:assert/strict";
import type { Database } from "../../server/kernel/database/database.ts";
import { Counts } from "../../ogc/features/page/counts.ts";
import type { Collection } from "../../ogc/collections/collections.ts";

type Asked = Parameters<Counts["of"]>;

const collection = { oid: 1, kind: "r", rowSecurity: false, schema: "town", relation: "notes", columns: [], key: [] };
const of = {
  database: { name: "town" } as Database,
  collection: collection as unknown as Collection,
  identity: { name: "alice", role: "alice" },
  context: { service: "ogc" },
  tiles: { knownStamp: () => undefined, seenBy: () => undefined },
} as unknown as Asked[1];
const options = { tolerant: false, lenient: false, budgetMs: undefined };

/** A transaction that sees this snapshot. Its counts are answered by `answer`. */
function seeing(snapshot: string, answer: () => Promise<number>): Asked[0] {
  return {
    snapshot,
    query: async ({ name }: { readonly name?: string }) =>
      name === "ogc state" ? { rows: [{}] } : { rows: [{ count: String(await answer()) }] },
  } as unknown as Asked[0];
}

describe("the number of features", () => {
  it("is counted once for requests that come together", async () => {
    const counts = new Counts();
    let counted = 0;
    const { promise, resolve } = Promise.withResolvers<number>();
    const slow = (): Promise<number> => {
      counted++;
      return promise;
    };
    const asked = ["5:5:", "5:5:", "6:6:"].map((each) =>
      counts.of(seeing(each, slow), of, { equalities: new Map() }, options),
    );
    resolve(7);
    assert.deepEqual(await Promise.all(asked), [7, 7, 7]);
    assert.equal(counted, 2); // of another snapshot it may be another number
  });

  it("is counted by each request itself if another one's count fails", async () => {
    const counts = new Counts();
    const { promise, reject } = Promise.withResolvers<number>();
    const first = counts.of(
      seeing("5:5:", () => promise),
      of,
      { equalities: new Map() },
      options,
    );
    const second = counts.of(
      seeing("5:5:", () => Promise.resolve(7)),
      of,
      { equalities: new Map() },
      options,
    );
    reject(new Error("its client has left"));
    await assert.rejects(first, /its client has left/);
    assert.equal(await second, 7);
  });
});

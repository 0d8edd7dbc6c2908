import assert from "node:assert/strict";
import { cql2JsonOf } from "../../filter/cql2Json.ts";
import { sized } from "../../support/size.ts";
import { ogcGateway, type OgcGateway } from "../support.ts";
import { COMBINATIONS, PREDICATES, type Predicate } from "./predicates.ts";
import { WORLD } from "./world.ts";

const FILTERS = sized(50, 200);

/** The number of different filters, of every class. */
function someOf(count: number): Predicate[] {
  const lists = [...Object.values(PREDICATES), COMBINATIONS].map((list) => [...list]);
  const found = new Map<string, Predicate>();
  while (found.size < count)
    for (const list of lists) {
      const next = list.shift();
      if (next && found.size < count) found.set(next.text, next);
    }
  return [...found.values()];
}

/** All beginnings of a filter as a request may have them, also cut between two bytes of UTF-8. */
function beginnings(text: string): string[] {
  const bytes = Buffer.from(text);
  return Array.from({ length: bytes.length - 1 }, (_, index) =>
    [...bytes.subarray(0, index + 1)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""),
  );
}

describe("truncated filters", () => {
  let gateway: OgcGateway;
  before(async () => {
    gateway = await ogcGateway({ prepare: ({ client }) => client.query(WORLD) });
  });
  after(() => gateway.close());

  async function refusedOrKept(table: string, filters: readonly string[], language: string): Promise<[number, number]> {
    const counts: [kept: number, refused: number] = [0, 0];
    const waiting = [...filters];
    const ask = async (): Promise<void> => {
      for (let filter = waiting.pop(); filter !== undefined; filter = waiting.pop()) {
        const path = `/collections/ats.${table}/items?limit=1&filter-lang=${language}&filter=${filter}`;
        const { status, text } = await fetch(gateway.root + path).then(async (answer) => ({
          status: answer.status,
          text: await answer.text(),
        }));
        assert.ok(status === 200 || status === 400, `${status} ${filter} ${text}`);
        counts[status === 200 ? 0 : 1]++;
        if (status === 400) assert.match(text, /"code":"INVALID_PARAMETER"/);
      }
    };
    await Promise.all([ask(), ask(), ask(), ask()]);
    return counts;
  }

  for (const [language, write, every] of [
    ["cql2-text", (text: string) => text, 1],
    // JSON that is cut anywhere is not JSON
    ["cql2-json", cql2JsonOf, 5],
  ] as const)
    it(`as ${language}, at each byte of ${FILTERS / every}, are kept or 400, and nothing else`, async () => {
      const filters = someOf(FILTERS).filter((_, index) => index % every === 0);
      let [kept, refused] = [0, 0];
      for (const { table, text } of filters) {
        const [more, fewer] = await refusedOrKept(table, beginnings(write(text)), language);
        [kept, refused] = [kept + more, refused + fewer];
      }
      assert.ok(refused > FILTERS * 15, `${kept} were kept, ${refused} refused`);
      assert.equal(kept > 0, language === "cql2-text");
    });
});

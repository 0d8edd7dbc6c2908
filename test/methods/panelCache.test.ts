/** The limits of what is kept of the panels of public dashboards. */
import assert from "node:assert/strict";
import { PanelCache, type PanelRows } from "../../server/methods/run/panelCache.ts";

const rowsOf = (length: number): PanelRows => ({ schema: "{}", rows: ["x".repeat(length)], more: false });

describe("kept panels", () => {
  it("have a limit of their size together", async () => {
    const cache = new PanelCache();
    let runs = 0;
    const ask = (key: number) =>
      cache.rows(String(key), 3600, async () => {
        runs++;
        return rowsOf(500_000);
      });
    for (let key = 0; key < 100; key++) await ask(key);
    await ask(99);
    assert.equal(runs, 100);
    await ask(0); // 50,000,000 characters: the first ones were dropped
    assert.equal(runs, 101);
    cache.clear();
  });

  it("run once at a time, however many run", async () => {
    const cache = new PanelCache();
    const ends: (() => void)[] = [];
    let runs = 0;
    const ask = (key: number) =>
      cache.rows(String(key), 3600, async () => {
        runs++;
        await new Promise<void>((resolve) => ends.push(resolve));
        return rowsOf(1);
      });
    const asked = Array.from({ length: 300 }, (_, key) => ask(key));
    asked.push(ask(0));
    assert.equal(runs, 300);
    for (const end of ends) end();
    await Promise.all(asked);
    cache.clear();
  });
});

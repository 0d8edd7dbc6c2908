/// <reference lib="dom" />
import assert from "node:assert/strict";
import { violationsOf } from "../support/axe.ts";
import { LOOKS } from "../support/looks.ts";
import { shoot, site } from "./support.ts";

describe("the console: configuration", () => {
  const at = site();
  const test = at.scenarios("Configuration");

  test("exports the configuration, shows what a document would change, and applies all of it or nothing", async () => {
    const { page, done } = await at.visit("/configuration");
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export" }).click();
    assert.equal((await download).suggestedFilename(), "configuration.json");
    const field = page.getByLabel("The document, as JSON");
    await field.fill("{ accounts");
    await page.getByRole("button", { name: "Compare" }).click();
    await page.getByRole("alert").getByText("This is not JSON").waitFor();
    await field.fill(JSON.stringify({ queries: { first: { q: "select 1", title: "First", shared: ["*"] } } }));
    await page.getByRole("button", { name: "Compare" }).click();
    await page.getByRole("heading", { name: "1 change to make" }).waitFor();
    await page.getByText("queries · first").waitFor();
    assert.deepEqual(await at.rows("select name from portolan.queries"), []);
    for (const { width, height, colorScheme } of LOOKS) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await shoot(page, `configuration-${width}-${colorScheme}`);
      assert.deepEqual(await violationsOf(page, { contrast: true }), {}, `${width} pixels, ${colorScheme}`);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(overflow <= 0, `at ${width} pixels it is ${overflow} px too wide`);
    }
    await page.getByRole("button", { name: "Apply 1 change" }).click();
    await page.getByRole("status").getByText("1 change made.").waitFor();
    assert.deepEqual(await at.rows("select name, title from portolan.queries"), [{ name: "first", title: "First" }]);
    await page.getByRole("button", { name: "Compare" }).click();
    await page.getByText("The database matches the document.").waitFor();
    await done();
  });
});

/// <reference lib="dom" />
import assert from "node:assert/strict";
import { violationsOf } from "../support/axe.ts";
import { LOOKS } from "../support/looks.ts";
import { shoot, site, write } from "./support.ts";

describe("the console: saved queries", () => {
  const at = site();

  it("saves SQL with a parameter, shares it, and another account runs it with its own rights", async () => {
    const { page, done } = await at.visit("/sql");
    await write(page, "select name from world.cities where id = :id");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("city-by-id");
    await dialog.getByLabel("Title").fill("A city");
    await dialog.getByLabel("Shared with").fill("nobody-of-that-name");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog
      .getByRole("alert")
      .getByText(/there is no account or group/)
      .waitFor();
    await dialog.getByLabel("Shared with").fill("guest");
    assert.deepEqual(await violationsOf(page), {});
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    assert.deepEqual(await at.rows("select q, title, shared, owner from portolan.queries"), [
      { q: "select name from world.cities where id = :id", title: "A city", shared: ["guest"], owner: "captain" },
    ]);
    for (const { width, height, colorScheme } of LOOKS) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await shoot(page, `queries-${width}-${colorScheme}`);
      assert.deepEqual(await violationsOf(page, { contrast: true }), {}, `${width} pixels, ${colorScheme}`);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(overflow <= 0, `at ${width} pixels it is ${overflow} px too wide`);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await at.rows(
      "update portolan.queries set q = E'select name, zone\\nfrom world.cities\\nwhere id = :id', shared = '{guest}' returning 1",
    );
    await page.reload();
    await page.getByLabel("Saved queries").selectOption("city-by-id");
    await page.getByRole("button", { name: "Versions" }).click();
    await dialog.getByRole("button", { name: "Compare version 1", exact: true }).click();
    const statement = dialog.getByRole("region", { name: "Statement" });
    assert.equal(
      await statement.innerText(),
      "− select name, zone\n− from world.cities\n− where id = :id\n+ select name from world.cities where id = :id\n",
    );
    await dialog.getByRole("button", { name: "Restore version 1", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    assert.deepEqual(await at.rows("select q from portolan.queries"), [
      { q: "select name from world.cities where id = :id" },
    ]);
    await done(400);
    const guest = await at.visit("/sql", { account: "guest" });
    await guest.page.getByLabel("Saved queries").selectOption("city-by-id");
    await guest.page.getByRole("group", { name: "Parameters" }).getByLabel("id").fill("1");
    await guest.page.getByRole("button", { name: "Run", exact: true }).click();
    await guest.page.getByRole("cell", { name: "Abidjan" }).or(guest.page.getByText("1 row")).first().waitFor();
    assert.equal(await guest.page.getByRole("button", { name: /^Remove/ }).count(), 0);
    await guest.page.reload();
    await guest.page.getByLabel("What you have run").selectOption({ index: 1 });
    await guest.page.getByLabel("Statement").getByText("where id = :id").waitFor();
    await guest.done();
  });
});

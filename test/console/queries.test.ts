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
    await guest.page.keyboard.press("Control+Enter"); // in the field of a parameter
    await guest.page.getByRole("cell", { name: "Abidjan" }).or(guest.page.getByText("1 row")).first().waitFor();
    assert.equal(await guest.page.getByRole("button", { name: /^Remove/ }).count(), 0);
    await guest.page.reload();
    await guest.page.getByLabel("What you have run").selectOption({ index: 1 });
    await guest.page.getByLabel("Statement").getByText("where id = :id").waitFor();
    await guest.done();
  });

  it("keeps the chart of a result with the query, shows it again, and puts it on a dashboard", async () => {
    await at.rows("delete from portolan.queries");
    const { page, done } = await at.visit("/sql");
    await write(page, "select country_code as country, count(*) as cities from world.cities group by 1");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByRole("group", { name: "Show as" }).getByRole("button", { name: "Chart" }).click();
    await page.getByRole("region", { name: "Bars of Chart" }).waitFor();
    await shoot(page, "query-chart");
    assert.deepEqual(await violationsOf(page), {});
    await page.getByLabel("Kind").selectOption("Line chart");
    await page.getByRole("img", { name: /^cities over the rows/ }).waitFor();
    await page.getByLabel("Kind").selectOption("Bar chart");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Title").fill("Cities of countries");
    await dialog.getByText("Shown as: Bar chart").waitFor();
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    assert.deepEqual(await at.rows("select name, chart from portolan.queries"), [
      { name: "cities-of-countries", chart: { show: "bar", x: "country", y: "cities" } },
    ]);
    await page.reload();
    await page.getByLabel("Saved queries").selectOption("cities-of-countries");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByRole("region", { name: "Bars of Chart" }).waitFor();
    await page.getByRole("button", { name: "Add to a dashboard" }).click();
    await dialog.getByLabel("Name of the dashboard").fill("charted");
    await dialog.getByLabel("Title of the panel").fill("Most");
    await dialog.getByRole("button", { name: "Add" }).click();
    await page.getByRole("region", { name: "Bars of Most" }).waitFor();
    await page.goBack();
    await page.getByLabel("Saved queries").selectOption("cities-of-countries");
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await dialog.getByText("It is removed for everybody it is shared with.").waitFor();
    assert.equal((await at.rows("select from portolan.queries")).length, 1, "it asks first");
    await dialog.getByRole("button", { name: "Remove" }).click();
    await dialog.waitFor({ state: "detached" });
    assert.equal((await at.rows("select from portolan.queries")).length, 0);
    assert.deepEqual(
      await at.rows("select panels -> 0 ->> 'x' as x, panels -> 0 ->> 'y' as y from portolan.dashboards"),
      [{ x: "country", y: "cities" }],
    );
    await done();
  });

  it("asks whose query shall stay where another window has saved it meanwhile", async () => {
    await at.rows("delete from portolan.queries");
    const [{ q: first }] = (await at.rows(
      "insert into portolan.queries (name, q, owner) values ('both', 'select 1 as first', 'captain') returning q",
    )) as [{ q: string }];
    const theirs = (text: string) =>
      at.rows("update portolan.queries set q = $1 where name = 'both' returning 1", [text]);
    const { page, done } = await at.visit("/sql");
    await page.getByLabel("Saved queries").selectOption("both");
    const statement = page.getByLabel("Statement");
    await statement.getByText(first).waitFor();
    const dialog = page.getByRole("dialog");
    const saveOverTheirs = async (mine: string, other: string): Promise<void> => {
      await theirs(other);
      await write(page, mine);
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await dialog.getByRole("button", { name: "Save", exact: true }).click();
      await dialog.getByRole("alert").getByText("Somebody has saved it since you opened it.").waitFor();
      assert.deepEqual(await at.rows("select q from portolan.queries"), [{ q: other }]);
    };
    await saveOverTheirs("select 2 as mine", "select 3 as theirs");
    await dialog.getByRole("button", { name: "Open theirs" }).click();
    await dialog.waitFor({ state: "detached" });
    await statement.getByText("select 3 as theirs").waitFor();
    await saveOverTheirs("select 4 as mine", "select 5 as theirs");
    await dialog.getByRole("button", { name: "Save mine over it" }).click();
    await dialog.waitFor({ state: "detached" });
    assert.deepEqual(await at.rows("select q from portolan.queries"), [{ q: "select 4 as mine" }]);
    await done(409);
  });
});

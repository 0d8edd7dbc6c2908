/// <reference lib="dom" />
import assert from "node:assert/strict";
import { violationsOf } from "../support/axe.ts";
import { LOOKS } from "../support/looks.ts";
import { expireToken, follow, shoot, site, write } from "./support.ts";

describe("the console: see as", () => {
  const at = site({
    prepare: ({ client, name }) =>
      client.query(`
create table world.boats (id int primary key, name text);
insert into world.boats select n, 'boat ' || n from generate_series(1, 5) n;
alter table world.boats enable row level security;
create policy two on world.boats to "guest@${name}" using (id <= 2);
grant all on world.boats to "guest@${name}"`),
  });

  it("opens every area as another account, framed, reading only, until it is ended", async () => {
    const { page, done } = await at.visit("/access/accounts/guest");
    await page.getByRole("button", { name: "See as guest" }).click();
    const frame = page.getByRole("region", { name: "See as" });
    await frame.getByText("You see everything as guest does").waitFor();
    assert.equal(await page.getByRole("link", { name: "Access", exact: true }).count(), 0);
    for (const { width, height, colorScheme } of LOOKS) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await shoot(page, `seeing-${width}-${colorScheme}`);
      const middles = await frame.locator("span:has(> svg)").evaluate((line) =>
        [...line.children].map((part) => {
          const { top, bottom } = part.getBoundingClientRect();
          return (top + bottom) / 2;
        }),
      );
      assert.ok(Math.abs(middles[0]! - middles[1]!) < 1, `the icon is at ${middles[0]}, its line at ${middles[1]}`);
      assert.deepEqual(await violationsOf(page, { contrast: true }), {}, `${width} pixels, ${colorScheme}`);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(overflow <= 0, `at ${width} pixels it is ${overflow} px too wide`);
    }
    await page.setViewportSize({ width: 1440, height: 900 });

    await follow(page.getByRole("link", { name: "Data", exact: true }));
    await follow(page.getByRole("link", { name: "boats" }));
    await page.getByText("2 rows").first().waitFor();
    await page.getByRole("gridcell", { name: "boat 2" }).waitFor();
    assert.equal(await page.getByRole("button", { name: /^(Insert|New row|Delete)/ }).count(), 0);
    await shoot(page, "seeing-data");

    await follow(page.getByRole("link", { name: "SQL", exact: true }));
    await write(page, "select current_user::text as who, count(*) as boats from world.boats");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByRole("cell", { name: `guest@${at.gateway.database.name}` }).waitFor();
    await write(page, "update world.boats set name = 'x'");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page
      .getByRole("alert")
      .getByText(/read-only/)
      .waitFor();
    await page.reload();
    await frame.waitFor();

    await frame.getByRole("button", { name: "Be yourself again" }).click();
    await page.getByRole("link", { name: "Access", exact: true }).waitFor();
    assert.equal(await frame.count(), 0);
    const seen = await at.rows("select distinct account, details ->> 'by' as by from portolan.audit where event = 'access.seen_as'"); // oxfmt-ignore
    assert.deepEqual(seen, [{ account: "guest", by: "captain" }]);
    const ended = await at.rows("select account, details ->> 'by' as by from portolan.audit where event = 'access.seen_as_ended'"); // oxfmt-ignore
    assert.deepEqual(ended, seen);
    await done(403);
  });

  it("never falls back to the super user's own rights, and ends only where the account is gone", async () => {
    await at.rows("select portolan.create_user('visitor', 'visitor')");
    const { page } = await at.visit("/access/accounts/visitor");
    await page.getByRole("button", { name: "See as visitor" }).click();
    const frame = page.getByRole("region", { name: "See as" });
    await frame.waitFor();
    await follow(page.getByRole("link", { name: "SQL", exact: true }));
    await write(page, "select current_user::text as who");
    const run = () => page.getByRole("button", { name: "Run", exact: true }).click();
    await page.route("**/access/see", (route) => route.fulfill({ status: 503, json: { detail: "Too busy" } }));
    await expireToken(page);
    for (let times = 0; times < 2; times++) {
      await run();
      await page.getByRole("alert").filter({ hasText: "Too busy" }).waitFor();
    }
    await frame.waitFor();
    await page.unroute("**/access/see");
    await run();
    await page.getByRole("cell", { name: `visitor@${at.gateway.database.name}` }).waitFor();

    await page.context().setOffline(true);
    await page.evaluate(() => {
      const real = Date.now.bind(Date);
      Date.now = () => real() + 1_000_000;
    });
    await run();
    await page.getByRole("alert").filter({ hasText: "does not answer" }).waitFor();
    await at.rows("select portolan.drop_user('visitor')");
    await page.context().setOffline(false); // the page reads again
    await page.getByRole("link", { name: "Access", exact: true }).waitFor();
    assert.equal(await frame.count(), 0);
    await page.context().close();
  });
});

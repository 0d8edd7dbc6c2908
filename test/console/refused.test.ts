/// <reference lib="dom" />
import assert from "node:assert/strict";
import { violationsOf } from "../support/axe.ts";
import { LOOKS } from "../support/looks.ts";
import { shoot, site } from "./support.ts";

describe("the console: why a request was refused", () => {
  const at = site({
    prepare: ({ client, name }) =>
      client.query(`
create table world.quays (id int primary key, depth int);
grant select on world.quays to "guest@${name}";
insert into world.quays values (1, 8);
create table world.locks (id int primary key);
grant select on world.locks to "guest@${name}";
select portolan.create_rule('{"username": "guest", "schema": "world", "table": "locks", "request": "select", "access": "deny"}');`),
  });

  it("leads from the refusal to the reason, in the same words for the account, and to the grant for a super user", async () => {
    const guest = await at.visit("/sql", { account: "guest" });
    await guest.page.getByLabel("Statement").click();
    await guest.page.keyboard.insertText("update world.quays set depth = 9");
    await guest.page.keyboard.press("Control+Enter");
    const [reason] = await Promise.all([
      guest.page.context().waitForEvent("page"),
      guest.page.getByRole("alert").getByRole("link", { name: "Why?" }).click(),
    ]);
    await reason.getByRole("heading", { name: "A grant is missing. world.quays" }).waitFor();
    await reason.getByText("This can be changed by the owner of the table and super users.").waitFor();
    assert.deepEqual(await reason.locator(".reasons .decides strong").allTextContents(), ["update"]);
    assert.equal(await reason.getByRole("button", { name: /^Let/ }).count(), 0);
    const path = new URL(reason.url()).pathname.replace("/console", "");
    await guest.done(403);
    const { page, done } = await at.visit(path);
    await page.getByText(/captain\.$/).waitFor();
    for (const { width, height, colorScheme } of LOOKS) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await shoot(page, `refused-${width}-${colorScheme}`);
      const gaps = await page
        .locator(".reasons li")
        .evaluateAll((all) =>
          all
            .slice(1)
            .map((row, index) =>
              Math.round(row.getBoundingClientRect().top - all[index]!.getBoundingClientRect().bottom),
            ),
        );
      assert.deepEqual(gaps, gaps.map(() => 0), `at ${width} pixels the rows are ${gaps.join(", ")} px apart`); // oxfmt-ignore
      const marks = await page
        .locator(".reasons .mark")
        .evaluateAll((all) => all.map((mark) => mark.getBoundingClientRect().width));
      assert.ok(marks.length > 1);
      assert.equal(
        new Set(marks.map(Math.round)).size,
        1,
        `at ${width} pixels the marks are ${marks.join(", ")} px wide`,
      );
      assert.deepEqual(await violationsOf(page, { contrast: true }), {}, `${width} pixels, ${colorScheme}`);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(overflow <= 0, `at ${width} pixels it is ${overflow} px too wide`);
    }
    await page.getByRole("link", { name: "Open the privileges" }).click();
    await page.getByLabel("guest on quays").waitFor();
    assert.equal(await page.getByLabel("Find a table").inputValue(), "quays");
    await page.goBack();
    await page.getByRole("link", { name: "See as guest" }).click();
    await page.getByRole("form", { name: "Who and what" }).waitFor();
    assert.deepEqual(
      [await page.getByLabel("Account").inputValue(), await page.getByLabel("Table", { exact: true }).inputValue()],
      ["guest", "quays"],
    );
    await page.goBack();
    await page.getByRole("heading").getByRole("link", { name: "world.quays" }).click();
    await page.getByRole("heading", { name: "quays", level: 1 }).waitFor();
    await page.goBack();
    await page.getByRole("button", { name: "Let guest write quays" }).click();
    await page.getByRole("button", { name: "Let guest write quays" }).waitFor({ state: "detached" });
    assert.deepEqual(
      await at.rows(`select has_table_privilege('guest@' || current_database(), 'world.quays', 'update') as may`),
      [{ may: true }],
    );
    await done();
  });

  it("is found in the list of requests, by code and table", async () => {
    const guest = await at.visit("/sql", { account: "guest" });
    await guest.page.getByLabel("Statement").click();
    await guest.page.keyboard.insertText("select * from world.locks");
    await guest.page.keyboard.press("Control+Enter");
    await guest.page.getByRole("link", { name: "Why?" }).waitFor();
    await guest.done(403);
    const { page, done } = await at.visit("/requests?code=FORBIDDEN&relation=locks");
    await page.getByRole("link", { name: "Why?" }).first().click();
    await page.getByRole("heading", { name: /A rule denies it/ }).waitFor();
    await page.getByRole("listitem").filter({ hasText: "says no" }).getByText("1", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Open the rules" }).waitFor();
    await done();
  });

  it("says so where there is no such request", async () => {
    const { page, done } = await at.visit("/refused/nothing");
    await page
      .getByRole("alert")
      .getByText(/there is no request 'nothing'/)
      .waitFor();
    assert.equal(await page.title(), "Why refused · Portolan");
    await done(404);
  });
});

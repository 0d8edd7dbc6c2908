/// <reference lib="dom" />
import assert from "node:assert/strict";
import { requestsAs } from "../management/requests.ts";
import { focused, follow, shoot, site, tabTo } from "./support.ts";

describe("the console: audit", () => {
  const at = site();
  const test = at.scenarios("Audit");

  before(async () => {
    const captain = await requestsAs(at.gateway, "captain");
    const path = "/schemas/world/tables/routes/privileges";
    await captain("patch", path, { subuser: "guest", privilege: "read" }).expect(303);
    await captain("patch", path, { subuser: "guest", privilege: "write" }).expect(303);
    await captain("post", "/rules", { username: "guest", table: "routes", access: "deny" }).expect(201);
  });

  const note = (event: string, account: string) =>
    at.gateway.database.client.query(
      `insert into portolan.audit (event, account, details) select $1, ${account}, '{"by": "<i>"}' from generate_series(1, 150) n`,
      [event],
    );

  test("shows who changed what, with the values before and after, and keeps its filter in the address", async () => {
    const { page, done } = await at.visit("/audit");
    await page.getByText("rule.created").first().waitFor();
    await page.getByLabel("Event").fill("privilege.");
    await page.getByRole("button", { name: "Filter" }).click();
    await page.getByText("rule.created").waitFor({ state: "detached" });
    const entry = page.getByRole("listitem").filter({ hasText: "privilege.changed" }).first();
    assert.match(await entry.innerText(), /world\.routes[^]*by captain[^]*before:\s+read\s+after:\s+write/);
    await shoot(page, "audit");
    const [noted] = await at.rows("select count(*)::int from portolan.audit where event like 'privilege.%'");
    assert.equal(await page.getByRole("listitem").filter({ hasText: "privilege." }).count(), noted?.["count"]);
    await page.reload();
    await entry.waitFor();
    assert.equal(await page.getByLabel("Event").inputValue(), "privilege.");
    await page.getByLabel("Account").fill("nobody");
    await page.getByRole("button", { name: "Filter" }).click();
    await page.getByText("Nothing of that kind was done.").waitFor();
    await page.getByRole("button", { name: "Show all" }).click();
    await page.getByText("rule.created").first().waitFor();
    await done();
  });

  test("shows the latest changes at the console, as the database records them", async () => {
    const { page, done } = await at.visit("/access/privileges");
    await page.getByLabel("guest on cities").selectOption("write");
    await page.getByText("guest: write on cities").waitFor();
    await follow(page.getByRole("link", { name: "Audit" }));
    const entry = page
      .getByRole("listitem")
      .filter({ hasText: "privilege.changed" })
      .filter({ hasText: "world.cities" });
    await entry.waitFor();
    const [noted] = await at.rows(
      `select details ->> 'by' as by, details #>> '{before,privilege}' as before, details #>> '{after,privilege}' as after
       from portolan.audit where event = 'privilege.changed' and details::text like '%world.cities%'`,
    );
    assert.deepEqual(noted, { by: "captain", before: "read", after: "write" });
    assert.match(await entry.innerText(), /privilege\.changed[^]*by captain[^]*before:\s+read\s+after:\s+write/);
    await done();
  });

  it("goes back as far as there is something", async () => {
    await note("token.test", "'<b>n' || n");
    const { page, done } = await at.visit("/audit?event=token.test");
    await page.getByText("by <i> about <b>n150").waitFor();
    assert.equal(await page.getByRole("listitem").count(), 100);
    await page.getByRole("button", { name: "Earlier" }).click();
    await page.getByText(/about <b>n1$/).waitFor();
    assert.equal(await page.getByRole("listitem").count(), 150);
    await done();
  });

  it("is for super users", async () => {
    const { page, done } = await at.visit("/audit", { account: "guest" });
    await page.getByText("This is for super users, and guest is not one.").waitFor();
    assert.equal(await page.getByRole("link", { name: "Audit" }).count(), 0);
    await done();
  });

  it("is filtered with the keys alone, and the focus stays in the field", async () => {
    const { page, done } = await at.visit("/audit");
    await page.getByRole("listitem").first().waitFor();
    await tabTo(page, page.getByLabel("Event"));
    await page.keyboard.type("rule.");
    await page.keyboard.press("Enter");
    await page.waitForURL(/event=rule/);
    await page.getByRole("listitem").filter({ hasNotText: "rule." }).first().waitFor({ state: "detached" });
    await page.getByText("rule.created").waitFor();
    await focused(page.getByLabel("Event"));
    await done();
  });
});

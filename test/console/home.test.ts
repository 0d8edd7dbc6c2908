/// <reference lib="dom" />
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import pg from "pg";
import { GatewayProcess } from "../support/process.ts";
import { violationsOf } from "../support/axe.ts";
import { until } from "../support/until.ts";
import { endSessions, expireToken, focused, follow, shoot, site, tabTo } from "./support.ts";

describe("the console: home", () => {
  const at = site({
    prepare: ({ client }) =>
      client.query(`
create function world.breaks() returns integer language plpgsql stable as
  $$ begin assert false, 'the <b>mast</b> is broken'; end $$;
grant execute on function world.breaks() to public;`),
  });
  const test = at.scenarios("Home");

  test("names each problem with the SQL to copy, and shows when it is fixed", async () => {
    const { client } = at.gateway.database;
    await client.query("alter role gateway inherit");
    const { page, done } = await at.visit("");
    const found = page.getByRole("list", { name: "Findings" }).getByRole("listitem");
    const one = found.filter({ hasText: "inherits the rights of accounts" });
    await one.waitFor();
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await one.getByRole("button", { name: "Copy the remedy" }).click();
    await one.getByRole("button", { name: "Copied" }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(copied, 'alter role "gateway" noinherit;');
    await client.query(copied);
    await page.getByRole("button", { name: "Check again" }).click();
    await one.waitFor({ state: "detached" });
    assert.deepEqual(await at.rows("select rolinherit from pg_roles where rolname = 'gateway'"), [
      { rolinherit: false },
    ]);
    await done();
  });

  it("leads from how many were refused to each of them, and finds what a caller tells of by its error id", async () => {
    const { body } = await at.gateway.graphql("guest", "world", "{ breaks }");
    const { errorId } = body.errors[0].extensions;
    const bearer = `Bearer ${await at.gateway.token("guest")}`;
    await at.gateway.http.get("/api/v4/audit").set("Authorization", bearer).expect(403);
    const { page } = await at.visit("", { bySignIn: true });
    await page.getByRole("img", { name: /^Requests a minute: all at most [1-9]/ }).waitFor();
    await shoot(page, "home");
    await follow(page.getByLabel("In figures").getByRole("link").first());
    const log = page.getByRole("region", { name: "What was asked" });
    await log.getByRole("row").filter({ hasText: "GET /api/v4/audit" }).filter({ hasText: "403" }).waitFor();
    await page.getByRole("button", { name: "Show all" }).click();
    await log.getByText("the <b>mast</b> is broken").waitFor();
    const ofConsole = log.getByRole("row").filter({ hasText: /\/api\/v4\/statistics|\/console/ });
    assert.equal(await ofConsole.count(), 0);
    await page.getByLabel("Show the console's own requests").check();
    await ofConsole.filter({ hasText: "/api/v4/statistics" }).first().waitFor();
    await ofConsole.filter({ hasText: "/console/session/token" }).first().waitFor();
    await page.getByLabel("Show the console's own requests").uncheck();
    await ofConsole.first().waitFor({ state: "detached" });
    await page.getByLabel("Error id").fill(errorId);
    await page.getByRole("button", { name: "Filter" }).click();
    await log.getByText(`error id ${errorId}`).waitFor();
    assert.equal(await log.getByRole("row").count(), 2);
    assert.match(page.url(), new RegExp(errorId));
    await shoot(page, "requests");
    await page.getByLabel("Error id").fill(randomUUID());
    await page.getByRole("button", { name: "Filter" }).click();
    await page.getByText("There was no such request.").waitFor();
    await page.getByRole("button", { name: "Show all" }).click();
    await page.getByLabel("Status").fill("nothing");
    await page.getByRole("button", { name: "Filter" }).click();
    await page.getByRole("alert").getByText("must be a status").waitFor();
    await page.context().close();
  });

  test("shows running statements and the statements that block them, and cancels one", async () => {
    const { client, url } = at.gateway.database;
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    const slow = other.query("/* <i>slow</i> */ select pg_sleep(600)").catch((error: Error) => error);
    await until(async () => {
      const { rows } = await client.query("select from pg_stat_activity where query like '/* <i>slow%'");
      return rows.length === 1;
    });
    const { page, done } = await at.visit("");
    const row = page.getByRole("row").filter({ hasText: "/* <i>slow</i> */" });
    await row.waitFor();
    await row.getByRole("button", { name: /^Cancel \d+$/ }).click();
    await page.getByRole("dialog").getByText("select pg_sleep(600)").waitFor();
    await page.getByRole("button", { name: "Keep running" }).click();
    await row.getByRole("button", { name: /^Cancel \d+$/ }).click();
    await page.getByRole("button", { name: "Cancel the statement" }).click();
    await row.waitFor({ state: "detached" });
    assert.match(String(await slow), /canceling statement due to user request/);
    assert.deepEqual(
      await at.rows("select query from pg_stat_activity where query like '/* <i>%' and state = 'active'"),
      [],
    );
    await other.end();
    await done();
  });

  test("copies the remedy of a problem, checks again and cancels a statement with the keys alone, and never loses the focus", async () => {
    const { client, url } = at.gateway.database;
    await client.query("alter role gateway inherit");
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    const slow = other.query("/* keyed */ select pg_sleep(600)").catch((error: Error) => error);
    await until(async () => (await at.rows("select from pg_stat_activity where query like '/* keyed%'")).length === 1);
    const { page, done } = await at.visit("");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const found = page.getByRole("listitem").filter({ hasText: "inherits the rights of accounts" });
    await tabTo(page, found.getByRole("button", { name: "Copy the remedy" }));
    await page.keyboard.press("Enter");
    await focused(found.getByRole("button", { name: "Copied" }));
    await client.query(await page.evaluate(() => navigator.clipboard.readText()));
    const again = page.getByRole("button", { name: "Check again" });
    await tabTo(page, again);
    await page.keyboard.press("Enter");
    await found.waitFor({ state: "detached" });
    await focused(again);

    const row = page.getByRole("row").filter({ hasText: "/* keyed */" });
    const cancel = row.getByRole("button", { name: /^Cancel \d+$/ });
    await tabTo(page, cancel);
    await page.keyboard.press("Enter");
    await focused(page.getByRole("button", { name: "Keep running" }));
    await page.keyboard.press("Enter");
    await focused(cancel);
    await page.keyboard.press("Enter");
    await tabTo(page, page.getByRole("button", { name: "Cancel the statement" }));
    await page.keyboard.press("Enter");
    await row.waitFor({ state: "detached" });
    const part = page.locator("section").filter({ has: page.getByRole("heading", { name: "Running statements" }) });
    await focused(part.or(part.getByRole("region", { name: "What runs" })));
    assert.match(String(await slow), /canceling statement due to user request/);
    assert.deepEqual(await at.rows("select rolinherit from pg_roles where rolname = 'gateway'"), [
      { rolinherit: false },
    ]);
    await tabTo(page, page.getByRole("link", { name: "world.cities" }));
    await page.keyboard.press("Enter");
    await page.waitForURL(/cities/);
    await focused(page.getByRole("main")); // the link went with its page
    await other.end();
    await done();
  });

  test("lists the gateways that serve the database, also after one has started and one has ended", async () => {
    const fleet = "select host, process from portolan.fleet() order by process";
    await until(async () => (await at.rows(fleet)).length === 1);
    const { page, done } = await at.visit("");
    const part = page.getByRole("region", { name: "Gateways" });
    const rows = part.getByRole("region", { name: "Who serves" }).getByRole("row");
    const shown = async (count: number): Promise<void> => {
      await until(async () => (await at.rows(fleet)).length === count);
      await part.getByRole("button", { name: "Reload" }).click();
      await until(async () => (await rows.count()) === 1 + count); // and the titles
    };
    await shown(1);
    const other = await GatewayProcess.start({ DATABASE_URL: at.gateway.database.gatewayUrl, PORT: "0" });
    try {
      await shown(2);
      await rows
        .filter({ hasText: `${other.pid}` })
        .getByText("follows")
        .waitFor();
      await rows
        .filter({ hasText: `${process.pid}` })
        .getByText("reads their order")
        .waitFor();
      await shoot(page, "gateways");
    } finally {
      await other.stop();
    }
    await shown(1);
    assert.deepEqual(
      (await at.rows(fleet)).map(({ process: id }) => id),
      [process.pid],
    );
    await done();
  });

  test("lists large tables and missing indexes, with the SQL that makes them", async () => {
    await at.rows("create table world.ports (id int primary key, city_id int references world.cities)");
    const { page, done } = await at.visit("");
    const missing = page.getByLabel("Indexes that are missing");
    await missing.getByText("create index on world.ports (city_id);").waitFor();
    await page.setViewportSize({ width: 390, height: 844 }); // wider than that
    assert.deepEqual(await violationsOf(page), {});
    await page.setViewportSize({ width: 1440, height: 900 });
    await at.rows(await missing.innerText());
    await page
      .getByRole("region", { name: "Sizes", exact: true })
      .getByRole("link", { name: "world.cities" })
      .waitFor();
    await shoot(page, "sizes");
    await page
      .locator("section")
      .filter({ hasText: "Sizes and indexes" })
      .getByRole("button", { name: "Reload" })
      .click();
    await missing.getByText("world.ports").waitFor({ state: "detached" });
    assert.deepEqual(await at.rows("select indexname from pg_indexes where tablename = 'ports' order by 1"), [
      { indexname: "ports_city_id_idx" },
      { indexname: "ports_pkey" },
    ]);
    await done();
  });

  it("says once that the sign-in has ended, however many parts of it ask", async () => {
    const { page } = await at.visit("", { bySignIn: true });
    await page.getByRole("region", { name: "Sizes", exact: true }).waitFor();
    await endSessions(at);
    await expireToken(page);
    // together: the first answer that is refused may take the others away
    const reloadAll = () =>
      page
        .getByRole("button", { name: "Reload" })
        .evaluateAll((all) => all.forEach((one) => (one as HTMLElement).click()));
    await reloadAll();
    await page.getByRole("button", { name: "Sign in again" }).waitFor();
    await reloadAll();
    assert.equal(await page.getByRole("alert").count(), 1);
    await page.context().close();
  });

  it("shows others what they may open and nothing of the rest", async () => {
    const { page, done } = await at.visit("", { account: "guest" });
    await page.getByText("Healthy").waitFor();
    await page.getByRole("link", { name: "world" }).waitFor();
    assert.equal(await page.getByRole("link", { name: "Top statements" }).count(), 0);
    for (const name of ["Advisors", "Running statements"])
      assert.equal(await page.getByRole("heading", { name }).count(), 0);
    await page.goto(`${new URL(page.url()).origin}/console/requests`);
    await page.getByText("This is for super users, and guest is not one.").waitFor();
    await done();
  });
});

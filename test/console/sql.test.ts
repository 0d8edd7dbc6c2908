/// <reference lib="dom" />
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { violationsOf } from "../support/axe.ts";
import { LOOKS } from "../support/looks.ts";
import { until } from "../support/until.ts";
import { coloured, focused, shoot, site, tabTo, write } from "./support.ts";

const execute = promisify(execFile);

describe("the console: SQL", () => {
  const at = site();
  const test = at.scenarios("SQL");

  it("runs a statement, and then what is selected of it alone; the text is there after a reload", async () => {
    const { page, done } = await at.visit("/sql");
    await page.getByLabel("Statement").click();
    await page.keyboard.type("select 9007199254740993::int8 as big, null::text as nothing, '<b>' as html");
    await page.keyboard.press("Control+Enter");
    const result = page.getByRole("region", { name: "Result" });
    await result.getByRole("cell", { name: "9007199254740993", exact: true }).waitFor();
    await result.getByRole("cell", { name: "null", exact: true }).waitFor();
    await result.getByRole("cell", { name: "<b>", exact: true }).waitFor();
    await page.getByText(/^1 row, \d+ ms$/).waitFor();
    await shoot(page, "sql");
    await page.reload();
    await page.getByLabel("Statement").getByText("big").waitFor();
    await page.getByLabel("Statement").click();
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Delete"); // what replaces a selection Chromium gives a style of its own, which the policy refuses
    await page.keyboard.type("select 1 as one; select 2 as two");
    for (let letter = 0; letter < "select 2 as two".length; letter++) await page.keyboard.press("Shift+ArrowLeft");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("columnheader", { name: "two int4" }).waitFor();
    await done();
  });

  it("keeps a text and its answer in each tab, by keys too, and writes names from the tree of objects", async () => {
    const { page, done } = await at.visit("/sql");
    const statement = page.getByRole("tabpanel").getByLabel("Statement");
    const inPanel = (name: string) =>
      page.getByRole("tabpanel", { name }).getByRole("cell", { name: "1", exact: true });
    await statement.click();
    await page.keyboard.insertText("select 1 as first");
    await page.keyboard.press("Control+Enter");
    await inPanel("Query 1").waitFor();
    await page.getByRole("button", { name: "New tab" }).click();
    const objects = page.getByRole("navigation", { name: "Objects" });
    await objects.getByText("cities", { exact: true }).click();
    await statement.click();
    await page.keyboard.insertText("select count(*) from ");
    await objects.getByRole("button", { name: "world.cities" }).click();
    await statement.getByText("select count(*) from world.cities").waitFor();
    await page.keyboard.press("Control+Enter");
    await page.getByRole("tabpanel", { name: "Query 2" }).getByRole("columnheader", { name: "count int8" }).waitFor();
    for (const { width, height, colorScheme } of LOOKS) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await shoot(page, `sql-tabs-${width}-${colorScheme}`);
      assert.deepEqual(await violationsOf(page, { contrast: true }), {}, `${width} pixels, ${colorScheme}`);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(overflow <= 0, `at ${width} pixels it is ${overflow} px too wide`);
    }
    await page.getByRole("tab", { name: "Query 2" }).press("ArrowLeft");
    await focused(page.getByRole("tab", { name: "Query 1", selected: true }));
    await inPanel("Query 1").waitFor();
    await page.reload();
    await statement.getByText("select 1 as first").waitFor();
    await page.getByRole("tab", { name: "Query 2" }).click();
    await statement.getByText("world.cities").waitFor();
    await page.getByRole("button", { name: "Close Query 2" }).click();
    assert.deepEqual(await page.getByRole("tab").allInnerTexts(), ["Query 1"]);
    await done();
  });

  it("has statements to begin with, over a table that the account may read", async () => {
    const { page, done } = await at.visit("/sql", { account: "guest" });
    await page.getByRole("button", { name: /^Rows of / }).click();
    await page.getByLabel("Statement").getByText("limit").waitFor();
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByRole("region", { name: "Result" }).getByRole("row").nth(3).waitFor();
    assert.equal(await page.getByRole("button", { name: "Largest tables" }).count(), 0);
    await done();
  });

  test("says what is wrong in PostgreSQL's words, and how many rows a write has changed", async () => {
    const { page } = await at.visit("/sql");
    await page.getByLabel("Statement").click();
    await page.keyboard.type("selec 1");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByRole("alert").getByText('syntax error at or near "selec"').waitFor();
    await page.getByLabel("Statement").click();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("update world.cities set name = upper(name) where id <= 3");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByText(/^3 rows affected/).waitFor();
    assert.deepEqual(await at.rows("select name from world.cities where id = 1"), [{ name: "ABIDJAN" }]);
    await page.context().close();
  });

  test("shows the result of each of several statements, and the error of a refused one in its place", async () => {
    const { page, done } = await at.visit("/sql");
    await write(
      page,
      "-- two; of them\nselect ';' as one;\nupdate world.cities set name = 'One' where id = 1;\nselect name from world.cities where id = 1",
    );
    await page.keyboard.press("Control+Enter");
    await page.getByText(/^3 statements, \d+ ms$/).waitFor();
    await page.getByRole("region", { name: "Result 1" }).getByRole("cell", { name: ";", exact: true }).waitFor();
    await page.getByRole("heading", { name: /One.* 1 row affected$/ }).waitFor();
    await page.getByRole("region", { name: "Result 3" }).getByRole("cell", { name: "One", exact: true }).waitFor();
    await shoot(page, "sql-several");
    assert.deepEqual(await violationsOf(page), {});
    await write(page, "update world.cities set name = 'Two' where id = 1;\nselect nothing_there");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByRole("alert").getByText("nothing_there").waitFor();
    assert.equal(await page.locator(".cm-lintRange-error").innerText(), "nothing_there");
    assert.deepEqual(await at.rows("select name from world.cities where id = 1"), [{ name: "One" }], "all or none");
    await done(400);
  });

  it("keeps its text for the account that wrote it, not for who signs in to the same browser next", async () => {
    const { page, done } = await at.visit("/sql", { bySignIn: true });
    await write(page, "select 'a secret of the captain' as is");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("cell", { name: "a secret of the captain", exact: true }).waitFor();
    for (const account of ["guest", "captain"]) {
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByRole("button", { name: "Sign in" }).waitFor();
      await page.goto(`${at.gateway.baseUrl}/console/sql`);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByLabel("User name").fill(account);
      await page.getByLabel("Password").fill(account);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByLabel("Statement").waitFor();
      assert.equal(await page.getByLabel("Statement").getByText("a secret").count(), account === "guest" ? 0 : 1);
    }
    await done();
  });

  it("runs as whoever is signed in", async () => {
    const { page } = await at.visit("/sql", { account: "guest" });
    await page.getByLabel("Statement").click();
    await page.keyboard.type("delete from world.cities");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("alert").getByText("permission denied").waitFor();
    await page.context().close();
  });

  test("explains a statement as a tree, and runs it for that without lasting effect", async () => {
    const { page } = await at.visit("/sql");
    await page.getByLabel("Statement").click();
    await page.keyboard.insertText("delete from world.cities c using world.countries k where c.country_code = k.code");
    await page.getByRole("button", { name: "Explain" }).click();
    const plan = page.getByRole("region", { name: "Plan" });
    await plan.getByText("Delete on cities").waitFor();
    await plan.getByText("Hash Cond").waitFor();
    assert.equal(await plan.getByText("and rolled back").count(), 0);
    await page.getByRole("button", { name: "Analyze" }).click();
    await plan.getByText("and rolled back").waitFor();
    await shoot(page, "sql-plan");
    assert.ok((await at.rows("select count(*)::int from world.cities"))[0].count > 100);
    await page.getByLabel("Statement").focus(); // completions may lie over it
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Delete");
    await page.keyboard.insertText("select nothing");
    await page.locator(".cm-tooltip-autocomplete").waitFor();
    await page.keyboard.press("Escape"); // they lie over the buttons
    await page.getByRole("button", { name: "Explain" }).click();
    await page.getByRole("alert").getByText('column "nothing" does not exist').waitFor();
    await page.locator(".cm-lintRange-error", { hasText: "nothing" }).waitFor();
    await page.context().close(); // the browser has complained of the 400
  });

  it("shows a result as a map and as a chart where it has something to draw", async () => {
    const { page, done } = await at.visit("/sql");
    const run = async (statement: string) => {
      await page.getByLabel("Statement").click();
      await page.keyboard.press("Control+a");
      await page.keyboard.press("Delete");
      await page.keyboard.insertText(statement);
      await page.keyboard.press("Control+Enter");
    };
    const looks = page.getByRole("group", { name: "Show as" });
    await run(
      "select n as id, n * n as population, st_setsrid(st_makepoint(n, n), 4326) as geom from generate_series(1, 20) n",
    );
    await looks.getByRole("button", { name: "Map" }).click();
    await page.getByText("20 of 20 rows, by geom").waitFor();
    await page
      .getByRole("application", { name: "Map of the result" })
      .and(page.locator('[data-shapes="20"]'))
      .waitFor();
    await until(async () => (await coloured(page, "#1d4ed8")) > 50);
    await looks.getByRole("button", { name: "Chart" }).click();
    await page.getByRole("img", { name: /^population over id: population at most [1-9]/ }).waitFor();
    await shoot(page, "chart");
    assert.deepEqual(await violationsOf(page), {});
    await page.getByLabel("X axis").selectOption("the rows in their order");
    await page.getByRole("img", { name: /^population over the rows/ }).waitFor();
    await run("select 'one' as word");
    await page.getByRole("columnheader", { name: "word text" }).waitFor();
    assert.deepEqual(await looks.getByRole("button").allInnerTexts(), ["Table", "JSON"]);
    await done();
  });

  test("has a field of the right type for each parameter of each statement", async () => {
    const { page, done } = await at.visit("/sql");
    await write(
      page,
      "update world.cities set name = :name where id = :id; -- not :this\nselect ':that' as that, :id::int8 as big",
    );
    const parameters = page.getByRole("group", { name: "Parameters" });
    await parameters.getByText("int4", { exact: true }).waitFor();
    assert.equal(await parameters.getByText(/th(is|at)/).count(), 0);
    await parameters.getByLabel("id", { exact: true }).fill("x");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByRole("alert").getByText("id: This is not a number.").waitFor();
    await parameters.getByLabel("id", { exact: true }).fill("5");
    await parameters.getByLabel("name", { exact: true }).fill("By :form <b>");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByText(/^2 statements, \d+ ms$/).waitFor();
    assert.deepEqual(await at.rows("select name from world.cities where id = 5"), [{ name: "By :form <b>" }]);
    await page.getByText("API", { exact: true }).click();
    await shoot(page, "sql-parameters");
    assert.deepEqual(await violationsOf(page), {});
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: "dark" });
    await shoot(page, "sql-parameters-phone");
    assert.deepEqual(await violationsOf(page), {});
    await done();
  });

  it("inserts snippets where the cursor is, once each", async () => {
    const { page, done } = await at.visit("/sql");
    await write(page, "-- mine");
    await page.getByLabel("Statement").press("Enter");
    await page.getByLabel("Snippets").selectOption("The nearest ten");
    const statement = page.getByLabel("Statement");
    await statement.getByText("order by distance").waitFor();
    await statement.getByText("-- mine").waitFor();
    await page.getByRole("group", { name: "Parameters" }).getByLabel("lon", { exact: true }).waitFor();
    await write(page, "select 7 as seven");
    await page.getByLabel("Snippets").selectOption("Unused indexes");
    await statement.getByText("idx_scan").waitFor();
    await write(page, "select 8 as eight");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByRole("columnheader", { name: "eight int4" }).waitFor();
    await page.getByLabel("What you have run").selectOption("select 8 as eight");
    await statement.getByText("eight").waitFor();
    assert.equal((await statement.innerText()).trim(), "select 8 as eight", "a new text has no earlier snippet");
    assert.deepEqual(await violationsOf(page), {});
    await done();
  });

  test("tries statements and rolls them back, and names the effects that remain", async () => {
    const { page, done } = await at.visit("/sql");
    await write(page, "delete from world.cities;\nselect count(*) as left from world.cities");
    await page.getByRole("button", { name: "Dry run" }).click();
    await page.getByText(/^2 statements, \d+ ms, and rolled back$/).waitFor();
    await page.getByRole("region", { name: "Result 2" }).getByRole("cell", { name: "0", exact: true }).waitFor();
    await write(page, "insert into world.logbook (city_id, entry) values (1, 'tried') returning entry");
    await page.getByRole("button", { name: "Dry run" }).click();
    await page.getByText(/^1 row, \d+ ms, and rolled back$/).waitFor();
    await page.getByText("taken from a sequence").waitFor();
    await shoot(page, "sql-dry");
    const [found] = await at.rows(
      "select (select count(*)::int from world.cities) as cities, (select count(*)::int from world.logbook where entry = 'tried') as tried",
    );
    assert.ok(found.cities > 100);
    assert.equal(found.tried, 0);
    await done();
  });

  it("shows a plan and the code beside it, all of both in reach", async () => {
    const { page, done } = await at.visit("/sql", { width: 1280, height: 700 });
    await write(page, "select * from world.cities c join world.countries o on o.code = c.country_code order by c.name");
    await page.getByRole("button", { name: "Explain" }).click();
    const plan = page.getByRole("region", { name: "Plan" });
    await plan.waitFor();
    await page.getByText("API", { exact: true }).click();
    const { height } = (await plan.boundingBox())!;
    assert.ok(height >= 200, `the plan keeps ${height} pixels`);
    const code = page.getByRole("region", { name: "Language: curl" });
    await code.scrollIntoViewIfNeeded();
    await shoot(page, "sql-plan-api");
    const { y, height: tall } = (await code.boundingBox())!;
    assert.ok(y + tall <= 701, `the code ends at ${y + tall}`);
    await done();
  });

  test("stores a statement as a method, which super users publish at once", async () => {
    const { page, done } = await at.visit("/sql");
    await write(page, "select name from world.cities where country_code = :code order by name");
    await page.getByRole("button", { name: "Store as a method" }).click();
    const dialog = page.getByRole("dialog", { name: "Store as a method" });
    await dialog.getByLabel("Name").fill("namesOf");
    await dialog.getByLabel("Publish it").check();
    await shoot(page, "sql-store");
    assert.deepEqual(await violationsOf(page), {});
    await dialog.getByRole("button", { name: "Save method" }).click();
    await page.getByRole("heading", { name: "namesOf" }).waitFor();
    await page.getByRole("status").getByText("Published: others may call it, of captain").waitFor();
    assert.deepEqual(await at.rows("select q, published from portolan.methods where method = 'namesOf'"), [
      { q: "select name from world.cities where country_code = :code order by name", published: true },
    ]);
    await done();
  });

  test("gives statements with their parameters as code that runs", async () => {
    const { page, done } = await at.visit("/sql");
    await write(page, "insert into world.logbook (city_id, entry) values (:city, :entry) returning entry");
    const parameters = page.getByRole("group", { name: "Parameters" });
    await parameters.getByLabel("city", { exact: true }).fill("1");
    await parameters.getByLabel("entry", { exact: true }).fill('it\'s "theirs"');
    await page.getByText("API", { exact: true }).click();
    await page.getByLabel("With my token").check();
    const code = async (language: string) => {
      await page.getByLabel("Language", { exact: true }).selectOption(language);
      const region = page.getByRole("region", { name: `Language: ${language}` });
      await region.getByText("Bearer ey").waitFor();
      return region.innerText();
    };
    assert.match((await execute("sh", ["-c", await code("curl")])).stdout, /theirs/);
    assert.match((await execute("python3", ["-c", await code("Python")])).stdout, /theirs/);
    const typescript = await code("TypeScript");
    assert.match(
      (await execute(process.execPath, ["--input-type=module-typescript", "-e", typescript])).stdout,
      /theirs/,
    );
    assert.deepEqual(
      await at.rows("select count(*)::int from world.logbook where city_id = 1 and entry = $1", [`it's "theirs"`]),
      [{ count: 3 }],
    );
    await done();
  });

  test("runs a statement and reads its result with the keys alone", async () => {
    const { page, done } = await at.visit("/sql");
    await tabTo(page, page.getByLabel("Statement"));
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Delete");
    await page.keyboard.insertText("update world.areas set name = 'By keys' where id = 1 returning name");
    await tabTo(page, page.getByRole("button", { name: "Run", exact: true }));
    await page.keyboard.press("Enter");
    await page.getByRole("cell", { name: "By keys" }).waitFor();
    await tabTo(page, page.getByRole("button", { name: "JSON" }));
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: "Result" }).getByText('"name": "By keys"').waitFor();
    assert.deepEqual(await at.rows("select name from world.areas where id = 1"), [{ name: "By keys" }]);
    await done();
  });
});

/// <reference lib="dom" />
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { until } from "../support/until.ts";
import { shoot, site, tabTo } from "./support.ts";

const run = promisify(execFile);

describe("the console: GraphQL", () => {
  const at = site();
  const test = at.scenarios("GraphQL");

  const editor = (page: Page) => page.getByRole("textbox", { name: "Document" });
  const answer = (page: Page) => page.getByRole("region", { name: "Answer" });
  const offered = (page: Page, name: string) =>
    page.getByRole("navigation", { name: "What there is to ask" }).getByRole("button", { name, exact: true });
  const begin = (page: Page, name: string) => offered(page, name).click();

  test("begins a document from the fields of the schema, writes with variables, and explains wrong ones", async () => {
    const { page, done } = await at.visit("/graphql/world");
    await begin(page, "insertCountries");
    await editor(page).getByText("mutation insertCountries").waitFor();
    for (const [variables, problem] of [
      ["{", "The variables are not JSON."],
      ["[1]", "The variables are not a JSON object."],
    ] as const) {
      await page.getByLabel("Variables").fill(variables);
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await page.getByRole("alert").getByText(problem).waitFor();
    }
    await page.getByLabel("Variables").fill('{"objects": [{"code": "XX", "name": "<b>Atlantis</b>"}]}');
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await answer(page).getByText("<b>Atlantis</b>").waitFor();
    assert.deepEqual(await at.rows("select name from world.countries where code = 'XX'"), [
      { name: "<b>Atlantis</b>" },
    ]);
    await shoot(page, "graphql-insert");
    await done();
  });

  it("leads from a refused operation to the reason", async () => {
    const { page, done } = await at.visit("/graphql/world", { account: "guest" });
    await editor(page).click();
    await page.keyboard.insertText('mutation { updateCountries(where: {code: "FR"}, data: {name: "Gaul"}) { name } }');
    await page.keyboard.press("Control+Enter");
    await answer(page).getByText("FORBIDDEN").waitFor();
    const address = await page.getByRole("alert").getByRole("link", { name: "Why?" }).getAttribute("href");
    await page.goto(`${at.gateway.baseUrl}${address}`);
    await page.getByText("A grant is missing.").waitFor();
    await done();
  });

  test("keeps documents in tabs over a reload, and opens earlier runs again", async () => {
    const { page, done } = await at.visit("/graphql/world");
    await begin(page, "updateCountries");
    await page.getByLabel("Variables").fill('{"where": {"code": {"eq": "FR"}}, "data": {"name": "Gaul"}}');
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await answer(page).getByText("Gaul").waitFor();
    assert.deepEqual(await at.rows("select name from world.countries where code = 'FR'"), [{ name: "Gaul" }]);
    await begin(page, "getCities");
    await editor(page).getByText("query getCities").waitFor();
    await page.reload();
    await editor(page).getByText("query getCities").waitFor();
    const tabs = page.getByRole("group", { name: "Documents" });
    await tabs.getByRole("button", { name: "updateCountries" }).click();
    await editor(page).getByText("mutation updateCountries").waitFor();
    assert.match(await page.getByLabel("Variables").inputValue(), /Gaul/);
    await tabs.getByRole("button", { name: "Close" }).click();
    await tabs.getByRole("button", { name: "updateCountries" }).waitFor({ state: "detached" });
    await page.getByText("Earlier runs").click();
    await page.getByRole("list", { name: "Earlier runs" }).getByRole("button", { name: "updateCountries" }).click();
    await editor(page).getByText("mutation updateCountries").waitFor();
    assert.match(await page.getByLabel("Variables").inputValue(), /Gaul/);
    await done();
  });

  it("marks a field that there is not while it is written, completes those that there are, and tells of types", async () => {
    const { page, done } = await at.visit("/graphql/world");
    await offered(page, "getCities").waitFor();
    await editor(page).click();
    await page.keyboard.insertText("{ getCities { nothing } }");
    await page.locator(".cm-lintRange-error", { hasText: "nothing" }).waitFor();
    await page.keyboard.press("Control+Enter");
    await answer(page).getByText("Cannot query field").waitFor();
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Delete");
    await page.keyboard.type("query q { getCou");
    await page.locator(".cm-tooltip-autocomplete").getByText("getCountries", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "The type [Countries]" }).first().click();
    await shoot(page, "graphql-type");
    const type = page.getByRole("region", { name: "The type Countries" });
    await type.getByText("code").first().waitFor();
    await type.getByRole("button", { name: "← All there is to ask" }).click();
    await offered(page, "getCities").waitFor();
    await done();
  });

  it("follows a subscription over the WebSocket until it is stopped", async () => {
    const { page, done } = await at.visit("/graphql/world");
    await begin(page, "CountriesMessageUpdated");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByText("Following …").waitFor();
    let count = 0;
    await until(async () => {
      // nothing says that a subscription has begun: what is written later comes
      await at.rows("update world.countries set name = $1 where code = 'DE'", [`<i>Followed</i> ${count++}`]);
      return (await answer(page).getByText("<i>Followed</i>").count()) > 0;
    });
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByRole("button", { name: "Run", exact: true }).waitFor();
    await page.getByText("Ask it from a program").click();
    assert.match(await page.getByRole("region", { name: "Language: TypeScript" }).innerText(), /graphql-ws/);
    await done();
  });

  test("sends requests as the signed-in account, as another by a header, and as code that runs", async () => {
    const { page, done } = await at.visit("/graphql/world", { account: "guest" });
    await editor(page).click();
    await page.keyboard.insertText('mutation { insertCountries(data: {code: "XG", name: "Guest"}) { code } }');
    await page.keyboard.press("Control+Enter");
    await answer(page).getByText('"errors"').waitFor();
    assert.deepEqual(await at.rows("select code from world.countries where code = 'XG'"), []);
    await page.getByLabel("Headers").fill("no");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByRole("alert").getByText("The headers are not JSON.").waitFor();
    const token = await at.gateway.token("captain");
    await page.getByLabel("Headers").fill(JSON.stringify({ Authorization: `Bearer ${token}` }));
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await answer(page).getByText('"XG"').waitFor();
    assert.deepEqual(await at.rows("select code from world.countries where code = 'XG'"), [{ code: "XG" }]);
    await page.getByText("Ask it from a program").click();
    await page.getByLabel("With my token, which ends soon").check();
    const code = page.getByRole("region", { name: "Language: curl" });
    await code.getByText("Bearer ey").waitFor();
    const { stdout } = await run("sh", ["-c", await code.innerText()]);
    assert.ok((JSON.parse(stdout) as { errors: object[] }).errors.length > 0, "as the guest it is refused");
    await done();
  });

  test("begins a mutation, runs it and reads the answer with the keys alone", async () => {
    const { page, done } = await at.visit("/graphql/world");
    await tabTo(page, page.getByRole("searchbox", { name: "Find an operation or type" }));
    await page.keyboard.type("deleteLogbook");
    await tabTo(page, offered(page, "deleteLogbook").first());
    await page.keyboard.press("Enter");
    await editor(page).getByText("mutation deleteLogbook").waitFor();
    await tabTo(page, editor(page));
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Delete");
    await page.keyboard.insertText('mutation { insertCountries(objects: [{code: "XK", name: "Keyed"}]) { code } }');
    await page.keyboard.press("Control+Enter");
    await answer(page).getByText("XK").waitFor();
    await tabTo(page, page.getByRole("button", { name: "Copy the answer" }));
    assert.deepEqual(await at.rows("select name from world.countries where code = 'XK'"), [{ name: "Keyed" }]);
    await done();
  });
});

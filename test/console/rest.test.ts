/// <reference lib="dom" />
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Locator } from "playwright-core";
import { violationsOf } from "../support/axe.ts";
import { follow, shoot, site } from "./support.ts";

const run = promisify(execFile);

describe("the console: REST", () => {
  const at = site();
  const test = at.scenarios("REST");

  test("finds an operation, says what it takes and answers, runs it, and gives its call", async () => {
    const { page, done } = await at.visit("/rest");
    await page.getByText("Choose an operation").waitFor();
    await page.getByLabel("Find an operation").fill("tables/{table}/rows");
    await follow(page.getByRole("link", { name: "GET /schemas/{schema}/tables/{table}/rows", exact: true }));
    await page.getByRole("heading", { level: 1, name: /^The rows of a table/ }).waitFor();
    const send = page.getByRole("button", { name: "Run", exact: true });
    assert.equal(await send.getAttribute("aria-disabled"), "true", "its parameters are required");
    await page.getByLabel("schema", { exact: true }).fill("world");
    await page.getByLabel("table", { exact: true }).fill("cities");
    await page.getByLabel("limit", { exact: true }).fill("1");
    await send.click();
    const [city] = await at.rows("select name from world.cities order by id limit 1");
    await page.getByRole("region", { name: "Answer", exact: true }).getByText(`"name": "${city?.["name"]}"`).waitFor();
    await shoot(page, "rest");
    const height = async (of: Locator): Promise<number> => (await of.boundingBox())!.height;
    for (const button of [send, page.getByRole("button", { name: "Copy curl" })])
      assert.equal(await height(button), await height(page.getByLabel("Language", { exact: true })), "as elsewhere");
    assert.deepEqual(await violationsOf(page, { contrast: true }), {});
    await page.getByLabel("With my token").check();
    for (const [language, program] of [
      ["curl", ["sh", "-c"]],
      ["Python", ["python3", "-c"]],
      ["TypeScript", [process.execPath, "--input-type=module-typescript", "--no-warnings", "-e"]],
    ] as const) {
      await page.getByLabel("Language", { exact: true }).selectOption(language);
      const code = page.getByRole("region", { name: `Language: ${language}` });
      await code.getByText("Bearer ey").waitFor();
      const [command, ...given] = program;
      const { stdout } = await run(command, [...given, await code.innerText()]);
      assert.ok(stdout.includes(String(city?.["name"])), language);
    }
    await page.getByLabel("table", { exact: true }).fill("nowhere");
    await send.click();
    await page.getByRole("alert").filter({ hasText: "nowhere" }).waitFor();
    await page.getByLabel("Find an operation").fill("post /oauth/register");
    await follow(page.getByRole("link", { name: "POST /oauth/register", exact: true }));
    await page.getByRole("region", { name: "Language: curl" }).getByText("--data-binary @body").waitFor();
    assert.equal(await page.getByLabel("With my token").count(), 0, "a client has none");
    await page.getByLabel("Find an operation").fill("post /queries");
    await follow(page.getByRole("link", { name: "POST /queries", exact: true }));
    await page.getByRole("region", { name: "Request body: application/json" }).getByText("name: string").waitFor();
    assert.equal(await page.getByRole("button", { name: "Run", exact: true }).count(), 0, "it writes");
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: "dark" });
    await page.getByRole("heading", { level: 1 }).scrollIntoViewIfNeeded(); // nothing that is looked at is beneath the bars
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    assert.ok(overflow <= 0, `${overflow} pixels`);
    await shoot(page, "rest-phone");
    assert.deepEqual(await violationsOf(page, { contrast: true }), {});
    await done(404);
  });
});

/// <reference lib="dom" />
import assert from "node:assert/strict";
import { shoot, site } from "./support.ts";

describe("the console: SQL", () => {
  const at = site();

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

  it("says what is wrong in PostgreSQL's words, and how many rows a write has changed", async () => {
    const { page } = await at.visit("/sql");
    await page.getByLabel("Statement").click();
    await page.keyboard.type("selec 1");
    await page.getByRole("button", { name: "Run" }).click();
    await page.getByRole("alert").getByText('syntax error at or near "selec"').waitFor();
    await page.getByLabel("Statement").click();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("update world.cities set name = upper(name) where id <= 3");
    await page.getByRole("button", { name: "Run" }).click();
    await page.getByText(/^3 rows affected/).waitFor();
    const { rows } = await at.gateway.database.client.query("select name from world.cities where id = 1");
    assert.deepEqual(rows, [{ name: "ABIDJAN" }]);
    await page.context().close();
  });

  it("runs as whoever is signed in", async () => {
    const { page } = await at.visit("/sql", { account: "guest" });
    await page.getByLabel("Statement").click();
    await page.keyboard.type("delete from world.cities");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("alert").getByText("permission denied").waitFor();
    await page.context().close();
  });
});

/// <reference lib="dom" />
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { as } from "../methods/requests.ts";
import { focused, shoot, site, tabTo, write } from "./support.ts";

const run = promisify(execFile);

describe("the console: methods", () => {
  const at = site({
    prepare: ({ client }) =>
      client.query(`
create function world.sum_of(a int, b int default 10) returns int language sql immutable as 'select a + b';
comment on function world.sum_of is E'@method\\nAdds two numbers.'`),
  });
  const test = at.scenarios("Methods");

  before(async () => {
    const guest = await as(at.gateway, "guest");
    await guest.define({ method: "notes", q: "insert into world.logbook (city_id, entry) values (:city, :entry)" });
  });

  const stored = (method: string) => at.rows("select q, published from portolan.methods where method = $1", [method]);

  test("are written with errors at their position, tried before they are stored, run, published and called by a program", async () => {
    const { page, done } = await at.visit("/methods");
    await page.getByRole("button", { name: "Write a method" }).click();
    await page.getByLabel("Name").fill("citiesOf");
    await page.getByLabel("Description").fill("The cities of a country, <b>by name</b>.");
    await page.getByRole("button", { name: "Create method" }).click();
    await page.getByRole("heading", { name: "citiesOf" }).waitFor();
    await write(page, "select name, nothing from world.cities where country_code = :code and id > :after");
    await page.getByText('column "nothing" does not exist').first().waitFor();
    await page.locator(".cm-lintRange-error", { hasText: "nothing" }).waitFor();
    await shoot(page, "method-error");
    await write(page, "select id, name from world.cities where country_code = :code and id > :after order by name");
    await page.getByText("Gives id: number, name: string").waitFor();
    await page.getByLabel("code", { exact: true }).fill("DE");
    await page.getByLabel("after", { exact: true }).fill("x");
    await page.getByRole("button", { name: "Dry run" }).click();
    await page.getByRole("alert").getByText("after: This is not a number.").waitFor();
    await page.getByLabel("after", { exact: true }).fill("0");
    await page.getByRole("button", { name: "Dry run" }).click();
    await page.getByRole("cell", { name: "Berlin", exact: true }).waitFor();
    assert.equal((await stored("citiesOf"))[0].q, "select 1 as one", "a dry run stores nothing");
    await page.reload();
    await page.getByLabel("Statement").getByText("country_code").waitFor(); // what was not saved is still there
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Save", disabled: true }).waitFor();
    assert.match((await stored("citiesOf"))[0].q, /order by name/);
    await page.getByLabel("code", { exact: true }).fill("DE");
    await page.getByLabel("after", { exact: true }).fill("0");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByRole("cell", { name: "Berlin", exact: true }).waitFor();
    await shoot(page, "method-run");
    await page.getByRole("button", { name: "JSON" }).click();
    await page.getByRole("region", { name: "Result" }).getByText('"name": "Berlin"').waitFor();
    await page.getByRole("button", { name: "Publish" }).click();
    await page.getByRole("status").getByText("Published: others may call it, of captain").waitFor();
    assert.equal((await stored("citiesOf"))[0].published, true);

    await page.getByText("Call it from a program").click();
    await page.getByLabel("Language", { exact: true }).selectOption("curl");
    await page.getByLabel("With my token").check();
    const code = page.getByRole("region", { name: "Language: curl" });
    await code.getByText("Bearer ey").waitFor();
    const answer = JSON.parse((await run("sh", ["-c", await code.innerText()])).stdout) as {
      result: { data: object[] };
    };
    assert.deepEqual(
      answer.result.data.map((row) => (row as { name: string }).name),
      ["Berlin"],
    );
    await page.getByLabel("Language", { exact: true }).selectOption("Python");
    const python = await page.getByRole("region", { name: "Language: Python" }).innerText();
    assert.match((await run("python3", ["-c", python])).stdout, /Berlin/);

    await page.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("button", { name: "Remove citiesOf" }).click();
    await page.getByText("Choose a method").waitFor();
    assert.deepEqual(await stored("citiesOf"), []);
    await done();
  });

  test("of one's own can be tried without writing rows; only super users publish", async () => {
    const { page, done } = await at.visit("/methods/notes", { account: "guest" });
    await page.getByLabel("city", { exact: true }).fill("1");
    await page.getByLabel("entry", { exact: true }).fill("by hand");
    await page.getByRole("button", { name: "Dry run" }).click();
    await page.getByText(/^1 row affected, \d+ ms, and rolled back$/).waitFor();
    const entries = () => at.rows("select entry from world.logbook where entry = 'by hand'");
    assert.deepEqual(await entries(), []);
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByText(/^1 row affected, \d+ ms$/).waitFor();
    assert.deepEqual(await entries(), [{ entry: "by hand" }]);
    await page.getByLabel("city", { exact: true }).fill("-1");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByRole("alert").getByText("SQLSTATE 23503").waitFor();
    assert.equal(await page.getByRole("button", { name: "Publish" }).count(), 0);
    await done();
  });

  it("that are functions are run and not changed; a parameter with a default may be left alone", async () => {
    const { page, done } = await at.visit("/methods/sum_of", { account: "guest" });
    await page.getByText("The function world.sum_of: it is changed in SQL").waitFor();
    assert.equal(await page.getByRole("button", { name: /Save|Remove/ }).count(), 0);
    await page.getByLabel("a", { exact: true }).fill("5");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByRole("cell", { name: "15", exact: true }).waitFor();
    await done();
  });

  test("are written and saved with the keys alone, and the focus stays where it was", async () => {
    const { page, done } = await at.visit("/methods");
    await tabTo(page, page.getByRole("button", { name: "Write a method" }));
    await page.keyboard.press("Enter");
    await focused(page.getByLabel("Name"));
    await page.keyboard.type("keyed");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "keyed" }).waitFor();
    await focused(page.getByRole("button", { name: "Write a method" }));
    await tabTo(page, page.getByLabel("Statement"));
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Delete");
    await page.keyboard.insertText("select 2 as two");
    await page.getByText("Gives two: number").waitFor();
    await tabTo(page, page.getByRole("button", { name: "Save" }));
    await page.keyboard.press("Enter");
    await focused(page.getByRole("button", { name: "Save", disabled: true }));
    assert.equal((await stored("keyed"))[0].q, "select 2 as two");
    await done();
  });
});

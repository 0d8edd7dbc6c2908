/// <reference lib="dom" />
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { testDatabase, type TestDatabase } from "../support/databases.ts";
import { site, withoutNobody } from "./support.ts";

describe("the console: several databases", () => {
  let own: TestDatabase;
  let other: TestDatabase;
  /** Of a pattern: the pages do not name it. */
  let third: TestDatabase;
  const toOptions = ({ name, gatewayUrl, url }: Pick<TestDatabase, "name" | "gatewayUrl" | "url">) =>
    [name, { url: gatewayUrl, ownerUrl: url }] as const;
  const at = site({
    prepare: async (database) => {
      own = database;
      [other, third] = [await testDatabase({ kind: "demo" }), await testDatabase({ kind: "demo" })];
      await other.client.query(`
create schema yards;
create table yards.cranes (id int primary key);
select portolan.create_user('ann', 'ann');`);
    },
    config: {
      get databases() {
        const pattern = {
          name: "*",
          gatewayUrl: third.gatewayUrl.replace(/[^/]*$/, "*"),
          url: third.url.replace(/[^/]*$/, "*"),
        };
        return Object.fromEntries([own, other, pattern].map(toOptions));
      },
    },
  });
  const test = at.scenarios("Frame");
  after(() => Promise.all([other.drop(), third.drop()]));

  async function signIn(page: Page, account: string): Promise<void> {
    await page.getByLabel("User name").fill(account);
    await page.getByLabel("Password").fill(account);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("button", { name: "Sign out" }).waitFor();
  }

  test("asks for the database, changes to another as somebody who has an account there, and signs out of only that one", async () => {
    const { page, errors } = await at.browser.open(at.gateway.baseUrl);
    const choice = page.getByLabel("Database", { exact: true });
    await page.goto(`${at.gateway.baseUrl}/console/data/world/Cities`);
    await page.getByRole("button", { name: "Sign in" }).click();
    await choice.fill(own.name);
    await page.getByRole("button", { name: "Go on" }).click();
    await signIn(page, "captain");
    await page.getByRole("heading", { name: "Cities" }).waitFor();
    await choice.selectOption(other.name);
    await signIn(page, "ann");
    assert.equal(new URL(page.url()).pathname, "/console");
    assert.equal(await choice.inputValue(), other.name);
    await page.goto(`${at.gateway.baseUrl}/console/schema/yards`);
    await page.getByRole("heading", { name: "yards" }).first().waitFor();
    assert.deepEqual(
      (await other.client.query("select distinct user_name from portolan.token_families where revoked_at is null"))
        .rows,
      [{ user_name: "ann" }],
    );
    await choice.selectOption(own.name); // where captain is signed in: nothing is asked
    await page.getByRole("link", { name: "captain" }).waitFor();
    await choice.selectOption(other.name);
    await page.getByRole("link", { name: "ann" }).waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    const sessions = "select user_name from portolan.sessions";
    assert.deepEqual(await at.rows(sessions), [{ user_name: "captain" }]);
    assert.deepEqual((await other.client.query(sessions)).rows, []);
    assert.deepEqual(withoutNobody(errors), []);
    await page.context().close();
  });

  it("shows the schemas of a database that the page does not name, and leads to the others", async () => {
    const { page, errors } = await at.browser.open(at.gateway.baseUrl);
    await page.goto(`${at.gateway.baseUrl}/console/data`);
    assert.equal((await page.content()).includes(third.name), false);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByLabel("Database", { exact: true }).fill(third.name);
    await page.getByRole("button", { name: "Go on" }).click();
    await signIn(page, "guest");
    await page.getByRole("heading", { name: "world" }).waitFor();
    const choices = await page.getByLabel("Database", { exact: true }).locator("option").allInnerTexts();
    assert.deepEqual(choices.toSorted(), [own.name, other.name, third.name].toSorted());
    assert.deepEqual(withoutNobody(errors), []);
    await page.context().close();
  });
});

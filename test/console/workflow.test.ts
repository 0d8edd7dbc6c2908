/// <reference lib="dom" />
import assert from "node:assert/strict";
import { cell, focused, follow, shoot, site, tabTo } from "./support.ts";

describe("the console: workflow", () => {
  const at = site({
    prepare: ({ client }) =>
      client.query(`
create table world.notes (id int primary key, body text);
insert into world.notes values (1, 'old');
select portolan.share_with_owner('{world}');
select portolan.create_user('ada', 'ada'), portolan.create_user('rea', 'rea');
select portolan.set_privilege('world.notes', u, 'write') from unnest('{ada,rea,guest}'::text[]) u;
select portolan.enable_versioning('world.notes');
select portolan.enable_workflow('world.notes');
select portolan.set_workflow_role('world.notes', 'ada', 'author');
select portolan.set_workflow_role('world.notes', 'rea', 'reviewer');`),
  });
  const test = at.scenarios("Workflow");
  const states = async () =>
    (await at.rows("select portolan_status as state from world.notes order by id")).map(({ state }) => state);

  before(async () => {
    const written = await at.gateway.graphql(
      "ada",
      "world",
      `mutation { insertNotes(objects: [{id: 2, body: "<b>two</b>"}, {id: 3, body: "three"}, {id: 4, body: "four"}]) { id } }`,
    );
    assert.equal(written.body.errors, undefined);
  });

  it("shows an author its drafts, and nothing to move them with", async () => {
    const { page, done } = await at.visit("/workflow", { account: "ada" });
    await follow(page.getByRole("link", { name: "notes 3 of yours" }));
    await page.getByText("<b>two</b>").waitFor();
    assert.equal(await page.getByRole("checkbox").count(), 0);
    await done();
  });

  test("a reviewer passes many rows on at once, but none of which one was changed since it was shown", async () => {
    const { page } = await at.visit("/workflow", { account: "rea" });
    await follow(page.getByRole("link", { name: "notes 3 to review" }));
    await page.getByRole("button", { name: "Choose all 3 shown" }).click();
    await at.rows("update world.notes set body = 'drei', portolan_status = -1 where id = 3");
    await page.getByRole("button", { name: "Pass on 3" }).click();
    await page.getByRole("heading", { name: "Pass on 3 rows of notes?" }).waitFor();
    await page.getByRole("button", { name: "Pass on 3 rows" }).click();
    await page.getByRole("dialog").getByRole("alert").getByText("1 of 3 rows").waitFor();
    assert.deepEqual(await states(), [3, 1, 1, 1]);
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Reload" }).click();
    await page.getByText("drei").waitFor();
    await page.getByRole("button", { name: "Choose all 3 shown" }).click();
    await page.getByLabel("Choose 4", { exact: true }).uncheck();
    await page.getByRole("button", { name: "Pass on 2" }).click();
    await page.getByRole("button", { name: "Pass on 2 rows" }).click();
    await page.getByRole("status").getByText("2 rows: reviewed.").waitFor();
    assert.deepEqual(await states(), [3, 2, 2, 1]);
    await page.context().close();
  });

  test("a publisher publishes and sends back; then the row shows what it would change", async () => {
    const { page, done } = await at.visit("/workflow/world/notes");
    await page.getByRole("button", { name: "Choose all 2 shown" }).click();
    await page.getByRole("button", { name: "Publish 2" }).click();
    await shoot(page, "publish");
    await page.getByRole("button", { name: "Publish 2 rows" }).click();
    await page.getByRole("status").getByText("2 rows: published.").waitFor();
    assert.deepEqual(await states(), [3, 3, 3, 1]);
    await at.rows("update world.notes set portolan_status = -1 where id = 2");
    const changed = await at.gateway.graphql(
      "ada",
      "world",
      `mutation { updateNotes(id: "2", data: {body: "zwei"}) { id } }`,
    );
    assert.equal(changed.body.errors, undefined);
    await page.getByRole("button", { name: "Reload" }).click();
    await page.getByRole("button", { name: "drafted 2" }).click();
    const row = page.getByRole("listitem").filter({ hasText: "zwei" });
    assert.match(await row.innerText(), /changed\s+2\s+by ada[^]*before:\s+<b>two<\/b>\s+after:\s+zwei/);
    await page.getByLabel("Choose 2", { exact: true }).check();
    await page.getByRole("button", { name: "Pass on 1" }).click();
    await page.getByRole("button", { name: "Pass on 1 row" }).click();
    await page.getByRole("button", { name: "reviewed 1" }).click();
    await page.getByRole("button", { name: "reviewed 1", pressed: true }).waitFor(); // both lists have the row for a moment
    await page.getByLabel("Choose 2", { exact: true }).check();
    await shoot(page, "workflow");
    await page.getByRole("button", { name: "Send back 1" }).click();
    await page.getByRole("button", { name: "Send back 1 row" }).click();
    await page.getByText("Nothing waits here that is reviewed.").waitFor();
    assert.deepEqual(await states(), [3, 1, 3, 1]);
    await done();
  });

  it("readers see what is published, and take no part", async () => {
    const { page, done } = await at.visit("/workflow", { account: "guest" });
    await page.getByText("You take part in no workflow.").waitFor();
    await page.goto(`${at.gateway.baseUrl}/console/data/world/Notes`);
    await page.getByText("2 rows").waitFor();
    assert.equal(await cell(page, "3", 2).innerText(), "drei");
    await done();
  });

  test("publishes a row with the keys alone", async () => {
    const { page, done } = await at.visit("/workflow/world/notes?state=drafted");
    await tabTo(page, page.getByLabel("Choose 4", { exact: true }));
    await page.keyboard.press("Space");
    await tabTo(page, page.getByRole("button", { name: "Publish 1" }));
    await page.keyboard.press("Enter");
    await focused(page.getByRole("dialog").getByRole("button", { name: "Publish 1 row" }));
    await page.keyboard.press("Enter");
    await page.getByRole("status").getByText("1 row: published.").waitFor();
    await focused(page.getByRole("button", { name: "Publish", disabled: true }));
    assert.deepEqual(await at.rows("select portolan_status as state from world.notes where id = 4"), [{ state: 3 }]);
    await done();
  });
});

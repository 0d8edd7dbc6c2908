/// <reference lib="dom" />
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { cell, focused, follow, shoot, site, tabTo } from "./support.ts";

describe("the console: events", () => {
  const at = site({ prepare: ({ client }) => client.query("create table world.quiet (id int primary key)") });
  const test = at.scenarios("Events");

  const write = (text: string) => at.gateway.database.client.query(text);
  const shown = async (page: Page, count: number): Promise<string[]> => {
    const items = page.getByRole("list", { name: "Events, the newest first" }).getByRole("listitem");
    await items.nth(count - 1).waitFor();
    assert.equal(await items.count(), count);
    return (await items.locator("summary").allInnerTexts()).map((text) =>
      text.replaceAll(/\s+/g, " ").replace(/ [\d:]+( [AP]M)?$/, ""),
    );
  };

  /** Runs `act`, and waits until the page follows the table again; it also says so for the earlier subscription. */
  async function followedAnew(page: Page, act: () => Promise<unknown>): Promise<void> {
    const acknowledged = new Promise<void>((resolve) =>
      page.once("websocket", (socket) =>
        socket.on("framereceived", ({ payload }) => {
          if (String(payload).includes("subscription_ack")) resolve();
        }),
      ),
    );
    await act();
    await acknowledged;
  }

  it("come as they are committed, those that a filter keeps; after a stop it goes on with what was missed", async () => {
    const { page, done } = await at.visit("/events");
    await follow(page.getByRole("link", { name: "countries" }));
    await page.getByText("Following.").waitFor();
    await page.getByLabel("Only where").fill("name <> 'Hidden'");
    await followedAnew(page, () => page.keyboard.press("Enter"));
    await write("insert into world.countries (code, name) values ('XA', '<b>Xanadu</b>'), ('XB', 'Hidden')");
    assert.deepEqual(await shown(page, 1), ["insert XA · <b>Xanadu</b>"]);
    await write(
      "begin; update world.countries set name = 'Kubla' where code = 'XA'; delete from world.countries where code = 'XA'; commit",
    );
    assert.deepEqual(await shown(page, 3), ["delete XA · Kubla", "update XA · Kubla", "insert XA · <b>Xanadu</b>"]);
    await shoot(page, "events");
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByText("Stopped.").waitFor();
    await write("insert into world.countries (code, name) values ('XC', 'Missed')");
    await page.getByRole("button", { name: "Continue" }).click();
    assert.equal((await shown(page, 4))[0], "insert XC · Missed");
    await followedAnew(page, () => page.getByLabel("Which").selectOption("deletes"));
    await page.getByRole("button", { name: "Clear" }).click();
    await write(
      "update world.countries set name = 'Seen' where code = 'XC'; delete from world.countries where code = 'XC'",
    );
    assert.deepEqual(await shown(page, 1), ["delete XC · Seen"]);
    await done();
  });

  test("report a row that is written in Data in another window, with its new values", async () => {
    const { page, done } = await at.visit("/events/world/countries?op=UPDATE");
    await page.getByText("Following.").waitFor();
    const other = await at.visit("/data/world/Countries");
    await cell(other.page, "AE", 2).dblclick();
    await other.page.keyboard.press("Control+a");
    await other.page.keyboard.type("Emirates");
    await other.page.keyboard.press("Enter");
    assert.match((await shown(page, 1))[0]!, /^update AE · Emirates\b/);
    assert.deepEqual(await at.rows("select name from world.countries where code = 'AE'"), [{ name: "Emirates" }]);
    await other.done();
    await done();
  });

  it("keep a filter that is JSON in the address, escaped once, and a text as it is", async () => {
    const { page, done } = await at.visit("/events/world/countries");
    for (const [text, where] of [
      ['{"code":{"eq":"AE"}}', { code: { eq: "AE" } }],
      ["code = 'AE'", "code = 'AE'"],
    ] as const) {
      await page.getByLabel("Only where").fill(text);
      await page.keyboard.press("Enter");
      const wanted = typeof where === "string" ? where : JSON.stringify(where);
      await page.waitForURL((url) => url.searchParams.get("where") === wanted);
      await page.reload();
      await page.getByText("Following.").waitFor();
      assert.equal(await page.getByLabel("Only where").inputValue(), text);
    }
    await done();
  });

  it("say what is wrong with a filter, and that events are off", async () => {
    const { page, done } = await at.visit("/events/world/countries?where=nothing%20%3D%201");
    await page.getByRole("alert").getByText("nothing").waitFor();
    await page.getByRole("button", { name: "Follow" }).waitFor();
    await page.goto(`${at.gateway.baseUrl}/console/events/world/quiet`);
    await page.getByRole("alert").getByText("events").waitFor();
    await done();
  });

  test("are followed with a filter, stopped and continued with the keys alone", async () => {
    const { page, done } = await at.visit("/events/world/countries");
    await page.getByText("Following.").waitFor();
    await tabTo(page, page.getByLabel("Only where"));
    await page.keyboard.type("code = 'FR'");
    await followedAnew(page, () => page.keyboard.press("Enter"));
    const update = (name: string) =>
      at.rows("update world.countries set name = $1 where code = 'FR' returning code", [name]);
    await update("Gallia");
    await shown(page, 1);
    await tabTo(page, page.getByRole("button", { name: "Stop" }));
    await page.keyboard.press("Enter");
    await focused(page.getByRole("button", { name: "Continue" }));
    await update("Gaul");
    await page.keyboard.press("Enter");
    assert.match((await shown(page, 2))[0]!, /^update FR · Gaul\b/);
    await tabTo(page, page.locator("summary", { hasText: "Gaul" }));
    await page.keyboard.press("Enter");
    await page.getByText('"name": "Gaul"').waitFor();
    await done();
  });
});

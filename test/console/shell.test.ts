/// <reference lib="dom" />
import assert from "node:assert/strict";
import type { Page, Request } from "playwright-core";
import { violationsOf } from "../support/axe.ts";
import { LOOKS, SCHEMES } from "../support/looks.ts";
import { pixelRatioOfTest } from "../support/pixelRatio.ts";
import { sized } from "../support/size.ts";
import { until } from "../support/until.ts";
import { as } from "../methods/requests.ts";
import { answeredWhile, cell, focused, follow, lead, shoot, site, type Visit } from "./support.ts";

/** What the first page and each further one may weigh, in bytes as they come. */
const FIRST = 300_000;
const FURTHER = 160_000;

/** The bytes, as they come, of what a page asks for while somebody acts. `part`: of addresses that have it. */
async function bytesOf(page: Page, act: () => Promise<unknown>, part = ""): Promise<number> {
  const answered = (await answeredWhile(page, act)).filter((request) => request.url().includes(part));
  const sizes = await Promise.all(answered.map((request) => request.sizes()));
  return sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0);
}

describe("the console", () => {
  const at = site({
    prepare: ({ client }) =>
      client.query(`
select portolan.enable_versioning('world.cities');
update world.cities set name = 'Lisboa' where id = 42;
select portolan.enable_workflow('world.routes');
create schema yards;
create table yards.cranes (id int primary key, "<b>reach" int);
select portolan.enable_versioning('yards.cranes');
insert into yards.cranes values (1, 30), (2, null);
update world.routes set portolan_status = -1 where id = (select min(id) from world.routes);
select portolan.note_agents(jsonb_build_array(jsonb_build_object(
  'id', gen_random_uuid(), 'account', u.name, 'client_id', 'portolan-cli', 'token_version', u.token_version, 'scope', 'mcp:write',
  'software', 'a-long-name-of-a-client 2026.11.27', 'address', '192.0.2.7', 'ago_ms', 0, 'expires_at', now() + interval '1 day',
  'calls', 1234, 'refused', 5, 'hears', true, 'refusal', jsonb_build_object(
    'tool', 'delete', 'table', 'world.cities', 'code', 'FORBIDDEN', 'message', 'The account may not do this with these rows'))))
from portolan.users u where u.name = 'guest';`),
  });
  const test = at.scenarios("Frame");

  before(async () => {
    const captain = await as(at.gateway, "captain");
    await captain.define({
      method: "citiesOf",
      q: "-- by name\nselect name, 1 as one, 'a' as text from world.cities where country_code = :code",
    });
  });

  const AREAS = [
    [
      "home",
      "",
      async (page: Page) => {
        await page.getByText(/checks passed/).waitFor();
        await page.getByRole("img", { name: /^Milliseconds/ }).waitFor();
        await page.getByText(/^(No running statements\.|PID)$/).waitFor();
        await page.getByRole("region", { name: "Jobs" }).getByText("No jobs yet.").waitFor();
      },
    ],
    ["requests", "/requests?console=shown", (page: Page) => page.getByRole("cell", { name: "200" }).first().waitFor()],
    [
      "search",
      "",
      async (page: Page) => {
        const field = page.getByRole("combobox", { name: "Search everything" });
        if (!(await field.isVisible())) await page.keyboard.press("Control+k");
        await field.fill("c");
        await page.getByRole("option", { name: "cranes table in yards" }).waitFor();
      },
    ],
    ["data", "/data/world/Cities", (page: Page) => cell(page, "1", 1).waitFor()],
    ["history", "/history/world/Cities", (page: Page) => cell(page, "1", 1).waitFor()],
    [
      "differences",
      "/history/yards/Cranes?from=2026-01-01T00:00:00Z",
      (page: Page) => page.getByText("2 added").waitFor(),
    ],
    ["life", "/history/world/Cities?key=42", (page: Page) => page.getByRole("dialog").getByText("before:").waitFor()],
    [
      "workflow",
      "/workflow/world/routes?state=drafted",
      (page: Page) => page.getByRole("button", { name: "Choose all 1 shown" }).waitFor(),
    ],
    ["diagram", "/schema/world", (page: Page) => page.getByRole("article", { name: "cities", exact: true }).waitFor()],
    ["table", "/schema/world/cities", (page: Page) => page.getByRole("rowheader", { name: "zone" }).waitFor()],
    ["audit", "/audit", (page: Page) => page.getByRole("listitem").first().waitFor()],
    ["api", "/data/world/Cities/api", (page: Page) => page.getByRole("list", { name: "Addresses" }).waitFor()],
    ["sql", "/sql", (page: Page) => page.getByLabel("Statement").waitFor()],
    [
      "graphql",
      "/graphql/world",
      async (page: Page) => {
        const document = page.getByRole("textbox", { name: "Document" });
        const begin = page
          .getByRole("region", { name: "Queries" })
          .getByRole("button", { name: "getCities", exact: true });
        const begun = document.getByText("query getCities");
        await begin.or(begun).first().waitFor();
        if (!(await begun.isVisible())) await begin.click();
        await document.focus();
        await document.locator("span").first().waitFor(); // its colours
        await page.getByRole("button", { name: "Run", exact: true }).click();
        await page.getByRole("region", { name: "Answer" }).getByText("Abidjan").waitFor();
      },
    ],
    ["method", "/methods/citiesOf", (page: Page) => page.getByText("Gives name").waitFor()],
    [
      "map",
      "/maps/world/catchments",
      async (page: Page) => {
        await page.locator('[role="application"][aria-busy="false"]').waitFor();
        await page.getByLabel("By column").selectOption("area_km2");
        await page.getByRole("button", { name: "Classify" }).click();
        await page.locator(".class summary").first().click();
        await page.getByText("To copy").click();
      },
    ],
    [
      "events",
      "/events/world/countries",
      async (page: Page) => {
        await page.getByText("Following.").waitFor();
        await at.gateway.database.client.query("update world.countries set name = name where code = 'DE'");
        await page.locator("summary", { hasText: "Germany" }).first().click();
      },
    ],
    ["account", "/account", (page: Page) => page.getByText("(this window)").waitFor()],
    ["accounts", "/access", (page: Page) => page.getByRole("rowheader", { name: "guest" }).waitFor()],
    ["one account", "/access/accounts/guest", (page: Page) => page.getByText("Where it is signed in").waitFor()],
    ["privileges", "/access/privileges", (page: Page) => page.getByLabel("guest on cities").waitFor()],
    ["rules", "/access/rules", (page: Page) => page.getByText("There is no rule").waitFor()],
    ["clients", "/access/clients", (page: Page) => page.getByRole("rowheader", { name: "portolan-console" }).waitFor()],
    [
      "agents",
      "/access/agents",
      (page: Page) => page.getByRole("button", { name: "End Portolan command line of guest" }).waitFor(),
    ],
    [
      "see",
      "/access/see",
      async (page: Page) => {
        await page.getByLabel("Table", { exact: true }).selectOption("cities");
        await page.getByRole("button", { name: "See" }).click();
        await page.getByRole("status").waitFor();
      },
    ],
  ] as const;

  describe("in each of its areas", () => {
    /** By pixels of the screen: the page of the area before, unless something lies over it. */
    const kept = new Map<number, Visit>();
    after(() => Promise.all([...kept.values()].map((visit) => visit.done())));

    for (const [name, path, isThere] of AREAS)
      it(`${name} can be used by everybody, on a screen and on a phone, light and dark`, async () => {
        const ratio = pixelRatioOfTest();
        const isAlone = ["search", "life", "account"].includes(name);
        const last = kept.get(ratio);
        const before = isAlone || last?.page.isClosed() ? undefined : last; // after a failed test all are closed
        const visit = before ?? (await at.visit(path, { bySignIn: name === "account" }));
        const { page } = visit;
        if (before) {
          await page.setViewportSize({ width: 1440, height: 900 });
          await lead(page, path);
        }
        await isThere(page);
        for (const { width, height, colorScheme } of LOOKS) {
          await page.setViewportSize({ width, height });
          await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
          await isThere(page);
          await shoot(page, `${name}-${width}-${colorScheme}`);
          assert.deepEqual(await violationsOf(page, { contrast: true }), {}, `${width} pixels, ${colorScheme}`);
          const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
          assert.ok(overflow <= 0, `at ${width} pixels it is ${overflow} px too wide`);
        }
        if (isAlone) await visit.done();
        else kept.set(ratio, visit);
      });
  });

  describe("at each of its addresses", () => {
    /** These are checked above as they are when they are used; without choices they look the same. */
    const isChecked = (path: string) => AREAS.some(([name, at]) => at.toLowerCase() === path && name !== "see");
    let visit: Visit;
    before(async () => {
      visit = await at.visit("");
    });
    after(() => visit.done(404)); // of the map that there is not

    for (const [path, title] of [
      ["/data", "Data · Portolan"],
      ["/history", "History · Portolan"],
      ["/workflow", "Workflow · Portolan"],
      ["/sql", "SQL · Portolan"],
      ["/access", "Accounts · Portolan"],
      ["/access/privileges", "Privileges · Portolan"],
      ["/access/see", "See as · Portolan"],
      ["/access/clients", "Clients · Portolan"],
      ["/access/agents", "Agents · Portolan"],
      ["/audit", "Audit · Portolan"],
      ["/graphql", "GraphQL · Portolan"],
      ["/account", "Account · Portolan"],
      ["/methods", "Methods · Portolan"],
      ["/events", "Events · Portolan"],
      ["/maps", "Maps · Portolan"],
      ["/workspace", "Maps · Portolan"],
      ["/data/world/cities", "cities · Data · Portolan"],
      ["/data/world/cities/api", "cities · API · Portolan"],
      ["/schema/world", "world · Schema · Portolan"],
      ["/import/world/cities", "cities · Import · Portolan"],
      ["/import", "world · Schema · Portolan"],
      ["/methods/citiesOf", "citiesOf · Methods · Portolan"],
      ["/access/accounts/guest", "guest · Accounts · Portolan"],
      ["/access/rules", "Rules · Portolan"],
      ["/requests", "Requests · Portolan"],
      ["", "Home · Portolan"],
      ["/nowhere", "There is no such page. · Portolan"],
      ["/data/world/nothing", "nothing · Data · Portolan"],
      ["/schema/world/nothing", "nothing · Schema · Portolan"],
      ["/methods/nothing", "nothing · Methods · Portolan"],
      ["/dashboards/nothing", "nothing · Dashboards · Portolan"],
      ["/workspace/nothing", "nothing · Maps · Portolan"],
      ["/graphql/nothing", "nothing · GraphQL · Portolan"],
      ["/history/world/cities", "cities · History · Portolan"],
      ["/workflow/world/cities", "cities · Workflow · Portolan"],
      ["/import/world/nothing", "nothing · Import · Portolan"],
    ] as const)
      it(`has a heading and a title at /console${path}, with nothing chosen, light and dark`, async () => {
        const { page } = visit;
        await lead(page, path);
        await page.getByRole("heading", { level: 1 }).first().waitFor();
        await until(async () => (await page.title()) === title); // it is set after the first drawing
        for (const colorScheme of sized(isChecked(path) ? [] : SCHEMES, SCHEMES)) {
          await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
          assert.deepEqual(await violationsOf(page, { contrast: true }), {}, colorScheme);
        }
      });
  });

  it("leads to a table by its name in SQL and by that in GraphQL, and calls it by the first one everywhere", async () => {
    const { page, done } = await at.visit("/data");
    for (const area of ["data", "history", "schema", "import"])
      for (const name of ["cities", "Cities"]) {
        await page.goto(`${at.gateway.baseUrl}/console/${area}/world/${name}`);
        await page.getByRole("heading", { level: 1, name: /^(Import into )?cities$/ }).waitFor();
      }
    await page.goto(`${at.gateway.baseUrl}/console/data`);
    const relations = page.getByRole("navigation", { name: "Relations" });
    await follow(relations.getByRole("link", { name: "southern_cities", exact: true }));
    assert.equal(new URL(page.url()).pathname, "/console/data/world/southern_cities");
    await page.getByRole("heading", { level: 1, name: "southern_cities", exact: true }).waitFor();
    await page.getByText("GraphQL SouthernCities").waitFor();
    for (const name of ["cities", "Cities"]) {
      await page.goto(`${at.gateway.baseUrl}/console/maps/world/${name}`);
      await page.getByRole("region", { name: "Layer cities" }).waitFor();
      assert.equal(new URL(page.url()).searchParams.get("layer"), "world.cities");
    }
    await done();
  });

  it("leads past lists and tools with the keys, to the rows in four", async () => {
    const { page, done } = await at.visit("/data/world/cities");
    await cell(page, "1", 1).waitFor();
    for (const key of ["Tab", "Enter", "Tab", "Enter"]) await page.keyboard.press(key);
    await focused(cell(page, "1", 1));
    await page.goto(`${at.gateway.baseUrl}/console/schema/world`);
    await page.getByRole("button", { name: "New table" }).click();
    await page.getByRole("button", { name: "Add column" }).click();
    await focused(page.getByRole("group", { name: "Column 2" }).getByLabel("Column", { exact: true }));
    await done();
  });

  it("loads what it needs and no more", async () => {
    const { page } = await at.browser.open(at.gateway.baseUrl);
    const bytes = await bytesOf(page, async () => {
      await page.goto(`${at.gateway.baseUrl}/console`);
      await page.getByRole("button", { name: "Sign in" }).waitFor();
      await page.waitForLoadState("networkidle"); // what comes after it counts too
    });
    assert.ok(bytes > 10_000 && bytes < FIRST, `${bytes} bytes at first`);
    await page.context().close();
    const visited = await at.visit("");
    for (const [area, isThere] of [
      ["Data", visited.page.getByRole("navigation", { name: "Relations" })],
      ["History", visited.page.getByText("to see it at any instant")],
      ["Workflow", visited.page.getByText("to see what waits there")],
      ["Schema", visited.page.getByRole("article", { name: "cities", exact: true })],
      ["SQL", visited.page.getByLabel("Statement")],
      ["GraphQL", visited.page.getByRole("button", { name: "getCities", exact: true })],
      ["Methods", visited.page.getByRole("navigation", { name: "Methods" })],
      ["Maps", visited.page.getByRole("navigation", { name: "Tables with a geometry" })],
      ["catchments", visited.page.getByLabel("By column")], // the map is there already, and its style is loaded
      ["Access", visited.page.getByRole("heading", { name: "Accounts" })],
    ] as const) {
      const more = await bytesOf(
        visited.page,
        async () => {
          await follow(visited.page.getByRole("link", { name: area, exact: true }));
          await isThere.waitFor();
        },
        "/console/assets/",
      );
      assert.ok(more > 100 && more < FURTHER, `${more} bytes for ${area}`);
    }
    await visited.done();
  });

  it("says that a page is on its way, and shows the one before it until then", async () => {
    const { page, done } = await at.visit("/access/rules");
    await page.getByRole("heading", { name: "Rules", exact: true }).waitFor();
    const held = Promise.withResolvers<void>();
    await page.route(/\/See-[^/]*\.js$/, async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.getByRole("link", { name: "See as" }).click();
    await page.locator('main[aria-busy="true"]').getByRole("heading", { name: "Rules", exact: true }).waitFor();
    held.resolve();
    await page.locator('main[aria-busy="false"]').getByRole("heading", { name: "See as" }).waitFor();
    await done();
  });

  it("asks for nothing while nobody does anything, for half an hour on each page", async () => {
    const { page, done } = await at.visit("");
    await page.goto("about:blank"); // ends what the first page still asks for
    await page.clock.install(); // for the pages that are opened from here on
    const asked: string[] = [];
    const unanswered = new Set<Request>();
    page.on("request", (request) => {
      asked.push(new URL(request.url()).pathname);
      unanswered.add(request);
    });
    for (const event of ["requestfinished", "requestfailed"])
      page.on(event as "requestfinished", (request) => unanswered.delete(request));
    page.on("websocket", (socket) => asked.push(socket.url()));
    const isSilent = async (): Promise<boolean> => {
      await until(() => unanswered.size === 0);
      asked.length = 0;
      await page.evaluate(() => setTimeout(() => void fetch("/ping"), 1_700_000)); // one that is asked for late is seen
      const late = page.waitForResponse("**/ping");
      await page.clock.fastForward("30:00");
      await late;
      return asked.length === 1;
    };
    for (const [name, path, isThere] of AREAS.filter(([name]) =>
      /^(home|data|history|workflow|map|events)$/.test(name),
    )) {
      await page.goto(`${at.gateway.baseUrl}/console${path}`);
      await isThere(page);
      // parts of a page load while they come into sight; one that asks again and again has no silent half hour
      await until(isSilent, undefined, () => `${name} asks in each half hour: ${asked.join(" ")}`);
    }
    await done();
  });

  it("finds tables, columns, methods, accounts and areas by name from everywhere, with the keys alone", async () => {
    const { page, done } = await at.visit("/sql");
    await page.getByLabel("Statement").click();
    for (const [text, option, isThere] of [
      ["cranes", "cranes table in yards", page.getByRole("heading", { name: "Cranes" })],
      ["cit", "cities table in world", page.getByRole("heading", { name: "cities" })], // and not a column city_id
      ["<B>REACH", "<b>reach column of yards.cranes", page.getByRole("rowheader", { name: "<b>reach" })],
      ["citiesof", "citiesOf method", page.getByRole("heading", { name: "citiesOf" })],
      ["guest", "guest account", page.getByRole("heading", { name: "guest", exact: true })],
      ["audit", "Audit area", page.getByRole("heading", { name: "Audit" })],
    ] as const) {
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Search everything" }).fill(text);
      await page.getByRole("option", { name: option, exact: true, selected: true }).waitFor();
      await page.keyboard.press("Enter");
      await isThere.waitFor();
      assert.equal(await page.getByRole("dialog").count(), 0);
    }
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByRole("combobox", { name: "Search everything" }).fill("nothing of that name");
    await page.getByText("Nothing that you may see has that name.").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await done();
  });

  test("finds a table by name and writes a cell of it, with the keys alone", async () => {
    const { page, done } = await at.visit("");
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search everything" }).fill("cranes");
    await page.getByRole("option", { name: "cranes table in yards", selected: true }).waitFor();
    await page.keyboard.press("Enter");
    await cell(page, "2", 2).waitFor();
    const isAt = (label: string) =>
      page
        .evaluate(() => document.activeElement?.closest("[role=gridcell], [role=rowheader]")?.textContent)
        .then((text) => text === label);
    for (let tabs = 0; tabs < 60 && !(await isAt("1")); tabs++) await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    const editor = page.getByRole("group", { name: "Change _b_reach" });
    await editor.waitFor();
    await page.keyboard.type("45");
    await page.keyboard.press("Enter");
    await editor.waitFor({ state: "detached" });
    await cell(page, "2", 2).getByText("45", { exact: true }).waitFor();
    assert.deepEqual(await at.rows('select "<b>reach" as reach from yards.cranes where id = 2'), [{ reach: 45 }]);
    await done();
  });

  it("on a phone has the area that is open in sight, and shows the list of tables only while one is chosen", async () => {
    const { page, done } = await at.visit("/events/world/cities", { width: 390, height: 800 });
    const area = page.getByRole("navigation", { name: "Areas" }).getByRole("link", { name: "Events" });
    await page.waitForFunction((link) => link!.getBoundingClientRect().right <= innerWidth, await area.elementHandle());
    const tables = page.getByRole("navigation", { name: "Tables" });
    const opener = tables.getByRole("button", { name: "Choose a table" });
    await opener.focus();
    await page.keyboard.press("Enter");
    await tables.getByRole("link", { name: "countries" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "countries" }).waitFor();
    await opener.and(page.locator('[aria-expanded="false"]:focus')).waitFor();
    assert.equal(await tables.getByRole("link").count(), 0);
    await done();
  });

  it("is light or dark as the person chooses in this browser, also after a reload", async () => {
    const { page, done } = await at.visit("");
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const theme = page.getByRole("button", { name: /^Theme: / });
    await page.emulateMedia({ colorScheme: "light" });
    const light = await paper();
    await theme.click();
    await page.getByRole("button", { name: "Theme: light" }).click();
    await page.getByRole("button", { name: "Theme: dark" }).waitFor();
    const dark = await paper();
    assert.notEqual(dark, light);
    await page.reload();
    await page.getByRole("button", { name: "Theme: dark" }).click();
    assert.equal(await paper(), light);
    await page.emulateMedia({ colorScheme: "dark" });
    assert.equal(await paper(), dark);
    await done();
  });

  it("lists its keys after a question mark, but not while one writes", async () => {
    const { page, done } = await at.visit("/data");
    await page.getByLabel("Find a table").press("?");
    assert.equal(await page.getByLabel("Find a table").inputValue(), "?");
    await page.getByRole("main").press("?");
    const list = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await list.getByText("Ctrl K").waitFor();
    assert.deepEqual(await violationsOf(page), {});
    await page.keyboard.press("Escape");
    await page.setViewportSize({ width: 390, height: 600 });
    await page.getByRole("main").press("?");
    await focused(list.getByRole("button", { name: "Close" }));
    for (const seen of [list.getByRole("heading", { name: "Keyboard shortcuts" }), list.getByRole("button")]) {
      const { y, height } = (await seen.boundingBox())!;
      assert.ok(y >= 0 && y + height <= 600, `${seen.toString()} from ${y} to ${y + height}`);
    }
    const bar = (await page.locator(".bar").boundingBox())!;
    assert.ok(bar.height < 60, `the bar is ${bar.height} pixels high`);
    await page.keyboard.press("Escape");
    await list.waitFor({ state: "detached" });
    await done();
  });

  it("says of an import which area it belongs to", async () => {
    const { page, done } = await at.visit("/import/world/cities");
    const open = page.getByRole("navigation", { name: "Areas" }).locator("[aria-current=page]");
    await page.getByRole("heading", { name: "Import into cities" }).waitFor();
    assert.deepEqual(await open.allInnerTexts(), ["Data"]);
    await page.goto(`${at.gateway.baseUrl}/console/import/world`);
    await page.getByRole("heading", { name: "A new table in world from a file" }).waitFor();
    assert.deepEqual(await open.allInnerTexts(), ["Schema"]);
    await done();
  });

  it("finds for others what they may see alone", async () => {
    const { page, done } = await at.visit("", { account: "guest" });
    await page.keyboard.press("Control+k");
    const field = page.getByRole("combobox", { name: "Search everything" });
    await field.fill("cities");
    await page.getByRole("option", { name: "cities table in world", exact: true }).waitFor();
    for (const hidden of ["cranes", "captain", "audit"]) {
      await field.fill(hidden);
      await page.getByText("Nothing that you may see has that name.").waitFor();
    }
    await done();
  });

  it("shows one schema alone in its lists, also after a reload, until all are asked for", async () => {
    const { page, done } = await at.visit("/data");
    const heading = page.getByRole("heading", { name: "world" });
    await heading.waitFor();
    await page.getByLabel("Schemas that lists show").selectOption("yards");
    await heading.waitFor({ state: "detached" });
    await page.reload();
    await page.getByRole("link", { name: "Cranes" }).waitFor();
    assert.equal(await heading.count(), 0);
    await page.getByLabel("Schemas that lists show").selectOption("all schemas");
    await heading.waitFor();
    await done();
  });

  it("keeps a page that cannot be read again, and says so above it", async () => {
    const { page } = await at.visit("");
    for (const [path, part, isThere] of [
      ["/data/world/cities", "**/api/graphql/**", cell(page, "1", 1)],
      ["/methods/citiesOf", "**/api/v4/methods*", page.getByRole("heading", { name: "citiesOf" })],
      ["/import/world/cities", "**/api/v4/schemas/*/tables", page.getByLabel("File", { exact: true })],
    ] as const) {
      await page.goto(`${at.gateway.baseUrl}/console${path}`);
      await isThere.waitFor();
      await page.route(part, (route) => route.fulfill({ status: 500, json: { detail: "Out of order" } }));
      await page.evaluate(() => {
        const real = Date.now.bind(Date);
        Date.now = () => real() + 70_000; // what is known counts as old
      });
      await page.context().setOffline(true);
      await page.context().setOffline(false);
      await page.getByRole("main").getByRole("alert").filter({ hasText: "Out of order" }).first().waitFor();
      assert.ok(await isThere.isVisible(), path);
      await page.unroute(part);
    }
    await page.context().close();
  });

  test("is signed in in a new window of the browser, at the address that was opened, until one signs out", async () => {
    const { page, done } = await at.visit("/sql", { bySignIn: true });
    const open = async (path: string) => {
      const another = await page.context().newPage();
      await another.goto(`${at.gateway.baseUrl}/console${path}`);
      return another;
    };
    const families = async () =>
      (await at.rows("select count(*)::int as n from portolan.token_families where revoked_at is null"))[0].n;
    const before = await families();
    const another = await open("/schema/world/cities#columns");
    await another.getByRole("heading", { name: "cities", level: 1 }).waitFor();
    assert.equal(another.url(), `${at.gateway.baseUrl}/console/schema/world/cities#columns`);
    assert.equal(await families(), before, "the windows of a browser have one session");
    await another.getByRole("button", { name: "Sign out" }).click();
    await another.getByRole("button", { name: "Sign in" }).waitFor();
    await (await open("/sql")).getByRole("button", { name: "Sign in" }).waitFor();
    await done();
  });

  test("signs out of this browser, which ends its session, and asks for a sign-in again", async () => {
    const { page } = await at.visit("/sql", { bySignIn: true });
    const open = () =>
      at.rows("select from portolan.token_families where user_name = 'captain' and revoked_at is null");
    const before = (await open()).length;
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByLabel("Password").waitFor();
    assert.equal((await open()).length, before - 1);
    await page.context().close();
  });

  it("is one page at every address below it, which nobody frames or keeps, and whose scripts are its own", async () => {
    for (const path of ["/console", "/console/data/x/y", "/console/nothing"]) {
      const { headers, text } = await at.gateway.http.get(path).expect(200);
      assert.match(text, /id="console"/);
      assert.equal(headers["cache-control"], "no-store");
      const policy = headers["content-security-policy"] ?? "";
      assert.match(policy, /default-src 'none'; style-src 'self' 'nonce-[\w+/=]+'/);
      assert.match(policy, /script-src 'self'; .*frame-ancestors 'none'/);
      assert.doesNotMatch(policy, /unsafe/);
    }
    await at.gateway.http.get("/console/assets/nothing.js").expect(404);
    await at.gateway.http.get("/console/assets/..%2f..%2fpackage.json").expect(404);
  });
});

/// <reference lib="dom" />
/** The console in German: no English is left, and the longer words have room. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { texts as german } from "../../console/src/words/german/german.ts";
import { violationsOf } from "../support/axe.ts";
import { sized } from "../support/size.ts";
import { as } from "../methods/requests.ts";
import { cell, lead, shoot, site, type Visit } from "./support.ts";

/** What the German entry does not leave as it is, and what no table of the tests is called. */
const ENGLISH = Object.entries(german).filter(([text, own]) => text !== own && !/^[a-z]+$/.test(text));
const PLAIN = new Set(ENGLISH.map(([text]) => text).filter((text) => !text.includes("{")));
const PATTERNS = patternsOf(ENGLISH.map(([text]) => text));
/** A German text may have the form of another English one: "Zeilen von areas" that of "{count} areas". */
const OWN_PATTERNS = patternsOf(ENGLISH.map(([, own]) => own));

/** Of texts with values, unless there is too little of them to be known by. */
function patternsOf(templates: readonly string[]): readonly RegExp[] {
  return templates.flatMap((text) => {
    const said = text.replaceAll(/\{\w+\}/g, "").replaceAll(/[^A-Za-zÄÖÜäöüß ]/g, "");
    if (!text.includes("{") || said.trim().length < 3) return [];
    const parts = text.split(/\{\w+\}/).map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
    return [new RegExp(`^${parts.join(".+")}$`)];
  });
}

/** Texts that are seen or heard, without values of the database and what is written in other languages. */
const textsOf = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const found: string[] = [];
    for (const element of document.body.querySelectorAll("*")) {
      if (element.closest("script, style, pre, code, dd, body [lang], .cm-editor, [role=gridcell], svg text")) continue;
      if (element.matches("[lang]:not(html)")) continue;
      for (const name of ["aria-label", "title", "placeholder", "aria-valuetext", "aria-description"])
        found.push(element.getAttribute(name) ?? "");
      for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE) found.push(node.textContent ?? "");
    }
    return [...new Set(found.map((text) => text.trim()).filter((text) => text !== ""))];
  });

const isEnglish = (text: string): boolean =>
  PLAIN.has(text) || (matches(PATTERNS, text) && !matches(OWN_PATTERNS, text));

function matches(patterns: readonly RegExp[], text: string): boolean {
  return patterns.some((pattern) => pattern.test(text));
}

/** What makes a page scroll sideways. */
const tooWide = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    if (document.documentElement.scrollWidth <= window.innerWidth) return [];
    const wide = [...document.body.querySelectorAll("*")].filter(
      (element) => element.getBoundingClientRect().right > window.innerWidth && !element.closest(".scroll, .rail"),
    );
    return wide.map(({ outerHTML }) => outerHTML.slice(0, 100));
  });

const click = (name: string) => (page: Page) => page.getByRole("button", { name, exact: true }).first().click();

/** Each area, with what has come when it is complete, and what is opened in it. */
const PAGES: readonly (readonly [
  name: string,
  path: string,
  there: string,
  ...open: readonly ((page: Page) => Promise<unknown>)[],
])[] = [
  ["home", "", "Noch keine Aufträge."],
  ["search", "", "", (page) => page.keyboard.press("Control+k")],
  ["shortcuts", "", "Tastenkürzel", (page) => page.keyboard.press("?")],
  ["requests", "/requests", "Was falsch war"],
  ["top statements", "/statements", "postgresql.conf"],
  ["refused", "/refused/nothing", ""],
  ["data", "/data", "Wählen Sie eine Tabelle"],
  ["rows", "/data/world/cities", "Exportieren"],
  ["columns", "/data/world/cities", "Fixiert", click("Spalten")],
  ["insert", "/data/world/cities", "", click("Zeile einfügen")],
  ["export", "/data/world/cities", "Sie werden neu gelesen.", click("Exportieren")],
  ["change all", "/data/world/cities", "rückgängig machen", click("Alle ändern")],
  ["views", "/data/world/cities", "Jetzige Anzeige", click("Ansichten")],
  ["cards", "/data/world/cities?as=cards", "Weiter"],
  ["form", "/data/world/cities?as=form", "Weiter"],
  ["calendar", "/data/world/logbook?as=calendar", "Nächster Monat"],
  ["api", "/data/world/cities/api", "Der Typ einer Zeile"],
  ["import", "/import/world/cities", "CSV oder Excel mit"],
  ["history", "/history/world/cities", "Verlauf der Zeile"],
  ["differences", "/history/world/cities?from=2026-01-01T00:00:00Z", "hinzugefügt"],
  ["life", "/history/world/cities?key=42", "(jetziger Stand)"],
  ["workflow", "/workflow/world/routes?state=drafted", "angezeigten auswählen"],
  ["diagram", "/schema/world", "Einpassen"],
  ["new table", "/schema/world", "Tabelle anlegen", click("Neue Tabelle")],
  ["new enum", "/schema/world", "Enum anlegen", click("Neues Enum")],
  ["table", "/schema/world/cities", "Einstellungen"],
  ["constraint", "/schema/world/cities", "Art", click("Constraint hinzufügen")],
  ["index", "/schema/world/cities", "Für", click("Index hinzufügen")],
  ["drop", "/schema/world/cities", "Gelöscht wird sie", click("Löschen")],
  ["sql", "/sql", "Strg-Eingabe führt"],
  ["methods", "/methods", "Wählen Sie eine Methode"],
  ["method", "/methods/citiesOf", "Liefert name"],
  ["new method", "/methods", "Methode anlegen", click("Methode schreiben")],
  ["graphql", "/graphql/world", "Abfragen"],
  ["events", "/events/world/countries", "Wird verfolgt."],
  ["map", "/maps/world/catchments", "Nach Werten klassifizieren"],
  ["map of several layers", "/workspace?layer=world.catchments", "Ebenen"],
  ["new map", "/workspace", "Wählen Sie eine Tabelle mit Geometrie"],
  ["saved map", "/workspace/haefen", "Teilen"],
  ["share a map", "/workspace/haefen", "Konten und Gruppen", click("Teilen")],
  ["pyramids", "/pyramids", "Noch keine Pyramide."],
  ["rest", "/rest", "Wählen Sie eine Operation"],
  ["operation", "/rest/list_rows", "Der Aufruf"],
  ["dashboard", "/dashboards/zahlen", "Zahlen"],
  ["import a new table", "/import/world", "CSV oder Excel mit"],
  ["add a layer", "/workspace", "Hintergrundkarten", click("Ebene hinzufügen")],
  ["dashboards", "/dashboards", "Ein Dashboard zeigt"],
  ["new dashboard", "/dashboards", "Anlegen", click("Neues Dashboard")],
  ["account", "/account", "(dieses Fenster)"],
  ["accounts", "/access", "Alle, die nicht angemeldet sind".slice(1)],
  ["new account", "/access", "Superuser: alle Rechte", click("Konto hinzufügen")],
  ["one account", "/access/accounts/guest", "Wo es angemeldet ist"],
  ["privileges", "/access/privileges", "Was ein Konto durch"],
  ["rules", "/access/rules", "Policy von cities"],
  ["new rule", "/access/rules", "Priorität", click("Regel hinzufügen")],
  [
    "see",
    "/access/see",
    "Sehen Sie, welche Zeilen ein Konto bekommt",
    (page) => page.getByRole("button", { name: "Ansehen" }).click(),
  ],
  ["clients", "/access/clients", "Clients registrieren lassen"],
  ["new client", "/access/clients", "Redirect-URIs", click("Client hinzufügen")],
  ["agents", "/access/agents", "Kein Agent ist verbunden."],
  ["audit", "/audit", "Neuestes zuerst".slice(1)],
  ["configuration", "/configuration", "Vergleichen"],
];

/** Pages outside of the console, below the service. */
const PUBLIC = (database: string) =>
  [
    ["public map", `/maps/${database}/haefen`, "Ebenen"],
    ["public dashboard", `/dashboards/${database}/zahlen`, "Zahlen"],
  ] as const;

describe("the console in German", function () {
  this.timeout(60_000);
  const at = site({
    prepare: ({ client }) =>
      client.query(`
select portolan.enable_versioning('world.cities');
update world.cities set name = 'Lisboa' where id = 42;
select portolan.enable_workflow('world.routes');
create policy mine on world.cities for select using (true);
select portolan.registration_token();
select portolan.create_map('haefen', 'Häfen', null, '[{"land": true}, {"collection": "world.cities"}]', '{*}');
select portolan.create_dashboard('zahlen', 'Zahlen', '[{"q": "select 1 as n", "show": "number"}]', '{*}');
update world.routes set portolan_status = -1 where id = (select min(id) from world.routes)`),
  });
  let visit: Visit;
  /** Whether something is open on the page that a load closes. */
  let isOpened = false;

  before(async () => {
    const captain = await as(at.gateway, "captain");
    await captain.define({ method: "citiesOf", q: "select name from world.cities where country_code = :code" });
    visit = await at.visit("", { locale: "de-AT", width: 390, height: 844 });
  });
  after(() => visit.done(401, 404)); // nobody may read a part of the public map

  for (const [name, path, there, ...open] of PAGES)
    it(`has no English word, enough room and nothing that axe finds: ${name}`, async () => {
      const { page } = visit;
      for (const width of sized([390], [390, 1440])) {
        await page.setViewportSize({ width, height: 900 });
        if (isOpened) await page.goto(`${at.gateway.baseUrl}/console${path}`);
        else await lead(page, path);
        await page.locator('main[aria-busy="false"]').waitFor();
        isOpened = open.length > 0;
        for (const step of open) await step(page);
        await page.getByText(there).first().waitFor({ state: "attached", timeout: 30_000 });
        await page.getByText("Einen Moment …").waitFor({ state: "detached" });
        await shoot(page, `german-${name}-${width}`);
        assert.deepEqual((await textsOf(page)).filter(isEnglish), [], `${width} pixels`);
        assert.deepEqual(await violationsOf(page), {}, `${width} pixels`);
        assert.deepEqual(await tooWide(page), [], `${width} pixels`);
      }
    });

  for (const index of [0, 1] as const)
    it(`has no English word and enough room on a public ${["map", "dashboard"][index]}`, async () => {
      const [name, path, there] = PUBLIC(at.gateway.database.name)[index];
      const { page } = visit;
      for (const width of sized([390], [390, 1440])) {
        await page.setViewportSize({ width, height: 900 });
        await page.goto(at.gateway.baseUrl + path);
        await page.getByText(there).or(page.getByLabel(there)).first().waitFor();
        await page.getByText("Einen Moment …").waitFor({ state: "detached" });
        await shoot(page, `german-${name}-${width}`);
        assert.deepEqual((await textsOf(page)).filter(isEnglish), [], `${width} pixels`);
        assert.deepEqual(await violationsOf(page), {}, `${width} pixels`);
        assert.deepEqual(await tooWide(page), [], `${width} pixels`);
      }
    });

  it("is chosen in the bar, kept in the browser, and said to programs that read aloud", async () => {
    const { page, done } = await at.visit("/data/world/cities");
    const languageOf = () => page.evaluate(() => document.documentElement.lang);
    await cell(page, "1", 1).waitFor();
    assert.equal(await languageOf(), "en");
    await page.getByRole("button", { name: "Language: English" }).click();
    await page.getByRole("button", { name: "Sprache: Deutsch" }).waitFor();
    await page.getByRole("checkbox", { name: "Zeile 1 auswählen", exact: true }).waitFor(); // the same page
    assert.equal(await languageOf(), "de");
    await page.goto(`${at.gateway.baseUrl}/console/audit`);
    await page.getByRole("heading", { name: "Protokoll", exact: true }).waitFor();
    assert.equal(await page.title(), "Protokoll · Portolan");
    await page.getByRole("button", { name: "Sprache: Deutsch" }).click();
    await page.getByRole("heading", { name: "Audit", exact: true }).waitFor();
    await done();
  });

  it("writes numbers and dates as the language does, and asks for no dictionary in English", async () => {
    const { page } = visit;
    await page.goto(`${at.gateway.baseUrl}/console/sql`);
    await page.getByLabel("Anweisung").click();
    await page.keyboard.insertText("select n from generate_series(1, 2500) n");
    await page.getByRole("button", { name: "Ausführen", exact: true }).click();
    await page
      .getByText(/2.500 Zeilen/)
      .first()
      .waitFor(); // in Austria with a space
    const other = await at.browser.open(at.gateway.baseUrl);
    const asked: string[] = [];
    other.page.on("request", (request) => asked.push(request.url()));
    await other.page.goto(`${at.gateway.baseUrl}/console`);
    await other.page.getByRole("button", { name: "Sign in" }).waitFor();
    await other.page.waitForLoadState("networkidle");
    assert.deepEqual(
      asked.filter((url) => url.includes("german")),
      [],
    );
    await other.page.context().close();
  });
});

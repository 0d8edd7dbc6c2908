/// <reference lib="dom" />
/** Somebody at the console: a browser that is signed in, and what the database holds afterwards. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { QueryResult } from "pg";
import type { Locator, Page, Request } from "playwright-core";
import { hashOf } from "../../server/kernel/identity/hash.ts";
import { sessionCookie } from "../../server/kernel/identity/browserSession.ts";
import { testBrowser, type TestBrowser } from "../support/browser.ts";
import { pixelRatioOfTest } from "../support/pixelRatio.ts";
import { seenOf } from "../support/seen.ts";
import { testGateway, type TestGateway, type TestGatewayOptions } from "../support/gateway.ts";
import type { Area } from "./scenarios.ts";

/** Set SCREENSHOTS to a folder to look at what the browser saw, and PICTURES to make the pictures of the documentation. */
const [screenshots, pictures] = [process.env["SCREENSHOTS"], process.env["PICTURES"]];
for (const folder of [screenshots, pictures]) if (folder) mkdirSync(folder, { recursive: true });

export interface Visit {
  readonly page: Page;
  /**
   * Nothing was asked of another host, and the browser complained of nothing, a breach of the page's policy included.
   * `refusals`: statuses of answers that the test was after.
   */
  done(...refusals: readonly number[]): Promise<void>;
}

interface VisitOptions {
  /** Default captain. */
  readonly account?: string;
  /** By name and password, as people do, for what a sign-in leaves: its session and the renewal of its token. */
  readonly bySignIn?: boolean;
  /** Default the same as the account's name. */
  readonly password?: string;
  readonly width?: number;
  readonly height?: number;
  /** Pixels of the screen in one of CSS. Default `pixelRatioOfTest()`. */
  readonly pixelRatio?: number;
  /** What the person reads. Default `en-US`. */
  readonly locale?: string;
  /** Pointed at by fingers, as a telephone. Default false. */
  readonly isTouched?: boolean;
}

/** What else the database does, for the report of a failed test. */
const WORK = `
select usename, application_name, state, wait_event_type, wait_event, now() - query_start as age, left(query, 200) as query
  from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`;

/** How long a page may take to tell what it shows. */
const TELL_MS = 5000;

/** A gateway and a browser, which are there for the tests of a file. */
export interface Site {
  readonly gateway: TestGateway;
  readonly browser: TestBrowser;
  /** Opens `/console{path}` as somebody: with a token that is there already, or by signing in. */
  visit(path: string, options?: VisitOptions): Promise<Visit>;
  /** What declares tests of what people do in an area; each fails where it does not look up afterwards what the database holds. */
  scenarios(area: Area): (title: string, body: (this: Mocha.Context) => Promise<void>) => Mocha.Test;
  /** What the database answers, asked as the superuser of its cluster. */
  rows(text: string, values?: readonly unknown[]): Promise<QueryResult["rows"]>;
}

/** For the body of `describe`: begins and ends them with its tests. */
export function site(options: TestGatewayOptions = {}): Site {
  let gateway: TestGateway;
  let browser: TestBrowser;
  let isLookedUp = false;
  before(async () => {
    [gateway, browser] = await Promise.all([testGateway(options), testBrowser()]);
  });
  afterEach(async function () {
    const error = this.currentTest?.state === "failed" ? this.currentTest.err : undefined;
    if (!error) return;
    const pages = await Promise.race([browser.tell(), setTimeout(TELL_MS, "the pages do not answer")]);
    const { rows } = await gateway.database.client.query(WORK);
    error.stack += `\n${pages}\nthe database: ${JSON.stringify(rows, undefined, 1)}`; // it stands at the end of the report
    await browser.closePages();
  });
  after(async () => {
    await browser.close();
    await gateway.close();
  });
  return {
    get gateway() {
      return gateway;
    },
    get browser() {
      return browser;
    },
    visit(path, visitor) {
      isLookedUp = false;
      return visit(gateway, browser, path, visitor);
    },
    scenarios: () => (title, body) =>
      it(title, async function () {
        isLookedUp = false;
        await body.call(this);
        assert.ok(isLookedUp, "a scenario looks up what the database holds afterwards");
      }),
    async rows(text, values = []) {
      isLookedUp ||= /^\s*select\b|\breturning\b/i.test(text);
      return (await gateway.database.client.query(text, [...values])).rows;
    },
  };
}

async function visit(
  gateway: TestGateway,
  browser: TestBrowser,
  path: string,
  {
    account = "captain",
    bySignIn = false,
    password,
    width = 1440,
    height = 900,
    pixelRatio = pixelRatioOfTest(),
    locale = "en-US",
    isTouched = false,
  }: VisitOptions = {},
): Promise<Visit> {
  const { page, outside, errors } = await browser.open(gateway.baseUrl, {
    width,
    height,
    pixelRatio,
    locale,
    isTouched,
  });
  const isTyped = bySignIn || password !== undefined;
  if (!isTyped) await giveSession(page, gateway, account);
  await page.goto(`${gateway.baseUrl}/console${path}`);
  if (isTyped) {
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByLabel("User name").fill(account);
    await page.getByLabel("Password").fill(password ?? account);
    await page.getByRole("button", { name: "Sign in" }).click();
  }
  await page.getByRole("button", { name: /^(Sign out|Abmelden)$/ }).waitFor();
  return {
    page,
    async done(...refusals) {
      const wanted = refusals.map(
        (status) => `Failed to load resource: the server responded with a status of ${status} `,
      );
      const complaints = withoutNobody(errors).filter(
        (text) => !wanted.some((beginning) => text.startsWith(beginning)),
      );
      assert.deepEqual([outside, complaints], [[], []]);
      await page.context().close();
    },
  };
}

/** What a browser complains of, but that a page has asked who is signed in where nobody is. */
export function withoutNobody(errors: readonly string[]): readonly string[] {
  return errors.filter((text) => !text.includes("(Nobody is signed in in this browser)"));
}

/** What a sign-in leaves: a session of the browser, and its cookies. */
async function giveSession(page: Page, { baseUrl, database }: TestGateway, account: string): Promise<void> {
  const [session, reference] = [randomUUID(), randomUUID()];
  await database.client.query(
    `
insert into portolan.sessions (hash, user_name, token_version, expires_at, console_hash, console_at)
select $1, name, token_version, now() + interval '1 day', $2, clock_timestamp() from portolan.users where name = $3`,
    [hashOf(session), hashOf(reference), account],
  );
  const encoded = Buffer.from(database.name).toString("base64url");
  const { hostname: domain, pathname } = new URL(baseUrl);
  const path = `${pathname.replace(/\/$/, "")}/console/session`;
  const common = { domain, httpOnly: true };
  await page.context().addCookies([
    { ...common, name: `portolan-console-${encoded}`, value: reference, path, sameSite: "Strict" },
    { ...common, name: sessionCookie(baseUrl, database.name), value: session, path: "/", sameSite: "Lax" },
  ]);
}

/** As if the token of the page had come near its end. */
export async function expireToken(page: Page): Promise<void> {
  await page.evaluate(() => {
    const real = Date.now.bind(Date);
    Date.now = () => real() + 250_000;
  });
}

/** As if the session had ended: the next token is refused, and so is the one that the page has. */
export async function endSessions(at: Site, account = "captain"): Promise<void> {
  await at.rows("delete from portolan.sessions where user_name = $1", [account]);
  await at.rows("update portolan.token_families set revoked_at = now() where user_name = $1 and revoked_at is null", [
    account,
  ]);
}

/** Goes there by Tab alone, where it shows that it has the focus. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  const element = await target.elementHandle();
  const most = 150; // of these pages none has so many
  for (let tabs = 0; tabs < most; tabs++) {
    const found = await page.evaluate((wanted) => {
      if (wanted !== document.activeElement) return undefined;
      const framed = wanted.closest(".code-editor") ?? wanted;
      return getComputedStyle(framed).outlineStyle !== "none" ? "seen" : "not seen";
    }, element);
    if (found) return assert.equal(found, "seen", `the focus at ${target.toString()}`);
    await page.keyboard.press("Tab");
  }
  assert.fail(`Tab does not lead to ${target.toString()}`);
}

/** Follows a link of the console: the page that is there afterwards is the one that it leads to. */
export async function follow(link: Locator): Promise<void> {
  const page = link.page();
  await link.click();
  await page.locator('main[aria-busy="false"]').waitFor();
}

/**
 * Leads to `/console{path}` by the console's own router, as its links do. For tests of what a page shows: a load costs far more
 * processor time.
 */
export async function lead(page: Page, path: string): Promise<void> {
  await page.evaluate(
    async (to) => {
      history.pushState(undefined, "", to);
      for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame); // until the router has begun
    },
    `${/^.*?\/console(?=[/?#]|$)/.exec(page.url())![0]}${path}`,
  );
  await page.locator('main[aria-busy="false"]').waitFor();
}

/** What has the focus, as soon as that is so. */
export function focused(target: Locator): Promise<void> {
  return target.and(target.page().locator(":focus")).waitFor();
}

/**
 * What a page asks for while somebody acts, without what it gives up. Resolves when all of it has come: a page may show an
 * answer before the browser tells that it has come.
 */
export async function answeredWhile(page: Page, act: () => Promise<unknown>): Promise<readonly Request[]> {
  const asked: Request[] = [];
  const note = (request: Request): void => void asked.push(request);
  page.on("request", note);
  await act();
  page.off("request", note);
  const hasCome = async (request: Request): Promise<boolean> => (await (await request.response())?.finished()) === null;
  const came = await Promise.all(asked.map(hasCome));
  return asked.filter((_, n) => came[n]);
}

export async function shoot(page: Page, name: string): Promise<void> {
  if (screenshots) await page.screenshot({ path: join(screenshots, `console-${name}.png`) });
}

/** A picture of the documentation, made only where pictures are asked for. */
export async function picture(page: Page, name: string): Promise<void> {
  if (!pictures) return;
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 50 });
  writeFileSync(join(pictures, `${name}.webp`), Buffer.from(data, "base64"));
}

/** The cell of a column in the row of a key. */
export function cell(page: Page, key: string, column: number): Locator {
  return page
    .getByRole("row")
    .filter({ has: page.getByRole("checkbox", { name: `Choose row ${key}`, exact: true }) })
    .locator(`[aria-colindex="${column}"]`);
}

/** Writes a statement in place of the one that is there. */
export async function write(page: Page, statement: string): Promise<void> {
  await page.getByLabel("Statement").focus(); // on a telephone a list of names may cover it
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  await page.keyboard.insertText(statement);
}

interface Coloured {
  /** How many pixels of CSS have the colour. */
  readonly pixels: number;
  /** Its left, upper, right and lower end, in pixels of CSS. */
  readonly ends: readonly [number, number, number, number];
}

/** Where the map has a colour. `tolerance`: how far each of red, green and blue may be from it. */
async function areaOf(page: Page, colour: string, tolerance: number): Promise<Coloured> {
  const { screen, within, ratio } = await seenOf(page.getByRole("application"));
  const { pixels, left, top, right, bottom } = screen.areaOf(colour, tolerance, within);
  const [x, y] = [within.x, within.y];
  return {
    pixels: pixels / ratio ** 2,
    ends: [(left - x) / ratio, (top - y) / ratio, (right - x) / ratio, (bottom - y) / ratio],
  };
}

/** How many pixels of CSS the map has in a colour. */
export async function coloured(page: Page, colour: string, tolerance = 0): Promise<number> {
  return (await areaOf(page, colour, tolerance)).pixels;
}

/** Where a colour is on the map, in pixels of CSS: its left, upper, right and lower end. */
export async function placeOf(page: Page, colour: string, tolerance = 0): Promise<readonly number[]> {
  return (await areaOf(page, colour, tolerance)).ends;
}

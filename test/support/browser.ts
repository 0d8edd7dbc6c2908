/// <reference lib="dom" />
/** Headless Chromium, which may reach this machine's loopback and nothing else. */
import { chromium, type Browser, type Page, type Request, type Response } from "playwright-core";
import { findChromium } from "../../server/setup/programs.mjs";
import { pixelRatioOfTest } from "./pixelRatio.ts";

export interface TestBrowser {
  /**
   * A page in a profile of its own, without cookies, storage and permissions. `outside` collects every request to another
   * origin than `origin`. `pixelRatio`: pixels of the screen in one of CSS, default `pixelRatioOfTest()`. `locale`: what the
   * person reads, default `en-US`. `isTouched`: by fingers, as a telephone. `isFirst`: nothing is in its caches.
   */
  open(
    origin: string,
    viewport?: {
      width: number;
      height: number;
      pixelRatio?: number;
      locale?: string;
      isTouched?: boolean;
      isFirst?: boolean;
    },
  ): Promise<{ page: Page; outside: string[]; errors: string[] }>;
  /** What the open pages show, complain of and wait for, for the report of a failed test. */
  tell(): Promise<string>;
  /** Closes all pages. */
  closePages(): Promise<void>;
  close(): Promise<void>;
}

/** A page waits for what must come; a busy machine takes long for it. */
const PATIENCE_MS = 60_000;

/** A gateway that has ended meanwhile does not answer. */
const EMPTY_MS = 5000;

/** Characters of a page's text. */
const MOST_TOLD = 1500;

export interface TestBrowserOptions {
  /** Whether pages may draw with it, on the processor. Default false. */
  readonly webGl?: boolean;
  /** Whether the page of a closed context serves the tests that follow; see `IdlePages`. Default false. */
  readonly keepsPages?: boolean;
}

export async function testBrowser({
  webGl = false,
  keepsPages = false,
}: TestBrowserOptions = {}): Promise<TestBrowser> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error("Chromium is not installed: node server/setup/setup.mjs --test");
  const browser: Browser = await chromium.launch({
    executablePath,
    args: [
      "--no-sandbox",
      ...(webGl ? ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"] : ["--disable-gpu"]),
      "--disable-quic",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
    ],
  });
  const told = new Map<Page, { readonly errors: readonly string[]; readonly unanswered: ReadonlySet<Request> }>();
  const idle = new IdlePages();
  return {
    async open(
      origin,
      { width, height, pixelRatio = pixelRatioOfTest(), locale, isTouched = false, isFirst = false } = {
        width: 1280,
        height: 800,
      },
    ) {
      const kind = JSON.stringify([origin, pixelRatio, locale]);
      const isIdleLater = keepsPages && !isTouched;
      const taken = isIdleLater && !isFirst ? idle.take(kind) : undefined;
      const context =
        taken?.context() ??
        (await browser.newContext({
          viewport: { width, height },
          deviceScaleFactor: pixelRatio,
          ...(locale !== undefined && { locale }),
          hasTouch: isTouched,
          isMobile: isTouched,
        }));
      context.setDefaultTimeout(PATIENCE_MS);
      const page = taken ?? (await context.newPage());
      if (taken) await taken.setViewportSize({ width, height });
      else if (isIdleLater) idle.keep(kind, page, origin);
      const outside: string[] = [];
      const errors: string[] = [];
      const unanswered = new Set<Request>();
      told.set(page, { errors, unanswered });
      page.on("close", () => told.delete(page));
      page.on("requestfinished", (request) => unanswered.delete(request));
      page.on("requestfailed", (request) => unanswered.delete(request));
      page.on("request", (request) => {
        unanswered.add(request);
        const { protocol, origin: requested } = new URL(request.url());
        if (!["data:", "blob:"].includes(protocol) && requested !== origin) outside.push(request.url());
      });
      page.on("console", (message) => {
        // a page may ask for something at any time, also while a test has cut the network
        if (message.type() === "error" && !message.text().includes("net::ERR_INTERNET_DISCONNECTED"))
          errors.push(`${message.text()} ${message.location().url}`);
      });
      page.on("pageerror", (error) => errors.push(String(error)));
      return { page, outside, errors };
    },
    async tell() {
      const pages = [...told].map(async ([page, { errors, unanswered }]) => {
        const text = await page.evaluate(() => document.body.innerText, undefined).catch(String);
        const waits = [...unanswered].map((request) => `  waits for ${request.method()} ${request.url()}`);
        return [page.url(), ...waits, ...errors.map((error) => `  ${error}`), text.slice(0, MOST_TOLD)].join("\n");
      });
      return (await Promise.all(pages)).join("\n\n");
    },
    async closePages() {
      idle.forget();
      await Promise.all(browser.contexts().map((context) => context.close()));
    },
    close: () => browser.close(),
  };
}

const words = (text: string): readonly string[] => text.trim().split(/\s+/);
/** What a test does with a page, or with its profile, that lasts. */
const LASTS = words(`addInitScript addLocatorHandler exposeBinding exposeFunction grantPermissions newCDPSession newPage
  routeWebSocket setExtraHTTPHeaders setGeolocation setHTTPCredentials setStorageState`);
/** What a test may have listened to. */
const HEARD =
  words(`console dialog download filechooser framenavigated pageerror popup request requestfailed requestfinished
  response websocket worker`) as unknown as readonly "request"[];

/**
 * Pages that tests have closed, for those that follow. The first page of a profile costs a process, which has to compile the
 * scripts. A page is kept if its test has done nothing to it that lasts, and without its cookies and its storage.
 */
class IdlePages {
  readonly #pages = new Map<string, Page[]>();
  /** Pages that were taken before the last `forget` are closed by it. */
  #age = 0;

  take(kind: string): Page | undefined {
    return this.#pages.get(kind)?.pop();
  }

  forget(): void {
    this.#age++;
    this.#pages.clear();
  }

  /** From now on the page becomes idle when its context is closed. */
  keep(kind: string, page: Page, origin: string): void {
    const context = page.context();
    const close = context.close.bind(context);
    const age = this.#age;
    let isWorn = false;
    const wear = (object: object, name: string): void => {
      const original = (object as Record<string, unknown>)[name];
      if (typeof original !== "function") return;
      const worn = (...values: unknown[]): unknown => {
        isWorn = true;
        return (original as (...values: unknown[]) => unknown).apply(object, values);
      };
      Object.defineProperty(object, name, { value: worn, configurable: true });
    };
    for (const name of [...LASTS, "route"]) wear(context, name);
    for (const name of LASTS) wear(page, name);
    for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(page.clock))) wear(page.clock, name);
    context.close = async (options) => {
      if (this.#pages.get(kind)?.includes(page)) return; // it has been closed before
      const isKept = !isWorn && age === this.#age && (await emptied(page, origin).catch(() => false));
      if (!isKept || age !== this.#age) return close(options);
      this.#pages.set(kind, [...(this.#pages.get(kind) ?? []), page]);
    };
  }
}

/** Leads to a small document of the same process, and removes what the test has left. False where that cannot be. */
async function emptied(page: Page, origin: string): Promise<boolean> {
  const context = page.context();
  if (context.pages().length > 1 || new URL(page.url()).origin !== origin) return false;
  for (const event of HEARD) for (const heard of [page, context]) heard.removeAllListeners(event);
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await context.setOffline(false);
  const answer = await page.goto(`${origin}/ping`, { timeout: EMPTY_MS });
  await page.mouse.move(-1, -1);
  await page.emulateMedia({ media: null, colorScheme: "light", reducedMotion: "no-preference", forcedColors: "none" });
  await context.clearCookies();
  await page.evaluate(async () => {
    for (const storage of [localStorage, sessionStorage]) storage.clear();
    for (const { name } of await indexedDB.databases()) indexedDB.deleteDatabase(name!);
  });
  return answer?.status() === 200;
}

/** Releases answers that were held back, and waits until the page has read them: a later answer has come. */
export async function arrives(page: Page, answer: Promise<Response>, release: () => void): Promise<void> {
  release();
  await (await answer).finished();
  await page.evaluate(async () => (await fetch("/ping")).text());
}

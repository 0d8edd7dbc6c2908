/// <reference lib="dom" />
/** Headless Chromium, which may reach this machine's loopback and nothing else. */
import { chromium, type Browser, type Page, type Request, type Response } from "playwright-core";
import { findChromium } from "../../server/setup/programs.mjs";
import { pixelRatioOfTest } from "./pixelRatio.ts";

export interface TestBrowser {
  /**
   * A new page in its own profile. `outside` collects every request to another origin than `origin`. `pixelRatio`:
   * pixels of the screen in one of CSS, default `pixelRatioOfTest()`. `locale`: what the person reads, default `en-US`.
   * `isTouched`: by fingers, as a telephone.
   */
  open(
    origin: string,
    viewport?: { width: number; height: number; pixelRatio?: number; locale?: string; isTouched?: boolean },
  ): Promise<{ page: Page; outside: string[]; errors: string[] }>;
  /** What the open pages show, complain of and wait for, for the report of a failed test. */
  tell(): Promise<string>;
  /** Closes all pages. */
  closePages(): Promise<void>;
  close(): Promise<void>;
}

/** A page waits for what must come; a busy machine takes long for it. */
const PATIENCE_MS = 60_000;

/** Characters of a page's text. */
const MOST_TOLD = 1500;

/** `webGl`: pages may draw with it, on the processor. */
export async function testBrowser({ webGl = false }: { webGl?: boolean } = {}): Promise<TestBrowser> {
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
  return {
    async open(
      origin,
      { width, height, pixelRatio = pixelRatioOfTest(), locale, isTouched = false } = { width: 1280, height: 800 },
    ) {
      const context = await browser.newContext({
        viewport: { width, height },
        deviceScaleFactor: pixelRatio,
        ...(locale !== undefined && { locale }),
        hasTouch: isTouched,
        isMobile: isTouched,
      });
      context.setDefaultTimeout(PATIENCE_MS);
      const page = await context.newPage();
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
    closePages: async () => void (await Promise.all(browser.contexts().map((context) => context.close()))),
    close: () => browser.close(),
  };
}

/** Releases answers that were held back, and waits until the page has read them: a later answer has come. */
export async function arrives(page: Page, answer: Promise<Response>, release: () => void): Promise<void> {
  release();
  await (await answer).finished();
  await page.evaluate(async () => (await fetch("/ping")).text());
}

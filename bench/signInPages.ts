/// <reference lib="dom" />
/** The size of the pages of a sign-in, and how soon a new visitor sees them. */
import { testBrowser, type TestBrowser } from "../test/support/browser.ts";
import { testDatabase } from "../test/support/databases.ts";
import { weightOf } from "../test/support/pageWeight.ts";
import { GatewayProcess } from "../test/support/process.ts";
import type { Benchmark, Row } from "./support/benchmark.ts";
import { median } from "./support/load.ts";

const PAGES = ["/account", "/signup", "/forgotten", "/device"];
const ROUNDS = 5;

export const benchmark: Benchmark = {
  name: "pages of a sign-in",
  async run() {
    const database = await testDatabase({ kind: "portolan" });
    const { baseUrl, stop } = await started(database.gatewayUrl);
    const browser = await testBrowser();
    try {
      const heaviest = Math.max(
        ...(await Promise.all(
          PAGES.map(async (path) => weightOf(await (await fetch(baseUrl + path)).text(), baseUrl + path)),
        )),
      );
      await paintOf(browser, baseUrl, PAGES[0]!); // the browser itself has started after it
      const paints: number[] = [];
      for (const path of PAGES) {
        const rounds: number[] = [];
        for (let round = 0; round < ROUNDS; round++) rounds.push(await paintOf(browser, baseUrl, path));
        paints.push(median(rounds));
      }
      const rows: Row[] = [
        {
          what: "the heaviest page of a sign-in, with its style sheet, script and fonts, uncompressed",
          ours: `${(heaviest / 1000).toFixed(1)} kB`,
          peer: "",
          ratio: "",
          target: "< 100 kB",
        },
        {
          what: "the slowest page of a sign-in, first contentful paint with an empty cache",
          ours: `${Math.round(Math.max(...paints))} ms`,
          peer: "",
          ratio: "",
          target: "≤ 500 ms",
        },
      ];
      return rows;
    } finally {
      await browser.close();
      await stop();
      await database.drop();
    }
  },
};

async function started(url: string): Promise<{ baseUrl: string; stop: () => Promise<unknown> }> {
  const gateway = await GatewayProcess.start({
    DATABASE_URL: url,
    PORT: "0",
    LOG_LEVEL: "warn",
    RATE_LIMIT: "1000000",
    SMTP_URL: "log:",
    SIGN_UP: "open",
    MFA: "offered",
  });
  return { baseUrl: gateway.baseUrl, stop: () => gateway.stop() };
}

/** When the first text of a page is painted in a new profile, in ms since the navigation began. */
async function paintOf(browser: TestBrowser, baseUrl: string, path: string): Promise<number> {
  const { page } = await browser.open(baseUrl, { width: 390, height: 844 });
  try {
    await page.goto(baseUrl + path);
    return await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          new PerformanceObserver((list) => {
            const [paint] = list.getEntriesByName("first-contentful-paint");
            if (paint) resolve(paint.startTime);
          }).observe({ type: "paint", buffered: true });
        }),
    );
  } finally {
    await page.context().close();
  }
}

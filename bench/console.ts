/// <reference lib="dom" />
/** Waits of a person at the console: the first page, a grid of many rows while it scrolls, a style that is edited. */
import { testBrowser } from "../test/support/browser.ts";
import { testDatabase } from "../test/support/databases.ts";
import { GatewayProcess } from "../test/support/process.ts";
import type { Benchmark, Row } from "./support/benchmark.ts";
import type { Page } from "playwright-core";

const ROWS = 1_000_000;
/** The number of rows through which the grid is scrolled, and the pixels of each frame. */
const SCROLLED = Number(process.env["BENCH_CONSOLE_ROWS"] ?? 40_000);
const STEP = 400;
const PASSWORD = "measured";

export const benchmark: Benchmark = {
  name: "console",
  async run() {
    const database = await testDatabase({ kind: "portolan" });
    await database.client.query(`
create schema town;
create table town.spots (id int primary key, name text, size numeric(8, 2), geom public.geometry(Point, 4326));
insert into town.spots select n, 'Spot ' || n, n % 1000, st_point(n % 360 - 180, n % 170 - 85, 4326) from generate_series(1, ${ROWS}) n;
create table town.few as select * from town.spots where id <= 1000;
alter table town.few add primary key (id);
select portolan.share_with_owner('{town}');
select portolan.create_user('chief', '${PASSWORD}', superuser => true);
analyze town.spots`);
    const gateway = await GatewayProcess.start({
      DATABASE_URL: database.gatewayUrl,
      OWNER_DATABASE_URL: database.url,
      PORT: "0",
      LOG_LEVEL: "error",
    });
    const browser = await testBrowser();
    try {
      const { page } = await browser.open(gateway.baseUrl, { width: 1440, height: 900 });
      await page.goto(`${gateway.baseUrl}/console`);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByLabel("User name").fill("chief");
      await page.getByLabel("Password").fill(PASSWORD);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("button", { name: "Sign out" }).waitFor();
      return [
        await firstPage(page, `${gateway.baseUrl}/console/data`),
        ...(await scroll(page, `${gateway.baseUrl}/console/data/town/Spots`)),
        await style(page, `${gateway.baseUrl}/console/maps/town/few`),
      ];
    } finally {
      await browser.close();
      await gateway.stop();
      await database.drop();
    }
  },
};

/** The time until the page can be used, with an empty browser cache; the median of five. */
async function firstPage(page: Page, address: string): Promise<Row> {
  const session = await page.context().newCDPSession(page);
  const times: number[] = [];
  for (let round = 0; round < 5; round++) {
    await session.send("Network.clearBrowserCache");
    const began = performance.now();
    await page.goto(address);
    await page.getByRole("link", { name: "Spots" }).waitFor();
    times.push(performance.now() - began);
  }
  const ms = times.toSorted((a, b) => a - b)[2]!;
  return {
    what: "console, first page until it can be used",
    ours: `${ms.toFixed(0)} ms`,
    peer: "",
    ratio: "",
    target: "< 1 s",
  };
}

async function scroll(page: Page, address: string): Promise<readonly Row[]> {
  await page.goto(address);
  await page.getByRole("gridcell", { name: "Spot 1", exact: true }).waitFor();
  const session = await page.context().newCDPSession(page);
  const heap = async (): Promise<number> => {
    await session.send("HeapProfiler.collectGarbage");
    return (await session.send("Runtime.getHeapUsage")).usedSize / 1e6;
  };
  /** The processor time of the page's thread, in seconds. */
  const worked = async (): Promise<number> => {
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "TaskDuration")!.value;
  };
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const before = await heap();
  const began = await worked();
  const frames = await page.evaluate(frameTimes, { rows: SCROLLED, step: STEP });
  const work = (((await worked()) - began) * 1000) / frames.length;
  const sorted = frames.toSorted((a, b) => a - b);
  const seconds = frames.reduce((sum, ms) => sum + ms, 0) / 1000;
  const [middle, slow] = [0.5, 0.95].map((part) => sorted[Math.floor(part * sorted.length)]!.toFixed(1));
  const after = await heap();
  return [
    {
      what: `grid of ${ROWS} rows, scrolled through ${SCROLLED}`,
      ours: `${(frames.length / seconds).toFixed(0)} frames/s, half within ${middle} ms, 95 of 100 within ${slow} ms; ${work.toFixed(1)} ms of work each`,
      peer: "",
      ratio: "",
      target: "60 frames/s",
    },
    {
      what: "memory of that page",
      ours: `${before.toFixed(0)} MB before, ${after.toFixed(0)} MB after`,
      peer: "",
      ratio: "",
      target: "flat",
    },
  ];
}

/**
 * Scrolls the grid by `step` pixels in each frame until so many rows are read. Gives the duration of each frame in ms.
 * Runs in the page.
 */
async function frameTimes({ rows, step }: { rows: number; step: number }): Promise<number[]> {
  const grid = document.querySelector("[role=grid]")!;
  const times: number[] = [];
  let last = performance.now();
  const end = last + 60_000;
  while (Number(grid.getAttribute("aria-rowcount")) <= rows && last < end) {
    const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
    times.push(now - last);
    last = now;
    grid.scrollBy(0, step);
  }
  return times;
}

/** The time from a change of the style until the map is drawn in it; the median of nine. */
async function style(page: Page, address: string): Promise<Row> {
  await page.goto(address);
  const map = page.locator('[role="application"][aria-busy="false"]');
  await map.waitFor();
  await page.getByRole("button", { name: "Add a class" }).click();
  await page.locator(".class summary").click();
  const times: number[] = [];
  for (let round = 0; round < 9; round++) {
    const drawn = page.waitForResponse((response) => response.url().includes(`%23aa00${round}${round}`));
    const began = performance.now();
    await page.getByLabel("Colour", { exact: true }).fill(`#aa00${round}${round}`);
    await (await drawn).finished();
    await map.waitFor();
    times.push(performance.now() - began);
  }
  const ms = times.toSorted((a, b) => a - b)[4]!;
  return {
    what: "style of 1,000 points, changed until it is drawn",
    ours: `${ms.toFixed(0)} ms`,
    peer: "",
    ratio: "",
    target: "< 300 ms",
  };
}

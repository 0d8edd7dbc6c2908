/// <reference lib="dom" />
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installPages } from "../../server/pages/router.ts";
import type { Kernel } from "../../server/kernel.ts";
import { testBrowser, type TestBrowser } from "../support/browser.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";

/** Set SCREENSHOTS to a folder to look at what the browser saw. */
const screenshots = process.env["SCREENSHOTS"];
if (screenshots) mkdirSync(screenshots, { recursive: true });
const shot = (name: string) => (screenshots ? { path: join(screenshots, `${name}.png`) } : {});

describe("pages", () => {
  let gateway: TestGateway;
  let browser: TestBrowser;

  before(async () => {
    [gateway, browser] = await Promise.all([testGateway(), testBrowser()]);
  });

  after(async () => {
    await browser.close();
    await gateway.close();
  });

  for (const [device, viewport] of [
    ["desktop", { width: 1280, height: 800 }],
    ["phone", { width: 390, height: 800 }],
  ] as const)
    it(`/ names the interfaces and links them, on a ${device}`, async () => {
      const { page, outside, errors } = await browser.open(gateway.baseUrl, viewport);
      await page.goto(gateway.baseUrl);
      await page.screenshot(shot(`landing-${device}`));
      assert.equal(await page.getByRole("heading", { name: "Portolan" }).count(), 1);
      await page.getByRole("cell", { name: "/api/graphql/schema/world", exact: true }).waitFor();
      const links = await page
        .locator("a")
        .evaluateAll((anchors) => anchors.map((anchor) => (anchor as HTMLAnchorElement).href));
      for (const path of ["/graphiql/world", "/readyz", "/metrics", "/ping"])
        assert.ok(links.includes(gateway.baseUrl + path), path);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(overflow <= 0, `the page is ${overflow} px too wide`);
      assert.deepEqual([outside, errors], [[], []]);
      await page.context().close();
    });

  it("/console says how it is built where it is not", async () => {
    const empty = mkdtempSync(join(tmpdir(), "portolan-console-"));
    const kernel = {
      baseUrl: gateway.baseUrl,
      config: { graphiql: false, basemaps: {}, embedOrigins: [] },
      databases: new Map(),
      log: undefined,
    };
    const none = (): never => assert.fail("no public page is read");
    const options = { runPanel: none, readableIds: none, consoleFolder: empty };
    const { routes } = installPages(kernel as unknown as Kernel, options);
    const server = createServer((request, response) => {
      const route = routes.find(({ path }) => path === "/console")!;
      void route.handlers.GET!(request as never, response, {} as never);
    }).listen(0, "127.0.0.1");
    try {
      await once(server, "listening");
      const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      assert.equal(answer.status, 503);
      assert.match(await answer.text(), /The console is not built[^]*npm run build:console/);
      assert.equal((await gateway.http.get("/console")).status, 200);
    } finally {
      server.close();
      rmdirSync(empty);
    }
  });

  it("GraphiQL loads without any outside request, takes a token, runs a query and shows the result", async () => {
    const { page, outside, errors } = await browser.open(gateway.baseUrl);
    await page.goto(`${gateway.baseUrl}/graphiql/world`);
    await page.getByLabel("Access token").fill(await gateway.token("guest"));
    await page.getByRole("button", { name: "Use" }).click();
    const editor = page.locator(".graphiql-query-editor .monaco-editor").first();
    await editor.waitFor();
    await editor.click();
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.press("Delete");
    await page.keyboard.insertText('{ getCities(where: {name: "Berlin"}) { name countries { code } } }');
    await page.keyboard.press("ControlOrMeta+Enter");
    const result = page.locator(".result-window");
    await result
      .getByText("Berlin")
      .first()
      .waitFor({ timeout: 15_000 })
      .catch(() => undefined);
    await page.screenshot(shot("graphiql"));
    const text = (await result.innerText()).replace(/\s+/g, "");
    assert.ok(text.includes('"getCities":[{"name":"Berlin","countries":{"code":"DE"}}]'), text);
    assert.deepEqual(outside, []);
    // Monaco reports its own requests (completions, say) that further keys have cancelled
    assert.deepEqual(
      errors.filter((error) => !error.includes("401") && error !== "Canceled: Canceled"),
      [],
    );
    await page.context().close();
  });

  it("pages may not be framed and run no foreign script", async () => {
    for (const path of ["/", "/graphiql/world"]) {
      const { headers } = await gateway.http.get(path).expect(200);
      assert.match(headers["content-security-policy"] ?? "", /frame-ancestors 'none'/);
      assert.doesNotMatch(headers["content-security-policy"] ?? "", /script-src[^;]*unsafe/);
      assert.equal(headers["x-content-type-options"], "nosniff");
    }
  });

  it("GraphiQL of an unknown schema is 404", async () => {
    const { body } = await gateway.http.get("/graphiql/%3Cscript%3E").expect(404);
    assert.equal(body.code, "NOT_FOUND");
  });
});

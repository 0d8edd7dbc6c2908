/// <reference lib="dom" />
import assert from "node:assert/strict";
import { Person } from "../oauth/support.ts";
import { testBrowser, type TestBrowser } from "../support/browser.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";

describe("the session of a browser, on the pages of the OGC API", () => {
  let gateway: TestGateway;
  let browser: TestBrowser;
  let path: string;
  let person: Person;

  before(async () => {
    [gateway, browser] = await Promise.all([testGateway(), testBrowser()]);
    path = `/api/v4/ogc/database/${gateway.database.name}/collections`;
  });

  beforeEach(async () => {
    person = new Person(gateway.baseUrl);
    const page = await person.agent.get("/signin").expect(200);
    await person.submit("/signin", page, { username: "captain", password: "captain", action: "sign-in" });
  });

  after(async () => {
    await browser.close();
    await gateway.close();
  });

  const SAME_ORIGIN = { "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors" };
  const NAVIGATION = { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate" };

  async function namesFor(headers: Record<string, string>): Promise<string[]> {
    const { body } = await person.agent.get(`${path}?f=json`).set(headers).expect(200);
    return body.collections.map(({ id }: { id: string }) => id);
  }

  it("signs in, shows what the account may read, and signs out again, without a script of ours", async () => {
    const { page, errors } = await browser.open(gateway.baseUrl);
    await page.goto(`${gateway.baseUrl}${path}?limit=100`);
    const before = await page.locator("main li, main tr").count();
    await page.getByRole("link", { name: "Sign in" }).click();
    await page.getByLabel("User name").fill("captain");
    await page.getByLabel("Password").fill("wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    assert.match(await page.locator("main").innerText(), /not right/);
    await page.getByLabel("Password").fill("captain");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("Sign out").waitFor();
    assert.equal(page.url(), `${gateway.baseUrl}${path}?limit=100`, "back to the page that asked");
    assert.match(await page.locator(".account").innerText(), /^captain/);
    assert.ok((await page.locator("main li, main tr").count()) > before, "more collections than before");
    await page.getByRole("link", { name: "Sign out" }).click();
    await page.getByRole("link", { name: "Sign in" }).waitFor();
    assert.equal(await page.locator("main li, main tr").count(), before);
    assert.deepEqual(
      errors.filter((text) => !text.includes("401")),
      [],
    );
  });

  it("counts for requests of Portolan's pages and for navigation, and never for a page of another site", async () => {
    const anonymous = await namesFor({});
    const captain = await namesFor(SAME_ORIGIN);
    assert.ok(captain.length > anonymous.length);
    assert.deepEqual(await namesFor(NAVIGATION), captain);
    for (const site of ["cross-site", "same-site", "none"])
      assert.deepEqual(await namesFor({ "Sec-Fetch-Site": site, "Sec-Fetch-Mode": "cors" }), anonymous, site);
    const head = await person.agent.head(path).set(SAME_ORIGIN).expect(200);
    assert.match(head.headers["vary"]!, /\bCookie\b/);
    assert.match(head.headers["cache-control"]!, /private/);
  });

  it("begins on the page that requires a sign-in, and leads back to the requested one", async () => {
    const stranger = new Person(gateway.baseUrl);
    const wanted = `${path}/world.cities/items?limit=3`;
    const { text } = await stranger.agent.get(wanted).set(NAVIGATION).accept("text/html").expect(401);
    const [, href = ""] = /<a href="([^"]*signin[^"]*)">/.exec(text) ?? [];
    const { pathname, search } = new URL(href.replaceAll("&amp;", "&"), gateway.baseUrl + wanted);
    const page = await stranger.agent.get(pathname + search).expect(200);
    const fields = { username: "captain", password: "captain", action: "sign-in" };
    const { headers } = await stranger.submit(pathname + search, page, fields);
    assert.equal(headers["location"], wanted);
    await stranger.agent.get(wanted).set(NAVIGATION).accept("text/html").expect(200);
  });

  it("yields to credentials in the request", async () => {
    await person.agent.get(path).set(SAME_ORIGIN).auth("captain", "wrong").expect(401);
    const asGuest = await person.agent
      .get(path)
      .set(SAME_ORIGIN)
      .auth("guest", "guest")
      .accept("text/html")
      .expect(200);
    assert.match(asGuest.text, /class="account">\s*guest/);
    assert.doesNotMatch(asGuest.text, /Sign out/);
  });

  it("opens no other door", async () => {
    for (const other of ["/api/v4/methods", "/api/v4/users", "/api/v4/rules"])
      await person.agent.get(other).set(SAME_ORIGIN).expect(401);
    await person.agent.post("/api/graphql/schema/world").set(SAME_ORIGIN).send({ query: "{ __typename }" }).expect(401);
  });

  it("ends with a new password and with the session", async () => {
    const { client } = gateway.database;
    const anonymous = await namesFor({});
    await client.query("select portolan.set_password('captain', 'other')");
    try {
      assert.deepEqual(await namesFor(SAME_ORIGIN), anonymous);
    } finally {
      await client.query("select portolan.set_password('captain', 'captain')");
    }
    const page = await person.agent.get("/signin");
    await person.submit("/signin", page, { username: "captain", password: "captain", action: "sign-in" });
    assert.notDeepEqual(await namesFor(SAME_ORIGIN), anonymous);
    await client.query("update portolan.sessions set expires_at = now() - interval '1 s'");
    assert.deepEqual(await namesFor(SAME_ORIGIN), anonymous);
  });

  it("leads back to paths of this service and nowhere else", async () => {
    const { headers } = await person.agent.get("/signin?return_to=/methods?a=b").expect(303);
    assert.equal(headers["location"], "/methods?a=b");
    for (const door of ["/signin", "/signout"])
      for (const elsewhere of [
        "https://evil.example",
        "//evil.example",
        "/\\evil.example",
        "javascript:alert(1)",
        "a",
      ]) {
        const answer = await person.agent.get(`${door}?${new URLSearchParams({ return_to: elsewhere })}`);
        assert.deepEqual([answer.status, answer.headers["location"]], [400, undefined], `${door} ${elsewhere}`);
      }
  });
});

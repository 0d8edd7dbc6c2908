import assert from "node:assert/strict";
import * as oauth from "oauth4webapi";
import supertest from "supertest";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { freePort } from "../support/freePort.ts";
import { addClient, authPath, hiddenFields, makePkce } from "./support.ts";

describe("metadata of a service whose address has a path", () => {
  const BASE_URL = "https://maps.example.org/db";
  let gateway: TestGateway;
  let http: ReturnType<typeof supertest>;

  before(async () => {
    const port = await freePort();
    gateway = await testGateway({ config: { baseUrl: BASE_URL, port } });
    await addClient(gateway.database, "app");
    http = supertest(`http://127.0.0.1:${port}`);
  });
  after(() => gateway.close());

  it("are where the standards have them, and where a proxy that strips the path leads to", async () => {
    for (const path of ["", "/db"]) {
      const server = await http.get(`/.well-known/oauth-authorization-server${path}`).expect(200);
      assert.equal(server.body.issuer, BASE_URL);
      for (const [name, value] of Object.entries(server.body as Record<string, unknown>))
        if (name.endsWith("_endpoint") || name === "jwks_uri")
          assert.match(String(value), /^https:\/\/maps\.example\.org\/db\//);
      const resource = await http.get(`/.well-known/oauth-protected-resource${path}`).expect(200);
      assert.deepEqual([resource.body.resource, resource.body.authorization_servers], [BASE_URL, [BASE_URL]]);
    }
    assert.equal((await http.get("/.well-known/oauth-authorization-server/other")).status, 404);
  });

  it("are found by an unmodified client", async () => {
    const asked: string[] = [];
    const response = await oauth.discoveryRequest(new URL(BASE_URL), {
      algorithm: "oauth2",
      [oauth.customFetch]: async (url) => {
        asked.push(url);
        const { text } = await http.get(new URL(url).pathname).expect(200);
        return new Response(text, { headers: { "Content-Type": "application/json" } });
      },
    });
    const server = await oauth.processDiscoveryResponse(new URL(BASE_URL), response);
    assert.deepEqual(asked, ["https://maps.example.org/.well-known/oauth-authorization-server/db"]);
    assert.equal(server.token_endpoint, `${BASE_URL}/api/v4/oauth`);
  });

  it("links, forms and redirects of the pages keep the path", async () => {
    const path = authPath("app", makePkce());
    const page = await http.get(path).expect(200);
    const at = (link: string) => new URL(link, BASE_URL + path).href;
    for (const [, link = ""] of page.text.matchAll(/(?:href|action)="([^"]*)"/g))
      assert.ok(at(link.replaceAll("&amp;", "&")).startsWith(`${BASE_URL}/`), link);
    const cookie = (page.headers["set-cookie"] as unknown as string[]).map((one) => one.split(";")[0]).join("; ");
    const signedIn = await http
      .post(path)
      .set("Cookie", cookie)
      .type("form")
      .send({ ...hiddenFields(page.text), username: "guest", password: "guest", action: "sign-in" })
      .expect(303);
    assert.equal(at(signedIn.headers["location"] ?? ""), BASE_URL + path);
    const { body } = await http.post("/api/v4/oauth/device").send({ client_id: "app" }).expect(200);
    assert.equal(body.verification_uri, `${BASE_URL}/device`);
    const { headers } = await http.get("/api/v4/users").expect(401);
    assert.match(
      headers["www-authenticate"] ?? "",
      /resource_metadata="https:\/\/maps\.example\.org\/db\/\.well-known/,
    );
  });
});

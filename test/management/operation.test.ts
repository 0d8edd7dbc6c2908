import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { problemOf, requestsAs, type Requests } from "./requests.ts";

interface Entry {
  readonly id: number;
  readonly event: string;
  readonly account: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

describe("audit, fleet and doctor over REST", function () {
  this.timeout(60_000);
  let gateway: TestGateway;
  let captain: Requests;
  let guest: Requests;

  before(async () => {
    gateway = await testGateway();
    captain = await requestsAs(gateway, "captain");
    guest = await requestsAs(gateway, "guest");
  });
  after(() => gateway.close());

  const audit = async (query: string): Promise<Entry[]> => (await captain("get", `/audit${query}`).expect(200)).body;

  it("the audit has who changed what, before and after, and no secret", async () => {
    await captain("post", "/users", { name: "eve", password: "a first secret", email: "eve@example.org" }).expect(201);
    await captain("patch", "/users/eve", { email: "new@example.org" }).expect(303);
    const { body: rule } = await captain("post", "/rules", { access: "deny", username: "eve" }).expect(201);
    await captain("patch", `/rules/${rule[0].id}`, { priority: 7 }).expect(303);
    await captain("delete", `/rules/${rule[0].id}`).expect(204);
    const [removed, changed, made] = await audit("?event=rule.&limit=3");
    assert.equal(removed?.event, "rule.removed");
    assert.equal(removed.details["after"], null);
    assert.deepEqual(changed?.details, {
      rule: rule[0].id,
      by: "captain",
      changed: ["priority"],
      before: { priority: 0 },
      after: { priority: 7 },
    });
    assert.equal((made?.details["after"] as { access: string }).access, "deny");
    const [user] = await audit("?event=user.changed&account=eve&limit=1");
    assert.deepEqual(user?.details["before"], { email: "eve@example.org" });
    assert.deepEqual(user?.details["after"], { email: "new@example.org" });
    assert.deepEqual(user?.details["changed"], ["email"]);
    assert.doesNotMatch(JSON.stringify(await audit("?limit=1000")), /secret|argon2/);
  });

  it("lists the gateways of the database, to super users", async () => {
    const { body } = await captain("get", "/fleet").expect(200);
    const [one, ...others] = body as Record<string, unknown>[];
    assert.deepEqual(others, []);
    assert.deepEqual(
      [one?.["process"], one?.["reader"], one?.["judges"], one?.["sockets"]],
      [process.pid, true, null, 0],
    );
    problemOf(await guest("get", "/fleet"), 403);
    const metrics = await gateway.http.get("/metrics");
    assert.match(
      metrics.text,
      new RegExp(`portolan_gateway_info\\{version="[^"]+",host="[^"]+",process="${process.pid}"\\} 1`),
    );
  });

  it("is paged, by an instant, by account", async () => {
    const all = await audit("?limit=1000");
    const [latest] = await audit("?limit=1");
    assert.deepEqual(latest, all[0]);
    assert.deepEqual(await audit(`?limit=1&before=${latest?.id}`), [all[1]]);
    assert.deepEqual(await audit(`?since=${new Date(Date.now() + 60_000).toISOString()}`), []);
    const own = await audit("?account=captain");
    assert.ok(own.length > 0);
    for (const { account, details } of own) assert.ok(details["by"] === "captain" || account === "captain");
    assert.deepEqual(await audit("?account=nobody"), []);
  });

  it("doctor says of each thing whether it is well, how bad it is, how to mend it and where to read on", async () => {
    await gateway.database.client.query("alter role gateway inherit");
    try {
      const { body } = await captain("get", "/doctor").expect(200);
      const bad = body.find(({ finding }: { finding: string }) => /inherits the rights of accounts/.test(finding));
      assert.equal(bad.ok, false);
      assert.equal(bad.severity, "warning");
      assert.deepEqual(bad.remedy, ['alter role "gateway" noinherit;']);
      assert.ok(body.some(({ finding }: { finding: string }) => finding === "every GraphQL schema can be built"));
      for (const { page } of body as { page: string }[]) {
        const [file = "", anchor] = page.split("#");
        const path = join(import.meta.dirname, "../..", file);
        assert.ok(existsSync(path), page);
        const headings = readFileSync(path, "utf8").match(/^#+ .+$/gm) ?? [];
        const anchors = headings.map((text) => text.replace(/^#+ /, "").toLowerCase().replaceAll(" ", "-"));
        if (anchor !== undefined) assert.ok(anchors.includes(anchor), page);
      }
    } finally {
      await gateway.database.client.query("alter role gateway noinherit");
    }
  });

  it("are for super users; wrong parameters are refused", async () => {
    for (const path of ["/audit", "/doctor"]) {
      problemOf(await guest("get", path), 403);
      problemOf(await gateway.http.get(`/api/v4${path}`), 401);
    }
    for (const query of ["limit=0", "limit=1001", "before=x", "since=yesterday-ish", "all=1", "limit=1&limit=2"])
      problemOf(await captain("get", `/audit?${query}`), 400);
  });
});

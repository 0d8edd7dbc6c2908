import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { until } from "../support/until.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { problemOf, requestsAs, type Requests } from "./requests.ts";

interface Entry {
  readonly id: number;
  readonly event: string;
  readonly account: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

interface Statement {
  readonly pid: number;
  readonly account: string | null;
  readonly state: string;
  readonly started: string;
  readonly waits_for: string | null;
  readonly blocked_by: readonly number[];
  readonly statement: string;
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

  it("what runs is listed with what it waits for, and cancelled: its request fails, and it is in the audit", async () => {
    const blocker = new pg.Client({ connectionString: gateway.database.url });
    await blocker.connect();
    try {
      await blocker.query("begin; lock table world.countries in access exclusive mode");
      const { rows: own } = await blocker.query("select pg_backend_pid() as pid");
      const waiting = guest("post", "/sql", { q: "select count(*) from world.countries where 'needle' <> ''" }).then(
        (answer) => answer,
      );
      const statements = async () => (await captain("get", "/statements").expect(200)).body as Statement[];
      const find = async () => (await statements()).find(({ statement }) => statement.includes("'needle'"));
      await until(async () => (await find())?.waits_for === "Lock: relation");
      const one = (await find())!;
      assert.deepEqual([one.account, one.state], ["guest", "active"]);
      assert.deepEqual(one.blocked_by, [own[0].pid]);
      const open = (await statements()).find(({ pid }) => pid === own[0].pid);
      assert.equal(open?.state, "idle in transaction");
      problemOf(await guest("get", "/statements"), 403);
      problemOf(await guest("delete", `/statements/${one.pid}`), 403);
      const before = encodeURIComponent("2020-01-01T00:00:00Z");
      problemOf(await captain("delete", `/statements/${one.pid}?started=${before}`), 404);
      await captain("delete", `/statements/${one.pid}?started=${encodeURIComponent(one.started)}`).expect(204);
      assert.match(problemOf(await waiting, 504), /cancelled/);
      assert.equal(await find(), undefined);
      const [entry] = await audit("?event=statement.&limit=1");
      assert.deepEqual([entry?.account, entry?.details["by"], entry?.details["pid"]], ["guest", "captain", one.pid]);
      for (const pid of ["0", "x", "99999999999", one.pid, own[0].pid])
        problemOf(await captain("delete", `/statements/${pid}`), 404);
    } finally {
      await blocker.end();
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

import assert from "node:assert/strict";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { problemOf, requestsAs, type Requests } from "./requests.ts";

interface Answer {
  readonly account: string;
  readonly rules: readonly { readonly name: string; readonly applies: string }[];
  readonly policies: readonly { readonly name: string }[];
  readonly decisions: readonly {
    readonly request: string;
    readonly granted: boolean;
    readonly access: string;
    readonly rule: number | null;
  }[];
  readonly columns: readonly string[];
  readonly count: number | null;
  readonly keys: readonly Readonly<Record<string, unknown>>[] | null;
}

describe("POST /access/explain", () => {
  let gateway: TestGateway;
  let captain: Requests;
  let guest: Requests;

  before(async () => {
    gateway = await testGateway({
      prepare: ({ client, name }) =>
        client.query(`
create table world.boats (id int, harbour text, crew text, secret text, primary key (id, harbour));
insert into world.boats select n, case n % 2 when 0 then 'Nuuk' else 'Oslo' end, 'crew ' || n, 'x' from generate_series(1, 300) n;
alter table world.boats enable row level security;
create policy claims on world.boats using (
  coalesce(nullif(current_setting('jwt.claims.harbour', true), ''), harbour) = harbour);
grant select (id, harbour, crew) on world.boats to "guest@${name}";
create table world.large (id bigint primary key);
insert into world.large values (9007199254740993);
grant select on world.large to "guest@${name}";
create table world.slow (id int primary key);
insert into world.slow values (1);
alter table world.slow enable row level security;
create policy waits on world.slow using (pg_sleep(30) is not null);
grant select on world.slow to "guest@${name}";
update portolan.users set properties = '{"harbour": "Nuuk"}' where name = 'guest'`),
    });
    captain = await requestsAs(gateway, "captain");
    guest = await requestsAs(gateway, "guest");
  });
  after(() => gateway.close());

  const one = async (text: string) => (await gateway.database.client.query(text)).rows;
  const explain = async (body: object): Promise<Answer> =>
    (await captain("post", "/access/explain", { account: "guest", relation: "world.boats", ...body }).expect(200)).body;
  it("gives keys with all of their digits", async () => {
    const { text } = await captain("post", "/access/explain", { account: "guest", relation: "world.large" });
    assert.ok(text.includes('"keys":[{"id":9007199254740993}]'), text);
  });

  const decision = ({ decisions }: Answer, request: string) => decisions.find((each) => each.request === request);

  it("names the deciding rule, and gives the rows that the account sees by its own claims", async () => {
    const seen = await explain({});
    assert.equal(seen.count, 150);
    assert.equal(seen.keys?.length, 100);
    assert.deepEqual(seen.keys[0], { id: 2, harbour: "Nuuk" });
    assert.deepEqual(seen.columns, ["id", "harbour", "crew"]);
    assert.deepEqual(decision(seen, "select"), { request: "select", granted: true, access: "allow", rule: null });
    assert.deepEqual(decision(seen, "delete"), { request: "delete", granted: false, access: "allow", rule: null });
    assert.match(seen.account, /acts as the role guest@/);
    assert.deepEqual(
      seen.policies.map(({ name }) => name),
      ["claims"],
    );
    assert.equal((await explain({ account: "captain" })).count, 300, "nothing of one account's claims is another's");
  });

  it("depends on interface and address", async () => {
    const { body } = await captain("post", "/rules", [
      { access: "deny", table: "boats", service: "ogc", priority: 1 },
      { access: "limit", table: "boats", filter: "id <= 10", iprange: "10.0.0.0/8", priority: 2 },
    ]).expect(201);
    const [deny, limit] = body as { id: number }[];
    assert.equal((await explain({ ip: "192.0.2.1" })).count, 150);
    const limited = await explain({ ip: "10.1.2.3" });
    assert.deepEqual([limited.count, decision(limited, "select")?.rule], [5, limit!.id]);
    const denied = await explain({ service: "ogc", ip: "10.1.2.3" });
    assert.deepEqual([denied.count, denied.keys, decision(denied, "select")?.access], [0, [], "deny"]);
    assert.equal(decision(denied, "select")?.rule, deny!.id);
    assert.equal(decision(await explain({ account: "captain", service: "ogc" }), "select")?.rule, null);
    await captain("delete", `/rules/${deny!.id},${limit!.id}`).expect(204);
  });

  it("shows the effect of unsaved rules, in their order, and leaves nothing behind", async () => {
    const { body } = await captain("post", "/rules", { access: "deny", table: "boats", username: "guest" }).expect(201);
    const before = await one("select * from portolan.rules");
    assert.equal((await explain({})).count, 0);
    const { body: rules } = await captain("get", "/rules").expect(200);
    const limit = { access: "limit", table: "boats", filter: "crew = 'crew 4'", priority: -1 };
    const seen = await explain({ rules: [...rules, limit] });
    assert.deepEqual(seen.keys, [{ id: 4, harbour: "Nuuk" }]);
    assert.equal((await explain({ rules: [] })).count, 150);
    problemOf(
      await captain("post", "/access/explain", {
        account: "guest",
        relation: "world.boats",
        rules: [{ ...limit, filter: "nothing = 1" }],
      }),
      400,
    );
    assert.deepEqual(await one("select * from portolan.rules"), before);
    assert.equal((await explain({})).count, 0);
    await captain("delete", `/rules/${body.id}`).expect(204);
    const [audited] = (await captain("get", "/audit?event=access.&limit=1").expect(200)).body;
    assert.deepEqual(
      [audited.account, audited.details.by, audited.details.relation],
      ["guest", "captain", "world.boats"],
    );
    assert.deepEqual((await captain("get", "/audit?event=rule.removed&limit=9").expect(200)).body.length, 3);
  });

  it("gives up a part that takes too long, and answers the rest", async () => {
    const slow = await explain({ relation: "world.slow", rules: [] });
    assert.deepEqual([slow.count, slow.keys, slow.columns], [null, null, ["id"]]);
  });

  it("is for super users, about existing accounts and tables", async () => {
    const ask = { account: "guest", relation: "world.boats" };
    problemOf(await guest("post", "/access/explain", ask), 403);
    problemOf(await gateway.http.post("/api/v4/access/explain").send(ask), 401);
    for (const [wrong, status] of [
      [{ account: "nobody" }, 404],
      [{ relation: "world.nothing" }, 404],
      [{ relation: "pg_catalog.pg_authid" }, 400],
      [{ relation: "boats" }, 400],
      [{ relation: 'world."' }, 400],
      [{ service: "telnet" }, 400],
      [{ ip: "10.0.0.0/8" }, 400],
      [
        {
          rules: [
            { id: 1, access: "deny" },
            { id: 1, access: "allow" },
          ],
        },
        400,
      ],
    ] as const)
      problemOf(await captain("post", "/access/explain", { ...ask, ...wrong }), status);
    assert.deepEqual(
      await one("select count(*)::int from portolan.audit where details ->> 'by' = 'guest' and event ~ '^access'"),
      [{ count: 0 }],
    );
  });
});

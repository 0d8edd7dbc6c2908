import assert from "node:assert/strict";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { connectAs } from "../support/webSocket.ts";
import { requestsAs, type Requests } from "./requests.ts";
import { until } from "../support/until.ts";

describe("GET /requests/{id}", () => {
  let gateway: TestGateway;
  let captain: Requests;
  let guest: Requests;

  before(async () => {
    gateway = await testGateway({
      prepare: ({ client, name }) =>
        client.query(`
create schema yards;
create table yards.cranes (id int primary key, reach int);
select portolan.enable_versioning('yards.cranes');
create table yards.closed (id int primary key);
create table yards.secret (id int primary key);
create schema portolan_closed;
create table portolan_closed.rows (id int);
create function yards.tally() returns int language sql as 'select 1';
revoke execute on function yards.tally() from public;
create table yards.own (id int primary key, owner text);
alter table yards.own enable row level security;
create policy only_mine on yards.own for insert with check (owner = current_user);
grant usage on schema yards to "guest@${name}";
grant select on yards.cranes, yards.closed to "guest@${name}";
grant select, insert on yards.own to "guest@${name}";
select portolan.create_rule('{"username": "guest", "schema": "yards", "table": "closed", "request": "select", "access": "deny"}');
select portolan.create_user('ann', 'ann');`),
    });
    [captain, guest] = await Promise.all([requestsAs(gateway, "captain"), requestsAs(gateway, "guest")]);
  });
  after(() => gateway.close());

  const sql = (q: string) => guest("post", "/sql", { q });
  const idOf = (response: { readonly headers: Readonly<Record<string, string>> }): string =>
    response.headers["x-request-id"]!;

  interface Failure {
    readonly code: string;
    readonly decided_by: string | null;
    readonly may_change: string | null;
    readonly super_users: readonly string[] | null;
    readonly reasons: readonly { readonly subject: string; readonly name: string; readonly decides: boolean }[];
  }

  for (const [statement, by, deciding] of [
    ["insert into yards.cranes values (1, 2)", "grant", ["grant insert"]],
    [
      "insert into yards.cranes values (1, 2) on conflict (id) do update set reach = 2",
      "grant",
      ["grant insert", "grant update"],
    ],
    ["delete from yards.secret where id = 1", "grant", ["grant select", "grant delete"]],
    ["with c as (select id from yards.cranes) update yards.secret set id = 1", "grant", ["grant update"]],
    ["select id from yards.cranes for update", "grant", ["grant update"]],
    ['select id as "update" from yards.secret', "grant", ["grant select"]],
    ["select * from portolan_closed.rows", "grant", ["grant usage on schema portolan_closed"]],
    ["select yards.tally()", "grant", ["grant execute on function tally"]],
    ["select * from yards.closed", "rule", ["rule 1"]],
    ["insert into yards.own values (1, 'captain')", "policy", ["policy only_mine"]],
  ] as const)
    it(`says that a ${by} refused ${statement}`, async () => {
      const refused = await sql(statement);
      assert.equal(refused.status, 403);
      const { body } = await captain("get", `/requests/${idOf(refused)}`).expect(200);
      assert.deepEqual([body.account, body.door, body.status], ["guest", "sql", 403]);
      const [failure] = body.failures as Failure[];
      assert.deepEqual([failure!.code, failure!.decided_by], ["FORBIDDEN", by]);
      assert.deepEqual(
        failure!.reasons.filter(({ decides }) => decides).map(({ subject, name }) => `${subject} ${name}`),
        deciding,
      );
      assert.match(failure!.may_change!, /super users$/);
      assert.deepEqual(failure!.super_users, ["captain"]);
    });

  it("tells the account of its own request, without the names of others, and nobody else", async () => {
    const refused = await sql("select * from yards.closed");
    const { body } = await guest("get", `/requests/${idOf(refused)}`).expect(200);
    const [failure] = body.failures as Failure[];
    assert.deepEqual([failure!.decided_by, failure!.super_users], ["rule", null]);
    assert.doesNotMatch(JSON.stringify(body), /captain/);
    const ann = await requestsAs(gateway, "ann");
    await ann("get", `/requests/${idOf(refused)}`).expect(404);
    await guest("get", "/requests/there-is-none").expect(404);
    await gateway.http.get(`/api/v4/requests/${idOf(refused)}`).expect(401);
  });

  it("finds refusals that GraphQL tells in an answer of 200, by code, door and relation", async () => {
    const answer = await gateway.graphql(
      "guest",
      "world",
      "mutation { updateCitiesById(where: { id: 1 }, patch: {}) { name } }",
    );
    assert.equal(answer.status, 200);
    const id = idOf(answer);
    const found = async (query: string) =>
      ((await captain("get", `/requests?${query}`).expect(200)).body as { id: string }[]).some(
        (each) => each.id === id,
      );
    const { body } = await captain("get", `/requests/${id}`).expect(200);
    const [failure] = body.failures as (Failure & { relation: string | null })[];
    assert.equal(body.status, 200);
    for (const [query, isFound] of [
      [`code=${failure!.code}`, true],
      [`code=${failure!.code}&door=graphql&account=guest`, true],
      [`code=${failure!.code}&door=rest`, false],
      ["relation=yards.closed", false],
      ["from=2001-01-01T00:00:00Z&to=2001-01-02T00:00:00Z", false],
      [`from=${encodeURIComponent(body.at)}`, true],
    ] as const)
      assert.equal(await found(query), isFound, query);
    await captain("get", "/requests?door=elsewhere").expect(400);
    const { body: closed } = await captain("get", "/requests?relation=closed&door=sql").expect(200);
    assert.ok((closed as unknown[]).length > 0);
  });

  it("gives refusals over a WebSocket an id each, which the error tells", async () => {
    const socket = await connectAs(gateway, "guest");
    const ids: string[] = [];
    for (const id of ["a", "b"]) {
      const error = await socket.ask({ type: "subscription", id, schema: "yards", rel: "secret" });
      ids.push(String(error["requestId"]));
    }
    socket.close();
    assert.equal(new Set(ids).size, 2);
    for (const id of ids) {
      const { body } = await guest("get", `/requests/${id}`).expect(200);
      assert.deepEqual([body.door, body.method], ["socket", null]);
    }
  });

  it("keeps refusals where there are more requests than it keeps, up to 1,000 in a minute of an account", async () => {
    const token = await gateway.token("guest");
    const ask = async (): Promise<number> => {
      const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
      const body = JSON.stringify({ name: "late", password: "late" });
      return (await fetch(`${gateway.baseUrl}/api/v4/users`, { method: "POST", headers, body })).status;
    };
    const count = async () =>
      (
        await gateway.database.client.query(
          "select count(*)::int as n from portolan.requests where account = 'guest' and path = '/api/v4/users'",
        )
      ).rows[0].n as number;
    for (let batch = 0; batch < 15; batch++)
      assert.deepEqual(new Set(await Promise.all(Array.from({ length: 40 }, ask))), new Set([403]));
    await captain("get", "/requests").expect(200);
    await until(async () => (await count()) >= 600); // an earlier part may still be written
    assert.equal(await count(), 600);
  });
});

import assert from "node:assert/strict";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { requestsAs, type Requests } from "../management/requests.ts";

const ROWS = "/api/v4/schemas/world/tables/boats/rows";

describe("see as another account", () => {
  let gateway: TestGateway;
  let captain: Requests;
  let seeing: string;

  before(async () => {
    gateway = await testGateway({
      prepare: ({ client, name }) =>
        client.query(`
create table world.boats (id int primary key, name text);
insert into world.boats select n, 'boat ' || n from generate_series(1, 5) n;
alter table world.boats enable row level security;
create policy two on world.boats to "guest@${name}" using (id <= 2);
create sequence world.boats_id;
grant all on sequence world.boats_id to "guest@${name}";
create function world.write_boats() returns void language plpgsql as $$ begin
  perform set_config('transaction_read_only', 'off', true); update world.boats set name = 'x'; end $$;
grant all on world.boats to "guest@${name}";
select portolan.create_user('boss', 'a long secret', superuser => true)`),
    });
    captain = await requestsAs(gateway, "captain");
    seeing = await see(captain);
  });
  after(() => gateway.close());

  async function see(by: Requests, account = "guest"): Promise<string> {
    const { body } = await by("post", "/access/see", { account }).expect(200);
    return (body as { access_token: string }).access_token;
  }

  const post = (path: string, body: object, token = seeing) =>
    gateway.http.post(path).set("Authorization", `Bearer ${token}`).send(body);
  const get = (path: string, token = seeing) => gateway.http.get(path).set("Authorization", `Bearer ${token}`);
  const sql = (q: string) => post("/api/v4/sql", { q });
  const graphql = (query: string) => post("/api/graphql/schema/world", { query });

  it("gives the rows that the account sees, at every interface", async () => {
    const seen = await sql("select current_user::text as role, count(*)::int as boats from world.boats").expect(200);
    assert.deepEqual(seen.body.data, [{ role: `guest@${gateway.database.name}`, boats: 2 }]);
    const { body } = await graphql("{ getBoats { id } }").expect(200);
    assert.deepEqual(body, { data: { getBoats: [{ id: "1" }, { id: "2" }] } });
    for (const rows of [await get(ROWS), await post(ROWS, { format: "json" })])
      assert.equal(rows.body.length, 2, rows.text);
    await get("/api/v4/users").expect(403);
  });

  it("changes nothing, whatever the account may do", async () => {
    const refused = [
      await sql("update world.boats set name = 'x' where id = 1"),
      await sql("select set_config('transaction_read_only', 'off', true), nextval('world.boats_id')"),
      await sql("select world.write_boats()"),
      await graphql("mutation { deleteBoats(where: {id: {eq: 1}}) { id } }"),
      await post("/api/v4/queries", { name: "mine", q: "select 1" }),
      await post("/api/v4/access/see", { account: "captain" }),
      await gateway.http.delete("/api/v4/sessions/x").set("Authorization", `Bearer ${seeing}`),
    ];
    const failed = refused.map(({ status, body }) => body.errors?.[0].extensions?.code ?? status);
    assert.deepEqual(
      failed,
      [403, 400, 400, "FORBIDDEN", 403, 403, 403],
      JSON.stringify(refused.map(({ body }) => body)),
    );
    const { rows } = await gateway.database.client.query("select count(*)::int as boats, count(*) filter (where name = 'x')::int as changed from world.boats"); // oxfmt-ignore
    assert.deepEqual(rows, [{ boats: 5, changed: 0 }]);
  });

  it("is for super users, and in the audit with who saw", async () => {
    const guest = await requestsAs(gateway, "guest");
    await guest("post", "/access/see", { account: "captain" }).expect(403);
    await captain("post", "/access/see", { account: "nobody-of-that-name" }).expect(404);
    await captain("post", "/access/see", {}).expect(400);
    const { rows } = await gateway.database.client.query(
      "select account, details from portolan.audit where event = 'access.seen_as'",
    );
    assert.deepEqual(rows, [{ account: "guest", details: { by: "captain" } }]);
  });

  it("ends when who sees is no super user any more", async () => {
    const boss = await requestsAs(gateway, "boss");
    const token = await see(boss);
    await get("/api/v4/schemas", token).expect(200);
    await captain("patch", "/users/boss", { superuser: false }).expect(303);
    const started = Date.now();
    let status = 200;
    while (status === 200 && Date.now() - started < 10_000) ({ status } = await get("/api/v4/schemas", token));
    assert.equal(status, 401);
  });
});

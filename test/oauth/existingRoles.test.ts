import assert from "node:assert/strict";
import { command } from "../support/commands.ts";
import { until } from "../support/events.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { addClient, codeFor, makePkce, REDIRECT_URI } from "./support.ts";

/** A team that already has its roles, grants and policies. */
describe("accounts on existing roles", () => {
  let gateway: TestGateway;
  let role: string;

  before(async () => {
    gateway = await testGateway();
    await addClient(gateway.database, "app");
    role = `team of ${gateway.database.name}`;
    await gateway.database.client.query(`
create role "${role}" nologin;
create schema team;
create table team.notes (id int primary key, team text, writer text default current_user);
insert into team.notes values (1, 'north'), (2, 'south');
alter table team.notes enable row level security;
create policy own on team.notes using (team = current_setting('jwt.claims.team', true));
grant usage on schema team to "${role}";
grant select, insert on team.notes to "${role}"`);
    for (const team of ["north", "south"]) {
      const { status, stderr, stdout } = portolan(
        "user",
        "add",
        `${team}erner`,
        "--role",
        role,
        "--password",
        team,
        "--properties",
        JSON.stringify({ team }),
      );
      assert.deepEqual([status, stdout], [0, `${team}erner acts as the role ${role}\n`], stderr);
    }
  });
  after(async () => {
    await gateway.database.client.query(`drop owned by "${role}"`);
    await gateway.database.client.query(`drop role "${role}"`);
    await gateway.close();
  });

  function portolan(...args: string[]) {
    return command(args, {
      env: { DATABASE_URL: gateway.database.gatewayUrl, OWNER_DATABASE_URL: gateway.database.url },
    });
  }

  const query = async (token: string, text: string) =>
    (await gateway.http.post("/api/graphql/schema/team").auth(token, { type: "bearer" }).send({ query: text }))
      .body as { data?: Record<string, unknown>; errors?: readonly { extensions: { code: string } }[] };
  const exchange = async (body: object) =>
    (
      await gateway.http
        .post("/api/v4/oauth")
        .send({ client_id: "app", ...body })
        .expect(200)
    ).body.access_token as string;
  const signIn = (team: string) => exchange({ grant_type: "password", username: `${team}erner`, password: team });

  it("with a token of any grant they act as that role, and policies that read jwt.claims.* see their properties", async () => {
    const pkce = makePkce();
    const code = await codeFor(gateway.baseUrl, "app", pkce, { account: "northerner", password: "north" });
    const byCode = { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI, code_verifier: pkce.verifier };
    const [north, south, byBrowser] = [await signIn("north"), await signIn("south"), await exchange(byCode)];
    await until(async () => (await query(north, "{ getNotes { id } }")).data !== undefined);
    for (const [token, id] of [
      [north, "1"],
      [south, "2"],
      [byBrowser, "1"],
    ] as const)
      assert.deepEqual(await query(token, "{ getNotes { id } }"), { data: { getNotes: [{ id }] } });
    const insert = (id: number, team: string) =>
      `mutation { insertNotes(data: {id: ${id}, team: "${team}"}) { id writer } }`;
    assert.deepEqual(await query(north, insert(3, "north")), { data: { insertNotes: [{ id: "3", writer: role }] } });
    const refused = await query(north, insert(4, "south"));
    assert.equal(refused.errors?.[0]?.extensions.code, "FORBIDDEN", JSON.stringify(refused));
    const deleted = await query(north, 'mutation { deleteNotes(where: {team: "north"}) { id } }');
    assert.equal(deleted.errors?.[0]?.extensions.code, "FORBIDDEN", "the role has no DELETE");
  });

  it("a changed property applies to existing tokens; a removed account is signed out and the role stays", async () => {
    const token = await signIn("south");
    assert.deepEqual((await query(token, "{ getNotes { id } }")).data, { getNotes: [{ id: "2" }] });
    await gateway.database.client.query(
      `update portolan.users set properties = '{"team":"nowhere"}' where name = 'southerner'`,
    );
    await until(async () => JSON.stringify((await query(token, "{ getNotes { id } }")).data) === '{"getNotes":[]}');
    assert.equal(portolan("user", "remove", "southerner").status, 0);
    await until(
      async () => (await query(token, "{ getNotes { id } }")).errors?.[0]?.extensions.code === "UNAUTHENTICATED",
    );
    const { rows } = await gateway.database.client.query("select from pg_roles where rolname = $1", [role]);
    assert.equal(rows.length, 1);
    assert.notDeepEqual((await query(await signIn("north"), "{ getNotes { id } }")).data?.["getNotes"], []);
  });
});

import assert from "node:assert/strict";
import { command } from "../support/commands.ts";
import { until } from "../support/until.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { problemOf, requestsAs, type Requests } from "./requests.ts";

interface Session {
  readonly id: string;
  readonly kind: string;
  readonly account: string;
  readonly client_id: string | null;
  readonly current: boolean;
  readonly address: string | null;
}

describe("/api/v4/sessions", () => {
  let gateway: TestGateway;
  let captain: Requests;
  let guest: Requests;

  before(async () => {
    gateway = await testGateway({
      config: { mcp: true },
      prepare: ({ client }) =>
        client.query(
          `select portolan.create_client('app', 'The app', '{}', true, grants => '{password,refresh_token}'),
                  portolan.create_user('ann', 'ann')`,
        ),
    });
    captain = await requestsAs(gateway, "captain");
    guest = await requestsAs(gateway, "guest");
  });
  after(() => gateway.close());

  /** Signs in as an application. */
  async function signIn(account: string): Promise<{ access: string; refresh: string }> {
    const { body } = await gateway.http
      .post("/api/v4/oauth")
      .send({ grant_type: "password", username: account, password: account, client_id: "app" })
      .expect(200);
    return { access: body.access_token, refresh: body.refresh_token };
  }
  const own = async (token: string): Promise<Session[]> =>
    (await gateway.http.get("/api/v4/sessions").set("Authorization", `Bearer ${token}`).expect(200)).body;
  const end = (token: string, id: string) =>
    gateway.http.delete(`/api/v4/sessions/${id}`).set("Authorization", `Bearer ${token}`);

  it("an account sees its own, with the present one marked, and ends another: its tokens become invalid", async () => {
    const [one, two] = [await signIn("guest"), await signIn("guest")];
    await signIn("ann");
    const sessions = await own(one.access);
    assert.deepEqual(
      sessions.map(({ kind, account, client_id, current, address }) => [kind, account, client_id, current, address]),
      [
        ["application", "guest", "app", false, "127.0.0.1"],
        ["application", "guest", "app", true, "127.0.0.1"],
      ],
    );
    await end(one.access, sessions[0]!.id).expect(204);
    problemOf(await gateway.http.get("/api/v4/sessions").set("Authorization", `Bearer ${two.access}`), 401);
    await gateway.http
      .post("/api/v4/oauth")
      .send({ grant_type: "refresh_token", refresh_token: two.refresh, client_id: "app" })
      .expect(400);
    assert.equal((await own(one.access)).length, 1);
    problemOf(await end(one.access, sessions[0]!.id), 404);
  });

  it("only a super user sees or ends those of others", async () => {
    const { body } = await captain("get", "/sessions?account=Ann").expect(200);
    assert.equal(body.length, 1);
    problemOf(await guest("delete", `/sessions/${body[0].id}`), 404);
    assert.deepEqual((await guest("get", "/sessions?account=ann").expect(200)).body, []);
    await captain("delete", `/sessions/${body[0].id}`).expect(204);
    assert.deepEqual((await captain("get", "/sessions?account=ann").expect(200)).body, []);
    const [entry] = (await captain("get", "/audit?event=session.&limit=1").expect(200)).body;
    assert.deepEqual([entry.account, entry.client_id, entry.details.by], ["ann", "app", "captain"]);
  });

  it("SQL that an account wrote ends nothing, and a new password ends all", async () => {
    const { access } = await signIn("ann");
    const [session] = await own(access);
    const answer = await gateway.http
      .post("/api/v4/sql")
      .set("Authorization", `Bearer ${access}`)
      .send({ q: `select portolan.end_session('${session!.id}')` });
    problemOf(answer, 403);
    await gateway.database.client.query("select portolan.set_password('ann', 'ann')");
    assert.deepEqual((await captain("get", "/sessions?account=ann").expect(200)).body, []);
  });

  it("an agent is seen by its door, and its session ends within 5 s", async () => {
    const resource = `${gateway.baseUrl}/mcp/${gateway.database.name}`;
    const { body } = await gateway.http
      .post("/api/v4/oauth")
      .send({
        grant_type: "password",
        username: "guest",
        password: "guest",
        client_id: "app",
        scope: "mcp:write",
        resource,
      })
      .expect(200);
    const list = () =>
      gateway.http
        .post(new URL(resource).pathname)
        .set({ Authorization: `Bearer ${body.access_token}`, Accept: "application/json, text/event-stream" })
        .send({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });
    await list().expect(200);
    const [agent] = (await captain("get", "/sessions?account=guest").expect(200)).body;
    assert.deepEqual([agent.resource, agent.scope], [resource, "mcp:write"]);
    await captain("delete", `/sessions/${agent.id}`).expect(204);
    await until(async () => (await list()).status === 401, 5000);
  });

  it("the command lists and ends them", async () => {
    await signIn("guest");
    const { name, url, gatewayUrl } = gateway.database;
    const run = (...args: string[]) =>
      command(["session", ...args], { env: { DATABASE_URL: gatewayUrl, OWNER_DATABASE_URL: url } });
    const [latest] = JSON.parse(run("list", "Guest", "--json").stdout) as { id: string; client: string }[];
    assert.equal(latest?.client, "app", name);
    assert.equal(run("remove", latest.id).stdout, `session ${latest.id} has ended\n`);
    assert.equal(run("remove", latest.id).status, 1);
  });

  it("refuses an unknown session, and anonymous callers", async () => {
    for (const id of ["nothing", "00000000-0000-0000-0000-000000000000", "%27"]) {
      problemOf(await captain("delete", `/sessions/${id}`), 404);
      problemOf(await guest("delete", `/sessions/${id}`), 404);
    }
    problemOf(await gateway.http.get("/api/v4/sessions"), 401);
    problemOf(await captain("get", "/sessions?all=1"), 400);
  });
});

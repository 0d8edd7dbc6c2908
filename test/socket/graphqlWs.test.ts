/** The public client of `graphql-transport-ws`, unmodified. */
import assert from "node:assert/strict";
import { createHash, randomUUID } from "node:crypto";
import { createClient, type Client, type ClientOptions } from "graphql-ws";
import { SignJWT, exportJWK, generateKeyPair } from "jose";
import { WebSocket } from "ws";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { SocketClient, socketUrl } from "../support/webSocket.ts";
import { until } from "../support/until.ts";

interface Result {
  readonly data?: unknown;
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
  readonly extensions?: { readonly position: string };
}

describe("socket: graphql-transport-ws", () => {
  let gateway: TestGateway;
  const clients: Client[] = [];
  const query = (text: string, values: unknown[] = []) => gateway.database.client.query(text, values);

  before(async () => {
    gateway = await testGateway();
  });
  after(async () => {
    for (const client of clients) await client.dispose();
    await gateway.close();
  });

  const url = (schema = "world") => `${socketUrl(gateway)}/api/graphql/schema/${schema}`;
  function client(options: Partial<ClientOptions>): Client {
    const made = createClient({ url: url(), webSocketImpl: WebSocket, retryAttempts: 0, lazy: true, ...options });
    clients.push(made);
    return made;
  }
  const as = async (account: string) => client({ connectionParams: { token: await gateway.token(account) } });
  const next = async (results: AsyncIterator<unknown>) => (await results.next()).value as Result;
  /** This protocol has no acknowledgement: a subscription is live when it delivers. */
  async function whenLive(results: AsyncIterator<unknown>, write: () => Promise<unknown>): Promise<Result> {
    const first = next(results);
    let came = false;
    void first.then(
      () => (came = true),
      () => (came = true),
    );
    await until(async () => {
      await write();
      return came;
    });
    return first;
  }
  let code = 0;
  const nextCode = () => String.fromCharCode(65 + Math.floor(++code / 26), 65 + (code % 26));
  const insert = () =>
    query("insert into world.countries (code, name) values ($1, $1) on conflict do nothing", [`Q${nextCode()[1]}`]);
  const remove = () => query("delete from world.countries where name like 'Q_'");

  it("the token in connectionParams, as Authorization, or in the URL", async () => {
    const token = await gateway.token("guest");
    for (const options of [
      { connectionParams: { token } },
      { connectionParams: { Authorization: `Bearer ${token}` } },
      { connectionParams: { authorization: token } },
      { url: `${url()}?token=${token}` },
    ]) {
      const results = client(options).iterate({ query: '{ getCountries(id: "DK") { name } }' });
      assert.deepEqual(await next(results), { data: { getCountries: [{ name: "Denmark" }] } });
      assert.equal((await results.next()).done, true);
    }
  });

  it("a token that is missing or bad: 4401", async () => {
    for (const connectionParams of [{}, { token: "x" }, { token: 5 }, { Authorization: "Basic abc" }]) {
      const closed = new Promise<{ code: number }>((resolve) => {
        const on = { closed: (event: unknown) => resolve(event as { code: number }) };
        client({ connectionParams, lazy: false, onNonLazyError: () => undefined, on });
      });
      assert.equal((await closed).code, 4401);
    }
  });

  it("delivers events with their position, which extensions.after resumes from", async () => {
    const captain = await as("captain");
    const text = "subscription { CountriesMessageAdded { code } }";
    const results = captain.iterate({ query: text });
    const { data, extensions } = await whenLive(results, insert);
    assert.match(JSON.stringify(data), /^\{"CountriesMessageAdded":\[\{"code":"Q[A-Z]"\}\]\}$/);
    assert.match(extensions?.position ?? "", /^\w+-\w+-\w+$/);
    await results.return!();
    await query("insert into world.countries (code, name) values ('YY', 'Missed')");
    const resumed = captain.iterate({ query: text, extensions: { after: extensions?.position } });
    const seen: string[] = [];
    while (!seen.at(-1)?.includes("YY")) seen.push(JSON.stringify((await next(resumed)).data));
    await resumed.return!();
    await query("delete from world.countries where code = 'YY'");
    await remove();
  });

  it("a mutation is answered; errors are told as entries of errors", async () => {
    const captain = await as("captain");
    const results = captain.iterate({ query: 'mutation { insertAreas(data: { name: "x", path: "ws/x" }) { name } }' });
    assert.deepEqual(await next(results), { data: { insertAreas: [{ name: "x" }] } });
    await query("delete from world.areas where path = 'ws/x'");
    for (const [text, expected] of [
      ["subscription { NoneMessageAdded { id } }", "BAD_USER_INPUT"],
      ["subscription { CountriesMessageAdded(where: { geom: null }) { code } }", "BAD_USER_INPUT"],
      ["{ nothing }", "BAD_USER_INPUT"],
      ["{", "BAD_USER_INPUT"],
    ] as const)
      await assert.rejects(next(captain.iterate({ query: text })), (errors: Result["errors"]) => {
        assert.equal(errors?.[0]?.extensions.code, expected, JSON.stringify(errors));
        return true;
      });
    await assert.rejects(
      next(captain.iterate({ query: "subscription { AreasMessageAdded { id } }", extensions: { after: "never" } })),
    );
  });

  it("a gap ends the operation with an error of code GAP", async () => {
    const captain = await as("captain");
    await query(
      "create table world.emptied (id int primary key); select portolan.enable_events('world.emptied'); select portolan.share_with_owner('{world}')",
    );
    while ((await gateway.graphql("captain", "world", "{ countEmptied }")).body.errors);
    const results = captain.iterate({ query: "subscription { EmptiedMessageAdded { id } }" });
    let id = 0;
    await whenLive(results, () => query("insert into world.emptied values ($1)", [++id]));
    await query("truncate world.emptied");
    const errors = await (async () => {
      for (;;) await next(results);
    })().catch((reason: Result["errors"]) => reason);
    assert.equal(errors?.[0]?.extensions.code, "GAP");
    await query("drop table world.emptied");
  }).timeout(60_000);

  it("several at once on one socket, ended one by one", async () => {
    const captain = await as("captain");
    const added = captain.iterate({ query: "subscription { CountriesMessageAdded { code } }" });
    const both = captain.iterate({
      query: "subscription { a: CountriesMessageAdded { name } b: CountriesMessageDeleted { code name } }",
    });
    await whenLive(added, insert);
    const first = await whenLive(both, insert);
    assert.deepEqual(
      Object.entries(first.data as object).map(([key, rows]) => [key, rows === null]),
      [
        ["a", false],
        ["b", true],
      ],
    );
    await added.return!();
    await remove();
    let last: Result = first;
    while (!(last.data as { b: unknown }).b) last = await next(both);
    assert.ok((last.data as { b: unknown[] }).b.length > 0);
    await both.return!();
  });

  it("a token that is bound to a key needs its proof beside it, in connectionParams or in the URL", async () => {
    const { privateKey, publicKey } = await generateKeyPair("ES256");
    const jwk = await exportJWK(publicKey);
    const prove = (htm: string, path: string, token?: string) =>
      new SignJWT({
        jti: randomUUID(),
        htm,
        htu: gateway.baseUrl + path,
        ...(token && { ath: createHash("sha256").update(token).digest("base64url") }),
      })
        .setProtectedHeader({ alg: "ES256", typ: "dpop+jwt", jwk })
        .setIssuedAt()
        .sign(privateKey);
    const grant = { grant_type: "password", username: "guest", password: "guest", client_id: "portolan-cli" };
    const { body } = await gateway.http
      .post("/api/v4/oauth")
      .set("DPoP", await prove("POST", "/api/v4/oauth"))
      .send(grant)
      .expect(200);
    const token: string = body.access_token;
    const path = new URL(url()).pathname;
    const init = async (payload: object, query = "") => {
      const socket = await new SocketClient(url() + query, ["graphql-transport-ws"]).opened();
      socket.send({ type: "connection_init", payload });
      return socket;
    };
    const used = await prove("GET", path, token);
    const open = await init({ token, dpop: used });
    await open.take("connection_ack");
    open.webSocket.close();
    const byUrl = await init({}, `?${new URLSearchParams({ token, dpop: await prove("GET", path, token) })}`);
    await byUrl.take("connection_ack");
    byUrl.webSocket.close();
    for (const dpop of [
      undefined,
      used,
      await prove("POST", path, token),
      await prove("GET", "/", token),
      await prove("GET", path),
    ]) {
      const socket = await init({ token, ...(dpop && { dpop }) });
      assert.equal((await socket.closed).code, 4401);
    }
  });

  it("expiry, binary and nonsense close the socket", async () => {
    const open = () => new SocketClient(url(), ["graphql-transport-ws"]).opened();
    const expiring = await open();
    expiring.send({ type: "connection_init", payload: { token: await gateway.token("guest", 1) } });
    await expiring.take("connection_ack");
    assert.equal((await expiring.closed).code, 4401);
    for (const [message, expected] of [
      ["nonsense", 4400],
      [{ type: "subscribe", id: "1", payload: { query: "{ x }" } }, 4401],
      [{ type: "what" }, 4400],
      [{}, 4400],
    ] as const) {
      const socket = await open();
      socket.send(message);
      assert.equal((await socket.closed).code, expected);
    }
    const binary = await open();
    binary.webSocket.send(Buffer.from("{}"));
    assert.equal((await binary.closed).code, 1003);
  }).timeout(30_000);
});

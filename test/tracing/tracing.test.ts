import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { testDatabase } from "../support/databases.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { otlpReceiver, type OtlpReceiver, type ReceivedSpan } from "../support/otlpReceiver.ts";
import { GatewayProcess } from "../support/process.ts";
import { until } from "../support/until.ts";
import { connectAs } from "../support/webSocket.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT = "00f067aa0ba902b7";
const SAMPLED = `00-${TRACE}-${PARENT}-01`;

describe("OpenTelemetry", () => {
  let receiver: OtlpReceiver;
  let gateway: TestGateway;
  before(async () => {
    receiver = await otlpReceiver();
    gateway = await testGateway({ config: { otlpEndpoint: receiver.endpoint, poolSize: 4 } });
  });
  after(async () => {
    await gateway.close();
    await receiver[Symbol.asyncDispose]();
  });

  const spansOf = (traceId: string): ReceivedSpan[] => receiver.spans.filter((span) => span.traceId === traceId);
  const traceOf = (response: { readonly headers: Record<string, string> }): string =>
    String(response.headers["traceresponse"]).split("-")[1] ?? "";
  /** The spans of an answer's trace, once its request is among them: children are sent first. */
  async function told(response: { readonly headers: Record<string, string> }): Promise<ReceivedSpan[]> {
    const trace = traceOf(response);
    await until(() => spansOf(trace).some(({ attributes }) => "http.request.method" in attributes));
    return spansOf(trace);
  }
  const under = (spans: readonly ReceivedSpan[], parent: ReceivedSpan | undefined): ReceivedSpan[] =>
    spans.filter(({ parentSpanId }) => parentSpanId === parent?.spanId);

  it("a query is a request with a transaction with its statements, under the caller's traceparent", async () => {
    const response = await gateway.http
      .post("/api/graphql/schema/world")
      .set({ Authorization: `Bearer ${await gateway.token("guest")}`, traceparent: SAMPLED })
      .send({ query: `{ getCities(where: {name: "Ber'lin hidden0"}) { name } }` })
      .expect(200);
    assert.match(response.headers["traceresponse"] ?? "", new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`));
    const spans = await told(response);
    const request = spans.find(({ parentSpanId }) => parentSpanId === PARENT);
    assert.equal(request?.name, "POST /api/graphql/schema/{schema}");
    assert.equal(request.spanId, response.headers["traceresponse"]?.split("-")[2]);
    const { "http.response.status_code": status, "portolan.request_id": id } = request.attributes;
    assert.deepEqual([status, id], [200, response.headers["x-request-id"]]);
    const [transaction] = under(spans, request);
    assert.equal(transaction?.name, "transaction");
    assert.deepEqual(transaction.attributes, {
      "db.namespace": gateway.database.name,
      "portolan.service": "graphql",
    });
    const [statement] = under(spans, transaction);
    assert.equal(statement?.name, "SELECT");
    assert.match(String(statement.attributes["db.query.text"]), /^select .*cities/s);
    assert.equal(receiver.resource["service.name"], "portolan");
  });

  it("never contains a value, of any literal, comment or error", async () => {
    const texts = [
      "select 'hidden1', e'hidden\\'2', $$hidden3$$, U&'hidden4', b'10101', 87654321 /* hidden5 */ -- hidden6",
      "select 'hidden7'::int",
      "select * from nothing where a = 'hidden8",
    ];
    const token = await gateway.token("captain");
    const statements: unknown[] = [];
    for (const sql of texts) {
      const response = await gateway.http.post("/api/v4/sql").set("Authorization", `Bearer ${token}`).send({ q: sql });
      const spans = await told(response);
      statements.push(...spans.map(({ attributes }) => attributes["db.query.text"]));
    }
    assert.ok(
      statements.some((shape) => String(shape).startsWith("select ?, ?, ?, ?, ?, ?")),
      JSON.stringify(statements),
    );
    assert.doesNotMatch(receiver.body, /hidden|87654321|Ber'lin|10101/);
  });

  it("a failure has the SQLSTATE, and a client's mistake is no error of the request", async () => {
    const response = await gateway.http
      .post("/api/v4/sql")
      .set("Authorization", `Bearer ${await gateway.token("captain")}`)
      .send({ q: "select 1 / (select 0)" });
    const spans = await told(response);
    const failed = spans.filter(({ attributes }) => attributes["db.response.status_code"] === "22012");
    assert.ok(failed.some(({ name }) => name === "SELECT"));
    const request = spans.find(({ attributes }) => "http.route" in attributes);
    assert.notEqual(request?.status.code, 2);
  });

  it("an invalid traceparent begins a new trace", async () => {
    for (const header of ["", "nonsense", `00-${"0".repeat(32)}-${PARENT}-01`, `ff-${TRACE}-${PARENT}-01`]) {
      const response = await gateway.http.get("/ping").set("traceparent", header).expect(200);
      assert.match(response.headers["traceresponse"] ?? "", /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
      assert.notEqual(traceOf(response), TRACE);
    }
  });

  it("a caller that does not trace is not traced, and gets its trace's id back", async () => {
    const trace = "11112222333344445555666677778888";
    const response = await gateway.http.get("/ping").set("traceparent", `00-${trace}-${PARENT}-00`);
    assert.match(response.headers["traceresponse"] ?? "", new RegExp(`^00-${trace}-[0-9a-f]{16}-00$`));
    await told(await gateway.http.get("/ping")); // later, and it has arrived
    assert.deepEqual(spansOf(trace), []);
  });

  it("a map has spans for its wait and for MapServer", async () => {
    const collections = await gateway.http.get(`/api/v4/ogc/database/${gateway.database.name}/collections?f=json`);
    const [first] = (collections.body as { collections: { id: string }[] }).collections;
    const response = await gateway.http
      .get(`/api/v4/ogc/database/${gateway.database.name}/collections/${first?.id}/map?width=64&height=64&f=png`)
      .expect(200);
    const spans = await told(response);
    const request = spans.find(({ attributes }) => "http.route" in attributes);
    assert.equal(request?.attributes["http.route"], "/api/v4/ogc/database/{database}/collections/{collectionId}/map");
    const names = under(spans, request).map(({ name }) => name);
    assert.ok(names.includes("map queue") && names.includes("MapServer"), names.join());
  });

  it("requests over a socket are traced, and events from their writing to the socket", async () => {
    await gateway.database.client.query("select portolan.enable_events('world.cities')");
    const socket = await connectAs(gateway, "captain");
    try {
      const query = "subscription { CitiesMessageUpdated { name } }";
      const answer = await socket.ask({ type: "subscribe", id: "1", schema: "world", query });
      assert.equal(answer.type, "subscribe_ack", JSON.stringify(answer));
      await until(() => receiver.spans.some(({ name }) => name === "WebSocket operation"));
      await gateway.database.client.query(
        "update world.cities set name = name where id = (select min(id) from world.cities)",
      );
      await until(() => receiver.spans.some(({ name }) => name === "deliver events"));
    } finally {
      socket.webSocket.terminate();
    }
    const [delivery] = receiver.spans.filter(({ name }) => name === "deliver events");
    assert.equal(delivery?.attributes["db.collection.name"], "world.cities");
    assert.deepEqual(
      delivery?.events.map(({ name }) => name),
      ["noticed"],
    );
    assert.ok(BigInt(delivery?.endTimeUnixNano ?? 0) > BigInt(delivery?.startTimeUnixNano ?? 0));
  });

  it("the server of an issuer's keys gets the traceparent", async () => {
    const { publicKey, privateKey } = await generateKeyPair("ES256");
    const jwk = { ...(await exportJWK(publicKey)), kid: "k", alg: "ES256" };
    let traceparent: unknown;
    const issuer = createServer((request, response) => {
      traceparent = request.headers["traceparent"];
      response.setHeader("Content-Type", "application/json").end(JSON.stringify({ keys: [jwk] }));
    });
    await once(issuer.listen(0, "127.0.0.1"), "listening");
    const url = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}`;
    const other = await testGateway({
      config: {
        otlpEndpoint: receiver.endpoint,
        issuers: [{ issuer: url, jwksUri: `${url}/keys`, audience: "portolan" }],
      },
    });
    try {
      const token = await new SignJWT({ database: other.database.name })
        .setProtectedHeader({ alg: "ES256", kid: "k", typ: "at+jwt" })
        .setIssuer(url)
        .setAudience("portolan")
        .setSubject("guest")
        .setExpirationTime("1m")
        .sign(privateKey);
      const response = await other.http
        .post("/api/graphql/schema/world")
        .set({ Authorization: `Bearer ${token}` })
        .send({ query: "{ countCities }" })
        .expect(200);
      assert.match(String(traceparent), new RegExp(`^00-${traceOf(response)}-[0-9a-f]{16}-01$`));
    } finally {
      await other.close();
      issuer.closeAllConnections();
      issuer.close();
    }
  });
});

describe("OpenTelemetry, switched off or without a receiver", () => {
  it("says nothing in answers, and loads nothing", async () => {
    const gateway = await testGateway({ kind: "portolan" });
    try {
      const { headers } = await gateway.http.get("/ping").set("traceparent", SAMPLED).expect(200);
      assert.equal(headers["traceresponse"], undefined);
    } finally {
      await gateway.close();
    }
  });

  it("the spans of the last requests are sent before the process ends", async () => {
    const database = await testDatabase({ kind: "portolan" });
    await using receiver = await otlpReceiver();
    try {
      await using gateway = await GatewayProcess.start({
        DATABASE_URL: database.gatewayUrl,
        OWNER_DATABASE_URL: database.url,
        PORT: "0",
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
      });
      const traced = (await fetch(`${gateway.baseUrl}/ping`)).headers.get("traceresponse")?.split("-")[1];
      assert.equal(await gateway.stop(), 0);
      assert.ok(receiver.spans.some(({ traceId }) => traceId === traced));
    } finally {
      await database.drop();
    }
  });

  for (const [what, hangs] of [
    ["is away", false],
    ["never answers", true],
  ] as const)
    it(`requests and the end of the process do not wait for a receiver that ${what}`, async function () {
      this.timeout(40_000);
      const database = await testDatabase({ kind: "portolan" });
      await using receiver = await otlpReceiver({ hangs: true });
      const endpoint = hangs ? receiver.endpoint : "http://127.0.0.1:9";
      try {
        await using gateway = await GatewayProcess.start({
          DATABASE_URL: database.gatewayUrl,
          OWNER_DATABASE_URL: database.url,
          PORT: "0",
          OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
        });
        for (let i = 0; i < 3000; i += 50)
          await Promise.all(
            Array.from({ length: 50 }, async () => {
              const response = await fetch(`${gateway.baseUrl}/ping`);
              assert.equal(await response.text(), "pong");
            }),
          );
        await until(() => (hangs ? receiver.requests > 0 : gateway.stderr.includes("traces are not sent")));
        assert.equal(await gateway.stop(), 0); // no answer has arrived by then
      } finally {
        await database.drop();
      }
    });
});

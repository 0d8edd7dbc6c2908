import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { request as send } from "node:http";
import { join } from "node:path";
import { agentToken, connectAgent } from "../support/agent.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { programEnv } from "../support/programEnv.ts";

const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
const INITIALIZE = (protocolVersion: string) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion, capabilities: {}, clientInfo: { name: "test", version: "1" } },
});
const ACCEPT = "application/json, text/event-stream";

describe("the agents' door", () => {
  let gateway: TestGateway;
  let path: string;
  let token: string;
  before(async () => {
    gateway = await testGateway({ config: { mcp: true, mcpOrigins: ["https://app.example.org"] } });
    path = `/mcp/${gateway.database.name}`;
    token = await agentToken(gateway, "captain");
  });
  after(() => gateway.close());

  const post = (body: string | object, headers: Readonly<Record<string, string>> = {}, at = path) => {
    const asked = gateway.http
      .post(at)
      .set({ Authorization: `Bearer ${token}`, Accept: ACCEPT, "Content-Type": "application/json", ...headers });
    return asked.send(body);
  };
  /** The message in an answer, which may be a stream of one. */
  const messageOf = ({ text, body }: { text: string; body: unknown }): Record<string, unknown> =>
    text.startsWith("event:") || text.startsWith("data:")
      ? (JSON.parse(/^data: (.*)$/m.exec(text)![1]!) as Record<string, unknown>)
      : (body as Record<string, unknown>);

  it("names its addresses at /mcp", async () => {
    for (const asked of [gateway.http.get("/mcp"), gateway.http.post("/mcp").send(LIST)]) {
      const { status, body } = await asked;
      assert.equal(status, 404);
      assert.match((body as { detail: string }).detail, new RegExp(`${path}$`));
    }
  });

  it("asks who has no token to sign in, and says where", async () => {
    const { status, headers } = await gateway.http.post(path).send(LIST);
    assert.equal(status, 401);
    assert.equal(
      headers["www-authenticate"],
      `Bearer resource_metadata="${gateway.baseUrl}/.well-known/oauth-protected-resource${path}"`,
    );
  });

  it("has metadata for itself alone", async () => {
    const { status, body } = await gateway.http.get(`/.well-known/oauth-protected-resource${path}`);
    assert.equal(status, 200);
    assert.equal((body as { resource: string }).resource, gateway.baseUrl + path);
    assert.deepEqual((body as { authorization_servers: string[] }).authorization_servers, [gateway.baseUrl]);
  });

  it("takes no token of another audience, and no other door takes its own", async () => {
    const ofService = await gateway.token("captain");
    const { status } = await post(LIST, { Authorization: `Bearer ${ofService}` });
    assert.equal(status, 401);
    const other = await gateway.http.get("/api/v4/users").set("Authorization", `Bearer ${token}`);
    assert.equal(other.status, 401);
    const graphql = await gateway.http
      .post("/api/graphql/schema/world")
      .set("Authorization", `Bearer ${token}`)
      .send({ query: "{ __typename }" });
    assert.equal(graphql.status, 401);
  });

  it("takes no password", async () => {
    const { status } = await gateway.http.post(path).auth("captain", "captain").send(LIST);
    assert.equal(status, 401);
  });

  it("refuses pages of other origins, and takes those that are named", async () => {
    for (const origin of ["https://evil.example.org", "null", `${gateway.baseUrl}.evil.example.org`])
      assert.equal((await post(LIST, { Origin: origin })).status, 403, origin);
    for (const origin of [
      gateway.baseUrl,
      "https://app.example.org",
      gateway.baseUrl.replace("127.0.0.1", "localhost"),
    ])
      assert.equal((await post(INITIALIZE("2025-11-25"), { Origin: origin })).status, 200, origin);
  });

  it("refuses a host that is not its own: a page may have rebound its name", async () => {
    const { hostname, port } = new URL(gateway.baseUrl);
    const statusFor = (host: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const headers = {
          Host: host,
          Authorization: `Bearer ${token}`,
          Accept: ACCEPT,
          "Content-Type": "application/json",
        };
        send({ hostname, port, path, method: "POST", headers }, (response) => {
          response.resume();
          resolve(response.statusCode);
        })
          .on("error", reject)
          .end(JSON.stringify(INITIALIZE("2025-11-25")));
      });
    assert.equal(await statusFor("evil.example.org"), 403);
    assert.equal(await statusFor(`evil.example.org:${port}`), 403);
    assert.equal(await statusFor(`localhost:${port}`), 200);
    assert.equal(await statusFor("app.example.org"), 200);
  });

  it("has POST alone", async () => {
    for (const asked of [gateway.http.get(path), gateway.http.delete(path), gateway.http.put(path)]) {
      const { status, headers } = await asked.set("Authorization", `Bearer ${token}`);
      assert.equal(status, 405);
      assert.match(String(headers["allow"]), /POST/);
    }
  });

  it("says what is wrong with a body", async () => {
    const codeOf = async (body: string | object, headers = {}): Promise<unknown> => {
      const { error } = messageOf(await post(body, headers)) as { error?: { code: number } };
      return error?.code;
    };
    assert.equal(await codeOf("{"), -32700);
    assert.equal(await codeOf("[]"), -32600);
    assert.equal((await post("x", { "Content-Type": "text/plain" })).status, 415);
    assert.equal((await post(LIST, { "Content-Type": "application/x-www-form-urlencoded" })).status, 415);
    assert.equal((await post(JSON.stringify({ ...LIST, filling: "x".repeat(1_100_000) }))).status, 413);
    assert.equal((await post(JSON.stringify(Array(51).fill(LIST)))).status, 400);
    const deep = `${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`;
    assert.ok((await post(deep)).status < 500);
  });

  it("refuses a header that names another method than the body", async () => {
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const { status, body } = await post(
      { ...LIST, params: { _meta: meta } },
      { "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "resources/list" },
    );
    assert.equal(status, 400);
    assert.equal((body as { error: { code: number } }).error.code, -32020);
  });

  it("answers a call of the newest revision as the official package does", async () => {
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const call = async (name: string, given: unknown, more: object, headers = {}) => {
      const { status, body } = await post(
        {
          jsonrpc: "2.0",
          id: "a\u2028",
          method: "tools/call",
          params: { name, arguments: given, _meta: { ...meta, ...more } },
        },
        { "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": name, ...headers },
      );
      return { status, body: body as { result: { content: { text: string }[]; structuredContent?: unknown } } };
    };
    const where = { name: { startsWith: "S" } };
    for (const [name, given] of [
      ["read", { table: "world.cities", where, limit: 3 }],
      ["read", undefined],
      ["read", { table: "world.nothing" }],
      ["map", { tables: ["world.countries"], bbox: [0, 0, 10, 10], width: 50 }],
      ["nothing", {}],
      ["read", []],
      [7, {}],
    ] as const) {
      const plain = await call(name as string, given, {});
      // the package reads what is marked for traces
      const byPackage = await call(name as string, given, {
        traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
      });
      assert.deepEqual(plain, byPackage);
    }
    const { body } = await call("read", { table: "world.cities", where, limit: 3 }, {});
    assert.equal(body.result.content[0]!.text, JSON.stringify(body.result.structuredContent));
    for (const [headers, more] of [
      [{ "Mcp-Name": "sql" }, {}],
      [{ "MCP-Protocol-Version": "2025-11-25" }, {}],
      [{}, { "io.modelcontextprotocol/clientInfo": { name: 7 } }],
      [{}, { "io.modelcontextprotocol/clientCapabilities": "all" }],
      [{}, { "io.modelcontextprotocol/protocolVersion": "2030-01-01" }],
    ] as const)
      assert.equal((await call("read", { table: "world.cities", limit: 1 }, more, headers)).status, 400);
  });

  it("serves clients of older revisions, and their batches", async () => {
    for (const revision of ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]) {
      const answered = messageOf(await post(INITIALIZE(revision))) as { result: { protocolVersion: string } };
      assert.equal(answered.result.protocolVersion, revision);
      const { result } = messageOf(await post(LIST, { "MCP-Protocol-Version": revision })) as {
        result: { tools: object[] };
      };
      assert.ok(result.tools.length > 5, revision);
    }
    const { status, text } = await post([LIST, { ...LIST, id: 2 }], { "MCP-Protocol-Version": "2025-03-26" });
    assert.equal(status, 200);
    assert.equal(text.match(/"tools":/g)?.length, 2);
  });

  it("serves the official client of both kinds, unmodified", async () => {
    for (const revision of ["auto", "legacy"] as const) {
      const agent = await connectAgent(gateway, "captain", { revision });
      const { tools } = await agent.client.listTools();
      assert.deepEqual(
        tools.map(({ name }) => name),
        ["describe", "read", "sql", "features", "map", "insert", "update", "delete", "explain_denial"],
      );
      assert.equal(agent.client.getServerVersion()?.name, "portolan");
      await agent.close();
    }
  });

  it("refuses a tool that writes without the scope, and says which", async () => {
    const reading = await agentToken(gateway, "captain", "openid");
    const call = {
      ...LIST,
      method: "tools/call",
      params: { name: "delete", arguments: { table: "world.cities", where: { id: { eq: 1 } } } },
    };
    const { status, headers } = await post(call, { Authorization: `Bearer ${reading}` });
    assert.equal(status, 403);
    assert.match(
      String(headers["www-authenticate"]),
      /^Bearer error="insufficient_scope", scope="mcp:write", resource_metadata="/,
    );
    const batch = await post([LIST, call], {
      Authorization: `Bearer ${reading}`,
      "MCP-Protocol-Version": "2025-03-26",
    });
    assert.equal(batch.status, 403);
  });

  it("tells a tool that is not there as an error of the protocol, and bad arguments as one of the tool", async () => {
    const agent = await connectAgent(gateway, "captain");
    await assert.rejects(agent.client.callTool({ name: "drop", arguments: {} }), /no tool drop/);
    await assert.rejects(agent.client.callTool({ name: "method_nothing", arguments: {} }), /no tool/);
    for (const given of [
      { tabel: "x" },
      { table: 5 },
      { table: "world.cities", limit: -1 },
      { table: "world.cities", where: [] },
    ]) {
      const { code, message } = await agent.refused("read", given);
      assert.equal(code, "INVALID_PARAMS", message);
    }
    await agent.close();
  });

  it("counts calls, and keeps them among the requests of the database", async () => {
    const agent = await connectAgent(gateway, "captain");
    await agent.call("read", { table: "world.areas" });
    await agent.refused("sql", { sql: "drop table world.areas" });
    await agent.close();
    const { text } = await gateway.http.get("/metrics");
    assert.match(text, /portolan_mcp_calls_total\{tool="read",outcome="done"\} [1-9]/);
    assert.match(text, /portolan_mcp_calls_total\{tool="sql",outcome="refused"\} [1-9]/);
    const requests = await gateway.http
      .get("/api/v4/requests?limit=100")
      .set("Authorization", `Bearer ${await gateway.token("captain")}`);
    assert.match(requests.text, /"operation":"tools\/call read world\.areas"/);
  });
});

describe("a service without agents", () => {
  it("loads nothing of it", () => {
    /** The modules of this door that the service has loaded. */
    const loadedWhere = (mcp: boolean): string => {
      const hook = `
import { registerHooks } from "node:module";
const own = /modelcontextprotocol|server\\/mcp\\/(?!openapi)/;
registerHooks({ load: (url, context, next) => (own.test(url) && console.log(url), next(url, context)) });`;
      const script = `
const { createApp } = await import("./server/app.ts");
const { makeConfig } = await import("./server/kernel/config.ts");
const { createLog } = await import("./server/ground/log.ts");
const config = makeConfig({ mcp: ${mcp} });
await (await createApp({ config, databases: [], baseUrl: "http://localhost", log: createLog("silent") })).close();
process.exit();`;
      const asUrl = `data:text/javascript,${encodeURIComponent(hook)}`;
      const { stdout, status, stderr } = spawnSync(
        process.execPath,
        ["--import", asUrl, "--input-type=module", "--eval", script],
        { encoding: "utf8", cwd: join(import.meta.dirname, "../.."), env: programEnv() },
      );
      assert.equal(status, 0, stderr);
      return stdout;
    };
    assert.equal(loadedWhere(false), "");
    assert.match(loadedWhere(true), /server\/mcp\/tools\/read\.ts[^]*modelcontextprotocol\/server/);
  });

  it("has no such door", async () => {
    const gateway = await testGateway();
    try {
      const { status } = await gateway.http.post(`/mcp/${gateway.database.name}`).send(LIST);
      assert.equal(status, 404);
      assert.equal((await gateway.http.get("/mcp")).status, 404);
    } finally {
      await gateway.close();
    }
  });
});

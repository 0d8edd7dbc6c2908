/**
 * Long texts in each parameter and body that the descriptions of REST and of the OGC API name, in headers, and at the doors without
 * one: a text that is read in more than linear time would keep the process from all others. `SOAK_TEXT` (4,500) is the length of a
 * parameter; bodies are twenty times as long. Prints the dearest requests.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { Agent, request, type IncomingMessage } from "node:http";
import { testGateway, type TestGateway } from "../support/gateway.ts";

const LENGTH = Number(process.env["SOAK_TEXT"] ?? 4500);
const LONGEST_ADDRESS = 14_000;
/** What no request may take of the processor. A text of this length that is read in quadratic time takes seconds. */
const MOST_MS = 400;

/** Each is repeated: what opens, separates, escapes and repeats in the languages that are read. */
const UNITS = [
  "(", "a,", "1 ", "'", '"', "{", "[", "not ", "<a>", "\\", "1,", "a and ", ";q=0.1,", " ", "-", ".", "a=1;", "/", "&a=", ":", "((a))",
  "a:", "${", "@", "%", "0", "+", "*", "é", "b*", "1..", "T00:", "!", "|a", "=~", "P1D", "a.b.", "\n", "--", "/*", "$1", "::a",
] as const; // oxfmt-ignore

interface Parameter {
  readonly name: string;
  readonly in: string;
}
interface Operation {
  readonly parameters?: readonly (Parameter & { readonly $ref?: string })[];
  readonly requestBody?: { readonly content?: Readonly<Record<string, unknown>> };
}
interface Description {
  readonly servers?: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>> & Pick<Operation, "parameters">>>;
  readonly components?: { readonly parameters?: Readonly<Record<string, Parameter>> };
}
interface Attempt {
  readonly what: string;
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}
interface Cost {
  readonly what: string;
  readonly status: number;
  readonly processorMs: number;
}

const repeated = (unit: string, length: number): string => unit.repeat(Math.max(1, Math.floor(length / unit.length)));

/** A body of the type, of which the text is a value where the type is JSON. */
function bodyOf(type: string, unit: string): string {
  const text = repeated(unit, LENGTH * 20);
  if (unit === "[" || !type.includes("json")) return text;
  if (unit === "{") return '{"a":'.repeat(LENGTH * 4);
  return JSON.stringify({
    query: text,
    filter: text,
    sql: text,
    text,
    name: text,
    params: [text],
    method: text,
    jsonrpc: "2.0",
    id: 1,
  });
}

describe(`long texts of ${LENGTH} characters`, function () {
  this.timeout(3_600_000);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const costs: Cost[] = [];
  let gateway: TestGateway;
  let token: string;
  let values: Readonly<Record<string, string>>;

  before(async () => {
    gateway = await testGateway();
    token = await gateway.token("captain", 7200);
    values = {
      collectionId: "world.cities",
      schema: "world",
      name: "cities",
      table: "cities",
      database: gateway.database.name,
    };
  });
  after(async () => {
    agent.destroy();
    await gateway.close();
    for (const { what, status, processorMs } of costs.sort((a, b) => b.processorMs - a.processorMs).slice(0, 15))
      process.stdout.write(`      ${processorMs.toFixed(0).padStart(5)} ms of processor, ${status}: ${what}\n`);
  });

  /** The processor time is of the whole process, which does nothing else. One that seems dear is asked again. */
  async function attempt(one: Attempt): Promise<void> {
    let cost = await ask(one);
    if (cost.processorMs > MOST_MS / 4) cost = await ask(one);
    costs.push(cost);
    assert.ok(cost.status >= 200 && (cost.status < 500 || cost.status === 503), `${cost.status}: ${one.what}`);
    assert.ok(cost.processorMs < MOST_MS, `${cost.processorMs} ms: ${one.what}`);
  }

  async function ask({ what, method, path, headers = {}, body }: Attempt): Promise<Cost> {
    const before = process.cpuUsage();
    const sent = request(`${gateway.baseUrl}${path}`, {
      method,
      agent,
      headers: {
        authorization: `Bearer ${token}`,
        ...headers,
        ...(body !== undefined && { "content-length": Buffer.byteLength(body) }),
      },
    });
    sent.end(body);
    const [answer] = (await once(sent, "response")) as [IncomingMessage];
    answer.resume();
    await once(answer, "end");
    const { user, system } = process.cpuUsage(before);
    return { what, status: answer.statusCode ?? 0, processorMs: (user + system) / 1000 };
  }

  async function described(address: string): Promise<Description> {
    const response = await fetch(`${gateway.baseUrl}${address}`, { headers: { authorization: `Bearer ${token}` } });
    assert.equal(response.status, 200, address);
    return (await response.json()) as Description;
  }

  function* attemptsOf({ servers, paths, components }: Description): Generator<Attempt> {
    const base = new URL(servers?.[0]?.url ?? "", gateway.baseUrl).pathname.replace(/\/$/, "");
    const filled = (path: string, but = "", text = ""): string =>
      base +
      path.replace(/\{([^}]+)\}/g, (_, name: string) =>
        encodeURIComponent(name === but ? text : (values[name] ?? "x")),
      );
    for (const [path, item] of Object.entries(paths))
      for (const method of ["get", "post", "put", "patch"]) {
        const operation = item[method];
        if (!operation) continue;
        const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((parameter) =>
          parameter.$ref === undefined ? parameter : components?.parameters?.[parameter.$ref.split("/").at(-1)!],
        );
        for (const unit of UNITS) {
          if (method === "get")
            for (const parameter of parameters) {
              if (!parameter || !["query", "path"].includes(parameter.in)) continue;
              const text = encodeURIComponent(repeated(unit, LENGTH)).slice(0, LONGEST_ADDRESS).replace(/%.?$/, "");
              const inPath = filled(path, parameter.name, repeated(unit, LENGTH / 3));
              yield {
                what: `GET ${path} ${parameter.name}=${unit}…`,
                method: "GET",
                path:
                  parameter.in === "path"
                    ? inPath.slice(0, LONGEST_ADDRESS)
                    : `${filled(path)}?${parameter.name}=${text}`,
              };
            }
          else
            for (const type of Object.keys(operation.requestBody?.content ?? {}))
              yield {
                what: `${method.toUpperCase()} ${path} ${type} ${unit}…`,
                method: method.toUpperCase(),
                path: filled(path),
                headers: { "content-type": type },
                body: bodyOf(type, unit),
              };
        }
      }
  }

  it("in what REST describes", async () => {
    for (const one of attemptsOf(await described("/api/v4/openapi.json"))) await attempt(one);
  });
  it("in what the OGC API describes", async () => {
    const root = `/api/v4/ogc/database/${gateway.database.name}`;
    for (const one of attemptsOf(await described(`${root}/api?f=json`))) await attempt(one);
  });
  it("in headers", async () => {
    const names = [
      "accept", "accept-language", "accept-encoding", "cookie", "authorization", "if-none-match", "if-modified-since", "range", "prefer",
      "forwarded", "x-forwarded-for", "accept-crs", "content-crs", "traceparent", "tracestate", "dpop", "origin", "content-type",
    ]; // oxfmt-ignore
    const path = `/api/v4/ogc/database/${gateway.database.name}/collections`;
    for (const name of names)
      for (const unit of UNITS) {
        if (unit === "\n") continue; // no client can send it
        const text = Buffer.from(repeated(unit, LENGTH * 2))
          .toString("latin1")
          .slice(0, LONGEST_ADDRESS);
        await attempt({ what: `${name}: ${unit}…`, method: "GET", path, headers: { [name]: text } });
      }
  });
  it("at the doors that have a language of their own", async () => {
    const { name } = gateway.database;
    const doors = [`/ows/${name}/world`, "/api/graphql/schema/world", "/mcp", "/api/v4/oauth/token", "/api/v4/call"];
    const types = ["application/xml", "application/json", "application/x-www-form-urlencoded", "application/graphql"];
    for (const path of doors)
      for (const type of types)
        for (const unit of UNITS) {
          const text = repeated(unit, LENGTH * 20);
          const form = `grant_type=password&username=${encodeURIComponent(text)}&scope=${encodeURIComponent(text)}`;
          const xml = `<wfs:GetFeature xmlns:wfs="http://www.opengis.net/wfs/2.0" service="WFS" version="2.0.0">${text}`;
          const body = type.endsWith("xml") ? xml : type.includes("form") ? form : bodyOf(type, unit);
          await attempt({
            what: `POST ${path} ${type} ${unit}…`,
            method: "POST",
            path,
            headers: { "content-type": type },
            body,
          });
        }
  });
});

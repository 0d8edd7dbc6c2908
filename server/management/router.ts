/** Accounts, clients, rules and rights over REST, `/api/v4/…`: thin calls of SQL functions under the caller's own role. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Router, type Request, type Response } from "express";
import { PACKAGE_DIRECTORY } from "../kernel/config.ts";
import type { Database, Identity } from "../kernel/database/database.ts";
import { GatewayError } from "../kernel/errors.ts";
import { bodyReader, type BodyReader } from "./body.ts";
import { clientResources } from "./clients.ts";
import { secretResources } from "./secrets.ts";
import { openapiDocument, type OpenapiPart } from "./openapi.ts";
import type { Answer, Caller, Method, Operation, Parameters, Resource } from "./resource.ts";
import { ruleResources } from "./rules.ts";
import { rasterResources } from "./rasters.ts";
import { tableSettingResources } from "./tableSettings.ts";
import { userResources } from "./users.ts";

export interface ManagementOptions {
  readonly maxBodyBytes: number;
  /** Address of the service as clients see it. */
  readonly baseUrl: string;
  /** Who asks. Throws `UNAUTHENTICATED`. */
  identify(request: Request): Promise<Identity>;
  databaseOf(identity: Identity): Database;
  /** The schemas that a database exposes. */
  schemasOf(database: string): readonly string[];
  /** What other doors add to the OpenAPI document. */
  readonly openapi: OpenapiPart;
}

const ROOT = "/api/v4";

/** The resources, in the order of the documentation. */
const RESOURCES: readonly Resource[] = [
  ...userResources,
  ...clientResources,
  ...secretResources,
  ...ruleResources,
  ...tableSettingResources,
  ...rasterResources,
];

export function managementRouter(options: ManagementOptions): Router {
  const router = Router();
  const { version } = JSON.parse(readFileSync(join(PACKAGE_DIRECTORY, "package.json"), "utf8")) as { version: string };
  const document = JSON.stringify(
    openapiDocument(RESOURCES, { baseUrl: options.baseUrl, version, root: ROOT, others: options.openapi }),
  );
  const prefix = new URL(options.baseUrl).pathname.replace(/\/$/, "") + ROOT;
  const readBody = bodyReader(options.maxBodyBytes);
  router.all(`${ROOT}/openapi.json`, (request, response) => {
    response.set("Cache-Control", "no-store");
    if (chooseMethod(request, response, ["GET"]) !== undefined) response.type("json").send(document);
  });
  for (const { path, operations } of RESOURCES)
    router.all(ROOT + path.replaceAll(/\{(\w+)\}/g, ":$1"), async (request, response) => {
      response.set("Cache-Control", "no-store");
      const method = chooseMethod(request, response, Object.keys(operations) as Method[]);
      const operation = method && operations[method];
      if (operation) send(response, await answer(request, response, operation, options, readBody), prefix);
    });
  return router;
}

/** HEAD is a GET; OPTIONS is answered here. Throws `METHOD_NOT_ALLOWED` with `Allow` (RFC 9110 §15.5.6). */
function chooseMethod(request: Request, response: Response, methods: readonly Method[]): Method | undefined {
  const method = methods.find((one) => one === (request.method === "HEAD" ? "GET" : request.method));
  if (method) return method;
  const allow = [...methods.flatMap((one) => (one === "GET" ? ["GET", "HEAD"] : [one])), "OPTIONS"].join(", ");
  if (request.method !== "OPTIONS")
    throw new GatewayError("METHOD_NOT_ALLOWED", `${request.path} takes ${allow}`, { headers: { Allow: allow } });
  response.status(204).set("Allow", allow).end();
  return undefined;
}

async function answer(
  request: Request,
  response: Response,
  operation: Operation,
  options: ManagementOptions,
  readBody: BodyReader,
): Promise<Answer> {
  const identity = await options.identify(request);
  const database = options.databaseOf(identity);
  const { address } = request;
  const caller: Caller = {
    identity,
    database,
    address,
    baseUrl: options.baseUrl,
    schemas: options.schemasOf(database.name),
    transact: (callback) => database.withIdentity(identity, { service: "management", address }, callback),
  };
  const body = await readBody(request, response, operation);
  return operation.run(caller, request.params as Parameters, body);
}

/** `prefix`: the path of `/api/v4` as clients see it. */
function send(response: Response, answer: Answer, prefix: string): void {
  response.status(answer.status);
  if (answer.status === 204) {
    response.end();
    return;
  }
  if (answer.status !== 200) response.location(prefix + answer.location);
  const body =
    answer.status === 200
      ? answer.body
      : answer.items.map(({ path, members }) => ({ _links: { self: prefix + path }, ...members }));
  response.type("json").send(JSON.stringify(body));
}

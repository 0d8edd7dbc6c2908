/** Accounts, clients, rules and rights over REST, `/api/v4/…`: thin calls of SQL functions under the caller's own role. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { IncomingMessage, ServerResponse } from "node:http";
import { PACKAGE_DIRECTORY } from "../kernel/packageDirectory.ts";
import type { Database, Identity } from "../kernel/database/database.ts";
import { sendNothing, sendText, setHeaders } from "../kernel/http/answer.ts";
import type { Handler, PathParameters, Route } from "../kernel/http/routes.ts";
import { readBody } from "./body.ts";
import { clientResources } from "./clients.ts";
import { secretResources } from "./secrets.ts";
import { openapiDocument, type OpenapiPart } from "./openapi.ts";
import type { Answer, Caller, Operation, Resource } from "./resource.ts";
import { ruleResources } from "./rules.ts";
import { rasterResources } from "./rasters.ts";
import { tableSettingResources } from "./tableSettings.ts";
import { userResources } from "./users.ts";

export interface ManagementOptions {
  readonly maxBodyBytes: number;
  /** Address of the service as clients see it. */
  readonly baseUrl: string;
  /** Who asks. Throws `UNAUTHENTICATED`. */
  identify(request: IncomingMessage): Promise<Identity>;
  databaseOf(identity: Identity): Database;
  /** The schemas that a database exposes. */
  schemasOf(database: string): readonly string[];
  /** Throws what is wrong with the file of a raster. */
  checkRaster(file: string): Promise<void>;
  /** What other doors add to the OpenAPI document. */
  readonly openapi: OpenapiPart;
}

const ROOT = "/api/v4";
const NO_STORE = { "Cache-Control": "no-store" };

/** The resources, in the order of the documentation. */
const RESOURCES: readonly Resource[] = [
  ...userResources,
  ...clientResources,
  ...secretResources,
  ...ruleResources,
  ...tableSettingResources,
  ...rasterResources,
];

export function managementRoutes(options: ManagementOptions): readonly Route[] {
  const { version } = JSON.parse(readFileSync(join(PACKAGE_DIRECTORY, "package.json"), "utf8")) as { version: string };
  const document = JSON.stringify(
    openapiDocument(RESOURCES, { baseUrl: options.baseUrl, version, root: ROOT, others: options.openapi }),
  );
  const prefix = new URL(options.baseUrl).pathname.replace(/\/$/, "") + ROOT;
  const handlerOf =
    (operation: Operation): Handler =>
    async (request, response, parameters) => {
      setHeaders(response, NO_STORE);
      const { answer, one } = await run(operation, request, parameters, options);
      send(response, answer, prefix, one);
    };
  return [
    {
      path: `${ROOT}/openapi.json`,
      summary: "What this API takes and answers (OpenAPI 3.1)",
      handlers: { GET: (_request, response) => sendText(response, document, { headers: NO_STORE }) },
    },
    ...RESOURCES.map(({ path, operations }) => ({
      path: ROOT + path,
      summary: Object.values(operations)[0]?.summary ?? "",
      maxBodyBytes: options.maxBodyBytes,
      handlers: Object.fromEntries(
        Object.entries(operations).map(([method, operation]) => [method, handlerOf(operation)]),
      ),
    })),
  ];
}

async function run(
  operation: Operation,
  request: IncomingMessage,
  parameters: PathParameters,
  options: ManagementOptions,
): Promise<{ readonly answer: Answer; readonly one: boolean }> {
  const identity = await options.identify(request);
  const database = options.databaseOf(identity);
  const { address } = request;
  const caller: Caller = {
    identity,
    database,
    address,
    baseUrl: options.baseUrl,
    schemas: options.schemasOf(database.name),
    checkRaster: options.checkRaster,
    transact: (callback) => database.withIdentity(identity, { service: "management", address }, callback),
  };
  const { value, isList } = await readBody(request, operation, options.maxBodyBytes);
  const answer = await operation.run(caller, parameters, value);
  return { answer, one: (operation.oneForOne ?? false) && !isList };
}

/** `prefix`: the path of `/api/v4` as clients see it. `one`: what was made is one object, and no list. */
function send(response: ServerResponse, answer: Answer, prefix: string, one: boolean): void {
  if (answer.status === 204) return sendNothing(response);
  if (answer.status === 200) return sendText(response, JSON.stringify(answer.body));
  const items = answer.items.map(({ path, members }) => ({ _links: { self: prefix + path }, ...members }));
  const { status, location } = answer;
  sendText(response, JSON.stringify(one ? items[0] : items), { status, headers: { Location: prefix + location } });
}

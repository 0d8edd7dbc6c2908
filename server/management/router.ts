/** Accounts, clients, rules and rights over REST, `/api/v4/…`: thin calls of SQL functions under the caller's own role. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { VERSION } from "../kernel/packageDirectory.ts";
import type { Door } from "../kernel/door.ts";
import { sendNothing, sendText, setHeaders } from "../kernel/http/answer.ts";
import type { Handler, PathParameters, Route } from "../kernel/http/routes.ts";
import type { Kernel } from "../kernel/kernel.ts";
import { readBody } from "./body.ts";
import { clientResources } from "./clients.ts";
import { secretResources } from "./secrets.ts";
import { openapiDocument, type OpenapiPart } from "./openapi.ts";
import type { Answer, Caller, Operation, Resource } from "./resource.ts";
import { ruleResources } from "./rules.ts";
import { rasterResources } from "./rasters.ts";
import { tableSettingResources } from "./tableSettings.ts";
import { userResources } from "./users.ts";

/** What the other doors give to this one. */
export interface ManagementOptions {
  /** Throws what is wrong with the file of a raster. */
  checkRaster(file: string): Promise<void>;
  /** What they add to the OpenAPI document. */
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

export function installManagement(kernel: Kernel, { checkRaster, openapi }: ManagementOptions): Door {
  const { baseUrl, config } = kernel;
  const document = JSON.stringify(
    openapiDocument(RESOURCES, { baseUrl, version: VERSION, root: ROOT, others: openapi }),
  );
  const prefix = new URL(baseUrl).pathname.replace(/\/$/, "") + ROOT;
  const handlerOf =
    (operation: Operation): Handler =>
    async (request, response, parameters) => {
      setHeaders(response, NO_STORE);
      const { answer, one } = await run(operation, request, parameters, { ...kernel, checkRaster });
      send(response, answer, prefix, one);
    };
  const routes: Route[] = [
    {
      path: `${ROOT}/openapi.json`,
      summary: "What this API takes and answers (OpenAPI 3.1)",
      handlers: { GET: (_request, response) => sendText(response, document, { headers: NO_STORE }) },
    },
    ...RESOURCES.map(({ path, operations }) => ({
      path: ROOT + path,
      summary: Object.values(operations)[0]?.summary ?? "",
      maxBodyBytes: config.maxBodyBytes,
      handlers: Object.fromEntries(
        Object.entries(operations).map(([method, operation]) => [method, handlerOf(operation)]),
      ),
    })),
  ];
  return { routes };
}

async function run(
  operation: Operation,
  request: IncomingMessage,
  parameters: PathParameters,
  { config, baseUrl, checkRaster, ...kernel }: Kernel & Pick<ManagementOptions, "checkRaster">,
): Promise<{ readonly answer: Answer; readonly one: boolean }> {
  const identity = await kernel.identify(request);
  const database = kernel.databaseOf(identity);
  const { address } = request;
  const caller: Caller = {
    identity,
    database,
    address,
    baseUrl,
    schemas: kernel.schemasOf(database.name),
    checkRaster,
    transact: (callback) => database.withIdentity(identity, { service: "management", address }, callback),
  };
  const { value, isList } = await readBody(request, operation, config.maxBodyBytes);
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

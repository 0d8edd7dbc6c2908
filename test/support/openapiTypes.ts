/**
 * `npm run types`: the types of the REST interface for the console, made from its OpenAPI document by openapi-typescript. The
 * file is not kept in the repository. It leaves out error answers, which `ask.ts` throws, and everything beside `/api/v4`.
 */
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import { makeConfig } from "../../server/kernel/config.ts";
import { createLog } from "../../server/ground/log.ts";

const FILE = join(import.meta.dirname, "../../console/src/service/http/openapi.ts");
const BELOW = "/api/v4";

interface Operation {
  readonly operationId?: string;
  readonly responses: Readonly<Record<string, unknown>>;
}
/** The operations of a path by their methods, beside the parameters that all of them have. */
type PathItem = Readonly<Record<string, Operation | readonly unknown[]>>;
type Paths = Readonly<Record<string, PathItem>>;

/** Without a database, since the document is the same for each. */
async function readDocument(): Promise<{ readonly paths: Paths }> {
  process.env["GRAPHILE_ENV"] ??= "production"; // Grafast needs it
  const { createApp } = await import("../../server/app.ts");
  const config = makeConfig({ databases: { none: { url: "postgresql:///none", ownerUrl: "postgresql:///none" } } });
  const app = await createApp({ config, databases: [], baseUrl: "http://localhost", log: createLog("silent") });
  const server = createServer(app.handler).listen(0, "127.0.0.1");
  try {
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}${BELOW}/openapi.json`);
    return (await response.json()) as Awaited<ReturnType<typeof readDocument>>;
  } finally {
    server.close();
    server.closeAllConnections();
    await app.close();
  }
}

function restOf(paths: Paths): Paths {
  return Object.fromEntries(
    Object.entries(paths)
      .filter(([path]) => path.startsWith(`${BELOW}/`))
      .map(([path, item]) => [path.slice(BELOW.length), pathItem(item)]),
  );
}

function pathItem(item: PathItem): PathItem {
  return Object.fromEntries(
    Object.entries(item).map(([name, member]) => [name, "responses" in member ? answered(member) : member]),
  );
}

function answered({ operationId: _named, ...operation }: Operation): Operation {
  const responses = Object.entries(operation.responses).filter(([status]) => status.startsWith("2"));
  return { ...operation, responses: Object.fromEntries(responses) };
}

const document = await readDocument();
const rest = { ...document, paths: restOf(document.paths) } as unknown as OpenAPI3;
const options = {
  emptyObjectsUnknown: true,
  defaultNonNullable: false,
  rootTypes: true,
  rootTypesNoSchemaPrefix: true,
};
writeFileSync(FILE, `/** Made by npm run types. */\n${astToString(await openapiTS(rest, options))}`);

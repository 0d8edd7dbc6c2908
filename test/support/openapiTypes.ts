/** The types of the console: the answers and bodies of the REST interface, made from its OpenAPI document. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { makeConfig } from "../../server/kernel/config.ts";
import { createLog } from "../../server/ground/log.ts";
import { formatted } from "./formatted.ts";

export const OPENAPI_TYPES = join(import.meta.dirname, "../../console/src/service/http/openapi.ts");

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly description?: string;
}

const PLAIN: Readonly<Record<string, string>> = { integer: "number" };

/** The present text of the file. */
export async function openapiTypes(): Promise<string> {
  const schemas = Object.entries((await readDocument()).components.schemas);
  const types = schemas.map(([name, schema]) => `${comment(schema)}export type ${name} = ${typeOf(schema)};\n`);
  const text = `/** What the REST interface answers and takes: its OpenAPI document as types, made by npm run docs. */\n\n${types.join("\n")}`;
  return formatted(OPENAPI_TYPES, text);
}

/** Without a database, since the document is the same for each. */
async function readDocument(): Promise<{ components: { schemas: Readonly<Record<string, Schema>> } }> {
  process.env["GRAPHILE_ENV"] ??= "production"; // Grafast needs it
  const { createApp } = await import("../../server/app.ts");
  const config = makeConfig({ databases: { none: { url: "postgresql:///none", ownerUrl: "postgresql:///none" } } });
  const app = await createApp({ config, databases: [], baseUrl: "http://localhost", log: createLog("silent") });
  const server = createServer(app.handler).listen(0, "127.0.0.1");
  try {
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/api/v4/openapi.json`);
    return (await response.json()) as Awaited<ReturnType<typeof readDocument>>;
  } finally {
    server.close();
    server.closeAllConnections();
    await app.close();
  }
}

function typeOf(schema: Schema): string {
  const { $ref, enum: values, anyOf, oneOf, allOf, type } = schema;
  if ($ref !== undefined) return $ref.slice($ref.lastIndexOf("/") + 1);
  if (values) return values.map((value) => JSON.stringify(value)).join(" | ");
  if ("const" in schema) return JSON.stringify(schema.const);
  const either = anyOf ?? oneOf;
  if (either) return either.map((each) => `(${typeOf(each)})`).join(" | ");
  if (allOf) return allOf.map((each) => `(${typeOf(each)})`).join(" & ");
  if (type === undefined) return "unknown";
  if (typeof type !== "string") return type.map((each) => typeOf({ ...schema, type: each })).join(" | ");
  if (schema.prefixItems) return `readonly [${schema.prefixItems.map(typeOf).join(", ")}]`;
  if (type === "array") return `readonly (${typeOf(schema.items ?? {})})[]`;
  if (type === "object") return objectType(schema);
  return PLAIN[type] ?? type;
}

function objectType({ properties, required = [], additionalProperties }: Schema): string {
  if (!properties) {
    const values = typeof additionalProperties === "object" ? typeOf(additionalProperties) : "unknown";
    return `Readonly<Record<string, ${values}>>`;
  }
  const members = Object.entries(properties).map(
    ([name, schema]) =>
      `${comment(schema)}readonly ${JSON.stringify(name)}${required.includes(name) ? "" : "?"}: ${typeOf(schema)};\n`,
  );
  return `{\n${members.join("")}}`;
}

function comment({ description }: Schema): string {
  return description === undefined ? "" : `/** ${description.replaceAll("*/", "*\\/")} */\n`;
}

/** Resources: each table that the account may read, with its description and a sample of its rows. */
import type { Agent } from "./agent.ts";
import { tablesOf, type Table } from "./catalogue.ts";
import { describeTable, withoutTags } from "./tools/describe.ts";
import { read } from "./tools/read.ts";

const SCHEME = "portolan:";
const SAMPLE = 5;
/** Resources on one page of a list. */
export const RESOURCES_PAGE = 100;

export const RESOURCE_TYPE = "application/json";

export function uriOf({ database }: Pick<Agent, "database">, { schema, name }: Pick<Table, "schema" | "name">): string {
  return `${SCHEME}//${[database.name, schema, name].map(encodeURIComponent).join("/")}`;
}

export function templateOf({ database }: Pick<Agent, "database">): string {
  return `${SCHEME}//${encodeURIComponent(database.name)}/{schema}/{table}`;
}

/** Undefined for an address of something else. */
export function tableOfUri(agent: Pick<Agent, "database">, uri: string): { schema: string; name: string } | undefined {
  const [scheme, , database, schema, name, ...more] = uri.split("/");
  if (scheme !== SCHEME || schema === undefined || name === undefined || more.length > 0) return undefined;
  try {
    if (decodeURIComponent(database ?? "") !== agent.database.name) return undefined;
    return { schema: decodeURIComponent(schema), name: decodeURIComponent(name) };
  } catch {
    return undefined;
  }
}

export async function listResources(agent: Agent, from: number) {
  const tables = (await tablesOf(agent)).filter(({ rights }) => rights.includes("select"));
  const shown = tables.slice(from, from + RESOURCES_PAGE).map((table) => ({
    uri: uriOf(agent, table),
    name: `${table.schema}.${table.name}`,
    mimeType: RESOURCE_TYPE,
    ...(table.description !== null && { description: withoutTags(table.description) }),
  }));
  const at = from + shown.length;
  return { resources: shown, at: at < tables.length ? at : undefined };
}

/** Undefined where the account sees no such table. */
export async function readResource(agent: Agent, uri: string): Promise<string | undefined> {
  const named = tableOfUri(agent, uri);
  if (!named) return undefined;
  const is = (table: Table): boolean => table.schema === named.schema && table.name === named.name;
  const table = (await tablesOf(agent)).find(is) ?? (await tablesOf(agent, true)).find(is);
  if (!table?.rights.includes("select")) return undefined;
  const described = await describeTable(agent, table);
  const sample = await read.run(agent, { table: `${table.schema}.${table.name}`, limit: SAMPLE });
  return JSON.stringify({ ...described.structured, sample: sample.structured["rows"] });
}

/** The tools that every database has; stored methods come beside them. */
import type { Agent } from "../agent.ts";
import { tablesOf } from "../catalogue.ts";
import { describe } from "./describe.ts";
import { explainDenial } from "./explainDenial.ts";
import { features } from "./features.ts";
import { map } from "./map.ts";
import { isMethodTool, methodTools } from "./method.ts";
import { read } from "./read.ts";
import { sql } from "./sql.ts";
import type { Tool } from "./tool.ts";
import { insert, remove, update } from "./write.ts";

export const TOOLS: readonly Tool[] = [describe, read, sql, features, map, insert, update, remove, explainDenial];

/** The tools with which the account can do anything, and its methods. */
export async function toolsOf(agent: Agent): Promise<readonly Tool[]> {
  const tables = await tablesOf(agent);
  return [...TOOLS.filter((tool) => tool.isOffered(agent, tables)), ...(await methodTools(agent))];
}

/** The tool of that name; undefined where the account has none. */
export async function toolNamed(agent: Agent, name: string): Promise<Tool | undefined> {
  if (isMethodTool(name)) return (await methodTools(agent)).find((tool) => tool.name === name);
  return TOOLS.find((tool) => tool.name === name);
}

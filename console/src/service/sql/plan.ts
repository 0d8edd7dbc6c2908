/** PostgreSQL's plan of a statement, either estimated or measured by running it and rolling it back. */
import { ask, json } from "../http/ask.ts";
import type { Explained as AnyExplained } from "../http/openapi.ts";
import type { Runnable } from "./statements.ts";

/** The names of EXPLAIN (FORMAT JSON). */
export interface PlanNode {
  readonly "Node Type": string;
  readonly "Total Cost": number;
  readonly "Plan Rows": number;
  readonly "Actual Total Time"?: number;
  readonly "Actual Rows"?: number;
  readonly "Actual Loops"?: number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Relation Name"?: string;
  readonly "CTE Name"?: string;
  readonly "Function Name"?: string;
  readonly "Index Name"?: string;
  readonly Operation?: string;
  readonly "Index Cond"?: string;
  readonly Filter?: string;
  readonly "Hash Cond"?: string;
  readonly "Merge Cond"?: string;
  readonly "Join Filter"?: string;
  readonly "Sort Key"?: readonly string[];
  readonly "Group Key"?: readonly string[];
  readonly Plans?: readonly PlanNode[];
}

export interface Plan {
  readonly Plan: PlanNode;
  readonly "Planning Time"?: number;
  readonly "Execution Time"?: number;
}

export interface Explained extends Omit<AnyExplained, "plan"> {
  readonly plan: Plan;
}

/** The plan. `analyze` runs the statement and rolls it back. Throws `ServiceError`. */
export async function explainSql({ text: q, params }: Runnable, explain: "plan" | "analyze"): Promise<Explained> {
  const response = await ask("/api/v4/sql", json({ q, params, explain }));
  return (await response.json()) as Explained;
}

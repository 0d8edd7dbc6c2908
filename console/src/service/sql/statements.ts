/** Splits a text into statements as PostgreSQL does, and runs them. */
import { PostgreSQL } from "@codemirror/lang-sql";
import { json } from "../http/ask.ts";
import { parseExact } from "../http/exactJson.ts";
import { askOnce } from "../http/requestKey.ts";
import type { Params } from "../methods.ts";
import type { Result } from "./results.ts";

export interface Statement {
  readonly text: string;
  /** The number of characters before it. */
  readonly from: number;
}

/** The statements in a text, without the comments between them; empty for a text of comments only. */
export function statementsIn(text: string): readonly Statement[] {
  const found: Statement[] = [];
  for (let node = PostgreSQL.language.parser.parse(text).topNode.firstChild; node; node = node.nextSibling)
    if (node.name === "Statement")
      found.push({
        text: text.slice(node.from, node.to).replace(/;$/, ""),
        from: Array.from(text.slice(0, node.from)).length,
      });
  return found;
}

/** A statement and its parameters. */
export interface Runnable {
  readonly text: string;
  readonly params: Params;
}

/** The body for `/api/v4/sql`: one statement or a list. `dry`: whether it is rolled back. */
export function toBody(statements: readonly Runnable[], dry = false): object {
  const bodies = statements.map(({ text, params }) => ({
    q: text,
    ...(Object.keys(params).length > 0 && { params }),
    ...(dry && { dry }),
  }));
  return bodies.length === 1 ? bodies[0]! : bodies;
}

/** Runs all of them in one transaction. Returns the result of each, or throws the error of one. */
export async function runStatements(statements: readonly Runnable[], dry: boolean): Promise<readonly Result[]> {
  const response = await askOnce("/api/v4/sql", json(toBody(statements, dry)));
  const answer = parseExact<Result | readonly Result[]>(await response.text());
  return statements.length === 1 ? [answer as Result] : (answer as readonly Result[]);
}

/** What a text has statements of, as PostgreSQL ends them; and running them. */
import { PostgreSQL } from "@codemirror/lang-sql";
import { ask, json } from "./ask.ts";
import { parseExact } from "./exactJson.ts";
import type { Result } from "./results.ts";

export interface Statement {
  readonly text: string;
  /** How many characters stand before it. */
  readonly from: number;
}

/** Comments between them are in none; a text that is nothing else has none. */
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

/** All of them in one transaction: the result of each, or the error of one. */
export async function runStatements(statements: readonly Statement[]): Promise<readonly Result[]> {
  const [first, ...others] = statements.map(({ text }) => ({ q: text }));
  const response = await ask("/api/v4/sql", json(others.length === 0 ? first : [first, ...others]));
  const answer = parseExact<Result | readonly Result[]>(await response.text());
  return others.length === 0 ? [answer as Result] : (answer as readonly Result[]);
}

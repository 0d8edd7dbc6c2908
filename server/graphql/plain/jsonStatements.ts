/** The statements of plain reads, by their input. */
import { LRUCache } from "lru-cache";
import { sql, type SQL } from "postgraphile/pg-sql2";
import { statementName } from "../../../plugins/writes/statementName.ts";
import type { Statement } from "../../kernel/database/database.ts";
import type { Variables } from "./jsonGroups.ts";

export type MakeStatement = (variables: Variables, account: string) => Statement;

/** Field, account and variables → statement, of those that were used last. */
const statements = new LRUCache<string, Statement>({
  max: 2000,
  maxSize: 8_000_000, // characters
  maxEntrySize: 20_000,
  sizeCalculation: ({ text }, key) => key.length + text.length,
});
let fields = 0;

/** The statement is the same for the same account and variables, and clients often ask again for the first page of a list. */
export function remembered(make: MakeStatement): MakeStatement {
  const field = ++fields;
  return (variables, account) => {
    const key = JSON.stringify([field, account, variables]);
    let statement = statements.get(key);
    if (!statement) statements.set(key, (statement = make(variables, account)));
    return statement;
  };
}

/** A statement that each connection prepares once. */
export function compile(fragment: SQL): Statement {
  const { text, values } = sql.compile(fragment);
  return { text, values, name: statementName("json", text), rowMode: "array" };
}

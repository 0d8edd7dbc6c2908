/** `sql`: one statement that only reads. */
import { z } from "zod";
import { quoteIdentifier } from "../../kernel/database/database.ts";
import { badInput } from "../../ground/errors.ts";
import { parseKeepingDigits } from "../../types/exactJson.ts";
import { callerOfMethods } from "../agent.ts";
import { fromCursor, toCursor } from "../cursor.ts";
import { anObject, cursorText, nextCursor, toolOf } from "./tool.ts";

const input = z.strictObject({
  sql: z.string().min(1).max(100_000).optional().describe("PostgreSQL's SQL; parameters are written :name"),
  params: anObject.optional().describe("Values of the parameters, by name"),
  limit: z.int().min(1).max(10_000).optional().describe("Default 100"),
  cursor: cursorText.optional(),
});
type Args = z.infer<typeof input>;

const output = z.strictObject({
  columns: z.record(z.string(), z.string()).describe("Name → type in PostgreSQL"),
  rows: z.array(anObject),
  cursor: nextCursor,
});

const DEFAULT_LIMIT = 100;
/** Rows that a page may skip: the statement runs again for each page. */
const FURTHEST = 100_000;

export const sql = toolOf({
  name: "sql",
  title: "Read by SQL",
  description:
    "Runs one statement that reads: SELECT, VALUES, WITH, SHOW, or EXPLAIN without ANALYZE, for questions that read cannot answer. Parameters are written :name. " +
    "It runs in a transaction that is read only and rolled back, with the rights of the account. It calls only functions that are stable or immutable. A cursor runs it again: use ORDER BY.",
  input,
  output,
  example: {
    right: "select",
    given: ({ sql: table, columns: [first] }) =>
      first && {
        sql: `select ${quoteIdentifier(first.name)}, count(*) from ${table} group by 1 order by 2 desc limit :most`,
        params: { most: 10 },
      },
  },
  isOffered: ({ caller: { identity } }, tables) =>
    identity.roleMade && tables.some(({ rights }) => rights.includes("select")),
  async run(agent, args) {
    const place = args.cursor === undefined ? undefined : await fromCursor(agent, "sql", args.cursor);
    const { cursor: _before, ...wanted } = (place?.arguments ?? args) as Args;
    const { sql: text, params = {}, limit = DEFAULT_LIMIT } = wanted;
    if (text === undefined) return badInput("sql: is missing");
    const offset = Number(place?.at ?? 0);
    const { config, doors } = agent;
    const maxRows = Math.min(limit, config.mcpMaxRows);
    const asked = { sql: text, params, offset, maxRows, maxBytes: config.mcpMaxBytes };
    const { columns, rows, more } = await doors.methods.agentSql(callerOfMethods(agent), asked);
    const at = offset + rows.length;
    const goesOn = more && at <= FURTHEST;
    return {
      structured: {
        columns,
        rows: rows.map(parseKeepingDigits),
        ...(goesOn && { cursor: await toCursor(agent, { tool: "sql", arguments: wanted, at }) }),
      },
    };
  },
});

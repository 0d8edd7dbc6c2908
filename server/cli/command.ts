/** The common parts of commands: their database, their output, and their two usual forms. */
import type { Command } from "commander";
import type { Database } from "../kernel/database/database.ts";
import { OperatorError } from "../ground/errors.ts";
import { withOwner, type DatabaseOption } from "./databases.ts";
import { parseObject } from "./json.ts";

/** Adds `--database`. */
export function withDatabase(command: Command): Command {
  return command.option("--database <name>", "which database, when several are configured");
}

/** Adds `--database` and `--json`: the command prints the rows of a statement, whose $1, $2, … are its arguments. */
export function listing(command: Command, text: string): Command {
  return withDatabase(command)
    .option("--json", "as JSON")
    .action(async () => {
      const options = command.opts<DatabaseOption & { json?: boolean }>();
      const values = valuesOf(command);
      printRows(await withOwner(options, (database) => rowsOf(database, text, values)), options.json);
    });
}

/** The rows as PostgreSQL writes them in JSON: instants keep their microseconds. */
export async function rowsOf({ db }: Database, text: string, values: readonly unknown[]): Promise<Row[]> {
  const rows = await db.any<{ json: string }>(`select row_to_json(r)::text as json from (${text}) r`, [...values]);
  return rows.map(({ json }) => JSON.parse(json) as Row);
}

/** Adds `--database`: the command runs a statement, whose $1, $2, … are its arguments, and prints one sentence. */
export function calling(command: Command, text: string, sentence: (...values: string[]) => string): Command {
  return withDatabase(command).action(async () => {
    const values = valuesOf(command);
    await withOwner(command.opts<DatabaseOption>(), ({ db }) => db.any(text, values));
    print(sentence(...(values as string[])));
  });
}

/** The arguments as they were given; null for one that was left out. Throws `OperatorError` for `json` that is no object. */
export function valuesOf({ processedArgs, registeredArguments }: Command): unknown[] {
  return registeredArguments.map((argument, index) => {
    const value = processedArgs[index] as string | undefined;
    return argument.name() === "json" ? parseObject("the changes", value) : (value ?? null);
  });
}

/** `schema.table`: the table's name may have dots of its own. Throws `OperatorError`. */
export function readTableName(name = ""): { readonly schema: string; readonly table: string } {
  const dot = name.indexOf(".");
  const [schema, table] = [name.slice(0, Math.max(0, dot)), name.slice(dot + 1)];
  if (schema === "" || table === "") throw new OperatorError("name the table as schema.table");
  return { schema, table };
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Ctrl-C, and the end of a session. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Runs `work`. Its signal fires with this message when the command must end; it then undoes its unfinished part. */
export async function interruptible<T>(message: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const interruption = new AbortController();
  const interrupt = (): void => interruption.abort(new OperatorError(message));
  for (const signal of SIGNALS) process.on(signal, interrupt);
  try {
    return await work(interruption.signal);
  } finally {
    for (const signal of SIGNALS) process.off(signal, interrupt);
  }
}

/** A number with its noun: `1 change`, `2 changes`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

export type Row = Readonly<Record<string, unknown>>;

/** Rows in columns, or as one JSON array. */
export function printRows(rows: readonly Row[], json = false): void {
  if (json) return print(JSON.stringify(rows, null, 2));
  const [first] = rows;
  if (!first) return;
  const names = Object.keys(first);
  const cells = [names, ...rows.map((row) => names.map((name) => toCell(row[name])))];
  const widths = names.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  for (const row of cells)
    print(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
}

/** One thing that has many members: a member on each line, or one JSON object. */
export function printMembers(row: Row, json = false): void {
  if (json) return print(JSON.stringify(row, null, 2));
  const width = Math.max(...Object.keys(row).map((name) => name.length));
  for (const [name, value] of Object.entries(row)) print(`${name.padEnd(width)}  ${toCell(value)}`.trimEnd());
}

function toCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(toCell).join(" ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Rows of tables as files, from the running service. */
import type { Command } from "commander";
import { OperatorError } from "../ground/errors.ts";
import { ROW_FILE_EXTENSIONS, ROW_FORMAT_NAMES } from "../formats/names.ts";
import { tokenFor } from "./accountToken.ts";
import { print, readTableName, withDatabase } from "./command.ts";
import type { DatabaseOption } from "./databases.ts";

interface Options extends DatabaseOption {
  readonly as?: string;
  readonly format?: string;
  readonly where?: string;
  readonly orderBy?: string;
  readonly columns?: string;
  readonly limit?: string;
  readonly srs?: string;
  readonly asOf?: string;
}

const TOKEN_LIFETIME_SECONDS = 3600;

export function addRowsCommand(program: Command): void {
  withDatabase(
    program
      .command("rows <table> [file]")
      .description("write the rows of schema.table into a file, in the format of its name; default: print them"),
  )
    .option("--as <name>", "the account whose rights count; default: a super user")
    .option("--format <name>", ROW_FORMAT_NAMES.join(", "))
    .option("--where <filter>", 'as in GraphQL: {"population": {"gt": 1000000}}')
    .option("--order-by <order>", 'as in GraphQL: {"name": "desc"}; default: by the key')
    .option("--columns <json>", 'which, in this order: ["id", "name"]')
    .option("--limit <number>", "the largest number of rows")
    .option("--srs <code>", "EPSG code of geometries; default 4326")
    .option("--as-of <instant>", "the rows as of this instant, of a table with history")
    .action(writeRows);
}

interface ReplaceOptions extends DatabaseOption {
  readonly as?: string;
  readonly columns?: string;
  readonly where?: string;
  readonly regex?: boolean;
  readonly ignoreCase?: boolean;
  readonly dry?: boolean;
}

export function addReplaceCommand(program: Command): void {
  withDatabase(
    program
      .command("replace <table> <find> <replacement>")
      .description(
        "write a text in place of another one in the rows of schema.table, all or none, by the running service",
      ),
  )
    .requiredOption("--as <name>", "the account whose rights count, and as which triggers of the table run")
    .option("--columns <json>", 'in which: ["name"]; default: all columns of text that the account may write')
    .option("--where <filter>", 'in which rows, as in GraphQL: {"population": {"gt": 1000000}}')
    .option("--regex", "<find> is a regular expression of PostgreSQL; \\1 in <replacement> is its first group")
    .option("--ignore-case", "ignore upper and lower case")
    .option("--dry", "print what it would do")
    .action(replaceTexts);
}

async function replaceTexts(name: string, find: string, replacement: string, options: ReplaceOptions): Promise<void> {
  const { columns, where, regex = false, ignoreCase = false, dry = false } = options;
  const body = {
    find,
    replacement,
    regex,
    matchCase: !ignoreCase,
    ...(columns !== undefined && { columns: parseJson("columns", columns) }),
    ...(where !== undefined && { where: parseJson("where", where) }),
  };
  const response = await askRows(name, `/replace?dry=${dry}`, options, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const { found, changed, rows } = (await response.json()) as {
    readonly found: number;
    readonly changed: number;
    readonly rows: readonly Record<"key" | "before" | "after", unknown>[];
  };
  const kept = found === changed ? "" : `, ${found - changed} of which the account may not change`;
  print(`${found} rows of ${name} have it${kept}: ${dry ? `${changed} would be` : `${changed} are`} changed`);
  if (dry)
    for (const { key, before, after } of rows)
      print(`${String(key)}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`);
}

function parseJson(option: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new OperatorError(`--${option}: is not JSON`);
  }
}

/** Asks the running service. `path`: below `…/rows`. */
async function askRows(
  name: string,
  path: string,
  options: DatabaseOption & { readonly as?: string },
  init: RequestInit = {},
): Promise<Response> {
  const { schema, table } = readTableName(name);
  const { token, served } = await tokenFor(options, options.as, { lifetimeSeconds: TOKEN_LIFETIME_SECONDS });
  const rows = [schema, "tables", table, "rows"].map(encodeURIComponent).join("/");
  const url = `${served.baseUrl}/api/v4/schemas/${rows}${path}`;
  const headers = { ...init.headers, Authorization: `Bearer ${token}` };
  const response = await fetch(url, { ...init, headers }).catch((cause: unknown) => {
    throw new OperatorError(`nothing answers at ${served.baseUrl}: is portolan start running?`, { cause });
  });
  if (response.ok) return response;
  const { detail } = (await response.json().catch(() => ({}))) as { detail?: string };
  throw new OperatorError(detail ?? `the service answered with status ${response.status}`);
}

async function writeRows(name: string, file: string | undefined, options: Options): Promise<void> {
  const [{ createWriteStream }, { rm }, { Readable }, { pipeline }] = await Promise.all([
    import("node:fs"),
    import("node:fs/promises"),
    import("node:stream"),
    import("node:stream/promises"),
  ]);
  const { as: _as, database: _database, format = formatOf(file), ...others } = options;
  const wanted = Object.entries({ format, ...others }).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  );
  const response = await askRows(name, `?${new URLSearchParams(wanted)}`, options);
  if (!response.body) throw new OperatorError(`the service answered with status ${response.status}`);
  const rows = Readable.fromWeb(response.body as never);
  try {
    if (file === undefined) await pipeline(rows, process.stdout, { end: false });
    else await pipeline(rows, createWriteStream(file));
  } catch (cause) {
    if (file !== undefined) await rm(file, { force: true }); // half a file must not look complete
    throw new OperatorError(`the rows of ${name} ended early: try again`, { cause });
  }
}

/** The format for the ending of a file name; undefined without one. */
function formatOf(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  const found = ROW_FORMAT_NAMES.find((name) => file.toLowerCase().endsWith(`.${ROW_FILE_EXTENSIONS[name]}`));
  if (!found) throw new OperatorError(`--format: name a format, because ${file} does not`);
  return found;
}

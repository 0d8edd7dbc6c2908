/** Rows of tables as files, from the running service. */
import type { Command } from "commander";
import { OperatorError } from "../ground/errors.ts";
import { ROW_FILE_EXTENSIONS, ROW_FORMAT_NAMES } from "../formats/names.ts";
import { tokenFor } from "./accountToken.ts";
import { readTableName, withDatabase } from "./command.ts";
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

async function writeRows(name: string, file: string | undefined, options: Options): Promise<void> {
  const [{ createWriteStream }, { rm }, { Readable }, { pipeline }] = await Promise.all([
    import("node:fs"),
    import("node:fs/promises"),
    import("node:stream"),
    import("node:stream/promises"),
  ]);
  const { schema, table } = readTableName(name);
  const { as, database: _database, format = formatOf(file), ...others } = options;
  const wanted = Object.entries({ format, ...others }).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  );
  const { token, served } = await tokenFor(options, as, { lifetimeSeconds: TOKEN_LIFETIME_SECONDS });
  const path = [schema, "tables", table, "rows"].map(encodeURIComponent).join("/");
  const url = `${served.baseUrl}/api/v4/schemas/${path}?${new URLSearchParams(wanted)}`;
  const response = await fetch(url, { headers: { Authorization: `Bearer ${token}` } }).catch((cause: unknown) => {
    throw new OperatorError(`nothing answers at ${served.baseUrl}: is portolan start running?`, { cause });
  });
  if (!response.ok || !response.body) {
    const { detail } = (await response.json().catch(() => ({}))) as { detail?: string };
    throw new OperatorError(detail ?? `the service answers ${response.status}`);
  }
  const rows = Readable.fromWeb(response.body as never);
  try {
    if (file === undefined) await pipeline(rows, process.stdout, { end: false });
    else await pipeline(rows, createWriteStream(file));
  } catch (cause) {
    if (file !== undefined) await rm(file, { force: true }); // half a file must not look whole
    throw new OperatorError(`the rows of ${name} broke off`, { cause });
  }
}

/** The format that a file's name says; undefined without one. */
function formatOf(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  const found = ROW_FORMAT_NAMES.find((name) => file.toLowerCase().endsWith(`.${ROW_FILE_EXTENSIONS[name]}`));
  if (!found) throw new OperatorError(`--format: the name ${file} says none`);
  return found;
}

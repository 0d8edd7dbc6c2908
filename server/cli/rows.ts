/** Rows of tables as files, from the running service. */
import type { Command } from "commander";
import { OperatorError } from "../kernel/errors.ts";
import { tokenFor } from "./accountToken.ts";
import { withDatabase } from "./command.ts";
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
    .option("--format <name>", "json, csv, tsv, ndjson, geojson, geojsonseq, flatgeobuf, excel or markdown")
    .option("--where <filter>", 'as in GraphQL: {"population": {"gt": 1000000}}')
    .option("--order-by <order>", 'as in GraphQL: {"name": "desc"}; default: by the key')
    .option("--columns <json>", 'which, in this order: ["id", "name"]')
    .option("--limit <number>", "at most so many")
    .option("--srs <code>", "EPSG code of geometries; default 4326")
    .option("--as-of <instant>", "as they were then, of a table whose history is kept")
    .action(writeRows);
}

async function writeRows(name: string, file: string | undefined, options: Options): Promise<void> {
  const [{ createWriteStream }, { rm }, { Readable }, { pipeline }] = await Promise.all([
    import("node:fs"),
    import("node:fs/promises"),
    import("node:stream"),
    import("node:stream/promises"),
  ]);
  const dot = name.indexOf(".");
  if (dot < 1) throw new OperatorError("name the table as schema.table");
  const { as, database: _database, format = await formatOf(file), ...others } = options;
  const wanted = Object.entries({ format, ...others }).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  );
  const { token, served } = await tokenFor(options, as, TOKEN_LIFETIME_SECONDS);
  const path = [name.slice(0, dot), "tables", name.slice(dot + 1), "rows"].map(encodeURIComponent).join("/");
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
async function formatOf(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  const { ROW_FORMATS } = await import("../methods/rows/formats.ts");
  const found = Object.entries(ROW_FORMATS).find(([, { extension }]) => file.toLowerCase().endsWith(`.${extension}`));
  if (!found) throw new OperatorError(`--format: the name ${file} says none`);
  return found[0];
}

/** Imports files into tables, from this machine. */
import type { Command } from "commander";
import { READ_ENDINGS } from "../formats/readNames.ts";
import { GatewayError, OperatorError } from "../ground/errors.ts";
import { counted, print, printRows } from "./command.ts";
import { withOwner } from "./databases.ts";
import { transactOf, withAccount, type AccountOption } from "./rowsAs.ts";

const NAMES = `
select n.nspname as schema, c.relname as table, portolan.actor() as account
from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.oid = $1::regclass`;

interface Options extends AccountOption {
  readonly columns?: string;
  readonly delimiter?: string;
  readonly null?: string;
  readonly encoding?: string;
  readonly point?: string;
  readonly srid?: string;
  readonly layer?: string;
  readonly dry?: boolean;
  readonly preview?: boolean;
}

export function addImportCommand(program: Command): void {
  withAccount(
    program
      .command("import <table> <file>")
      .description(`insert the rows of a file (${READ_ENDINGS.join(" ")}): all or none`),
  )
    .option("--columns <json>", 'the column of the table for each column of the file: {"of the file": "of the table"}')
    .option("--delimiter <character>", "CSV: the separator of values")
    .option("--null <text>", "CSV: the text that means NULL")
    .option(
      "--encoding <name>",
      "CSV, Shapefile: such as windows-1252; default utf-8, or the encoding that the Shapefile states",
    )
    .option("--point <x,y>", "columns of the file that are longitude and latitude; default: by their names")
    .option("--srid <code>", "EPSG code of geometries without one, or without a known one")
    .option(
      "--layer <name>",
      "the layer of a GeoPackage, the Shapefile of several in a zip file, the sheet of a workbook, or waypoints, routes, tracks or track_points of GPX",
    )
    .option("--dry", "count the rows, or name each bad row, and keep nothing")
    .option("--preview", "print the columns of the file, with types that its rows fit, and do nothing")
    .action(importFile);
}

async function importFile(table: string, file: string, options: Options): Promise<void> {
  const { createReadStream, statSync } = await import("node:fs");
  const [{ mediaTypeOf }, { importInto, readImport }, { checkParameters }] = await Promise.all([
    import("../formats/readers.ts"),
    import("../management/import/importInto.ts"),
    import("../management/import/imports.ts"),
  ]);
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  if (size === undefined) throw new OperatorError(`there is no file ${file}`);
  const bytes = createReadStream(file);
  const { dry = false, preview = false, database: _database, as, ...parameters } = options;
  if (preview) {
    const { previewOf } = await import("../management/import/preview.ts");
    const { columns, point } = await previewOf(mediaTypeOf(file), bytes, checkParameters(parameters));
    const partOf = (name: string): string => ["longitude", "latitude"][point?.indexOf(name) ?? -1] ?? "";
    return printRows(columns.map(({ name, type }) => ({ name, type, "of a point": partOf(name) })));
  }
  const wanted = readImport(mediaTypeOf(file), bytes, checkParameters(parameters));
  const { rows, at } = await withOwner(options, async (database) => {
    const { db } = database;
    const transact = await transactOf(database, as, { values: [table], writes: true });
    const found = await db.one<{ schema: string; table: string; account: string }>(NAMES, [table]);
    return importInto({
      ...wanted,
      ...found,
      ...(as !== undefined && { account: as.toLowerCase() }),
      dry,
      share: () => bytes.bytesRead / Math.max(1, size),
      note: (text, values) => db.any(text, [...values]),
      transact,
    });
  }).catch(tellEachRow);
  const told = counted(rows, "row");
  print(
    `${told} ${dry ? "could be" : rows === 1 ? "is" : "are"} inserted into ${table}${at === null ? "" : ` at ${at}`}`,
  );
}

/** Throws an error with a line for each wrong row, if there are several. */
function tellEachRow(error: unknown): never {
  const faults = error instanceof GatewayError ? error.members["faults"] : undefined;
  if (!Array.isArray(faults) || faults.length < 2) throw error;
  const lines = (faults as readonly { readonly message: string }[]).map(({ message }) => message);
  throw new OperatorError([`${faults.length} rows are wrong, so nothing is imported:`, ...lines].join("\n  "));
}

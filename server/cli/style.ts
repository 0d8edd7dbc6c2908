/** Maps: styles and rasters. */
import type { Command } from "commander";
import { readFileSync } from "node:fs";
import { calling, listing, print, printRows, readTableName, withDatabase, type Row } from "./command.ts";
import { listingRows } from "./rowsAs.ts";
import { configuredDatabases, readConfig, withOpened, withOwner, type DatabaseOption } from "./databases.ts";

export function addStyleCommands(program: Command): void {
  const style = program.command("style").description("styles of collections on maps");
  style
    .command("check")
    .description("check every style and raster, and name each problem and its place")
    .option("--json", "as JSON")
    .action(check);
  withDatabase(
    style.command("set <table> <json>").description("set the style of a table; - reads it from standard input"),
  ).action(async (table: string, json: string, options: DatabaseOption) => {
    const text = json === "-" ? readFileSync(0, "utf8") : json;
    await withOwner(options, ({ db }) =>
      db.any("select portolan.set_style($1::regclass, nullif($2::jsonb, '[]'))", [table, text]),
    );
    print(`the style of ${table} is set`);
  });
  listing(
    style.command("show <table> [name]").description("a style of a table; the one called default without a name"),
    "select jsonb_array_elements(portolan.style_of($1::regclass, coalesce($2, 'default'))) as class",
  );
  listing(
    style.command("list <table>").description("all styles of a table, and which is the default one"),
    "select name, title, is_default, classes from portolan.list_styles($1::regclass)",
  );
  withDatabase(
    style
      .command("import <table> <file> [name]")
      .description("set a style by a file of SLD, QML (QGIS) or for MapLibre; tells what of it is left out"),
  ).action(importStyle);
  calling(
    style.command("default <table> <name>").description("make a style the default, for requests that name none"),
    "select portolan.set_default_style($1::regclass, $2)",
    (table, name) => `${name} is the default style of ${table}`,
  );
  calling(
    style.command("remove <table> <name>").description("remove a style of a table"),
    "select portolan.set_style($1::regclass, null, $2)",
    (table, name) => `the style ${name} of ${table} is removed`,
  );
  listingRows(
    style
      .command("classes <table> <column> [method] [count]")
      .description("breaks of a column's values: quantile, equal, natural or unique; 5 of quantile by default"),
    "select * from portolan.classes($1::regclass, $2, coalesce($4::integer, 5), coalesce($3, 'quantile'))",
  );

  const raster = program.command("raster").description("GeoTIFF files that are drawn as collections");
  withDatabase(
    raster.command("add <schema> <table> <file>").description("make a collection of a file below RASTER_DIRECTORY"),
  ).action(addRaster);
  listing(
    raster.command("list").description("all rasters"),
    `select schema, "table", file from portolan.list_rasters()`,
  );
  calling(
    raster.command("change <schema> <table> <file>").description("draw another file below RASTER_DIRECTORY"),
    "select portolan.update_raster($1, $2, $3)",
    (schema, table, file) => `${schema}.${table} is ${file}`,
  );
  calling(
    raster.command("remove <schema> <table>").description("remove a raster; the file stays"),
    "select portolan.drop_raster($1, $2)",
    (schema, table) => `${schema}.${table} is removed`,
  );
}

async function importStyle(table: string, file: string, name = "default", options: DatabaseOption): Promise<void> {
  const { createLog } = await import("../ground/log.ts");
  const { readStyleFor } = await import("../../ogc/styles/in/forRelation.ts");
  const config = await readConfig();
  const text = readFileSync(file === "-" ? 0 : file, "utf8");
  const notes = await withOwner(options, async (database) => {
    const style = { ...readTableName(table), text, log: createLog("silent") };
    const { classes, title, notes: leftOut } = await readStyleFor(database, config, style);
    await database.db.any("select portolan.set_style($1::regclass, $2::jsonb, $3, $4)", [table, JSON.stringify(classes), name, title ?? null]); // oxfmt-ignore
    return leftOut;
  });
  print(`the style ${name} of ${table} is set`);
  for (const { at, message } of notes) print(at === "" ? `note: ${message}` : `note: ${at}: ${message}`);
}

/** The service may see another folder than this command, so the command only warns about files that it does not see. */
async function addRaster(schema: string, table: string, file: string, options: DatabaseOption): Promise<void> {
  const { readRasterHeader } = await import("../../ogc/maps/rasterFile.ts");
  const { rasterDirectory } = await readConfig();
  await withOwner(options, ({ db }) => db.func("portolan.create_raster", [schema, table, file]));
  print(`${schema}.${table} is ${file}`);
  await readRasterHeader(rasterDirectory, file).catch((error: Error) => {
    process.stderr.write(`portolan: it cannot be drawn with the RASTER_DIRECTORY of this machine: ${error.message}\n`);
  });
}

async function check({ json = false }: { json?: boolean }): Promise<void> {
  const { createLog } = await import("../ground/log.ts");
  const { checkStyles } = await import("../../ogc/maps/styleCheck.ts");
  const config = await readConfig();
  const rows: Row[] = [];
  for (const { name, ownerUrl } of await configuredDatabases())
    await withOpened(name, ownerUrl, async (database) => {
      for (const { collection, problem } of await checkStyles(database, config, createLog("silent"))) {
        rows.push({ database: name, collection, ok: problem === undefined, problem: problem ?? null });
        if (!json)
          print(problem === undefined ? `ok   ${name}: ${collection}` : `FIX  ${name}: ${collection}: ${problem}`);
      }
    });
  if (json) printRows(rows, true);
  process.exitCode = rows.every(({ ok }) => ok) ? 0 : 1;
}

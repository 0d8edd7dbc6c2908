import type { Command } from "commander";
import { readFileSync, writeFileSync } from "node:fs";
import { OperatorError } from "../ground/errors.ts";
import { OUTPUT_FORMATS } from "../formats/names.ts";
import { calling, listing, print, withDatabase } from "./command.ts";
import { chooseDatabase, readConfig, withOpened, withOwner, type DatabaseOption } from "./databases.ts";
import { parseObject } from "./json.ts";

interface MethodOptions extends DatabaseOption {
  readonly typeHints: string;
  readonly typeFormats: string;
  readonly outputFormat: string;
  readonly srs: string;
  readonly description?: string;
}

export function addMethodCommands(program: Command): void {
  const method = program.command("method").description("stored JSON-RPC methods");

  withDatabase(
    method.command("add <name> <sql>").description("store a statement as a method; - reads it from standard input"),
  )
    .option("--type-hints <json>", "name of a parameter or column → name of a type", "{}")
    .option("--type-formats <json>", "name → pattern of dates in the letters of PHP's date()", "{}")
    .option("--output-format <format>", OUTPUT_FORMATS.join(", "), "json")
    .option("--srs <code>", "EPSG code of geometries in the result", "4326")
    .option("--description <text>")
    .action(add);

  listing(
    method.command("list").description("all methods"),
    "select method, owner, published, output_format as format, description from portolan.methods order by method",
  );
  withDatabase(
    method.command("change <name> <json>").description("change members, with their names in REST: a JSON object"),
  ).action(change);
  calling(
    method.command("remove <name>").description("remove a method"),
    "select portolan.drop_method($1)",
    (name) => `${name} is removed`,
  );

  withDatabase(program.command("interfaces").description("TypeScript declarations of stored methods"))
    .option("--out <file>", "write them to this file; default: print them")
    .option(
      "--account <name>",
      "for everything that this account may call, with functions; default: for all stored methods",
    )
    .action(async (options: DatabaseOption & { out?: string; account?: string }) => {
      const text =
        options.account === undefined ? await declareAll(options) : await declareFor(options, options.account);
      if (options.out === undefined) process.stdout.write(text);
      else {
        writeFileSync(options.out, text);
        print(`written to ${options.out}`);
      }
    });
}

async function add(name: string, sql: string, options: MethodOptions): Promise<void> {
  const { check } = await import("../kernel/rest/body.ts");
  const { newMethod } = await import("../methods/definition.ts");
  const { parserIsReady } = await import("../methods/statement/statement.ts");
  await parserIsReady;
  const definition = check(newMethod, {
    method: name,
    q: sql === "-" ? readFileSync(0, "utf8") : sql,
    type_hints: JSON.parse(parseObject("--type-hints", options.typeHints)),
    type_formats: JSON.parse(parseObject("--type-formats", options.typeFormats)),
    output_format: options.outputFormat,
    srs: Number(options.srs),
    ...(options.description !== undefined && { description: options.description }),
  });
  await withOwner(options, ({ db }) =>
    db.func("portolan.create_method", [
      definition.method,
      definition.q,
      definition.type_hints ?? null,
      definition.type_formats ?? null,
      definition.output_format ?? "json",
      definition.srs ?? 4326,
      definition.description ?? null,
    ]),
  );
  print(`${name} is stored and published`);
}

async function change(name: string, json: string, options: DatabaseOption): Promise<void> {
  const { check } = await import("../kernel/rest/body.ts");
  const { methodChange } = await import("../methods/definition.ts");
  const { parserIsReady } = await import("../methods/statement/statement.ts");
  await parserIsReady;
  const changes = check(methodChange, JSON.parse(parseObject("change", json)));
  await withOwner(options, ({ db }) => db.func("portolan.update_method", [name, changes]));
  print(`${name} is changed`);
}

function declareAll(options: DatabaseOption): Promise<string> {
  return withOwner(options, async (database) => (await import("../methods/declarations.ts")).declareAll(database));
}

/** The answer of `GET /api/v4/interfaces` for the account. */
async function declareFor(options: DatabaseOption, account: string): Promise<string> {
  const { createMethods } = await import("../methods/methods.ts");
  const { identityOf } = await import("../kernel/identity/identity.ts");
  const { createLog } = await import("../ground/log.ts");
  const { findAccount } = await import("../kernel/identity/tokens.ts");
  const { exposedSchemas } = await import("../kernel/catalogue/catalogueWatch.ts");
  const { name, url } = await chooseDatabase(options);
  const config = await readConfig();
  return withOpened(name, url, async (database) => {
    const found = await findAccount(database, account);
    if (!found) throw new OperatorError(`there is no account ${account}`);
    const schemas = config.schemas ?? (await exposedSchemas(database));
    const methods = createMethods({
      ...config,
      databaseOf: () => database,
      schemasOf: () => schemas,
      watchTable: () => Promise.resolve({ close: () => undefined }), // nothing is called, so nothing is kept
      log: createLog("silent"),
    });
    try {
      return await methods.interfaces({ identity: identityOf(database, found, { sub: account, uid: account }) });
    } finally {
      methods.close();
    }
  });
}

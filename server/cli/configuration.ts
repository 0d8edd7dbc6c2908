/** The settings of an operator as files: export, diff, apply. */
import type { Command } from "commander";
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { OperatorError } from "../ground/errors.ts";
import { counted, print, printRows, withDatabase, type Row } from "./command.ts";
import { withOwner, type DatabaseOption } from "./databases.ts";

interface Change {
  readonly kind: string;
  readonly name: string;
  readonly member: string;
  readonly action: "create" | "change" | "remove";
  readonly before: unknown;
  readonly after: unknown;
}

interface ApplyOptions extends DatabaseOption {
  readonly prune?: boolean;
  readonly dry?: boolean;
  readonly json?: boolean;
}

export function addConfigurationCommands(program: Command): void {
  withDatabase(
    program
      .command("export")
      .description("print accounts, clients, rules, methods, rasters and settings of tables as YAML, without secrets"),
  )
    .option("--out <folder>", "write one file for each kind there")
    .action(exportConfiguration);
  const pruning = (command: Command): Command =>
    withDatabase(command)
      .option("--prune", "remove what the files do not name, of the kinds that they have")
      .option("--json", "as JSON");
  pruning(
    program
      .command("diff <path>")
      .description(
        "the changes that apply would make, from a YAML file or a folder of them; the exit status is 1 if there are any",
      ),
  ).action((path: string, options: ApplyOptions) => compare(path, options));
  pruning(program.command("apply <path>").description("apply the files to the database, all or nothing, and roll back"))
    .option("--no-dry", "keep the changes")
    .action(apply);
}

async function exportConfiguration({ out, ...options }: DatabaseOption & { out?: string }): Promise<void> {
  const { dump } = await import("js-yaml");
  const { PARTS } = await import("../management/configurationShape.ts");
  const { configuration } = await withOwner(options, ({ db }) =>
    db.one<{ configuration: Record<string, unknown> }>("select portolan.configuration() as configuration"),
  );
  const write = (parts: readonly string[]): string =>
    dump(Object.fromEntries(parts.map((part) => [part, sorted(configuration[part])])), {
      lineWidth: -1,
      noRefs: true,
    });
  if (out === undefined) {
    process.stdout.write(write(PARTS));
    return;
  }
  mkdirSync(out, { recursive: true });
  for (const part of PARTS) writeFileSync(join(out, `${part}.yaml`), write([part]));
  print(`written to ${out}`);
}

/** The same in the order of names, so that equal configurations give equal files; numbers come first, by size. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}

/** With the checks of stored methods, which take PostgreSQL's parser. */
async function readShape() {
  const { configurationShape } = await import("../management/configurationShape.ts");
  const { configuredMethods } = await import("../methods/definition.ts");
  const { parserIsReady } = await import("../methods/statement/statement.ts");
  await parserIsReady;
  return configurationShape(configuredMethods);
}

function filesOf(path: string): readonly string[] {
  try {
    if (!statSync(path).isDirectory()) return [path];
    const names = readdirSync(path).filter((name) => /\.ya?ml$/.test(name));
    if (names.length === 0) throw new OperatorError(`${path}: there is no YAML file`);
    return names.sort().map((name) => join(path, name));
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

/** Escapes a part of a JSON Pointer. */
function namesIn(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The configuration in a file or in all files of a folder. Throws `OperatorError` with the fault and its place. */
async function readConfiguration(path: string): Promise<string> {
  const { load } = await import("js-yaml");
  const { faultsOf } = await import("../kernel/rest/body.ts");
  const shape = await readShape();
  const whole: Record<string, unknown> = {};
  for (const file of filesOf(path)) {
    let document: unknown;
    try {
      document = load(readFileSync(file, "utf8"), { filename: basename(file), maxAliases: 100 });
    } catch (error) {
      throw new OperatorError(`${file}: ${(error as Error).message}`, { cause: error });
    }
    const parsed = shape.safeParse(document ?? {});
    if (!parsed.success) {
      const faults = faultsOf(parsed.error).map(
        ({ pointer, detail }) => `${namesIn(pointer).join(": ") || "the document"}: ${detail}`,
      );
      throw new OperatorError(`${basename(file)}: ${faults.slice(0, 20).join("\n  ")}`);
    }
    for (const [part, value] of Object.entries(parsed.data)) {
      if (part in whole) throw new OperatorError(`${basename(file)}: ${part} is also in another file`);
      whole[part] = value;
    }
  }
  return JSON.stringify(whole);
}

async function compare(path: string, options: ApplyOptions): Promise<void> {
  const wanted = await readConfiguration(path);
  const changes = await withOwner(options, ({ db }) =>
    db.any<Change>("select * from portolan.configuration_changes($1, $2)", [wanted, options.prune ?? false]),
  );
  show(changes, options.json);
  process.exitCode = changes.length > 0 ? 1 : 0;
}

async function apply(path: string, options: ApplyOptions): Promise<void> {
  const { dry = true, prune = false } = options;
  const wanted = await readConfiguration(path);
  const changes = await withOwner(options, ({ db }) =>
    db.any<Change>("select * from portolan.apply_configuration($1, $2, $3)", [wanted, prune, dry]),
  );
  show(changes, options.json);
  if (options.json) return;
  const told = counted(changes.length, "change");
  const [were, them] = changes.length === 1 ? ["was", "it"] : ["were", "them"];
  print(dry ? `${told} ${were} tried and rolled back: --no-dry keeps ${them}` : told);
}

const SIGNS = { create: "+", change: "~", remove: "-" } as const;

function show(changes: readonly Change[], json = false): void {
  if (json) return printRows(changes as unknown as readonly Row[], true);
  for (const { kind, name, member, action, before, after } of changes) {
    print(`${SIGNS[action]} ${[kind, name, member].filter((part) => part !== "").join(" ")}`);
    if (action === "change") for (const line of differences(before, after)) print(`    ${line}`);
  }
}

function differences(before: unknown, after: unknown): string[] {
  const isObject = (value: unknown): value is object =>
    typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isObject(before) || !isObject(after)) return [`${JSON.stringify(before)} → ${JSON.stringify(after)}`];
  const was = new Map(Object.entries(before));
  return Object.entries(after)
    .map(([name, value]) => [name, JSON.stringify(was.get(name)), JSON.stringify(value)] as const)
    .filter(([, old, now]) => old !== now)
    .map(([name, old, now]) => `${name}: ${old} → ${now}`);
}

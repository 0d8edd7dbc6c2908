/** Writes what `npm run docs` makes: the tables of docs/reference/, and the types of the console. A test checks that they are what is committed. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { makeProgram } from "../../server/cli/program.ts";
import { describeOptions } from "../../server/kernel/config.ts";
import { describeErrors } from "../../server/kernel/errors.ts";
import { METHOD_LIMITS } from "../../server/methods/limits.ts";
import { listScenarios } from "../console/scenarios.ts";
import { OPENAPI_TYPES, openapiTypes } from "./openapiTypes.ts";

export const TABLE_NAMES = ["options", "commands", "errors", "scenarios"] as const;
export type TableName = (typeof TABLE_NAMES)[number];

/** The page of a generated table. */
export function pageOf(table: TableName): string {
  return join(import.meta.dirname, "../../docs/reference", `${table}.md`);
}

const TABLES: Readonly<Record<TableName, () => string>> = {
  options: () =>
    table(
      ["option", "environment", "default", "meaning"],
      describeOptions().map(({ name, env, default: value, doc }) => [
        `\`${name}\``,
        env && `\`${env}\``,
        value && `\`${value}\``,
        doc,
      ]),
    ),
  commands: () =>
    table(
      ["command", "options", "what it does"],
      commandsOf(makeProgram()).map((command) => [
        `\`${usageOf(command)}\``,
        command.options
          .filter(({ long }) => long !== "--database" && long !== "--version")
          .map(({ flags }) => `\`${flags}\``)
          .join(" "),
        command.description(),
      ]),
    ),
  errors: () =>
    table(
      ["code", "status", "message"],
      describeErrors().map(({ code, status, message }) => [`\`${code}\``, String(status), message]),
    ),
  scenarios: () =>
    table(
      ["area", "what somebody does", "test"],
      listScenarios().map(({ area, title, file }) => [area, title, `[${file}](../../test/console/${file})`]),
    ),
};

/** The commands that do something, in the order of `--help`. */
export function commandsOf(command: Command): Command[] {
  const beneath = command.commands.flatMap(commandsOf);
  return command.commands.length === 0 || command.registeredArguments.length > 0 ? [command, ...beneath] : beneath;
}

function usageOf(command: Command): string {
  const names = [command, ...ancestorsOf(command)].reverse().map((one) => one.name());
  const values = command.registeredArguments.map((one) => {
    const name = one.name() + (one.variadic ? "..." : "");
    return one.required ? `<${name}>` : `[${name}]`;
  });
  return [...names.slice(1), ...values].join(" ");
}

function ancestorsOf({ parent }: Command): Command[] {
  return parent ? [parent, ...ancestorsOf(parent)] : [];
}

/** The text of a page with its table as it should be now. */
export function withTable(name: TableName, page: string): string {
  return page.replace(
    new RegExp(`(<!-- ${name}: made by npm run docs -->\n)[^]*?(<!-- /${name} -->)`),
    (_match, start: string, end: string) => `${start}\n${TABLES[name]()}\n\n${end}`,
  );
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

export const METHOD_LIMITS_FILE = join(import.meta.dirname, "../../sql/methods/method_limits.sql");

/** The limits of stored methods as the function that tells them to the database. */
export function methodLimitsSql(): string {
  return `-- What a stored method may be, for method_problem. Made by npm run docs of server/methods/limits.ts; do not edit.
create or replace function portolan.method_limits() returns jsonb
  language sql immutable parallel safe
  set search_path = pg_catalog, pg_temp
as $limits$
  select $json$${JSON.stringify(METHOD_LIMITS, undefined, 2)}$json$::jsonb
$limits$;
`;
}

if (process.argv[1] === import.meta.filename) {
  for (const name of TABLE_NAMES) writeFileSync(pageOf(name), withTable(name, readFileSync(pageOf(name), "utf8")));
  writeFileSync(METHOD_LIMITS_FILE, methodLimitsSql());
  writeFileSync(OPENAPI_TYPES, await openapiTypes());
}

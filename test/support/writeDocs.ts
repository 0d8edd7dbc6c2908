/** Writes the generated tables of README.md: `npm run docs`. A test checks that they are what is committed. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeOptions } from "../../server/kernel/config.ts";
import { describeErrors } from "../../server/kernel/errors.ts";

export const README = join(import.meta.dirname, "../../README.md");

const TABLES: Readonly<Record<string, () => string>> = {
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
  errors: () =>
    table(
      ["code", "status", "message"],
      describeErrors().map(({ code, status, message }) => [`\`${code}\``, String(status), message]),
    ),
};

/** The text of README.md with its tables as they should be now. */
export function withTables(readme: string): string {
  return Object.entries(TABLES).reduce(
    (text, [name, make]) =>
      text.replace(
        new RegExp(`(<!-- ${name}: made by npm run docs -->\n)[^]*?(<!-- /${name} -->)`),
        (_match, start: string, end: string) => `${start}\n${make()}\n\n${end}`,
      ),
    readme,
  );
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

if (process.argv[1] === import.meta.filename) writeFileSync(README, withTables(readFileSync(README, "utf8")));

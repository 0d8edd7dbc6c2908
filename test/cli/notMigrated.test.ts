import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import { makeProgram } from "../../server/cli/program.ts";
import { command } from "../support/commands.ts";
import { testDatabase, type TestDatabase } from "../support/databases.ts";

/** These prepare the database, inspect it as it is, are about others, or read no table of Portolan. */
const WITHOUT =
  /^(start|migrate|doctor|psql|fleet|schema|backup check|database .*|extension list|routes|completion|mcp install)$/;

/** Values for arguments that a command checks before it queries the database. */
const VALUES: Readonly<Record<string, string>> = {
  table: "app.ships",
  json: "{}",
  columns: "{}",
  access: "deny",
  level: "Write",
  privilege: "select",
  instant: "2024-01-01",
  since: "2024-01-01",
  sql: "select 1",
  file: "file.csv",
  path: "configuration.json",
  relation: "app.ships",
  id: "1",
  rows: "1",
  pid: "1",
};

/** Commands whose arguments must make sense together. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  "query add": ["ann", '{"q": "select 1"}'],
  "view add": ["ann", '{"relation": "app.ships"}'],
  replace: ["app.ships", "a", "b", "--as", "ann"],
};

describe("a database that is not migrated", () => {
  let database: TestDatabase;
  let directory: string;

  before(async () => {
    database = await testDatabase();
    directory = mkdtempSync(join(tmpdir(), "portolan-cli-"));
    writeFileSync(join(directory, "file.csv"), "id\n1\n");
    writeFileSync(join(directory, "configuration.json"), "{}");
  });
  after(async () => {
    await database.drop();
    rmSync(directory, { recursive: true });
  });

  function run(args: readonly string[]): string {
    const env = { DATABASE_URL: database.gatewayUrl, OWNER_DATABASE_URL: database.url };
    const { status, stdout, stderr } = command(args, { cwd: directory, env });
    return `${status} ${stderr}${stdout}`;
  }

  it("every command says that it must be migrated", () => {
    const waiting = commandsOf(makeProgram()).filter(({ name }) => !WITHOUT.test(name));
    assert.ok(waiting.length > 60);
    const wrong: string[] = [];
    for (const { name, args } of waiting) {
      const said = run([...name.split(" "), ...args]);
      if (!/^1 portolan: .*\bnpx portolan migrate\n/.test(said)) wrong.push(`${name}: ${said.slice(0, 200)}`);
    }
    assert.deepEqual(wrong, []);
  });
});

interface Invocation {
  readonly name: string;
  readonly args: readonly string[];
}

/** The commands that do something, with arguments. */
function commandsOf(from: Command, before: readonly string[] = []): Invocation[] {
  const within = from.commands.flatMap((each) => commandsOf(each, [...before, each.name()]));
  const { registeredArguments } = from;
  if (from.commands.length > 0 && registeredArguments.length === 0) return within;
  const args = registeredArguments
    .filter((each) => each.required || each.name() === "table")
    .map((each) => VALUES[each.name()] ?? "ann");
  const name = before.join(" ");
  return [...within, { name, args: ARGUMENTS[name] ?? args }];
}

/** Names in the documents exist: commands and their options, options of the service, functions of the database. */
import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { basename } from "node:path";
import type { Command } from "commander";
import { makeProgram } from "../../server/cli/program.ts";
import { describeOptions, makeConfig } from "../../server/kernel/config.ts";
import { describeErrors } from "../../server/ground/errors.ts";
import { commandsOf } from "../support/writeDocs.ts";
import { documents, ROOT, textOf } from "./documents.ts";

const text = documents().map(textOf).join("\n");
/** PROTOCOL.md and CONTRIBUTING.md have their own names in capitals. */
const prose = documents().filter(isForUsers).map(textOf).join("\n");
/**
 * Names in capitals that are not options of the service: those of programs and protocols, and folders that the set-up
 * searches.
 */
const OTHER_CAPITALS = ["OTEL_EXPORTER_OTLP_HEADERS", "OTEL_SERVICE_NAME", "OTEL_RESOURCE_ATTRIBUTES", "PGUSER", "PGPASSWORD", "PORTOLAN_MAPSERV", "SLD_BODY", "CQL_FILTER"];

/** The commands of a mention, with the options that it names: `user create|list NAME`, `token NAME --lifetime 60`. */
function mentionsOf(documents: string): { words: string; option: string | undefined }[] {
  return [...documents.matchAll(/(?:npx portolan|`portolan) ((?:[^\n`#|;&)]|\|(?=\w))*)/g)].flatMap(([, words = ""]) => {
    const options = words.match(/(?<= )--[a-z-]+/g) ?? [undefined];
    return options.map((option) => ({ words: words.trim(), option }));
  });
}

function find(program: Command, words: string): Command[] {
  let found: Command[] = [program];
  for (const word of words.split(/\s+/)) {
    const names = word.split("|");
    const next = found.flatMap(({ commands }) =>
      names.map((name) => commands.find((one) => one.name() === name || one.aliases().includes(name))),
    );
    if (next.some((one) => one === undefined)) {
      const ends = found.every((one) => one.registeredArguments.length > 0 || one.commands.length === 0);
      assert.ok(ends && names.length === 1, `portolan ${words}: there is no ${word}`);
      return found;
    }
    found = next as Command[];
  }
  return found;
}

function isForUsers(path: string): boolean {
  return path === "README.md" || path.startsWith("docs/");
}

/** The member of `ogc` that a variable stands for: `OGC_MAP_CRS` for `mapCrs`. */
function memberNamed(variable: string): string {
  return variable
    .replace(/^OGC_/, "")
    .toLowerCase()
    .replaceAll(/_./g, ([, letter = ""]) => letter.toUpperCase());
}

function isOgcOption(name: string): boolean {
  try {
    makeConfig({ ogc: { [name]: "?" } });
    return true;
  } catch (error) {
    return !(error as Error).message.includes("unrecognized key");
  }
}

describe("names in the documents exist", () => {
  it("every command, with its options", () => {
    const mentions = mentionsOf(text);
    assert.ok(mentions.length > 20, "mentions are found");
    for (const { words, option } of mentions)
      for (const command of find(makeProgram(), words.replaceAll("…", "").trim() || "start"))
        assert.ok(
          option === undefined || command.options.some(({ long }) => long === option) || command.name() === "psql",
          `portolan ${words}: has no ${option}`,
        );
    assert.throws(() => find(makeProgram(), "user fly ann"), /there is no fly/);
    assert.throws(() => find(makeProgram(), "user create|fly"), /there is no create\|fly/);
  });

  it("every existing command is documented", () => {
    for (const command of commandsOf(makeProgram())) assert.ok(text.includes(command.description()), command.name());
  });

  it("every variable of the environment, and every option of the OGC API", () => {
    const known = new Set([
      ...describeOptions().map(({ env }) => env),
      ...describeErrors().map(({ code }) => code),
      ...OTHER_CAPITALS,
    ]);
    for (const [, name = ""] of prose.matchAll(/`([A-Z]+(?:_[A-Z]+)+)`/g))
      assert.ok(known.has(name) || isOgcOption(memberNamed(name)), name);
    for (const [, name = ""] of text.matchAll(/`ogc\.([a-zA-Z]+)/g)) assert.ok(isOgcOption(name), name);
    assert.equal(isOgcOption("nope"), false);
  });

  it("every function of schema portolan", () => {
    const files = new Set(globSync("sql/*/*.sql", { cwd: ROOT }).map((path) => basename(path, ".sql")));
    for (const [, name = ""] of text.matchAll(/portolan\.(\w+)\(/g)) assert.ok(files.has(name), name);
  });
});

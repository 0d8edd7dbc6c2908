/** What README.md names is there: commands and their options, options of the service, functions of the database. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { makeProgram } from "../../server/cli/program.ts";
import { describeOptions, makeConfig } from "../../server/kernel/config.ts";
import { README, commandsOf } from "../support/writeDocs.ts";

const ROOT = join(import.meta.dirname, "../..");
const readme = readFileSync(README, "utf8");
/** Names in capitals that are no options of the service: programs', protocols', and places that the set-up looks in. */
const OTHER_CAPITALS = ["PGUSER", "PGPASSWORD", "PORTOLAN_MAPSERV", "BAD_USER_INPUT"];

/** The commands that a mention means, with the options that it names: `user create|list NAME`, `token NAME --lifetime 60`. */
function mentionsOf(text: string): { words: string; option: string | undefined }[] {
  return [...text.matchAll(/(?:npx portolan|`portolan) ((?:[^\n`#|;&)]|\|(?=\w))*)/g)].flatMap(([, words = ""]) => {
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

function isOgcOption(name: string): boolean {
  try {
    makeConfig({ ogc: { [name]: "?" } });
    return true;
  } catch (error) {
    return !(error as Error).message.includes("unrecognized key");
  }
}

describe("what README.md names is there", () => {
  it("every command, with its options", () => {
    const mentions = mentionsOf(readme);
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

  it("every command that there is", () => {
    for (const command of commandsOf(makeProgram())) assert.ok(readme.includes(command.description()), command.name());
  });

  it("every variable of the environment, and every option of the OGC API", () => {
    const known = new Set([...describeOptions().map(({ env }) => env), ...OTHER_CAPITALS]);
    const prose = readme.replace(/<!-- errors:[^]*?<!-- \/errors -->/, "");
    for (const [, name = ""] of prose.matchAll(/`([A-Z]+(?:_[A-Z]+)+)`/g)) assert.ok(known.has(name), name);
    for (const [, name = ""] of readme.matchAll(/`ogc\.([a-zA-Z]+)/g)) assert.ok(isOgcOption(name), name);
    assert.equal(isOgcOption("nope"), false);
  });

  it("every function of schema portolan", () => {
    const files = new Set(readdirSync(join(ROOT, "sql/functions")).map((name) => name.replace(/\.sql$/, "")));
    for (const [, name = ""] of readme.matchAll(/portolan\.(\w+)\(/g)) assert.ok(files.has(name), name);
  });
});

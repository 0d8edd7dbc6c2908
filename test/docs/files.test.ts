import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { basename } from "node:path";
import { blocksOf } from "./documentBlocks.ts";
import { documents, ROOT, textOf } from "./documents.ts";

const FOLDERS = globSync("*/", { cwd: ROOT });
/** Every file and folder of the checkout, `/`-separated from its root. */
const ALL = globSync("**", { cwd: ROOT, exclude: (name) => /^(node_modules|dist|\..+)$/.test(basename(name)) });

const { dependencies } = JSON.parse(textOf("package.json")) as { dependencies: Record<string, string> };

/** The names of files and folders in backticks: with a known ending, or below a folder of the checkout. */
function filesNamedIn(markdown: string): string[] {
  const prose = markdown.replaceAll(/^```[^]*?^```$/gm, "");
  return [...prose.matchAll(/`([\w.<>*-]+(?:\/[\w.<>*-]*)*)`/g)]
    .map(([, name = ""]) => name)
    .filter((name) => /\.(ts|mjs|cjs|js|sql|json|md|sh|diff|graphql)$/.test(name) || FOLDERS.includes(name.split("/")[0]!))
    .filter((name) => (name.includes("/") || name.includes(".")) && !(name in dependencies));
}

/** Whether it exists, from the root or as the end of a path: `<grant>.ts` is any file of that ending. */
function isThere(name: string): boolean {
  const pattern = name.replace(/\/$/, "").replaceAll(/[.]/g, "\\.").replaceAll(/<\w+>|\*/g, "[^/]+");
  return ALL.some((path) => new RegExp(`(^|/)${pattern}$`).test(path));
}

describe("a file that a document names", () => {
  it("is found in backticks, with a word in angle brackets for any name", () => {
    const text = "`server/main.ts` `a/b` `POST` `sql/<subject>/` `no.ts`\n```sh\n`server/gone.ts`\n```\n";
    assert.deepEqual(filesNamedIn(text), ["server/main.ts", "sql/<subject>/", "no.ts"]);
    assert.deepEqual(["server/main.ts", "main.ts", "sql/<subject>/", "<noun>.ts"].filter(isThere).length, 4);
    assert.deepEqual(["server/gone.ts", "in.ts", "main.js", "server/<x>/none.ts"].filter(isThere), []);
  });

  for (const path of documents())
    it(`${path}: exists`, () => {
      const saved = blocksOf(textOf(path)).map(({ file }) => file);
      const named = filesNamedIn(textOf(path)).filter((name) => !saved.includes(name));
      assert.deepEqual(
        named.filter((name) => !isThere(name)),
        [],
      );
    });
});

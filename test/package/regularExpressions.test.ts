import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { analyse } from "scslre";
import ts from "typescript";
import { intervalOf } from "../../server/types/intervals.ts";

const ROOT = join(import.meta.dirname, "../..");
/** The code that reads what callers send. */
const FOLDERS = ["server", "ogc", "plugins"];

interface Found {
  readonly place: string;
  readonly text: string;
}

function literalsOf(path: string): Found[] {
  const source = ts.createSourceFile(path, readFileSync(join(ROOT, path), "utf8"), ts.ScriptTarget.Latest, true);
  const found: Found[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      found.push({ place: `${path}:${line + 1}`, text: node.text });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The parts of a regular expression that take more than linear time on some text. */
function slowParts(text: string): string[] {
  const [, source = "", flags = ""] = /^\/(.*)\/([a-z]*)$/s.exec(text) ?? [];
  const { reports } = analyse({ source, flags }, { assumeRejectingSuffix: false });
  return reports.map(({ exponential, type }) => `${exponential ? "exponential" : "polynomial"} (${type})`);
}

describe("regular expressions", () => {
  it("take no more than linear time, whatever the text", function () {
    this.timeout(60_000);
    const paths = FOLDERS.flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
        .filter((name) => /\.(ts|mjs)$/.test(name))
        .map((name) => join(folder, name)),
    );
    const literals = paths.flatMap(literalsOf);
    assert.ok(literals.length > 500);
    const slow = literals.flatMap(({ place, text }) => slowParts(text).map((part) => `${place} ${text}: ${part}`));
    assert.deepEqual(slow, []);
  });

  it("are looked at by a check that finds slow ones", () => {
    assert.deepEqual(slowParts(String.raw`/^\d+\.?\d*$/`), ["polynomial (Trade)"]);
    assert.deepEqual(slowParts(String.raw`/^(?:\d*\.?\d+[YM])*$/`), ["exponential (Trade)"]);
    assert.deepEqual(slowParts(String.raw`/^\d+(?:\.\d*)?$/`), []);
  });

  it("of intervals refuse a long text at once", () => {
    // each part doubled the time, so that 30 of them took minutes
    assert.equal(intervalOf(`P${"11D".repeat(1000)}!`), undefined);
    assert.equal(intervalOf(`P${"1.5D".repeat(1000)}`), intervalOf("1500 days"));
  });
});

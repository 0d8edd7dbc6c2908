import assert from "node:assert/strict";
import { globSync, statSync } from "node:fs";
import { join } from "node:path";
import { anchorsOf, brokenLink, documents, linksOf, ROOT, textOf } from "./documents.ts";

const ALL = globSync(["*.md", "docs/**/*.md"], { cwd: ROOT }).sort();

describe("a link of a document", () => {
  it("has a line, a path from the root and an anchor", () => {
    const fence = "```";
    const text = `# A\n\n[one](b.md#c-d) and ![two](../x.png)\n${fence}\n[code](no)\n${fence}\n[web](https://a.org#b) [own](#a)\n`;
    assert.deepEqual(linksOf("docs/a.md", text), [
      { line: 3, path: "docs/b.md", anchor: "c-d" },
      { line: 3, path: "x.png", anchor: undefined },
      { line: 7, path: "docs/a.md", anchor: "a" },
    ]);
  });

  it("is broken where no file or heading is", () => {
    const link = { line: 1, path: "README.md", anchor: undefined };
    assert.equal(brokenLink(link), undefined);
    assert.equal(brokenLink({ ...link, anchor: "code-map" }), undefined);
    assert.equal(brokenLink({ ...link, anchor: "nowhere" }), "README.md has no #nowhere");
    assert.equal(brokenLink({ ...link, path: "docs/nothing.md" }), "there is no docs/nothing.md");
    assert.equal(brokenLink({ ...link, path: "../README.md" }), "there is no ../README.md");
  });

  it("leads to a heading as GitHub names it", () => {
    assert.deepEqual([...anchorsOf("# `listen(topic)`, [a](b) & Ä_c\n## Two words\n## Two words\n")], [
      "listentopic-a--ä_c",
      "two-words",
      "two-words-1",
    ]);
  });
});

describe("the documents", () => {
  for (const path of ALL)
    it(`${path}: every relative link and anchor leads somewhere`, () => {
      const broken = linksOf(path).flatMap((link) => {
        const reason = brokenLink(link);
        return reason === undefined ? [] : [`line ${link.line}: ${reason}`];
      });
      assert.deepEqual(broken, []);
    });

  it("are all listed in README.md", () => {
    assert.deepEqual([...documents(), "CHANGELOG.md"].sort(), ALL);
  });

  it("show all existing pictures, which are few and small", () => {
    const pictures = globSync("docs/pictures/*", { cwd: ROOT }).sort();
    const shown = ALL.flatMap((path) => linksOf(path).map((link) => link.path)).filter((path) => /\.webp$/.test(path));
    assert.deepEqual([...new Set(shown)].sort(), pictures);
    assert.ok(pictures.length <= 30);
    for (const path of pictures) assert.ok(statSync(join(ROOT, path)).size < 60_000, `${path} is too large`);
  });

  it("README.md is short", () => {
    assert.ok(textOf("README.md").split("\n").length <= 151, "what is longer belongs into a page of docs/");
  });
});

/** The documents for users, and the targets of their links. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

export const ROOT = join(import.meta.dirname, "../..");

export interface Link {
  readonly line: number;
  /** From the root of the repository. For a link to a place in its own document, that document. */
  readonly path: string;
  readonly anchor: string | undefined;
}

/** The text of `path`, which is relative to the root. */
export function textOf(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

/** The links and pictures of a document, without external ones. */
export function linksOf(path: string, markdown = textOf(path)): Link[] {
  return [...withoutCode(markdown).matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]*))?\)/g)].map((match) => ({
    line: markdown.slice(0, match.index).split("\n").length,
    path: match[1] ? normalize(join(dirname(path), decodeURIComponent(match[1]))) : path,
    anchor: match[2],
  }));
}

/** The anchors that GitHub gives the headings of a document. */
export function anchorsOf(markdown: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ""] of withoutCode(markdown).matchAll(/^#{1,6} (.+)$/gm)) {
    const words = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const anchor = words.replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").replaceAll(" ", "-");
    let unique = anchor;
    for (let count = 1; anchors.has(unique); count++) unique = `${anchor}-${count}`;
    anchors.add(unique);
  }
  return anchors;
}

/** The reason why a link is broken, or undefined. */
export function brokenLink({ path, anchor }: Link): string | undefined {
  if (path.startsWith("..") || !existsSync(join(ROOT, path))) return `there is no ${path}`;
  if (anchor === undefined) return undefined;
  return path.endsWith(".md") && anchorsOf(textOf(path)).has(anchor) ? undefined : `${path} has no #${anchor}`;
}

/**
 * README.md, and then the documents in the order in which it lists them: blocks of a page depend on those before it.
 */
export function documents(): readonly string[] {
  const list = textOf("README.md").indexOf("## Where to read on");
  if (list < 0) throw new Error("README.md does not say where to read on");
  const begin = textOf("README.md").slice(0, list).split("\n").length;
  const pages = linksOf("README.md").filter(({ line, path }) => line >= begin && path.endsWith(".md"));
  return [...new Set(["README.md", ...pages.map(({ path }) => path)])].filter((path) => path !== "CHANGELOG.md");
}

/** Replaces fenced blocks by blanks, since their headings and brackets do not count. Lines keep their numbers. */
function withoutCode(markdown: string): string {
  return markdown.replaceAll(/^```[^]*?^```$/gm, (block) => block.replaceAll(/[^\n]/g, " "));
}

/**
 * The fenced blocks of a document, by their use:
 *
 * - `sh` is pasted into one shell, in order; `sql` goes to `npx portolan psql`.
 * - A block whose first line is a comment with a file name (`// cities.ts`, `-- cities.sql`) is saved under that name.
 * - `ts` without a file name is a declaration, which must compile.
 * - `json` is the answer of the command before, in this shape; `text` has lines of its output, `…` is anything.
 * - `<!-- not run: why -->` before a block: it cannot be run here.
 */
export interface Block {
  readonly line: number;
  readonly language: string;
  readonly text: string;
  /** The file name under which the reader saves it. */
  readonly file: string | undefined;
  /** Why it is not run. */
  readonly notRun: string | undefined;
}

const FENCE = /(?:<!-- not run: ([^>]*?) -->\n\n)?^```(\w*)\n([^]*?)^```$/gm;

export function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(FENCE)].map((match) => {
    const [whole, notRun, language = "", text = ""] = match;
    return {
      line: markdown.slice(0, match.index + whole.indexOf("```")).split("\n").length,
      language,
      text,
      file: /^(?:\/\/|--) ([\w.]+\.\w+)\n/.exec(text)?.[1],
      notRun,
    };
  });
}

/**
 * Whether a value has the shape of the example: the same members and types; for a list, items of the shape of its first
 * one.
 */
export function hasShape(value: unknown, example: unknown): boolean {
  if (Array.isArray(example))
    return (
      Array.isArray(value) &&
      (example.length === 0 || (value.length > 0 && value.every((one) => hasShape(one, example[0]))))
    );
  if (typeof example === "object" && example !== null)
    return (
      typeof value === "object" &&
      value !== null &&
      Object.keys(value).sort().join() === Object.keys(example).sort().join() &&
      Object.entries(example).every(([name, member]) => hasShape((value as Record<string, unknown>)[name], member))
    );
  return typeof value === typeof example && (value === null) === (example === null);
}

/** A line of a `text` block as a pattern; `…` is anything. */
export function lineOf(text: string): RegExp {
  return new RegExp(
    `^${text
      .split("…")
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"))
      .join(".*")}$`,
    "m",
  );
}

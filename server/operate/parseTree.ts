/** PostgreSQL's parse tree of a statement. */
import { parseSync } from "libpg-query";

/** A node of the tree. */
export type Node = Readonly<Record<string, unknown>>;

/** Undefined where the text cannot be parsed. The module of libpg-query must be loaded. */
export function treeOf(text: string): unknown {
  try {
    return parseSync(text);
  } catch {
    return undefined;
  }
}

/** All objects of a tree, each with the name of the member that holds it. */
export function* membersOf(tree: unknown): Generator<readonly [member: string, node: Node]> {
  if (Array.isArray(tree)) for (const each of tree) yield* membersOf(each);
  else if (typeof tree === "object" && tree !== null)
    for (const [member, value] of Object.entries(tree)) {
      if (typeof value === "object" && value !== null && !Array.isArray(value)) yield [member, value as Node];
      yield* membersOf(value);
    }
}

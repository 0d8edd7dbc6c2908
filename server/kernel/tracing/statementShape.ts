/** The shape of a statement without its values, for traces. */
import { scanSync, type ScanToken } from "libpg-query";
import { LRUCache } from "lru-cache";

/** Longer statements are named by their first word only, which saves scanning them. */
const MAX_TEXT = 20_000;
const MAX_SHAPE = 2000;
const COMMENT = /COMMENT$/;

const shapes = new LRUCache<string, string>({ max: 500 });

/**
 * `select * from t where a = 'x' -- y` → `select * from t where a = ?`. Every constant becomes `?`, and comments are
 * left out. A statement that cannot be parsed becomes its first word. libpg-query's module must be loaded.
 */
export function statementShape(text: string): string {
  let shape = shapes.get(text);
  if (shape === undefined) shapes.set(text, (shape = makeShape(text)));
  return shape;
}

/** The first word of a statement, in capitals: `SELECT`. */
export function commandOf(text: string): string {
  return /^[\s(]*([a-z]+)/i.exec(text)?.[1]?.toUpperCase() ?? "SQL";
}

function makeShape(text: string): string {
  if (text.length > MAX_TEXT) return commandOf(text);
  let tokens: readonly ScanToken[];
  try {
    tokens = scanSync(text).tokens;
  } catch {
    return commandOf(text); // PostgreSQL will report the error
  }
  const bytes = Buffer.from(text); // places are counted in bytes
  let shape = "";
  let end = 0;
  for (const token of tokens) {
    if (COMMENT.test(token.tokenName)) continue;
    if (shape !== "" && token.start > end) shape += " ";
    shape += isConstant(token) ? "?" : bytes.toString("utf8", token.start, token.end);
    end = token.end;
  }
  return shape.slice(0, MAX_SHAPE);
}

/** libpg-query has names for the usual ones; `b'1'`, `x'f'` and `U&'x'` are UNKNOWN to it, as keywords are. */
function isConstant({ tokenName, text }: ScanToken): boolean {
  return /^[IFS]CONST$/.test(tokenName) || (tokenName !== "IDENT" && text.includes("'"));
}

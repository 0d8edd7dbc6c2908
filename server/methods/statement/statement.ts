/** The kind of a statement, read by PostgreSQL's own parser: exactly one that returns or writes rows. */
import { setFlagsFromString } from "node:v8";
import { loadModule, parseSync, SqlError } from "libpg-query";
import { LRUCache } from "lru-cache";
import { badInput, GatewayError, SQLSTATE } from "../../ground/errors.ts";
import { lex, type Lexed } from "./lexer.ts";
import { METHOD_LIMITS } from "../limits.ts";

/** A node of PostgreSQL's parse tree: one member, its kind, or the members of that kind. */
export type Tree = { readonly [member: string]: unknown };

export interface Statement {
  /** The text that is sent: `$1`, … for the parameters. */
  readonly text: string;
  /** The same without a semicolon at its end. */
  readonly body: string;
  readonly parameters: readonly string[];
  /** The statement's node, e.g. `{ SelectStmt: {…} }`. */
  readonly tree: Tree;
  /** Whether the statement itself writes or locks rows; a function that it calls may still do so. */
  readonly writes: boolean;
  /** Parameters that PostgreSQL can only read as text: in a select list, without a cast. */
  readonly untyped: ReadonlySet<string>;
  /** Whether it sets a sequence by name, which a rollback does not undo. */
  readonly setsSequence: boolean;
  /** The relations that it names, as they are written: [schema] name. */
  readonly relations: readonly (readonly string[])[];
  /** The relations that it reads. */
  readonly reads: readonly (readonly string[])[];
  readonly lexed: Lexed;
}

export const MAX_STATEMENT_BYTES = METHOD_LIMITS.statementBytes;
const EMPTY = "q: the statement is empty";
const MAX_DEPTH = METHOD_LIMITS.statementDepth;

const KINDS = ["SelectStmt", "InsertStmt", "UpdateStmt", "DeleteStmt", "MergeStmt"] as const;
const WRITING = new Set<string>(["InsertStmt", "UpdateStmt", "DeleteStmt", "MergeStmt"]);

/** The 500 that were used last; each is at most 100,000 bytes of text. */
const cache = new LRUCache<string, Statement>({ max: 500 });

// V8 takes 500 MB for a moment to optimize the parser's largest function, and 60 MB for good, to parse in 0.03 ms instead
// of 0.04. The flags are read when a function is compiled, which is at its first call.
setFlagsFromString("--no-wasm-tier-up");
setFlagsFromString("--no-wasm-dynamic-tiering");

/** Resolves when the parser is loaded. Await it once before the first statement is read. */
export const parserIsReady: Promise<void> = loadModule();

/** Reads `q`. Throws `BAD_USER_INPUT` for anything but one SELECT, VALUES, WITH, INSERT, UPDATE, DELETE or MERGE. */
export function readStatement(q: string): Statement {
  const known = cache.get(q);
  if (known) return known;
  const statement = read(q);
  cache.set(q, statement);
  return statement;
}

/**
 * Reads `q`, which only reads: one SELECT, VALUES, WITH without writing, SHOW, or EXPLAIN of these without ANALYZE. A function
 * that it calls may still write. Throws `BAD_USER_INPUT` for any other.
 */
export function readQuery(q: string): Statement {
  const { lexed, tree, body } = parseOne(q);
  const [kind = ""] = Object.keys(tree);
  const isExplained = kind === "ExplainStmt";
  const explained = (isExplained ? (tree["ExplainStmt"] as Tree)["query"] : tree) as Tree;
  const isRead = "SelectStmt" in explained || (!isExplained && kind === "VariableShowStmt");
  if (!isRead) badInput(`${ONLY_READS}, not ${wordsOf(isExplained ? explained : tree)}`);
  for (const option of isExplained ? listOf((tree["ExplainStmt"] as Tree)["options"]) : [])
    if (String((option["DefElem"] as Tree)["defname"]).toLowerCase() === "analyze")
      badInput(`${ONLY_READS}; EXPLAIN goes without ANALYZE, which would run the statement`);
  const statement = describe(lexed, tree, body);
  if (statement.writes) badInput(`${ONLY_READS}: this statement writes or locks rows`);
  return statement;
}

const ONLY_READS = "sql: must be one SELECT, VALUES, WITH, SHOW, or EXPLAIN of these";

/** PostgreSQL's name of the command: `CopyStmt` is COPY. */
function wordsOf(tree: Tree): string {
  const kind = Object.keys(tree)[0] ?? "";
  return kind
    .replace(/Stmt$/, "")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toUpperCase();
}

function read(q: string): Statement {
  const { lexed, tree, body } = parseOne(q);
  const kind = Object.keys(tree)[0] ?? "";
  if (!(KINDS as readonly string[]).includes(kind))
    return badInput("q: must be a SELECT, VALUES, WITH, INSERT, UPDATE, DELETE or MERGE");
  return describe(lexed, tree, body);
}

/** The one statement of `q`, of any kind. Throws `BAD_USER_INPUT`. */
function parseOne(q: string): { readonly lexed: Lexed; readonly tree: Tree; readonly body: string } {
  if (q.includes("\0")) badInput("q: the statement has a character NUL");
  if (Buffer.byteLength(q) > MAX_STATEMENT_BYTES)
    badInput(`q: the statement is longer than ${MAX_STATEMENT_BYTES} bytes`);
  const lexed = lex(q);
  if (/^[\s;]*$/.test(lexed.text)) badInput(EMPTY);
  if (lexed.positional !== undefined) badInput("q: parameters are written :name, not $1");
  if (lexed.depth > MAX_DEPTH) badInput(`q: parentheses are nested more than ${MAX_DEPTH} deep`);
  const statements = parse(lexed);
  const [first, ...more] = statements;
  if (!first) badInput(EMPTY); // nothing but comments
  if (!first?.stmt || more.length > 0) return badInput(`q: must be one statement, not ${statements.length}`);
  const { stmt: tree, stmt_location: start = 0, stmt_len: length } = first;
  const bytes = Buffer.from(lexed.text);
  return { lexed, tree, body: bytes.toString("utf8", start, length ? start + length : undefined) };
}

/** PostgreSQL's RawStmt. Offsets are in bytes; there is no length where nothing comes after it. */
interface RawStatement {
  readonly stmt?: Tree;
  readonly stmt_location?: number;
  readonly stmt_len?: number;
}

function parse(lexed: Lexed): readonly RawStatement[] {
  try {
    return (parseSync(lexed.text) as { stmts?: RawStatement[] }).stmts ?? [];
  } catch (error) {
    if (error instanceof SqlError || (error as Error).name === "SqlError") {
      const { message, sqlDetails } = error as SqlError;
      const position = lexed.toSource(sqlDetails?.cursorPosition ?? 0) + 1;
      throw new GatewayError("BAD_USER_INPUT", `q: ${message}`, {
        sqlstate: SQLSTATE.syntaxError,
        members: { position },
      });
    }
    return badInput("q: the statement is nested too deep"); // the stack overflow of the parser, or of JSON
  }
}

function describe(lexed: Lexed, tree: Tree, body: string): Statement {
  let writes = WRITING.has(Object.keys(tree)[0] ?? "");
  let setsSequence = false;
  const written: string[][] = [];
  const reads: string[][] = [];
  const withNames = new Set<unknown>();
  const used = new Map<number, { bare: number; all: number }>();
  const use = (number: number): { bare: number; all: number } => {
    let counts = used.get(number);
    if (!counts) used.set(number, (counts = { bare: 0, all: 0 }));
    return counts;
  };
  /** The source of an INSERT's rows: the columns of the table give the types there. */
  const inserted = new Set<unknown>();
  walk(tree, (kind, node) => {
    if (kind === "InsertStmt") inserted.add((node["selectStmt"] as Tree | undefined)?.["SelectStmt"]);
    if (WRITING.has(kind)) {
      writes = true;
      written.push(relationOf((node["relation"] ?? {}) as Tree));
    }
    if (kind === "SelectStmt") {
      if (node["intoClause"]) badInput("q: SELECT INTO makes a table");
      if (node["lockingClause"]) writes = true;
      if (inserted.has(node)) return;
      for (const target of listOf(node["targetList"])) countBare((target["ResTarget"] as Tree)?.["val"], use);
      for (const row of listOf(node["valuesLists"]))
        for (const item of listOf((row["List"] as Tree)?.["items"])) countBare(item, use);
    }
    if (kind === "ParamRef") use(Number(node["number"] ?? 0)).all++;
    if (kind === "RangeVar") reads.push(relationOf(node));
    if (kind === "CommonTableExpr") withNames.add(node["ctename"]);
    if (kind === "FuncCall") setsSequence ||= nameOf(node["funcname"]) === "setval";
  });
  const untyped = lexed.parameters.filter((_name, index) => {
    const { bare, all } = use(index + 1);
    return all > 0 && bare === all;
  });
  return {
    text: lexed.text,
    body,
    parameters: lexed.parameters,
    tree,
    writes,
    untyped: new Set(untyped),
    setsSequence,
    relations: [...written, ...reads],
    reads: reads.filter((parts) => parts.length > 1 || !withNames.has(parts[0])),
    lexed,
  };
}

function relationOf({ schemaname, relname }: Tree): string[] {
  return [schemaname, relname].filter((part) => part !== undefined).map(String);
}

function countBare(value: unknown, use: (number: number) => { bare: number }): void {
  const parameter = (value as Tree | undefined)?.["ParamRef"] as Tree | undefined;
  if (parameter) use(Number(parameter["number"])).bare++;
}

/** Calls `visit` for every node, from the outside in. */
export function walk(node: unknown, visit: (kind: string, node: Tree) => void): void {
  if (typeof node !== "object" || node === null) return;
  for (const [member, value] of Object.entries(node)) {
    if (/^[A-Z]/.test(member) && typeof value === "object" && value !== null && !Array.isArray(value))
      visit(member, value as Tree);
    walk(value, visit);
  }
}

/** The items of a list member, none where it is missing. */
export function listOf(value: unknown): readonly Tree[] {
  return Array.isArray(value) ? (value as Tree[]) : [];
}

/** The last part of a qualified name. */
export function nameOf(value: unknown): string {
  const last = listOf(value).at(-1)?.["String"] as Tree | undefined;
  return String(last?.["sval"] ?? "");
}

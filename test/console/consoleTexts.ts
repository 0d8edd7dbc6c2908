/** The texts of the console, read from its source: those that go through the dictionary, and those that do not. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

const ROOT = join(import.meta.dirname, "../../console/src");

/** Attributes that a person reads or hears. */
const READ =
  /^(title|label|hint|placeholder|aria-(label|valuetext|description)|alt|legend|action|cancel|none|empty|noun|titles|reload|add|fallback)$/;
/** Names that are the same in every language. */
const NAMES =
  /^(Portolan|API|SQL|JSON|CSV|PID|GraphQL|REST|GraphiQL|TypeScript|MapLibre|SLD|null|NULL|public|pairwise|[EPR]S256|UTF-(8|16)|WebSocket|[45]xx|FORBIDDEN|X-Request-Id|NOT NULL|PRIMARY KEY|ms|s|(now|gen_random_uuid)\(\)|schema\.table|404, 5xx|graphql, rest, sql, …|2026-11-27T12:00Z)$/;

export interface ConsoleTexts {
  /** The keys of the dictionary that are used. */
  readonly keys: ReadonlySet<string>;
  /** Texts that a person sees and that no dictionary has, each with its place. */
  readonly bare: readonly string[];
}

export function consoleTexts(): ConsoleTexts {
  const keys = new Set<string>();
  const bare: string[] = [];
  for (const file of readdirSync(ROOT, { recursive: true, encoding: "utf8" }))
    if (/\.tsx?$/.test(file) && !/^words\/|openapi\.ts$/.test(file)) readFile(file, keys, bare);
  return { keys, bare };
}

function readFile(file: string, keys: Set<string>, bare: string[]): void {
  const source = ts.createSourceFile(file, readFileSync(join(ROOT, file), "utf8"), ts.ScriptTarget.Latest, true);
  const tell = (node: ts.Node, text: string): void => {
    const plain = text.trim();
    if (!/\p{L}/u.test(plain) || NAMES.test(plain)) return;
    bare.push(`${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${plain}`);
  };

  /** What an expression shows: literals in it, also those that it chooses between. */
  function readShown(node: ts.Node | undefined): void {
    if (!node) return;
    if (ts.isStringLiteralLike(node)) return tell(node, node.text);
    if (ts.isTemplateExpression(node)) {
      tell(node, [node.head, ...node.templateSpans.map(({ literal }) => literal)].map(({ text }) => text).join(" "));
      return visitAll(node);
    }
    if (ts.isConditionalExpression(node)) {
      visit(node.condition);
      readShown(node.whenTrue);
      return readShown(node.whenFalse);
    }
    if (ts.isBinaryExpression(node)) {
      if (node.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken) visit(node.left);
      else if (!/^(\?\?|\|\||\+)$/.test(node.operatorToken.getText())) return visitAll(node);
      else readShown(node.left);
      return readShown(node.right);
    }
    if (ts.isParenthesizedExpression(node)) return readShown(node.expression);
    if (ts.isArrayLiteralExpression(node)) return node.elements.forEach(readShown);
    visit(node);
  }

  const visitAll = (node: ts.Node): void => ts.forEachChild(node, visit);
  function visit(node: ts.Node): void {
    if (ts.isJsxText(node)) return tell(node, node.text);
    if (ts.isJsxAttribute(node) && READ.test(node.name.getText()))
      return readShown(
        node.initializer && ts.isJsxExpression(node.initializer) ? node.initializer.expression : node.initializer,
      );
    if (ts.isJsxExpression(node) && !ts.isJsxAttribute(node.parent)) return readShown(node.expression);
    if (ts.isNewExpression(node) && /^(Service)?Error$/.test(node.expression.getText()))
      return readShown(node.arguments?.[0]);
    if (ts.isCallExpression(node)) readKeys(node);
    visitAll(node);
  }

  function readKeys({ expression, arguments: given }: ts.CallExpression): void {
    const name = expression.getText();
    if (!/^(t|parts|plural)$/.test(name)) return;
    for (const key of name === "plural" ? given.slice(1, 3) : given.slice(0, 1))
      if (ts.isStringLiteralLike(key)) keys.add(key.text);
      else bare.push(`${file}: ${name}(${key.getText()}) names no text`);
  }
  visit(source);
}

/** Rules of this repository that no linter brings. */
import { TYPE_NAMES } from "./server/types/table.ts";

interface Rule {
  create(context: { report(found: { node: unknown; message: string }): void }): Record<string, (node: unknown) => void>;
}

/** Refuses all that one of the selectors (esquery) finds. */
function refuse(selectors: readonly string[], message: string): Rule {
  return {
    create: (context) =>
      Object.fromEntries(selectors.map((selector) => [selector, (node) => context.report({ node, message })])),
  };
}

/** Names of PostgreSQL's types that are words of something else too. */
const WORDS = new Set([
  ...["text", "name", "oid", "xid", "cid", "date", "time", "timetz", "timestamp", "interval", "json"],
  ...["point", "line", "box", "path", "polygon", "circle", "geometry"],
]);
/** All others that have a row. */
const NAMES = `/^(${TYPE_NAMES.filter((name) => !WORDS.has(name)).join("|")})$/`;

const DOOR =
  "/graphql|\\bogc|oauth(?!-protected)|json-?rpc|websocket|mapserver|console|portolan_(events|map|graphql)/i";

export default {
  meta: { name: "portolan" },
  rules: {
    /** How a type looks and compares is said once, in the table of types. */
    "no-decision-by-type-name": refuse(
      [
        `BinaryExpression > Literal[value=${NAMES}]`,
        `SwitchCase > Literal[value=${NAMES}]`,
        `ArrayExpression > Literal[value=${NAMES}]`,
        `Property > Identifier.key[name=${NAMES}]:not([name="geography"])`,
      ],
      "Ask the row of the type in server/types/table.ts, not its name.",
    ),
    /**
     * V8 puts a function literal that is assigned to a property into the old generation at once. If a request does that, all that the
     * function refers to, usually the request and its answer, stays until the whole heap is collected.
     */
    "no-function-literal-in-property": refuse(
      [
        "AssignmentExpression[left.type='MemberExpression'] > ArrowFunctionExpression.right",
        "AssignmentExpression[left.type='MemberExpression'] > FunctionExpression.right",
        "AssignmentExpression[left.type='MemberExpression'] > TSAsExpression.right > ArrowFunctionExpression",
      ],
      "Give the function a name first, and assign that: see docs/explanations/performance-history.md, Garbage of requests.",
    ),
    /** A door says for itself what the kernel is to do for it: see `Door`. */
    "no-door-in-kernel": refuse(
      [`Literal[value=${DOOR}]`, `TemplateElement[value.raw=${DOOR}]`, `Literal[regex.pattern=${DOOR}]`],
      "The kernel knows no door: let the door hand it over (server/kernel/door.ts).",
    ),
  },
};

import tseslint from "typescript-eslint";
import { TYPE_NAMES } from "./server/types/table.ts";

/** Names of PostgreSQL's types that are words of something else too. */
const WORDS = new Set([
  ...["text", "name", "oid", "xid", "cid", "date", "time", "timetz", "timestamp", "interval", "json"],
  ...["point", "line", "box", "path", "polygon", "circle", "geometry"],
]);
/** All others that have a row. */
const NAMES = `/^(${TYPE_NAMES.filter((name) => !WORDS.has(name)).join("|")})$/`;
const decidesByTypeName = [
  `BinaryExpression > Literal[value=${NAMES}]`,
  `SwitchCase > Literal[value=${NAMES}]`,
  `ArrayExpression > Literal[value=${NAMES}]`,
  `Property > Identifier.key[name=${NAMES}]:not([name="geography"])`,
].map((selector) => ({ selector, message: "Ask the row of the type in server/types/table.ts, not its name." }));

/** A door says for itself what the kernel is to do for it: see `Door`. */
const DOOR =
  "/graphql|\\bogc|oauth(?!-protected)|json-?rpc|websocket|mapserver|console|portolan_(events|map|graphql)/i";
const knowsDoor = [
  `Literal[value=${DOOR}]`,
  `TemplateElement[value.raw=${DOOR}]`,
  `Literal[regex.pattern=${DOOR}]`,
].map((selector) => ({
  selector,
  message: "The kernel knows no door: let the door hand it over (server/kernel/door.ts).",
}));

export default tseslint.config(
  {
    ignores: [
      "node_modules/",
      ".portolan/",
      "dist/",
      "console/dist/",
      "server/pages/assets/",
      "ogc/pages/assets/",
      "test/package/consumer/",
      "**/*.mjs",
      "**/*.cjs",
      "**/*.d.mts",
    ],
  },
  {
    files: ["**/*.ts", "**/*.tsx"],
    extends: [tseslint.configs.base],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: false }],
      "@typescript-eslint/await-thenable": "error",
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
      "@typescript-eslint/only-throw-error": "error",
      "@typescript-eslint/consistent-type-imports": ["error", { fixStyle: "inline-type-imports" }],
      "no-console": "error",
      "no-restricted-properties": [
        "error",
        { object: "process", property: "env", message: "Only server/kernel/config.ts reads the environment." },
      ],
    },
  },
  {
    // how a type looks and compares is said once, in the table of types; what is asked elsewhere are its rows
    files: ["server/**", "ogc/**", "plugins/**"],
    // what is computed has the type that PostgreSQL gives it, which only its name says
    ignores: ["server/types/**", "server/filter/cql2/**", "plugins/aggregates/**"],
    rules: { "no-restricted-syntax": ["error", ...decidesByTypeName] },
  },
  {
    files: ["server/kernel/**", "server/fleet/**"],
    // the options of all doors
    ignores: ["server/kernel/config.ts", "server/kernel/config/**"],
    rules: { "no-restricted-syntax": ["error", ...decidesByTypeName, ...knowsDoor] },
  },
  {
    // a function that is longer does two things, or is a list that deserves a name
    files: ["server/**", "ogc/**", "plugins/**", "console/src/**"],
    rules: { "max-lines-per-function": ["error", { max: 80, skipBlankLines: true, skipComments: true }] },
  },
  {
    // what travels together deserves a name: more parameters are an object
    files: ["server/**", "ogc/**", "plugins/**", "console/src/**", "bench/**", "test/**"],
    rules: { "max-params": ["error", 4] },
  },
  {
    // where the environment is read: the configuration, what starts programs, and tests
    files: ["server/kernel/config.ts", "server/demo/cluster/*.ts", "test/**", "bench/**"],
    rules: { "no-restricted-properties": "off", "no-console": "off" },
  },
);

import { defineConfig } from "oxlint";

export default defineConfig({
  plugins: ["typescript"],
  categories: { correctness: "off" },
  jsPlugins: ["./.lintRules.ts"],
  ignorePatterns: [
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
  rules: {
    "typescript/no-floating-promises": "error",
    "typescript/no-misused-promises": ["error", { checksVoidReturn: false }],
    "typescript/await-thenable": "error",
    "typescript/no-explicit-any": "error",
    "no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
    "typescript/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
    "typescript/only-throw-error": "error",
    "typescript/consistent-type-imports": ["error", { fixStyle: "inline-type-imports" }],
    "no-console": "error",
    "no-restricted-properties": [
      "error",
      { object: "process", property: "env", message: "Only server/kernel/config.ts reads the environment." },
    ],
    "max-params": "off",
  },
  overrides: [
    {
      // a function that is longer does two things, or is a list that deserves a name
      files: ["server/**", "ogc/**", "plugins/**", "console/src/**"],
      rules: { "max-lines-per-function": ["error", { max: 80, skipBlankLines: true, skipComments: true }] },
    },
    {
      // what travels together deserves a name: more parameters are an object
      files: ["server/**", "ogc/**", "plugins/**", "console/src/**", "bench/**", "test/**"],
      rules: { "max-params": ["error", { max: 4 }] },
    },
    {
      // how a type looks and compares is said once, in the table of types; what is asked elsewhere are its rows
      files: ["server/**", "ogc/**", "plugins/**"],
      // what is computed has the type that PostgreSQL gives it, which only its name says
      excludeFiles: ["server/types/**", "server/filter/cql2/**", "plugins/aggregates/**"],
      rules: { "portolan/no-decision-by-type-name": "error" },
    },
    {
      files: ["server/**", "ogc/**", "plugins/**"],
      rules: { "portolan/no-function-literal-in-property": "error" },
    },
    {
      files: ["server/kernel/**", "server/fleet/**"],
      // the options of all doors
      excludeFiles: ["server/kernel/config.ts", "server/kernel/config/**"],
      rules: { "portolan/no-door-in-kernel": "error" },
    },
    {
      // where the environment is read: the configuration, what starts programs, and tests
      files: ["server/kernel/config.ts", "server/demo/cluster/*.ts", "test/**", "bench/**"],
      rules: { "no-restricted-properties": "off", "no-console": "off" },
    },
  ],
});

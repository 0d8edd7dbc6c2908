import tseslint from "typescript-eslint";

export default tseslint.config(
  {
    ignores: [
      "node_modules/",
      ".portolan/",
      "dist/",
      "server/pages/assets/",
      "ogc/pages/assets/",
      "test/package/consumer/",
      "**/*.mjs",
      "**/*.cjs",
      "**/*.d.mts",
    ],
  },
  {
    files: ["**/*.ts"],
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
    // where the environment is read: the configuration, what starts programs, and tests
    files: ["server/kernel/config.ts", "server/demo/cluster/*.ts", "test/**", "bench/**"],
    rules: { "no-restricted-properties": "off", "no-console": "off" },
  },
);

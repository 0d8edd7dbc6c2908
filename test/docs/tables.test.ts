import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { CONSOLE_FORMATS, consoleFormats } from "../support/formatNames.ts";
import { CLIENTS_CHECK_FILE,
  METHOD_LIMITS_FILE, methodLimitsSql, pageOf, TABLE_NAMES, withGrants,
  withTable, type TableName } from "../support/writeDocs.ts";
import { ROOT, textOf } from "./documents.ts";

describe("docs/reference", () => {
  const rows: Readonly<Record<TableName, string>> = {
    options: "| `poolSize` | `POOL_SIZE` | `10` |",
    commands: "| `user create <name>` |",
    errors: "| `LIMIT_EXCEEDED` | 400 |",
    types: "| `numeric` | `String` |",
    operators: "| `ilike` | ",
    functions: "| `events_of(",
    metrics: "| `portolan_pool_connections` | gauge |",
    scenarios: "| Data | adds a row, ",
  };
  for (const name of TABLE_NAMES)
    it(`has the ${name} that the code has (npm run docs)`, () => {
      const page = readFileSync(pageOf(name), "utf8");
      assert.ok(page.includes(`<!-- ${name}: made by npm run docs -->`));
      assert.ok(page.includes(rows[name]));
      assert.equal(withTable(name, page), page);
      const changed = page.replace(rows[name], "| changed |");
      assert.notEqual(withTable(name, changed), changed);
    });
});

describe("docs/reference/metrics.md", () => {
  it("has every metric that the code names", () => {
    const files = globSync("{server,ogc}/**/*.ts", { cwd: ROOT }).map(textOf);
    const named = files.flatMap((text) => [...text.matchAll(/(?:name: |gauge\(\s*|counter\(\s*|\[\s*)"(portolan_\w+)"/g)]);
    const page = textOf("docs/reference/metrics.md");
    assert.ok(named.length > 40);
    assert.deepEqual(
      named.map(([, name]) => `| \`${name!}\` |`).filter((cell) => !page.includes(cell)),
      [],
    );
  });
});

describe("console/src/service/rows/rowFormats.ts", () => {
  it("has the formats that the service has (npm run docs)", async () => {
    assert.equal(readFileSync(CONSOLE_FORMATS, "utf8"), await consoleFormats());
  });
});

describe("sql/oauth/tg_clients__check.sql", () => {
  it("has the grants that the token endpoint has (npm run docs)", () => {
    const text = readFileSync(CLIENTS_CHECK_FILE, "utf8");
    assert.equal(text, withGrants(text));
  });
});

describe("sql/methods/method_limits.sql", () => {
  it("has the limits that REST goes by (npm run docs)", () => {
    assert.equal(readFileSync(METHOD_LIMITS_FILE, "utf8"), methodLimitsSql());
  });
});

describe("docs/dependencies.md", () => {
  it("says why each dependency is there", () => {
    const reasons = textOf("docs/dependencies.md");
    const { dependencies, devDependencies } = JSON.parse(textOf("package.json")) as Record<
      string,
      Record<string, string>
    >;
    for (const name of Object.keys({ ...dependencies, ...devDependencies }))
      assert.ok(reasons.includes(`\`${name}\``), `${name} has no reason`);
  });
});

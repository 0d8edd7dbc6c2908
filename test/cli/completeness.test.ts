import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { createApp, DOORS, type App } from "../../server/app.ts";
import { makeProgram } from "../../server/cli/program.ts";
import { makeConfig } from "../../server/kernel/config.ts";
import { methodsOf } from "../../server/kernel/http/routes.ts";
import { createLog } from "../../server/ground/log.ts";
import { command } from "../support/commands.ts";

const ROOT = join(import.meta.dirname, "../..");

/** Operations of REST, and the command that does the same. */
const COMMANDS: Readonly<Record<string, string>> = {
  "GET /users": "user list",
  "POST /users": "user create",
  "GET /users/{names}": "user list",
  "PATCH /users/{names}": "user change",
  "DELETE /users/{names}": "user remove",
  "POST /users/{names}/link": "user invite",
  "POST /users/{names}/invitation": "user invite",
  "POST /users/{name}/verification": "user verify",
  "DELETE /users/{names}/lockout": "user unlock",
  "GET /clients": "client list",
  "POST /clients": "client add",
  "GET /clients/{names}": "client list",
  "PATCH /clients/{names}": "client change",
  "DELETE /clients/{names}": "client remove",
  "POST /clients/{names}/secret": "client secret",
  "GET /registration-tokens": "client registration-tokens",
  "POST /registration-tokens": "client registration-token",
  "DELETE /registration-tokens/{id}": "client remove-registration-token",
  "GET /sessions": "session list",
  "DELETE /sessions/{id}": "session remove",
  "GET /factors": "factor list",
  "DELETE /users/{names}/factors": "factor reset",
  "GET /identities": "identity list",
  "POST /identities": "identity add",
  "DELETE /identities/{id}": "identity remove",
  "GET /consents": "consent list",
  "DELETE /consents/{account}/{client}": "consent remove",
  "GET /agents": "agent list",
  "GET /agents/{id}/requests": "agent requests",
  "DELETE /agents/{id}": "agent end",
  "GET /rules": "rule list",
  "POST /rules": "rule add",
  "GET /rules/{names}": "rule list",
  "PATCH /rules/{names}": "rule change",
  "DELETE /rules/{names}": "rule remove",
  "POST /access/explain": "explain-access",
  "POST /access/see": "token",
  "DELETE /access/see/{account}": "token",
  "GET /schemas/{schema}/tables": "table list",
  "GET /schemas/{schema}/tables/{table}": "table list",
  "GET /schemas/{schema}/privileges": "privilege list",
  "GET /schemas/{schema}/tables/{table}/privileges": "privilege list",
  "PATCH /schemas/{schema}/tables/{table}/privileges": "privilege set",
  "GET /schemas/{schema}/column-privileges": "privilege columns",
  "GET /schemas/{schema}/tables/{table}/column-privileges": "privilege columns",
  "PATCH /schemas/{schema}/tables/{table}/column-privileges": "privilege set-columns",
  "GET /schemas/{schema}/tables/{table}/authentication": "authentication show",
  "PATCH /schemas/{schema}/tables/{table}/authentication": "authentication set",
  "GET /schemas/{schema}/tables/{table}/versioning": "versioning list",
  "PATCH /schemas/{schema}/tables/{table}/versioning": "versioning enable",
  "GET /schemas/{schema}/tables/{table}/history": "history",
  "GET /schemas/{schema}/tables/{table}/diff": "versioning diff",
  "POST /schemas/{schema}/tables/{table}/restore": "restore",
  "POST /schemas/{schema}/tables/{table}/undo": "undo-import",
  "GET /schemas/{schema}/tables/{table}/comments": "comment list",
  "POST /schemas/{schema}/tables/{table}/comments": "comment add",
  "PATCH /schemas/{schema}/tables/{table}/comments/{id}": "comment change",
  "DELETE /schemas/{schema}/tables/{table}/comments/{id}": "comment remove",
  "POST /schemas/{schema}/tables/{table}/import": "import",
  "POST /import/preview": "import",
  "GET /schemas/{schema}/tables/{table}/rows": "rows",
  "POST /schemas/{schema}/tables/{table}/rows": "rows",
  "POST /schemas/{schema}/tables/{table}/rows/replace": "replace",
  "GET /schemas/{schema}/tables/{table}/events": "events list",
  "PATCH /schemas/{schema}/tables/{table}/events": "events enable",
  "GET /schemas/{schema}/tables/{table}/shards": "table shards",
  "PATCH /schemas/{schema}/tables/{table}/shards": "table distribute",
  "GET /schemas/{schema}/tables/{table}/style": "style show",
  "PATCH /schemas/{schema}/tables/{table}/style": "style set",
  "GET /schemas/{schema}/tables/{table}/styles": "style list",
  "POST /schemas/{schema}/tables/{table}/styles": "style import",
  "GET /schemas/{schema}/tables/{table}/styles/{style}": "style show",
  "PATCH /schemas/{schema}/tables/{table}/styles/{style}": "style default",
  "DELETE /schemas/{schema}/tables/{table}/styles/{style}": "style remove",
  "GET /schemas/{schema}/tables/{table}/workflow": "workflow list",
  "PATCH /schemas/{schema}/tables/{table}/workflow": "workflow enable",
  "POST /schemas/{schema}/tables": "table change",
  "PATCH /schemas/{schema}/tables/{table}": "table change",
  "DELETE /schemas/{schema}/tables/{table}": "table change",
  "POST /schemas/{schema}/tables/{table}/columns": "table change",
  "PATCH /schemas/{schema}/tables/{table}/columns/{column}": "table change",
  "DELETE /schemas/{schema}/tables/{table}/columns/{column}": "table change",
  "POST /schemas/{schema}/tables/{table}/indices": "table change",
  "DELETE /schemas/{schema}/tables/{table}/indices/{index}": "table change",
  "POST /schemas/{schema}/tables/{table}/constraints": "table change",
  "DELETE /schemas/{schema}/tables/{table}/constraints/{constraint}": "table change",
  "PUT /schemas/{schema}/tables/{table}/comment": "table change",
  "POST /schemas/{schema}/types": "table change",
  "PATCH /schemas/{schema}/types/{type}": "table change",
  "DELETE /schemas/{schema}/types/{type}": "table change",
  "GET /schemas/{schema}/tables/{table}/indices": "table indices",
  "GET /schemas/{schema}/tables/{table}/constraints": "table constraints",
  "GET /schemas/{schema}/types": "table types",
  "GET /workflow": "workflow waiting",
  "GET /schemas/{schema}/tables/{table}/workflow/rows": "workflow rows",
  "POST /schemas/{schema}/tables/{table}/workflow/rows": "workflow move",
  "GET /schemas/{schema}/tables/{table}/workflow/shapes": "workflow shapes",
  "GET /schemas/{schema}/tables/{table}/classes": "style classes",
  "GET /queries": "query list",
  "POST /queries": "query add",
  "GET /queries/{names}": "query show",
  "PATCH /queries/{names}": "query change",
  "DELETE /queries/{names}": "query remove",
  "GET /queries/{name}/versions": "query versions",
  "POST /queries/{name}/restore": "query restore",
  "GET /dashboards": "dashboard list",
  "POST /dashboards": "dashboard add",
  "GET /dashboards/{names}": "dashboard show",
  "PATCH /dashboards/{names}": "dashboard change",
  "DELETE /dashboards/{names}": "dashboard remove",
  "GET /dashboards/{name}/versions": "dashboard versions",
  "POST /dashboards/{name}/restore": "dashboard restore",
  "GET /views": "view list",
  "POST /views": "view add",
  "GET /views/{names}": "view show",
  "PATCH /views/{names}": "view change",
  "DELETE /views/{names}": "view remove",
  "GET /views/{name}/versions": "view versions",
  "POST /views/{name}/restore": "view restore",
  "GET /maps": "map list",
  "POST /maps": "map add",
  "GET /maps/{names}": "map show",
  "PATCH /maps/{names}": "map change",
  "DELETE /maps/{names}": "map remove",
  "GET /maps/{name}/versions": "map versions",
  "POST /maps/{name}/restore": "map restore",
  "GET /rasters": "raster list",
  "POST /rasters": "raster add",
  "GET /rasters/{names}": "raster list",
  "PATCH /rasters/{names}": "raster change",
  "DELETE /rasters/{names}": "raster remove",
  "GET /jobs": "jobs list",
  "GET /pyramids": "tiles list",
  "POST /pyramids": "tiles seed",
  "DELETE /pyramids/{id}": "tiles remove",
  "GET /jobs/{id}": "jobs list",
  "PATCH /jobs/{id}": "jobs continue",
  "DELETE /jobs/{id}": "jobs stop",
  "GET /configuration": "export",
  "POST /configuration": "apply",
  "GET /audit": "audit",
  "GET /fleet": "fleet",
  "GET /doctor": "doctor",
  "GET /sizes": "table sizes",
  "GET /statistics": "statistics",
  "GET /requests": "requests",
  "GET /requests/{id}": "request",
  "GET /statements": "statement list",
  "GET /statements/top": "statement top",
  "DELETE /statements/{pid}": "statement cancel",
  "GET /extensions": "extension list",
  "GET /schemas/{schema}/code-owners": "code-owners",
  "GET /schemas/{schema}/tables/{table}/code-owners": "code-owners",
  "GET /openapi.json": "routes",
  "GET /methods": "method list",
  "POST /methods": "method add",
  "GET /methods/{names}": "method list",
  "PATCH /methods/{names}": "method change",
  "DELETE /methods/{names}": "method remove",
  "GET /interfaces": "interfaces",
};

/** Operations for accounts alone: an operator at the command line has psql. */
const FOR_ACCOUNTS = ["GET /schemas", "POST /call", "POST /call/dry", "POST /sql", "POST /methods/dry"];

/** SQL functions for super users that no command needs by name. */
const WITHIN_OTHERS: Readonly<Record<string, string>> = {
  enable_events: "switching() puts its name together",
  enable_versioning: "switching() puts its name together",
  enable_workflow: "switching() puts its name together",
  index_advice: "statement top",
  is_versioned: "versioning list",
  relation_of: "a relation by schema and name, for REST",
  schema_code_owners: "code-owners, of one relation",
  try_index: "statement top",
};

/** The description of a command that lists rows. */
const PRINTS_ROWS =
  /^(all|every|browsers|running|the (gateways|privileges|databases|versions|level|log|tables|number)|statements|requests) /;

function* leavesOf(command: Command, words = ""): Generator<[words: string, leaf: Command]> {
  for (const one of command.commands) {
    const path = `${words} ${one.name()}`.trim();
    if (one.commands.length === 0) yield [path, one];
    else yield* leavesOf(one, path);
  }
}

describe("the command line has everything that the other doors have", () => {
  const leaves = new Map(leavesOf(makeProgram()));
  let app: App;
  const portolan = (...args: string[]) => command(args);

  before(async () => {
    app = await createApp({
      config: makeConfig({}),
      databases: [],
      baseUrl: "http://localhost",
      log: createLog("silent"),
    });
  });
  after(() => app.close());

  it("a command for each operation of REST", () => {
    const operations = DOORS.filter((door) => door === "management" || door === "methods").flatMap((door) =>
      app.doors[door].routes.flatMap((route) =>
        methodsOf(route)
          .filter((method) => method !== "HEAD")
          .map((method) => `${method} ${route.path.replace(/^\/api\/v4/, "")}`),
      ),
    );
    const missing = operations.filter((one) => COMMANDS[one] === undefined && !FOR_ACCOUNTS.includes(one));
    assert.deepEqual(missing, [], "name its command in COMMANDS");
    for (const [operation, command] of Object.entries(COMMANDS)) {
      assert.ok(operations.includes(operation), `there is no ${operation}`);
      assert.ok(leaves.has(command), `there is no ${command}`);
    }
  });

  it("a command for each SQL function of super users", () => {
    const rights = readFileSync(join(ROOT, "sql/access/wanted_rights.sql"), "utf8");
    const [, list = ""] = /select 'owner', unnest\('\{(.*?)\}'::name\[\]\)/s.exec(rights) ?? [];
    const functions = list.split(",").map((name) => name.trim());
    assert.ok(functions.length > 30);
    const sources = globSync(join(ROOT, "server/cli/*.ts"))
      .map((file) => readFileSync(file, "utf8"))
      .join("\n");
    const missing = functions.filter(
      (name) => !sources.includes(`portolan.${name}`) && WITHIN_OTHERS[name] === undefined,
    );
    assert.deepEqual(missing, []);
  });

  it("--json on every list", () => {
    const without = [...leaves]
      .filter(([words, leaf]) => /(^| )(list|show|diff|check)$/.test(words) || PRINTS_ROWS.test(leaf.description()))
      .filter(([, leaf]) => !leaf.options.some(({ long }) => long === "--json"))
      .map(([words]) => words);
    assert.deepEqual(without, []);
  });

  it("shells complete commands and options", () => {
    const completion = portolan("completion", "bash").stdout;
    const complete = (...words: string[]): string[] => {
      const script = `${completion}
COMP_WORDS=(portolan "$@"); COMP_CWORD=$#; _portolan; printf '%s\\n' "\${COMPREPLY[@]}"`;
      const { status, stdout, stderr } = spawnSync("bash", ["-c", script, "bash", ...words], { encoding: "utf8" });
      assert.equal(status, 0, stderr);
      return stdout.trim().split("\n");
    };
    assert.deepEqual(complete("us"), ["user"]);
    assert.deepEqual(complete("user", "un"), ["unlock"]);
    assert.deepEqual(complete("user", "create", "ann", "--em"), ["--email"]);
    assert.deepEqual(complete("completion", "z"), ["zsh"]);
    assert.ok(complete("").includes("migrate"));
    const { status, stderr } = portolan("completion", "tcsh");
    assert.equal(status, 1);
    assert.match(stderr, /Allowed choices are bash, zsh, fish/);
  });
});

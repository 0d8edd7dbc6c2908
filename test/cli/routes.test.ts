import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DOORS } from "../../server/app.ts";
import { command } from "../support/commands.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { programEnv } from "../support/programEnv.ts";

const CLI = join(import.meta.dirname, "../../server/setup/portolan.mjs");

interface Row {
  readonly path: string;
  readonly methods: readonly string[];
  readonly door: string;
  readonly body_limit: number | null;
  readonly summary: string;
}

describe("portolan routes", () => {
  let directory: string;
  let gateway: TestGateway;
  /** Runs in an empty folder, with a database that cannot be reached. */
  function routes(args: readonly string[], env: Record<string, string> = {}) {
    return command(["routes", ...args], {
      cwd: directory,
      env: { DATABASE_URL: "postgres://nobody@127.0.0.1:1/nothing", ...env },
    });
  }

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), "portolan-routes-"));
    gateway = await testGateway({ config: { mcp: true } });
  });
  after(async () => {
    await gateway.close();
    rmSync(directory, { recursive: true });
  });

  it("--json has every route, as a gateway answers it, and needs neither a gateway nor a database", async () => {
    const { status, stdout, stderr } = routes(["--json"], { MAX_BODY_BYTES: "2000000", MCP: "true" });
    assert.deepEqual([status, stderr], [0, ""]);
    const rows = JSON.parse(stdout) as Row[];
    assert.deepEqual([...new Set(rows.map(({ door }) => door))], [...DOORS]);
    for (const { path, methods, summary } of rows) {
      if (/\/items(\/\{featureId\})?$/.test(path)) {
        assert.deepEqual(
          methods,
          path.endsWith("items") ? ["GET", "HEAD", "POST"] : ["GET", "HEAD", "PUT", "PATCH", "DELETE"],
        );
        continue; // which of them who may use: editing.test.ts of the OGC API
      }
      const { headers } = await gateway.http.options(path.replaceAll(/\{\w+\}|\*/g, "x")).expect(204);
      assert.equal(headers["allow"], [...methods, "OPTIONS"].join(", "), path);
      assert.ok(summary.length > 3, path);
    }
    const of = (wanted: string) => rows.find(({ path }) => path === wanted);
    assert.deepEqual(of("/api/v4/users"), {
      path: "/api/v4/users",
      methods: ["GET", "HEAD", "POST"],
      door: "management",
      body_limit: 2_000_000,
      summary: "All accounts",
    });
    assert.equal(of("/ping")?.body_limit, null);
    assert.deepEqual(of("/auth")?.methods, ["GET", "POST"], "HEAD would take the code");
  });

  it("writes columns for people, and refuses an option that is wrong as start does", () => {
    const { stdout } = routes([]);
    assert.match(stdout, /^path +methods +door +body_limit +summary\n/);
    assert.match(stdout, /^\/api\/v4\/call +POST +methods +10000000 +Call stored methods/m);
    const wrong = routes([], { MAX_BODY_BYTES: "many" });
    assert.equal(wrong.status, 1);
    assert.match(wrong.stderr, /MAX_BODY_BYTES/);
  });

  it("ends in silence when its reader has seen enough", () => {
    const { stdout, stderr } = spawnSync("sh", ["-c", `'${process.execPath}' '${CLI}' routes | head -n 1`], {
      cwd: directory,
      env: { ...programEnv(), DATABASE_URL: "postgres://nobody@127.0.0.1:1/nothing" },
      encoding: "utf8",
      timeout: 60_000,
    });
    assert.match(stdout, /^path .*\n$/);
    assert.equal(stderr, "");
  });
});

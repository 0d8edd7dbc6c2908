import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { databaseNameOf, readConnectionString, withLogin } from "../../server/kernel/connectionString.ts";
import { ConfigError, describeOptions, loadConfig, makeConfig } from "../../server/kernel/config.ts";

describe("configuration", () => {
  let directory: string;
  beforeEach(() => (directory = mkdtempSync(join(tmpdir(), "portolan-config-"))));
  afterEach(() => rmSync(directory, { recursive: true }));

  async function problems(env: Record<string, string>, file?: string): Promise<readonly string[]> {
    if (file !== undefined) writeFileSync(join(directory, "graphile.config.ts"), file);
    return loadConfig({ env, directory }).then(
      () => [],
      (error: unknown) => {
        assert.ok(error instanceof ConfigError, String(error));
        return error.problems;
      },
    );
  }

  it("has the contract's defaults", async () => {
    const config = await loadConfig({ env: {}, directory });
    assert.deepEqual([config.host, config.port, config.databases], ["127.0.0.1", 7575, []]);
    assert.deepEqual([config.defaultLimit, config.maxLimit, config.maxDepth, config.maxAliases], [100, 10_000, 12, 30]);
  });

  it("reads graphile.config.ts, and the environment overrides it", async () => {
    writeFileSync(
      join(directory, "graphile.config.ts"),
      "const port: number = 8000; export default { plugins: [{ name: 'MyPlugin' }], portolan: { port, host: '::1', poolSize: 3 } };",
    );
    const config = await loadConfig({ env: { PORT: "8001", POOL_SIZE: "" }, directory });
    assert.deepEqual([config.port, config.host, config.poolSize], [8001, "::1", 3]);
    assert.deepEqual(config.preset.plugins, [{ name: "MyPlugin" }]);
  });

  it("takes each option of the OGC API from the environment too, over those of the file", async () => {
    writeFileSync(
      join(directory, "graphile.config.ts"),
      "export default { portolan: { ogc: { crsForms: 'uri', mapCrs: 'storage' } } };",
    );
    const env = { OGC_CRS_FORMS: "all", OGC_MAP_COLLECTIONS: "7", OGC_CRS: "25832, 3035", OGC_ANTIMERIDIAN: "" };
    const { ogc } = await loadConfig({ env, directory });
    assert.deepEqual(
      [ogc.crsForms, ogc.mapCollections, ogc.crs, ogc.mapCrs, ogc.antimeridian],
      ["all", 7, [25832, 3035], "storage", "reject"],
    );
    assert.equal(makeConfig().ogc.mapCollections, 50);
    const contact = { name: "The atlas office", email: "atlas@example.org" };
    assert.deepEqual(
      (await loadConfig({ env: { OGC_CONTACT: JSON.stringify(contact) }, directory })).ogc.contact,
      contact,
    );
    const bad = {
      ...{
        OGC_MAP_COLLECTIONS: "0",
        OGC_CRS: "x",
        OGC_CRS_FORMS: "some",
        OGC_CONTACT: '{"url": "javascript:alert(1)"}',
      },
      ...{
        OGC_LICENSE: "CC0",
        OGC_LOGO: "logo.png",
        OGC_BASE_MAP: '{"url": "https://tiles.example/", "attribution": "A"}',
      },
    };
    const wrong = (await problems(bad)).join("\n");
    for (const name of ["mapCollections", "crs", "crsForms", "contact", "license", "logo", "baseMap"])
      assert.ok(wrong.includes(`portolan.ogc.${name}`), wrong);
  });

  it("reads trusted owners and functions, with the types of their arguments", async () => {
    const { authors, trustedOwners, trustedFunctions, ownConnections } = await loadConfig({ env: {}, directory });
    assert.deepEqual([authors, trustedOwners, trustedFunctions, ownConnections], ["login", [], [], 30]);
    const config = await loadConfig({
      env: { TRUSTED_OWNERS: "gis, land_office", TRUSTED_FUNCTIONS: 'app.f(int, "my app".t), app.g() app."h i"(text)' },
      directory,
    });
    assert.deepEqual(config.trustedOwners, ["gis", "land_office"]);
    assert.deepEqual(config.trustedFunctions, ['app.f(int, "my app".t)', "app.g()", 'app."h i"(text)']);
    const wrong = "portolan.trustedFunctions.0: must be functions with schema and types: app.area(integer, text)";
    for (const text of ["app.f", "f(int)", "app.f, app.g()"])
      assert.deepEqual(await problems({ TRUSTED_FUNCTIONS: text }), [
        wrong.replace("portolan.trustedFunctions", "TRUSTED_FUNCTIONS"),
      ]);
    assert.match(String(await problems({ AUTHORS: "all" })), /AUTHORS: .*login/);
  });

  it("reads connection strings with several servers, as libpq does", () => {
    const servers = (url: string) => {
      const { servers, wanted } = readConnectionString(url);
      return [wanted, ...servers.map(({ host, port }) => `${host} ${port}`)];
    };
    assert.deepEqual(servers("postgres://u:p@h1:5432,h2:5433/db"), ["read-write", "h1 5432", "h2 5433"]);
    assert.deepEqual(servers("postgres://h1,[::1]:6/db?target_session_attrs=any"), ["any", "h1 undefined", "::1 6"]);
    assert.deepEqual(servers("postgres:///db?host=/run/a,/run/b&port=5433"), [
      "read-write",
      "/run/a 5433",
      "/run/b 5433",
    ]);
    assert.deepEqual(servers("postgres://h1/db?target_session_attrs=standby"), ["standby", "h1 undefined"]);
    const { servers: both, urlOf } = readConnectionString("postgres://u:p%40@h1:1,%2Frun%2Fpg:2/db?sslmode=require");
    assert.deepEqual(both.map(urlOf), [
      "postgres://u:p%40@localhost/db?host=h1&port=1&sslmode=require",
      "postgres://u:p%40@localhost/db?host=%2Frun%2Fpg&port=2&sslmode=require",
    ]);
    assert.equal(
      withLogin("postgres://u:p@h1:1,h2:2/db?user=x&sslmode=require", "ann@db", "a/b"),
      "postgres://ann%40db:a%2Fb@h1:1,h2:2/db?sslmode=require",
    );
    assert.equal(databaseNameOf("postgres://u@h1:1,h2:2/my%20db"), "my db");
  });

  it("reports an error in a list of servers without showing a password", async () => {
    for (const [url, reason] of [
      ["postgres://u:secret@h1:1,h2:x/db", /"x" is no port/],
      ["postgres://u:secret@h1:1,/db", /empty host/],
      ["postgres://u:secret@/db?host=a,b,c&port=1,2", /names 3 hosts and 2 ports/],
      ["postgres://u:secret@h1,h2/db?target_session_attrs=master", /must be one of any, read-write, primary, standby/],
      ["mysql://u:secret@h1/db", /must be a postgres:/],
    ] as const) {
      const [problem = "", ...others] = await problems({ DATABASE_URL: url });
      assert.match(problem, reason);
      assert.deepEqual([problem.includes("sec"), others], [false, []]);
    }
  });

  it("requires a direct URL with a pooler in transaction mode, and refuses one without", async () => {
    const url = "postgres://u@pooler/city";
    const direct = "postgres://u@db/city";
    assert.match(
      (await problems({ DATABASE_URL: url, POOLER: "transaction" })).join(),
      /^DIRECT_DATABASE_URL: POOLER=transaction needs it/,
    );
    assert.match(
      (await problems({ DATABASE_URL: url, DIRECT_DATABASE_URL: direct })).join(),
      /needs POOLER=transaction/,
    );
    assert.match((await problems({ DATABASE_URL: url, POOLER: "session" })).join(), /^POOLER/);
    const env = { DATABASE_URL: url, DIRECT_DATABASE_URL: direct, POOLER: "transaction" };
    const { databases } = await loadConfig({ env, directory });
    assert.deepEqual(databases, [{ name: "city", url: direct, ownerUrl: direct, pooledUrl: url }]);
  });

  it("names a database as its connection string does", () => {
    assert.equal(databaseNameOf("postgres://u:p@host:5432/city"), "city");
    assert.equal(databaseNameOf("postgres:///city?host=/run/postgresql"), "city");
    assert.equal(databaseNameOf("postgres://me@%2Frun%2Fpg:7432/my%20db"), "my db");
    assert.equal(databaseNameOf("postgres://me@host"), "me");
  });

  it("names unknown variables that look like options, and ignores foreign ones", async () => {
    const { warnings } = await loadConfig({
      env: {
        PATH: "/bin",
        HOSTNAME: "x",
        PORTS: "1",
        MAP_STYLE: "x",
        PORTOLAN_PG_BIN: "/bin",
        POOL_SIZE: "3",
        POOLSIZE: "3",
        DATABSE_URL: "postgres://h/x",
        GRAPHQL_MAX_DEPHT: "9",
        PORTOLAN_SCHEMA: "town",
        PORTOLAN_COLOUR: "red",
      },
      directory,
    });
    assert.deepEqual(warnings, [
      "POOLSIZE: there is no such variable, did you mean POOL_SIZE?",
      "DATABSE_URL: there is no such variable, did you mean DATABASE_URL?",
      "GRAPHQL_MAX_DEPHT: there is no such variable, did you mean GRAPHQL_MAX_DEPTH?",
      "PORTOLAN_SCHEMA: there is no such variable, did you mean PORTOLAN_SCHEMAS?",
      "PORTOLAN_COLOUR: there is no such variable",
    ]);
  });

  it("reads values that are not text as JSON from the environment", async () => {
    const issuers = [{ issuer: "https://id.example.org", jwksUri: "https://id.example.org/keys", audience: ["us"] }];
    const env = { DATABASES: '{"a": "postgres://h/x"}', ISSUERS: JSON.stringify(issuers) };
    const config = await loadConfig({ env, directory });
    assert.deepEqual(
      config.databases.map(({ name, url }) => [name, url]),
      [["a", "postgres://h/x"]],
    );
    assert.deepEqual(config.issuers, [{ ...issuers[0], account: "sub" }]);
    assert.deepEqual(await problems({ DATABASES: "{", ISSUERS: "[1]" }), [
      "DATABASES: must be JSON",
      "ISSUERS.0: must be an object",
    ]);
  });

  it("takes several databases", () => {
    const { databases } = makeConfig({
      databases: { a: "postgres://h/x", b: { url: "postgres://h/y", ownerUrl: "postgres://o@h/y" } },
    });
    assert.deepEqual(databases, [
      { name: "a", url: "postgres://h/x", ownerUrl: "postgres://h/x" },
      { name: "b", url: "postgres://h/y", ownerUrl: "postgres://o@h/y" },
    ]);
  });

  it("reports all problems together, each under the name that the user wrote", async () => {
    const found = await problems(
      {
        PORT: "99999",
        BASE_URL: "ftp://x",
        DATABASE_URL: "mysql://x",
        TRUSTED_PROXIES: "10.0.0.0/8, 10.0.0.0/99, nonsense",
      },
      "export default { portolan: { poolSize: 0, pool: 3, tlsCert: '/no/such/file', logLevel: 'loud' } };",
    );
    const text = found.join("\n");
    for (const name of [
      "PORT",
      "BASE_URL",
      "DATABASE_URL",
      "TRUSTED_PROXIES.1",
      "TRUSTED_PROXIES.2",
      "portolan.poolSize",
      "portolan.pool:",
      "portolan.tlsCert",
      "portolan.logLevel",
    ])
      assert.ok(text.includes(name), `${name} is missing in:\n${text}`);
    assert.equal(found.length, 9, text);
  });

  it("refuses options that contradict each other", async () => {
    assert.match(
      (await problems({ OWNER_DATABASE_URL: "postgres://x/y" })).join(),
      /OWNER_DATABASE_URL: needs DATABASE_URL/,
    );
    assert.match((await problems({ TLS_CERT: import.meta.filename })).join(), /one needs the other/);
    assert.match(
      (
        await problems(
          { DATABASE_URL: "postgres://x/y" },
          "export default { portolan: { databases: { a: 'postgres://h/a' } } }",
        )
      ).join(),
      /give one of them/,
    );
  });

  for (const [what, text] of [
    ["is no TypeScript", "export default {"],
    ["throws", "throw new Error('no luck')"],
    ["has no preset", "export const x = 1"],
  ] as const)
    it(`says so when graphile.config.ts ${what}`, async () => {
      const [problem, ...more] = await problems({}, text);
      assert.match(problem ?? "", /graphile\.config\.ts cannot be read: ./);
      assert.deepEqual(more, []);
    });

  it("documents every option", () => {
    for (const { name, doc } of describeOptions()) assert.ok(doc.endsWith("."), name);
  });
});

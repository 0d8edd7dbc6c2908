import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as tlsConnect } from "node:tls";
import { decodeJwt } from "jose";
import supertest from "supertest";
import { certificateFindings } from "../../server/operate/certificate.ts";
import { makeCertificate } from "../support/certificate.ts";
import { command } from "../support/commands.ts";
import { testDatabase, type TestDatabase } from "../support/databases.ts";
import { until } from "../support/events.ts";
import { GatewayProcess } from "../support/process.ts";
import { programEnv } from "../support/programEnv.ts";
import { ready } from "../support/ready.ts";

const CLI = join(import.meta.dirname, "../../server/setup/portolan.mjs");

describe("the command portolan", () => {
  let directory: string;
  let database: TestDatabase;
  /** Runs a command to its end in an empty working directory. */
  function portolan(args: readonly string[], env: Record<string, string> = {}, input?: string) {
    return command(args, {
      cwd: directory,
      env: { DATABASE_URL: database.gatewayUrl, OWNER_DATABASE_URL: database.url, ...env },
      ...(input !== undefined && { input }),
    });
  }

  /** From the sources, where each module tells by its address what it is: the built program has the same in few files. */
  function fromSources(args: readonly string[], env: Readonly<Record<string, string>>) {
    return spawnSync(process.execPath, [join(import.meta.dirname, "../../server/cli/main.ts"), ...args], {
      cwd: directory,
      env: { ...programEnv(), DATABASE_URL: database.gatewayUrl, OWNER_DATABASE_URL: database.url, ...env },
      encoding: "utf8",
    });
  }

  before(async () => {
    database = await testDatabase();
    directory = mkdtempSync(join(tmpdir(), "portolan-cli-"));
    chmodSync(directory, 0o755);
  });

  after(async () => {
    await database.drop();
    rmSync(directory, { recursive: true });
  });

  it("migrate brings the database up to date and reports it; with --check it reports what it would do, and exits with 1 if there is something", async () => {
    const check = () => portolan(["migrate", "--check"]);
    const all = check();
    assert.equal(all.status, 1, all.stderr);
    assert.match(all.stdout, /: [1-9]\d* migrations, [1-9]\d* code files to apply\n {2}migrations\/000001\.sql\n/);
    const { rows } = await database.client.query("select to_regnamespace('portolan') as schema");
    assert.equal(rows[0].schema, null);
    assert.match(portolan(["migrate"]).stdout, /: [1-9]\d* migrations, \d+ code files applied\n/);
    assert.match(
      portolan(["migrate", "--repair-roles"]).stdout,
      /: 0 migrations, 0 code files applied, roles repaired\n/,
    );
    assert.deepEqual(check(), { status: 0, stdout: `${database.name}: is up to date\n`, stderr: "" });
    await database.client.query("update portolan.code set hash = 'x' where path = 'accounts/create_user.sql'");
    const one = check();
    assert.deepEqual(
      [one.status, one.stdout],
      [1, `${database.name}: 0 migrations, 1 code file to apply\n  accounts/create_user.sql\n`],
    );
    assert.match(portolan(["migrate"]).stdout, /: 0 migrations, 1 code file applied\n/);
    const away = portolan(["migrate", "--check"], { OWNER_DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" });
    assert.deepEqual([away.status === 0, away.stdout], [false, ""]);
    assert.match(away.stderr, /^portolan: .*ECONNREFUSED/);
  });

  it("user add prints the role and a generated password, list shows the account, remove takes it away", async () => {
    const added = portolan(["user", "add", "Ann", "--email", "ann@example.org", "--properties", '{"n":1}']);
    assert.equal(added.status, 0, added.stderr);
    assert.match(added.stdout, new RegExp(`^ann acts as the role ann@${database.name}\npassword: \\w{20}\n$`));
    assert.equal(portolan(["user", "change", "Ann", '{"properties": {"n": 2}}']).stdout, "ann is changed\n");
    const refused = portolan(["user", "change", "ann", '{"name": "eve"}']);
    assert.deepEqual(
      [refused.status, refused.stderr],
      [1, 'portolan: an account has no "name" that could be changed\n'],
    );
    assert.match(portolan(["user", "change", "ann", "x"]).stderr, /^portolan: the changes: must be a JSON object\n$/);
    assert.match(portolan(["user", "list"]).stdout, new RegExp(`ann +ann@${database.name} +false +ann@example\\.org`));
    assert.equal(portolan(["user", "change", "Ann", '{"two_factor": true}']).stdout, "ann is changed\n");
    const all = JSON.parse(portolan(["user", "list", "--json"]).stdout) as Record<string, unknown>[];
    const { two_factor, default_user, email_verified } = all.find(({ name }) => name === "ann") ?? {};
    assert.deepEqual([two_factor, default_user, email_verified], [true, false, false]);
    assert.equal(portolan(["user", "password", "ann", "--password", "-"], {}, "new one\n").stdout, "");
    assert.equal(portolan(["user", "unlock", "Ann"]).stdout, "ann may sign in at once\n");
    await database.client.query(`
insert into portolan.queries (name, q, owner, shared) values ('ports', 'select 1', 'ann', '{*}'), ('drafts', 'select 1', 'ann', '{}')`);
    const taken =
      "the operator now owns the query ports, which is still shared with everybody\nthe operator now owns the query drafts\n";
    assert.equal(portolan(["user", "remove", "Ann"]).stdout, `ann is removed\n${taken}`);
    const again = portolan(["user", "remove", "ann"]);
    assert.deepEqual([again.status, again.stderr], [1, 'portolan: there is no account "ann"\n']);
  });

  it("a command that only queries the database loads none of the gateway's modules", () => {
    const told = [
      'import module from "node:module"',
      "const loaded = new Set()",
      "module.registerHooks({ load(url, context, next) { loaded.add(/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1] ?? url); return next(url, context) } })",
      'process.once("exit", () => process.stderr.write([...loaded, ...process.moduleLoadList].join("\\n")))',
    ].join(";");
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(told)}`;
    const { stdout, stderr } = fromSources(["user", "list", "--json"], { NODE_OPTIONS });
    assert.ok(Array.isArray(JSON.parse(stdout)));
    const loaded = stderr.split("\n");
    assert.ok(loaded.includes("pg") && loaded.includes("commander"), stderr);
    // Node reads 30 ms of undici as soon as anything imports node:http
    const served = ["express", "grafast", "graphql", "jose", "pino", "prom-client", "node:http", "NativeModule internal/deps/undici/undici"]; // oxfmt-ignore
    assert.deepEqual(served.filter((name) => loaded.includes(name)), []); // oxfmt-ignore
  });

  it("style check names wrong styles, and the place of the error", async () => {
    assert.equal(portolan(["style", "check"]).status, 0);
    await database.client.query(`
create schema drawn;
create table drawn.good (id integer primary key, geom geometry(Point, 4326));
create table drawn.bad (like drawn.good);
select portolan.set_style('drawn.good', '[{"name": "All", "styles": [{"size": "id"}]}]');
comment on table drawn.bad is '@style [{"name": "All", "styles": [{"size": "no"}]}]';`);
    const { status, stdout } = portolan(["style", "check"]);
    assert.equal(status, 1);
    assert.match(stdout, new RegExp(`^ok   ${database.name}: drawn\\.good$`, "m"));
    assert.match(stdout, /: drawn\.bad: style\[0\]\.styles\[0\]\.size: expected a number .*, got "no"$/m);
    await database.client.query("drop schema drawn cascade");
  });

  it("style import takes a file of another program, and says what of it is left out", async () => {
    await database.client.query("create schema drawn; create table drawn.roads (id integer primary key, geom geometry(LineString, 4326))"); // oxfmt-ignore
    const line = `<LineSymbolizer><Stroke><CssParameter name="stroke">#ff0000</CssParameter></Stroke></LineSymbolizer>`;
    const filter = `<f:Filter><f:PropertyIsNull><f:PropertyName>name</f:PropertyName></f:PropertyIsNull></f:Filter>`;
    const own = mkdtempSync(join(tmpdir(), "portolan-style-"));
    const file = join(own, "roads.sld");
    writeFileSync(file, `<FeatureTypeStyle xmlns:f="http://www.opengis.net/ogc"><Rule>${filter}${line}</Rule><Rule>${line}</Rule></FeatureTypeStyle>`); // oxfmt-ignore
    const { stdout, stderr } = portolan(["style", "import", "drawn.roads", file, "night"]);
    assert.match(stdout, /^the style night of drawn\.roads is set\nnote: Rule 1 "Rule 1" \/ Filter: .*name/, stderr);
    assert.match(portolan(["style", "default", "drawn.roads", "night"]).stdout, /night is the default style/);
    const listed = JSON.parse(portolan(["style", "list", "drawn.roads", "--json"]).stdout) as object[];
    assert.deepEqual(listed[1], { name: "night", title: null, is_default: true, classes: 1 });
    assert.match(portolan(["style", "remove", "drawn.roads", "day"]).stderr, /has no style "day"/);
    await database.client.query("drop schema drawn cascade");
    rmSync(own, { recursive: true });
  });

  it("user add keeps passwords as argon2id", async () => {
    portolan(["user", "add", "ben", "--password", "secret"]);
    const { rows } = await database.client.query("select password from portolan.users where name = 'ben'");
    assert.match(rows[0].password, /^\$argon2id\$v=19\$m=19456,p?t?=/);
  });

  it("user add --role makes an account of an existing role", async () => {
    await database.client.query("create role existing_team");
    assert.match(
      portolan(["user", "add", "team", "--role", "existing_team"]).stdout,
      /team acts as the role existing_team/,
    );
    assert.equal(portolan(["user", "add", "boss", "--role", "postgres"]).status, 1);
    portolan(["user", "remove", "team"]);
    await database.client.query("drop role existing_team");
  });

  it("token prints a token of the account for the configured address", () => {
    portolan(["user", "add", "cleo"]);
    const { stdout } = portolan(["token", "cleo", "--lifetime", "60"], { BASE_URL: "https://maps.example.org/" });
    const claims = decodeJwt(stdout.trim());
    assert.deepEqual(
      [claims.iss, claims.sub, claims["uid"], claims["database"], claims["response_type"], claims["superUser"]],
      ["https://maps.example.org", "cleo", "cleo", database.name, "token", false],
    );
    assert.equal(claims.exp! - claims.iat!, 60);
    assert.equal(portolan(["token", "nobody"]).stderr, 'portolan: there is no account "nobody"\n');
    for (const lifetime of ["soon", "0", "86401", "999999999", "1e3"])
      assert.match(
        portolan(["token", "cleo", "--lifetime", lifetime]).stderr,
        /^portolan: --lifetime: must be a number of seconds up to 86400; [^\n]*\n$/,
      );
  });

  it("token names the address that it signed for if nothing else sets one", () => {
    assert.equal(portolan(["token", "cleo"], { BASE_URL: "https://maps.example.org" }).stderr, "");
    const { stdout, stderr } = portolan(["token", "cleo"], { PORT: "8000" });
    assert.equal(stderr, "for the service at http://127.0.0.1:8000: set BASE_URL if it has another address\n");
    assert.equal(decodeJwt(stdout.trim()).iss, "http://127.0.0.1:8000");
  });

  it("a command loads only what it needs: token loads neither the gateway nor the password hashes", () => {
    const loads = join(directory, "loads.mjs");
    writeFileSync(
      loads,
      `import { registerHooks } from "node:module";
const packages = new Set();
registerHooks({ load(url, context, next) { packages.add(/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1]); return next(url, context); } });
process.on("exit", () => process.stderr.write([...packages].join(" ")));`,
    );
    const { stderr } = fromSources(["token", "cleo"], {
      NODE_OPTIONS: `--import=${loads}`,
      BASE_URL: "http://a.example",
    });
    const packages = stderr.split(" ");
    assert.ok(packages.includes("commander") && packages.includes("jose"), stderr);
    for (const heavy of [
      "postgraphile",
      "graphql",
      "express",
      "argon2",
      "libpg-query",
      "ws",
      "pino",
      "ol",
      "prom-client",
    ])
      assert.ok(!packages.includes(heavy), heavy);
  });

  it("rule add, list and remove; explain-access names the rules that apply", async () => {
    await database.client.query("create schema harbour; create table harbour.ships (id int primary key)");
    portolan(["user", "add", "eve", "--password", "secret"]);
    const added = portolan(["rule", "add", "limit", "--user", "eve", "--table", "ships", "--filter", "id < {{most}}"]);
    assert.match(added.stdout, /^rule \d+\n$/, added.stderr);
    const number = added.stdout.trim().split(" ")[1] ?? "";
    assert.match(portolan(["rule", "list"]).stdout, /0 +eve +\* +\* +\* +ships +\* +limit +id < \{\{most\}\} +false\n/);
    const early = portolan(["rule", "add", "deny", "--user", "eve", "--table", "wreck*"]);
    assert.equal(early.stderr, "portolan: no table matches it yet\n");
    portolan(["rule", "remove", early.stdout.trim().split(" ")[1] ?? ""]);
    const misspelt = portolan(["rule", "add", "deny", "--user", "evv*", "--table", "ships"]);
    assert.equal(misspelt.stderr, 'portolan: no account matches "evv*" yet\n');
    portolan(["rule", "remove", misspelt.stdout.trim().split(" ")[1] ?? ""]);
    assert.match(portolan(["explain-access", "eve", "harbour.ships"]).stdout, /\nrule +\d+ +yes +limits select/);
    for (const [args, message] of [
      [["rule", "add", "deny", "--priority", "high"], "--priority: must be a whole number"],
      [["rule", "add", "maybe"], "access must be allow, limit or deny"],
      [["rule", "add", "deny", "--from", "nowhere"], "iprange must be *, an address or a network such as 10.0.0.0/8"],
      [["rule", "add", "deny", "--user", "evee"], 'there is no account "evee"'],
      [["rule", "add", "deny", "--table", "ship"], 'there is no table "ship"; for future tables, write a glob'],
      [["rule", "remove", "first"], "the number of a rule, as portolan rule list shows it"],
      [["rule", "remove", "999"], "there is no rule 999"],
      [["explain-access", "nobody", "harbour.ships"], 'there is no account "nobody"'],
    ] as const)
      assert.deepEqual(portolan(args).stderr, `portolan: ${message}\n`);
    await database.client.query("create policy wakes on harbour.ships using (id > 1)");
    assert.match(portolan(["explain-access", "eve", "harbour.ships"]).stdout, /\npolicy +wakes/);
    await database.client.query(
      "create view harbour.all_ships as select * from harbour.ships; grant usage on schema harbour to public; grant select on harbour.all_ships to public",
    );
    const { stdout, status } = portolan(["doctor"]);
    assert.match(
      stdout,
      /FIX  .*harbour\.all_ships shows rows of harbour\.ships.*\n +(alter view harbour\.all_ships set \(security_invoker = true\);|revoke select on harbour\.all_ships from …;)/,
    );
    assert.equal(status, 1);
    assert.equal(portolan(["rule", "remove", number]).stdout, `rule ${number} is removed\n`);
    await database.client.query("drop schema harbour cascade");
    portolan(["user", "remove", "eve"]);
  });

  it("doctor names each problem, with the SQL that solves it", () => {
    const healthy = portolan(["doctor"]);
    assert.equal(healthy.status, 0, healthy.stdout + healthy.stderr);
    const superuser = portolan(["doctor"], { DATABASE_URL: database.url });
    assert.equal(superuser.status, 1);
    assert.match(
      superuser.stdout,
      /FIX  .* the login role "postgres" is a superuser\n +create role portolan_gateway login noinherit/,
    );
  });

  it("doctor notices a lost leakproof mark and missing roles, and migrate --repair-roles restores them", async () => {
    await database.client.query("alter function geometry_overlaps(geometry, geometry) not leakproof");
    await database.client.query(`update portolan.users set role = 'gone@x', role_made = true where name = 'ben'`);
    const { stdout } = portolan(["doctor"]);
    assert.match(stdout, /alter function public\.geometry_overlaps\(public\.geometry,public\.geometry\) leakproof;/);
    assert.match(stdout, /roles are missing: gone@x\n +npx portolan migrate --repair-roles/);
    portolan(["migrate", "--repair-roles"]);
    assert.equal(portolan(["doctor"]).status, 0);
  });

  it("doctor notices that anybody may create an operator where requests would find it", async () => {
    await database.client.query("grant create on schema public to public");
    const { stdout, status } = portolan(["doctor"]);
    assert.equal(status, 1);
    assert.match(stdout, /public may create in schema public\n +revoke create on schema public from public;/);
    await database.client.query("revoke create on schema public from public");
    assert.equal(portolan(["doctor"]).status, 0);
  });

  it("says what is wrong in one sentence, without a stack", () => {
    for (const [args, env, message] of [
      [
        ["user", "list"],
        { DATABASE_URL: "postgres://nobody@127.0.0.1:1/x", OWNER_DATABASE_URL: "" },
        /^portolan: The database does not answer: .*ECONNREFUSED.*\n$/,
      ],
      [
        ["user", "list"],
        { DATABASE_URL: database.gatewayUrl.replace(/:[^:@]*@/, "@"), OWNER_DATABASE_URL: "" },
        /^portolan: PostgreSQL asks for a password: give it in the connection string \(DATABASE_URL\), or in PGPASSWORD\n$/,
      ],
      [["user", "add", "no spaces please"], {}, /^portolan: an account name must be 1 to 40 of/],
      [["user", "add", "x", "--properties", "[1]"], {}, /^portolan: --properties: must be a JSON object\n$/],
      [["user", "change", "ann", "[1]"], {}, /^portolan: the changes: must be a JSON object\n$/],
      [["table", "list", "nowhere"], {}, /^portolan: schema "nowhere" does not exist\n$/],
      [["table", "types", "nowhere"], {}, /^portolan: schema "nowhere" does not exist\n$/],
      [["table", "change", "{}"], {}, /^portolan: op is one of create_table, /],
      [["table", "change", '{"op": "drop_table", "schema": "s"}'], {}, /^portolan: table says which one is meant\n$/],
      [["jobs", "run", "99"], {}, /^portolan: there is no job 99\n$/],
      [
        ["interfaces", "--out", "/nowhere/x"],
        {},
        /^portolan: ENOENT: no such file or directory, open '\/nowhere\/x'\n$/,
      ],
      [["user", "list"], { PORT: "x", HOST: "" }, /^portolan: The configuration is not valid:\n {2}- PORT: /],
      [["token", "cleo", "--database", "other"], {}, /^portolan: --database: choose one of test\d+\n$/],
    ] as const) {
      const { status, stderr } = portolan(args, env);
      assert.match(stderr, message);
      assert.equal(status, 1);
    }
    assert.equal(portolan(["fly"]).status, 1);
  });

  it("says so when the demo is not running", () => {
    const { status, stderr } = portolan(["token", "guest"], {
      DATABASE_URL: "",
      OWNER_DATABASE_URL: "",
      PORTOLAN_DATA: join(directory, "none"),
    });
    assert.deepEqual([status, stderr.split(":")[1]], [1, " the demo is not running"]);
  });

  describe("start", () => {
    const env = (more: Record<string, string> = {}) => ({ DATABASE_URL: database.gatewayUrl, PORT: "0", ...more });

    it("refuses a port that is in use, at once, and leaves nothing running", async () => {
      const other: Server = createServer();
      await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
      const { port } = other.address() as { port: number };
      const { status, stderr } = portolan(["start"], { PORT: String(port) });
      assert.equal(status, 1);
      assert.match(stderr, new RegExp(`portolan: Port ${port} on 127\\.0\\.0\\.1 is in use`));
      other.close();
    });

    it("refuses a database that does not answer", () => {
      const { status, stderr } = portolan(["start"], {
        PORT: "0",
        DATABASE_URL: "postgres://x:secret@127.0.0.1:1/city",
        OWNER_DATABASE_URL: "",
      });
      assert.equal(status, 1);
      assert.match(stderr, /portolan: The database city does not answer: connect ECONNREFUSED/);
      assert.doesNotMatch(stderr, /secret/);
    });

    it("migrates a database that its owner role may migrate, and says what to run where it may not", async () => {
      const fresh = await testDatabase();
      const refused = portolan(["start"], { PORT: "0", DATABASE_URL: fresh.gatewayUrl, OWNER_DATABASE_URL: "" });
      assert.equal(refused.status, 1);
      assert.match(
        refused.stderr,
        /must be migrated, but this role may not do it: .*\n.*\n +OWNER_DATABASE_URL=.* npx portolan migrate/,
      );
      await using started = await GatewayProcess.start(
        env({ DATABASE_URL: fresh.gatewayUrl, OWNER_DATABASE_URL: fresh.url }),
      );
      await ready(started.baseUrl);
      await started.stop();
      await fresh.drop();
    });

    it("warns when the login role is a superuser", async () => {
      await using started = await GatewayProcess.start(env({ DATABASE_URL: database.url }));
      await until(() => /the login role is a superuser/.test(started.stderr)); // it is read as it comes
    });

    it("after SIGTERM answers running requests, refuses new ones, and exits with 0", async () => {
      await database.client.query(`
create schema if not exists slow;
create or replace function slow.nap() returns text language plpgsql stable as $$ begin perform pg_sleep(1.5); return 'rested'; end $$;
select portolan.share_with_owner(array['slow']);
grant usage on schema slow to "cleo@${database.name}";`);
      await using started = await GatewayProcess.start(env());
      const token = portolan(["token", "cleo"], { BASE_URL: started.baseUrl }).stdout.trim();
      const flying = supertest(started.baseUrl)
        .post("/api/graphql/schema/slow")
        .set("Authorization", `Bearer ${token}`)
        .send({ query: "{ nap }" })
        .then((response) => response);
      await until(async () => {
        const text =
          "select from pg_stat_activity where query like '%nap%' and state = 'active' and pid <> pg_backend_pid()";
        return (await database.client.query(text)).rows.length === 1;
      });
      const ended = started.stop("SIGTERM");
      await until(() => started.stderr.includes('"msg":"stopping"'));
      await assert.rejects(supertest(started.baseUrl).get("/ping"), /ECONNREFUSED/);
      const { body } = await flying;
      assert.deepEqual(body, { data: { nap: "rested" } });
      assert.equal(await ended, 0);
    });

    it("two gateways on one database start at once", async () => {
      const fresh = await testDatabase();
      const both = { DATABASE_URL: fresh.gatewayUrl, OWNER_DATABASE_URL: fresh.url, PORT: "0" };
      await using first = await GatewayProcess.start(both, { wait: false });
      await using second = await GatewayProcess.start(both, { wait: false });
      await Promise.all([first.ready, second.ready]);
      await Promise.all([first, second].map(({ baseUrl }) => ready(baseUrl)));
      await Promise.all([first.stop(), second.stop()]);
      await fresh.drop();
    });

    it("logs one JSON line each, with the request id, and neither query strings nor tokens", async () => {
      await using started = await GatewayProcess.start(env());
      const id = "11111111-test";
      const answer = await supertest(started.baseUrl)
        .get("/nope?token=topsecret")
        .set({ "X-Request-Id": id, Authorization: "Bearer also.topsecret.too" });
      assert.equal(answer.headers["x-request-id"], id);
      await started.stop();
      const lines = started.stderr
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      const line = lines.find(({ requestId }) => requestId === id);
      assert.deepEqual([line?.["method"], line?.["path"], line?.["status"]], ["GET", "/nope", 404]);
      assert.doesNotMatch(started.stderr, /topsecret/);
    });

    const certificate = () => ({ tlsCert: join(directory, "cert.pem"), tlsKey: join(directory, "key.pem") });

    it("speaks https with TLS_CERT and TLS_KEY, by the ciphers of RFC 9325, and takes a certificate that was renewed", async function () {
      makeCertificate(directory, { days: 1 });
      const { tlsCert, tlsKey } = certificate();
      await using started = await GatewayProcess.start(env({ TLS_CERT: tlsCert, TLS_KEY: tlsKey }));
      assert.match(started.baseUrl, /^https:/);
      await until(() => /the certificate \S+cert\.pem expires soon: /.test(started.stderr)); // it is read as it comes
      await supertest(started.baseUrl).get("/ping").trustLocalhost().disableTLSCerts().expect(200, "pong");
      const port = Number(new URL(started.baseUrl).port);
      const nameServed = async (): Promise<unknown> => {
        const socket = tlsConnect({ port, host: "127.0.0.1", rejectUnauthorized: false });
        await once(socket, "secureConnect");
        const { CN } = socket.getPeerCertificate().subject;
        socket.destroy();
        return CN;
      };
      /** As Prometheus sees it. */
      const daysLeft = async (): Promise<number> => {
        const { text } = await supertest(started.baseUrl).get("/metrics").trustLocalhost().disableTLSCerts();
        const [, use, file, seconds] =
          /^portolan_certificate_expires_timestamp_seconds\{use="(\w+)",certificate="(.+)"\} (\S+)$/m.exec(text) ?? [];
        assert.deepEqual([use, file], ["https", tlsCert]);
        return (Number(seconds) - Date.now() / 1000) / 86_400;
      };
      /** Of TLS 1.2, as a client offers them. */
      const takes = async (ciphers: string): Promise<boolean> => {
        const socket = tlsConnect({
          port,
          host: "127.0.0.1",
          rejectUnauthorized: false,
          maxVersion: "TLSv1.2",
          ciphers,
        });
        const accepted = once(socket, "secureConnect").then(
          () => true,
          () => false,
        );
        return accepted.finally(() => socket.destroy());
      };
      const onlyStrongCiphers = async (): Promise<void> => {
        assert.equal(await takes("ECDHE-ECDSA-AES128-GCM-SHA256"), true);
        assert.equal(await takes("ECDHE-ECDSA-AES128-SHA256"), false, "CBC");
      };
      await onlyStrongCiphers();
      assert.equal(await nameServed(), "localhost");
      assert.equal(Math.ceil(await daysLeft()), 1);
      writeFileSync(tlsCert, "no certificate");
      await until(() => Promise.resolve(/cannot be used; the one before stays/.test(started.stderr)));
      assert.equal(await nameServed(), "localhost");
      makeCertificate(directory, { name: "renewed" });
      await until(async () => (await nameServed()) === "renewed");
      await onlyStrongCiphers();
      assert.equal(Math.ceil(await daysLeft()), 30);
    });

    it("start and doctor report a missing folder of rasters", async () => {
      const RASTER_DIRECTORY = join(directory, "rasters");
      const said = `the folder of rasters ${RASTER_DIRECTORY} (RASTER_DIRECTORY) is not there`;
      await using started = await GatewayProcess.start(env({ RASTER_DIRECTORY }));
      await until(() => started.stderr.includes(said));
      const { stdout } = portolan(["doctor"], { RASTER_DIRECTORY });
      assert.match(stdout, new RegExp(`^FIX  .*${said.replaceAll(/[()]/g, "\\$&")}\n +create it`, "m"));
      mkdirSync(RASTER_DIRECTORY);
      assert.doesNotMatch(portolan(["doctor"], { RASTER_DIRECTORY }).stdout, /^FIX  .*rasters/m);
    });

    it("names a certificate that expires, has expired, or cannot be used", () => {
      const told = (now?: number) => certificateFindings(certificate(), now).map(({ ok, text }) => [ok, text] as const);
      const day = 86_400_000;
      makeCertificate(directory);
      assert.equal(told()[0]?.[0], true);
      assert.deepEqual(certificateFindings({ tlsCert: undefined, tlsKey: undefined }), []);
      const { stdout } = portolan(["doctor"], { TLS_CERT: certificate().tlsCert, TLS_KEY: certificate().tlsKey });
      assert.match(stdout, /^ok .*the certificate \S+cert\.pem is valid until/m);
      for (const [now, text] of [
        [Date.now() + 20 * day, /expires soon/],
        [Date.now() + 31 * day, /has expired/],
        [Date.now() - day, /is not valid before/],
      ] as const) {
        assert.equal(told(now)[0]?.[0], false, String(text));
        assert.match(told(now)[0]?.[1] ?? "", text);
      }
      const { tlsCert, tlsKey } = certificate();
      const url = `postgres://ann@db/town?sslcert=${encodeURIComponent(tlsCert)}&sslkey=${tlsKey}`;
      const others = {
        natsTlsCert: "/none.pem",
        natsTlsKey: "/none.key",
        databases: [{ name: "town", url, ownerUrl: url }],
      };
      const [nats, ofDatabase, ...more] = certificateFindings({ tlsCert: undefined, tlsKey: undefined, ...others });
      assert.match(nats?.text ?? "", /^the certificate \/none\.pem cannot be used: /);
      assert.match(ofDatabase?.text ?? "", /^the certificate \S+cert\.pem is valid until: /);
      assert.deepEqual([nats?.ok, ofDatabase?.ok, more], [false, true, []]);
      const key = readFileSync(certificate().tlsKey);
      makeCertificate(directory);
      writeFileSync(certificate().tlsKey, key);
      assert.match(told()[0]?.[1] ?? "", /cannot be used: .*key values mismatch/);
    });
  });

  describe("start with the demo", () => {
    let data: string;
    before(() => {
      data = join(directory, "data");
      mkdirSync(data);
    });
    const demo = () => ({ PORTOLAN_DATA: data, PORT: "0" });

    it("makes the demo and two accounts, prints their sign-ins, and keeps them for the next start", async () => {
      await using first = await GatewayProcess.start(demo());
      const signIns = /captain +\w{20}.*\n +guest +\w{20}/.exec(first.stdout)?.[0];
      assert.ok(signIns, first.stdout);
      const { status, stdout } = portolan(["token", "captain"], {
        ...demo(),
        DATABASE_URL: "",
        OWNER_DATABASE_URL: "",
        PORT: "",
      });
      assert.equal(status, 0);
      const { body } = await supertest(first.baseUrl)
        .post("/api/graphql/schema/world")
        .set("Authorization", `Bearer ${stdout.trim()}`)
        .send({ query: "{ countCities countRoutes }" });
      assert.deepEqual(body, { data: { countCities: 312, countRoutes: 455 } });
      assert.equal(await first.stop(), 0);
      await using second = await GatewayProcess.start(demo());
      assert.ok(second.stdout.includes(signIns), second.stdout);
    });

    it("of two on one data folder one serves, and the other reports that", async () => {
      await using first = await GatewayProcess.start(demo());
      const { status, stderr } = portolan(["start"], { ...demo(), DATABASE_URL: "", OWNER_DATABASE_URL: "" });
      assert.equal(status, 1);
      assert.match(stderr, /is in use by process \d+/);
      await ready(first.baseUrl);
    });

    it("kill -9 leaves no PostgreSQL behind, and the next start works", async () => {
      const first = await GatewayProcess.start(demo());
      await first.stop("SIGKILL");
      await until(() => !postgresOn(data));
      await using second = await GatewayProcess.start(demo());
      await ready(second.baseUrl);
    });
  });

  it("graphile.config.ts in the working directory is read", () => {
    writeFileSync(join(directory, "graphile.config.ts"), "export default { portolan: { nonsense: 1 } };");
    assert.match(portolan(["user", "list"]).stderr, /portolan\.nonsense: there is no such option/);
    rmSync(join(directory, "graphile.config.ts"));
  });

  it("start and doctor name the schema that a plugin of graphile.config.ts breaks, and the reason", async () => {
    await database.client.query("create schema breakable; create table breakable.things (id int primary key)");
    writeFileSync(
      join(directory, "graphile.config.ts"),
      `const plugin = { name: "Oops", version: "1.0.0", schema: { hooks: { finalize(schema) {
        if (schema.getType("Things")) throw new Error("Oops does not like things");
        return schema;
      } } } };
      export default { plugins: [plugin] };`,
    );
    try {
      const { status, stdout } = portolan(["doctor"]);
      assert.equal(status, 1);
      assert.match(stdout, /^FIX  .*: the GraphQL schema breakable cannot be built: Oops does not like things$/m);
      await using gateway = await GatewayProcess.start(
        { DATABASE_URL: database.gatewayUrl, OWNER_DATABASE_URL: database.url, PORT: "0" },
        { directory },
      );
      assert.match(gateway.stdout, /\.breakable\n +GraphQL +cannot be built: Oops does not like things\n/);
    } finally {
      rmSync(join(directory, "graphile.config.ts"));
    }
    assert.match(portolan(["doctor"]).stdout, /^ok .*: every GraphQL schema can be built$/m);
    await database.client.query("drop schema breakable cascade");
  });

  it("start reports, before it is ready, a policy without effect, a missing right and a misspelt variable", async () => {
    await database.client.query(`
create schema sleepy;
create table sleepy.beds (id int primary key);
create policy only_ones on sleepy.beds using (id = 1);
revoke execute on function portolan.list_tables from public;`);
    try {
      await using gateway = await GatewayProcess.start({
        DATABASE_URL: database.gatewayUrl,
        OWNER_DATABASE_URL: database.url,
        PORT: "0",
        POOLSIZE: "3",
      });
      await until(() => /"msg":"ready"/.test(gateway.stderr));
      const [before = ""] = gateway.stderr.split('"msg":"ready"');
      assert.match(before, /POOLSIZE: there is no such variable, did you mean POOL_SIZE\?/);
      assert.match(before, /the policies of sleepy\.beds sleep, since its row level security is off: only_ones/);
      assert.match(before, /alter table sleepy\.beds enable row level security;/);
      assert.match(before, /grant execute on function portolan\.list_tables\([a-z, ]+\) to public;/i);
    } finally {
      await database.client.query("drop schema sleepy cascade");
      portolan(["migrate", "--repair-roles"]);
    }
  });

  it("a Node that is too old gets a message of one sentence", () => {
    const old = spawnSync(
      process.execPath,
      ["-e", `Object.defineProperty(process.versions, "node", { value: "20.11.0" }); import(${JSON.stringify(CLI)})`],
      { encoding: "utf8" },
    );
    assert.deepEqual([old.status, old.stderr], [1, "portolan: needs Node 22.18 or later; this is 20.11.0\n"]);
  });
});

function postgresOn(directory: string): boolean {
  return spawnSync("pgrep", ["-f", `postgres.*${directory}`]).status === 0;
}

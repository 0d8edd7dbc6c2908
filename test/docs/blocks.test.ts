/**
 * Pastes every block of every document, as a reader does who has just run `npm start`: the documents in the order in
 * which README.md lists them, each in its own terminal with the variables of README.md.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeConfig } from "../../server/kernel/config.ts";
import { findLocalDemo } from "../../server/demo/localDemo.ts";
import { TSC } from "../support/compile.ts";
import { GatewayProcess } from "../support/process.ts";
import { ready } from "../support/ready.ts";
import { folderOfCommand, Shell } from "../support/shell.ts";
import { programEnv } from "../support/programEnv.ts";
import { blocksOf, hasShape, lineOf, type Block } from "./documentBlocks.ts";
import { documents, ROOT, textOf } from "./documents.ts";

const DOCUMENTS = documents().map((path) => ({ path, blocks: blocksOf(textOf(path)) }));
/** Blocks that cannot be run here, by their first line. Each says why in its document. */
const NOT_RUN = [
  "npm start    # installs what is missing, starts a private PostgreSQL with a demo, serves http://127.0.0.1:7575",
  "npm start    # serves the demo at http://127.0.0.1:7575; leave it running",
  "npm pack --pack-destination /tmp    # in the checkout",
  'import express from "express";',
  "select portolan.create_raster('world', 'relief', 'europe/relief.tif');  -- RASTER_DIRECTORY/europe/relief.tif",
  "select portolan.create_user('eve', 'an editor'), portolan.create_user('rea', 'a reviewer'),",
  "select name, zone from world.cities where name like :beginning || '%' order by name",
  "select country_code, count(*) from world.cities group by country_code order by count(*) desc limit 5",
  '{ getCountries(where: {code: {eq: "PT"}}) { code name } }',
  '{"queries": {"harbours": {"q": "select 1 as one", "title": "Harbours", "shared": ["*"]}}}',
  "# device: again every `interval` seconds, until it is no longer authorization_pending",
  "ISSUER=$BASE SHOP_SECRET=the-secret node shop.ts",
  "// graphile.config.ts",
  "{",
  `curl -s $BASE/api/v4/oauth/register -H "Authorization: Bearer $REGISTRATION_TOKEN" -H 'Content-Type: application/json' \\`,
  "pg_basebackup -d postgres://postgres:secret@db1/postgres -D /var/lib/postgresql/15/standby -R -C -S db2 -c fast",
  "export REPLICA_URLS=postgres://city_gateway:secret@db2/city",
  "npx portolan database add city                       # or --template town: a copy with accounts of its own",
  `export DATABASES='{"north/*": {"url": "postgres://login:…@db1/*", "ownerUrl": "postgres://owner:…@db1/*"},`,
  "npx portolan database move city south                # from the cluster that has it",
  "POOLER=transaction DATABASE_URL=postgres://login:…@pooler:6432/city \\",
  "OTEL_EXPORTER_OTLP_ENDPOINT=http://localhost:4318 OTEL_TRACES_SAMPLER_ARG=0.1 npm start",
  "export DATABASE_URL=postgres://city_gateway:secret@localhost/city",
  'pg_ctl -D /var/lib/postgresql/15/restored -w -l /var/lib/postgresql/15/restored.log -o "-p 5433 -c external_pid_file= \\',
  'pg_dump -Fc -f /backup/city.dump "$OWNER_DATABASE_URL"',
  "psql postgres://postgres:secret@new-host/postgres \\",
  'psql "$OWNER_DATABASE_URL" -c "alter system set archive_mode = on" \\',
  'pg_basebackup -d "$OWNER_DATABASE_URL" -D "/backup/base-$(date +%F)" -c fast',
  "oldest=$(ls -d /backup/base-* | head -n 1)",
  'psql "$OWNER_DATABASE_URL" -c "select pg_switch_wal()"    # where it still runs: what was written last goes out too',
  'pg_dump -Fc -f /backup/before.dump "$OWNER_DATABASE_URL"',
  "initdb -D /var/lib/postgresql/18/main -U postgres -E UTF8 --locale=C.UTF-8    # those of the old one: psql -l",
  "export NATS_URL=nats://portolan:secret@nats1:4222,nats://portolan:secret@nats2:4222",
  "shared_preload_libraries = 'citus'         # before other libraries that are there",
  "for node in db0 db1 db2; do",
  "npx portolan table reference app.kinds",
  "explain select * from app.points where tenant_id = 7;    -- Task Count: 1",
];
const WAIT_MS = 30_000;

describe("a block of a document", () => {
  it("has a line, a language, a name and a reason", () => {
    const fence = "```";
    const [first, second] = blocksOf(
      `Text\n\n${fence}ts\n// a.ts\nlet a;\n${fence}\n\n<!-- not run: it is sad -->\n\n${fence}sh\nfalse\n${fence}\n`,
    );
    assert.deepEqual(first, { line: 3, language: "ts", text: "// a.ts\nlet a;\n", file: "a.ts", notRun: undefined });
    assert.deepEqual([second?.line, second?.file, second?.notRun], [10, undefined, "it is sad"]);
  });

  it("that fails is an error, and so is an answer of another shape", async () => {
    const folder = mkdtempSync(join(tmpdir(), "portolan-docs-"));
    await using shell = new Shell(folder, programEnv());
    assert.equal(await shell.run("a=1; echo $a\n"), "1\n");
    assert.equal(await shell.run("echo $a$a | cat\n"), "11\n");
    await assert.rejects(shell.run("echo before\nfalse\necho after\n"), /a command failed; printed was:\nbefore\n$/);
    rmSync(folder, { recursive: true });
    assert.ok(hasShape({ a: [{ b: 1 }, { b: 2 }] }, { a: [{ b: 0 }] }));
    for (const other of [
      {},
      { a: [] },
      { a: [{ b: "1" }] },
      { a: [{ b: 1 }, { c: 1 }] },
      { a: [{ b: 1 }], c: 1 },
      null,
    ])
      assert.equal(hasShape(other, { a: [{ b: 0 }] }), false);
    assert.match("x\n{a:12}\ny", lineOf("{a:…}"));
    assert.doesNotMatch("x {a:12}", lineOf("{a:…}"));
  });
});

describe("the documents", () => {
  let folder: string;
  let gateway: GatewayProcess;
  /** Begins a shell in the checkout, like a new terminal. */
  let openShell: () => Shell;
  /** The variables of README.md, as a script. */
  let variables = "";
  /** The output of all shells. */
  let printedByAll = "";
  /** The page's own database, as its environment names it. */
  let city: { readonly DATABASE_URL: string; readonly OWNER_DATABASE_URL: string };
  let place: (text: string) => string;

  before(async () => {
    execFileSync(process.execPath, [join(ROOT, "server/setup/setup.mjs"), "--source"]);
    folder = mkdtempSync(join(tmpdir(), "portolan-docs-"));
    chmodSync(folder, 0o755);
    // a separate checkout, whose files are those of this one
    for (const name of readdirSync(ROOT)) if (!name.startsWith(".")) symlinkSync(join(ROOT, name), join(folder, name));
    const PORTOLAN_DATA = join(folder, ".portolan");
    gateway = await GatewayProcess.start({ PORTOLAN_DATA, PORT: "0" });
    const { ownerUrl } = findLocalDemo(makeConfig({ dataDirectory: PORTOLAN_DATA }))!;
    const [, user, password = "", host = "", port = ""] = /:\/\/(\w+):([^@]*)@([^:]*):(\d+)\//.exec(ownerUrl)!;
    // the page names the usual addresses; those of this run differ
    place = (text) =>
      text.replaceAll("127.0.0.1:7575", new URL(gateway.baseUrl).host).replaceAll("@localhost/", `@${host}:${port}/`);
    city = {
      DATABASE_URL: place("postgres://city_gateway:secret@localhost/city"),
      OWNER_DATABASE_URL: place(`postgres://postgres:${password}@localhost/city`),
    };
    writeFileSync(join(folder, ".curlrc"), "fail-with-body\nshow-error\n"); // an answer that is an error ends the block
    const command = folderOfCommand(folder);
    openShell = () =>
      new Shell(folder, {
        ...programEnv(),
        PATH: `${command}:${join(ROOT, "node_modules/.bin")}:${process.env["PATH"]}`,
        HOME: folder,
        PAGER: "cat",
        PORTOLAN_DATA,
        GRAPHILE_ENV: "production",
        PGHOST: decodeURIComponent(host),
        PGPORT: port,
        PGUSER: user,
        PGPASSWORD: decodeURIComponent(password),
      });
  });

  after(async () => {
    await gateway.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it("npx finds the command in a checkout", () => {
    const printed = execFileSync("npx", ["portolan", "--version"], { cwd: folder, encoding: "utf8" });
    assert.equal(printed.trim(), (JSON.parse(textOf("package.json")) as { version: string }).version);
    const node = execFileSync("npx", ["node", "--version"], { cwd: folder, encoding: "utf8" });
    assert.equal(node.trim(), process.version);
  });

  for (const { path, blocks } of DOCUMENTS) {
    describe(path, () => {
      let shell: Shell;
      let begin = 0;
      let printed = "";
      let broken = false;
      const run = async (block: Block): Promise<void> => {
        const text = place(block.text);
        if (block.file !== undefined) writeFileSync(join(folder, block.file), text);
        else if (block.language === "json") assertShape(printed, text);
        else if (block.language === "text") await untilPrinted(text, shell, begin);
        else if (block.language === "ts")
          return; // compiled below
        else {
          begin = shell.output.length;
          printed = await shell.run(block.language === "sql" ? inPsql(folder, text) : text);
          assert.doesNotMatch(printed, /"errors?": ?[[{"]/);
        }
      };
      before(async () => {
        shell = openShell();
        await shell.run(variables);
      });
      after(async () => {
        if (path === "README.md") variables = await shell.run("export -p | grep -E ' (BASE|ROOT|TOKEN)='\n");
        await shell[Symbol.asyncDispose]();
        printedByAll += shell.output;
      });
      for (const block of blocks.filter(({ language, notRun }) => language !== "" && notRun === undefined))
        it(`line ${block.line}: ${block.file ?? block.language}`, async function () {
          if (broken) return this.skip(); // an earlier block failed, and with it what this one stands on
          assert.match(block.language, /^(sh|sql|ts|js|json|text)$/);
          assert.ok(block.language !== "js" || block.file, "a program is saved under a name");
          broken = true;
          await run(block);
          broken = false;
        });
    });
  }

  it("only the listed blocks are not run, and each says why", () => {
    const found = DOCUMENTS.flatMap(({ blocks }) => blocks)
      .filter(({ notRun }) => notRun !== undefined)
      .map(({ text }) => text.split("\n")[0]);
    assert.deepEqual(found, NOT_RUN);
  });

  describe("afterwards", () => {
    it("the programs and declarations compile", () => {
      const declarations = DOCUMENTS.flatMap(({ blocks }) => blocks)
        .filter(({ language, file, notRun }) => language === "ts" && file === undefined && notRun === undefined)
        .map(({ text }) => text);
      writeFileSync(join(folder, "declarations.ts"), declarations.join("\n"));
      writeFileSync(
        join(folder, "tsconfig.pages.json"),
        JSON.stringify({
          extends: "./tsconfig.json",
          compilerOptions: { rewriteRelativeImportExtensions: false },
          include: ["*.ts"],
          exclude: [],
        }),
      );
      execFileSync(process.execPath, [TSC, "-p", "tsconfig.pages.json"], {
        cwd: folder,
        stdio: ["ignore", "inherit", "inherit"],
      });
    });

    it("the first account of an own database signs in, and sees its tables", async () => {
      await using own = await GatewayProcess.start({ ...city, PORT: "0" });
      await ready(own.baseUrl);
      const password = /ada acts as the role ada@city\npassword: (\w+)/.exec(printedByAll)?.[1];
      const body = { grant_type: "password", username: "ada", password, client_id: "portolan-cli" };
      const headers = { "Content-Type": "application/json" };
      const signedIn = await fetch(`${own.baseUrl}/api/v4/oauth`, {
        method: "POST",
        headers,
        body: JSON.stringify(body),
      });
      const { access_token: token } = (await signedIn.json()) as { access_token: string };
      const answer = await fetch(`${own.baseUrl}/api/graphql/schema/app`, {
        method: "POST",
        headers: { ...headers, Authorization: `Bearer ${token}` },
        body: JSON.stringify({ query: "{ countShips }" }),
      });
      assert.deepEqual(await answer.json(), { data: { countShips: 0 } });
    });
  });

  /** Waits until each line has been printed by what ran since `begin`, in the background too. */
  async function untilPrinted(text: string, shell: Shell, begin: number): Promise<void> {
    for (const line of text.trimEnd().split("\n")) {
      const timer = AbortSignal.timeout(WAIT_MS);
      const late = new Promise<never>((_, reject) =>
        timer.addEventListener("abort", () =>
          reject(new Error(`was not printed: ${line}\nbut:\n${shell.output.slice(begin)}`)),
        ),
      );
      await Promise.race([shell.until(() => lineOf(line).test(shell.output.slice(begin))), late]);
    }
  }
});

function inPsql(folder: string, text: string): string {
  writeFileSync(join(folder, ".page.sql"), text);
  return "npx portolan psql -X -v ON_ERROR_STOP=1 -f .page.sql\n";
}

function assertShape(printed: string, example: string): void {
  const value: unknown = JSON.parse(printed);
  assert.ok(hasShape(value, JSON.parse(example)), `${printed}\nis not of the shape of\n${example}`);
}

/**
 * Every door, driven over every kind of code of an author: the role that runs it, and the roles that it can become
 * there.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import pg from "pg";
import { createApp, DOORS as INTERFACES } from "../../server/app.ts";
import { makeProgram } from "../../server/cli/program.ts";
import { makeConfig } from "../../server/kernel/config.ts";
import { methodsOf } from "../../server/kernel/http/routes.ts";
import { createLog } from "../../server/ground/log.ts";
import { TOOLS } from "../../server/mcp/tools/all.ts";
import { commandBeside } from "../support/commands.ts";
import { sized } from "../support/size.ts";
import { until } from "../support/until.ts";
import { connectAs } from "../support/webSocket.ts";
import { COMMAND_LINES, REFUSED_TO_OWNER, WITHOUT_TABLES } from "./commandLines.ts";
import { DOORS, SLD, type Account, type Door } from "./doors.ts";
import { functionsOf } from "./functions.ts";
import { graphqlDoors, type GraphqlDoor } from "./graphqlDoors.ts";
import { KINDS, REFUSED, TABLES } from "./kinds.ts";
import { ACCOUNTS, AUTHOR, filled, TrappedGateway } from "./trappedGateway.ts";

/** Tables that each account requests in each way of a door; the others only in its first way. */
const CLOSELY = sized(/^app\.(triggers|policies)$/, /./);

/** Tables of which pyramids are made. */
const SEEDED = sized(
  ["app.triggers", "app.policies", "ours.typed"],
  TABLES.filter((table) => !/\.(seen|totals|instead|kept|remote|ranges|partitions|family)$/.test(table)),
);

const GRAPHQL_CLOSELY = sized(/(Triggers|Policies)$/, /./);

function* leavesOf({ commands }: Command, words = ""): Generator<string> {
  for (const one of commands) {
    const path = `${words} ${one.name()}`.trim();
    if (one.commands.length === 0) yield path;
    else yield* leavesOf(one, path);
  }
}

const NODES: Readonly<Record<string, string>> = {
  app: "{ getTriggers(limit: 1) { nodeId } }",
  ours: "{ getGuarded(limit: 1) { nodeId } }",
};
/** PostgreSQL has no WITH for statements that a rule extends, and some relations cannot be written. */
const CANNOT = /(Ruled|Partitions|Totals|Kept|Remote|RemoteRows|Instead|Seen)$/;

interface GraphqlAnswer {
  readonly data: unknown;
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
}

describe("code of an author, driven through every door", function () {
  this.timeout(sized(120_000, 900_000));
  let trapped: TrappedGateway;

  before(async () => {
    trapped = await TrappedGateway.start();
  });
  after(() => trapped?.close());

  it("has a line for each route", async () => {
    const app = await createApp({
      config: makeConfig({}),
      databases: [],
      baseUrl: "http://localhost",
      log: createLog("silent"),
    });
    const all = INTERFACES.flatMap((one) =>
      app.doors[one].routes.flatMap((route) =>
        methodsOf(route)
          .filter((method) => method !== "HEAD")
          .map((method) => `${method} ${route.path}`),
      ),
    );
    await app.close();
    const told = new Set(DOORS.map(({ route }) => route));
    assert.deepEqual(
      all.filter((route) => !told.has(route)),
      [],
      "add it to DOORS",
    );
    assert.deepEqual(
      [...told].filter((route) => !all.includes(route)),
      [],
    );
  });

  it("has a line for each tool of agents, and for each kind of work in the background", async () => {
    const called = new Set(
      DOORS.map(({ body }) => (body as { params?: { name?: string } } | undefined)?.params?.name).filter(Boolean),
    );
    assert.deepEqual(
      TOOLS.map(({ name }) => name).filter((name) => !called.has(name)),
      [],
      "add it to DOORS",
    );
    const { rows } = await trapped.gateway.database.client.query<{ kind: string }>(`
select m[1] as kind from pg_constraint c cross join regexp_matches(pg_get_constraintdef(c.oid), '''(\\w+)''', 'g') m
where c.conname = 'jobs_kind'`);
    assert.deepEqual(
      rows.map(({ kind }) => kind),
      // of tables, in features.test.ts; of files and tiles, here
      ["versioning", "end_versioning", "workflow", "events", "import", "download", "tiles"],
      "drive it over the code of an author",
    );
  });

  for (const [kind, statement] of Object.entries(REFUSED))
    it(`no author can make: ${kind}`, async () => {
      const { client } = trapped.gateway.database;
      await client.query(`set session authorization ${AUTHOR}`);
      try {
        await assert.rejects(client.query(statement), /permission denied|must be superuser|does not exist|must have/i);
      } finally {
        await client.query("reset session authorization");
      }
    });

  for (const [at, door] of DOORS.entries())
    it(`${at + 1}: ${door.route}`, async () => {
      const problems: string[] = [];
      let served = 0;
      let refused = "";
      for (const [account, table, query] of waysOf(door)) {
        const { status, text } = await drive(door, account, table, query);
        const told = `${table}${query === "" ? "" : `?${query}`} as ${account}`;
        served += Number(status < 400);
        if (status >= 400) refused ||= `${told}: ${status} ${text}`;
        if (status < 300 && door.route.endsWith("/import")) trapped.noteImport(table, account, text);
        if (status === 202 && door.route.endsWith("/downloads")) await trapped.noteDownload(table, account, text);
        if (status >= 500) problems.push(`${told}: ${status} ${text}`);
        const { readsAs = account, reads = door.route.startsWith("GET ") } = door;
        problems.push(...trapped.wrong(readsAs, { reads }).map((wrong) => `${told}: ${wrong}`));
      }
      assert.deepEqual(problems, []);
      assert.ok(served > 0 || door.once, `it serves nobody: ${refused}`);
    });

  function* waysOf({
    by = ACCOUNTS,
    once = false,
    table = TABLES[0]!,
    of = /./,
    queries = [""],
  }: Door): Generator<[account: Account, table: string, query: string]> {
    for (const account of by)
      for (const each of once ? [table] : TABLES.filter((one) => of.test(one)))
        if (once || CLOSELY.test(each)) for (const query of queries) yield [account, each, query];
        else if (account === by[0]) yield [account, each, queries[0] ?? ""];
  }

  async function drive({ route, body, type, names }: Door, account: Account, table: string, query: string) {
    const values = trapped.valuesOf(table, account);
    const more = names === undefined ? values : { ...values, names: filled(names, values) };
    const [method = "", path = ""] = filled(`${route}${query === "" ? "" : `?${query}`}`, more).split(" ", 2);
    return trapped.ask(account, method, path.replace("*", "none"), {
      ...(body !== undefined && { body: JSON.parse(filled(JSON.stringify(body), more)) as unknown }),
      ...(type !== undefined && { type }),
    });
  }

  for (const schema of ["app", "ours"])
    it(`each field of GraphQL of schema ${schema}`, async () => {
      const path = `/api/graphql/schema/${schema}`;
      const ask = async (account: Account, query: string) =>
        JSON.parse((await trapped.ask(account, "POST", path, { body: { query } })).text) as GraphqlAnswer;
      let doors: readonly GraphqlDoor[] = [];
      await until(async () => {
        const all = await graphqlDoors(async (query) => (await ask("captain", query)).data);
        doors = all.filter(({ kind }) => kind !== "subscription");
        // the last of the requests above has switched the workflow off, which the schema follows a little later
        return !doors.some(({ field }) => field.startsWith("workflow"));
      });
      const [{ nodeId } = { nodeId: "" }] = Object.values(
        (await ask("captain", NODES[schema]!)).data as Record<string, { nodeId: string }[]>,
      )[0]!;
      const problems: string[] = [];
      for (const account of ["captain", "eve"] as const)
        for (const [at, door] of doors.entries()) {
          const isFirst = doors[at - 1]?.field !== door.field;
          if (!isFirst && !GRAPHQL_CLOSELY.test(door.field)) continue;
          const { errors = [] } = await ask(account, documentOf(door).replace("NODE", nodeId));
          const told = `${door.document} as ${account}`;
          for (const { message, extensions } of errors) {
            if (isFirst && !CANNOT.test(door.field)) problems.push(`${told}: ${message}`);
            if (/INTERNAL|UNAVAILABLE|GRAPHQL_/.test(extensions.code)) problems.push(`${told}: ${message}`);
          }
          const reads = door.kind === "query";
          problems.push(...trapped.wrong(account, { reads }).map((wrong) => `${told}: ${wrong}`));
        }
      assert.deepEqual(problems, []);
    });

  function documentOf({ document }: GraphqlDoor): string {
    return document.replaceAll("NOW", new Date().toISOString()).replaceAll(/\bID\b(?!:)/g, String(trapped.number));
  }

  it("events, as they are judged", async () => {
    const { client } = trapped.gateway.database;
    await client.query(
      "select portolan.enable_events(t::regclass) from unnest('{app.triggers,app.policies,ours.guarded}'::text[]) t",
    );
    for (const table of ["app.triggers", "app.policies", "ours.guarded"])
      for (const account of ["eve", "captain"] as const) {
        const socket = await connectAs(trapped.gateway, account);
        const field = table.slice(table.indexOf(".") + 1).replace(/^./, (letter) => letter.toUpperCase());
        const query = `subscription { ${field}MessageAdded(where: {t: {eq: "e"}}) { id t } }`;
        await until(async () => {
          const answer = await socket.ask({ type: "subscribe", id: "s", schema: table.split(".")[0], query });
          return answer.type === "subscribe_ack";
        });
        const { status, text } = await trapped.ask(account, "POST", "/api/v4/sql", {
          body: { q: `insert into ${table} (id, t) values (${trapped.number}, 'e')` },
        });
        assert.equal(status, 200, text);
        const told = await socket.take({ type: "subscription", id: "s" });
        assert.match(JSON.stringify(told), /"t":"e"/);
        assert.deepEqual(trapped.wrong(account), [], `${table} as ${account}`);
        socket.close();
        await socket.closed;
      }
  });

  for (const table of SEEDED)
    it(`pyramids of ${table}, made in the background, and again after a write`, async () => {
      const { client } = trapped.gateway.database;
      await client.query("select portolan.enable_events($1)", [table]);
      trapped.wrong();
      const problems: string[] = [];
      const judge = (account: Account, what: string): void => {
        const reads = what !== "writing";
        problems.push(...trapped.wrong(account, { reads }).map((wrong) => `${what} of ${account}: ${wrong}`));
      };
      const tile = `/api/v4/ogc/database/${trapped.gateway.database.name}/collections/${table}/tiles/WebMercatorQuad`;
      for (const account of ACCOUNTS) {
        const { status, text } = await trapped.ask("captain", "POST", "/api/v4/pyramids", {
          body: { collection: table, last_zoom: 1, account },
        });
        if (status === 409) {
          assert.match(text, /the policy \w+ of [\w.]+ decides which rows/); // nobody would get the tiles
          judge(account, "refusing");
          continue;
        }
        assert.equal(status, 201, text);
        await trapped.untilTilesMade();
        judge(account, "making");
        const written = await trapped.ask("captain", "POST", "/api/v4/sql", {
          body: { q: `update ${table} set t = 'f', geom = 'SRID=4326;POINT(3 4)' where id = 1` },
        });
        assert.equal(written.status, 200, written.text);
        judge("captain", "writing");
        for (const path of [`${tile}/0/0/0`, `${tile}.pmtiles`])
          assert.match(String((await trapped.ask(account, "GET", path)).status), /^[234]|^503/); // while it is made again
        await trapped.untilTilesMade();
        judge(account, "making again");
        await client.query("select portolan.drop_pyramid(p.id) from portolan.list_pyramids() p");
      }
      await client.query("select portolan.disable_events($1)", [table]);
      assert.deepEqual(problems, []);
    });

  for (const account of ["eve", "captain"] as const)
    it(`each function that ${account} may call by SQL`, async () => {
      const { client } = trapped.gateway.database;
      const functions = await functionsOf(client, trapped.loginOf(account));
      assert.ok(functions.length > 50);
      const problems: string[] = [];
      for (const { text } of functions)
        for (const table of ["triggers", "policies", "planned", "ranges"]) {
          const q = text.replaceAll("TABLE", table);
          const { status, text: answer } = await trapped.ask(account, "POST", "/api/v4/sql", { body: { q } });
          if (status >= 500) problems.push(`${q}: ${status} ${answer}`);
          problems.push(...trapped.wrong(account).map((wrong) => `${q}: ${wrong}`));
        }
      assert.deepEqual(problems, []);
    });

  it("each function that the gateway calls under its own login", async () => {
    const { client, gatewayUrl } = trapped.gateway.database;
    const own = new pg.Client({ connectionString: gatewayUrl });
    await own.connect();
    try {
      await own.query("set statement_timeout = '10s'");
      const ofAll = new Set((await functionsOf(client, "public")).map(({ name }) => name));
      const functions = (await functionsOf(client, "gateway")).filter(({ name }) => !ofAll.has(name));
      const problems: string[] = [];
      for (const { text } of functions)
        for (const table of ["triggers", "policies", "planned", "ranges"]) {
          const q = text.replaceAll("TABLE", table);
          await own.query(q).catch(() => undefined);
          problems.push(...trapped.wrong().map((wrong) => `${q}: ${wrong}`));
        }
      assert.deepEqual(problems, []);
    } finally {
      await own.end();
    }
  });

  it("has a line for each command", () => {
    const all = [...leavesOf(makeProgram())];
    const told = (command: string): boolean => COMMAND_LINES.some((line) => `${line} `.startsWith(`${command} `));
    assert.deepEqual(
      all.filter((command) => !WITHOUT_TABLES.includes(command) && !told(command)),
      [],
      "add it to COMMAND_LINES",
    );
    assert.deepEqual(
      WITHOUT_TABLES.filter((command) => !all.includes(command)),
      [],
    );
  });

  it("each command", async () => {
    const folder = mkdtempSync(join(tmpdir(), "portolan-traps-"));
    const { gatewayUrl, url } = trapped.gateway.database;
    const env = {
      DATABASE_URL: gatewayUrl,
      OWNER_DATABASE_URL: url,
      BASE_URL: trapped.gateway.baseUrl,
      SMTP_URL: "log:",
    };
    try {
      const words = {
        ...trapped.valuesOf("app.triggers", "eve"),
        configuration: join(folder, "configuration.yaml"),
        sld: join(folder, "style.sld"),
        file: join(folder, "rows.csv"),
        filter: "t = 'a'",
        statement: "select id from app.triggers limit 1",
        table: "app.triggers",
      };
      writeFileSync(words.configuration, "accounts: {}\n");
      writeFileSync(words.sld, SLD);
      const problems: string[] = [];
      for (const line of COMMAND_LINES) {
        writeFileSync(words.file, `id,t\n${trapped.number},b\n`);
        const args = line.split(" ").map((word) => filled(word, words));
        const { stderr } = await commandBeside(args, { env });
        const isRefused = /not trusted|untrusted/.test(stderr);
        if (isRefused !== REFUSED_TO_OWNER.test(`${line} `)) problems.push(`${line}: ${stderr}`);
        problems.push(...trapped.wrong("eve").map((wrong) => `${line}: ${wrong}`));
      }
      assert.deepEqual(problems, []);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("commands that run by themselves, or for a database administrator: ANALYZE, REINDEX, REFRESH", async () => {
    const { client } = trapped.gateway.database;
    await client.query("analyze");
    await client.query("refresh materialized view app.kept");
    await client.query("reindex table app.planned");
    assert.deepEqual(trapped.wrong(), []);
  });

  it("each kind of code has run", () => {
    assert.deepEqual(
      KINDS.filter((kind) => !trapped.sprung.has(kind)),
      [],
    );
  });
});

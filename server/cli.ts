#!/usr/bin/env node
/** `portolan …`: the gateway's commands for operators. */
import { Command, CommanderError } from "commander";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { PACKAGE_DIRECTORY, loadConfig, type Config, type DatabaseConfig } from "./kernel/config.ts";
import { openDatabase, type Database } from "./kernel/database/database.ts";
import { diagnose, type Finding } from "./cli/doctor.ts";
import { OperatorError, sqlstateOf, toGatewayError } from "./kernel/errors.ts";
import { followEvents } from "./cli/followEvents.ts";
import { findLocalDemo } from "./demo/localDemo.ts";
import { createLog } from "./kernel/log.ts";
import type { Gateway } from "./main.ts";
import { isMigrated, migrate } from "./kernel/migrate.ts";
import { generatePassword, hashPassword, isPasswordHash } from "./kernel/identity/passwords.ts";
import { CLI_CLIENT, findAccount, makeSigningKey, signAccessToken } from "./kernel/identity/tokens.ts";

interface DatabaseOption {
  readonly database?: string;
}

const { version } = JSON.parse(readFileSync(join(PACKAGE_DIRECTORY, "package.json"), "utf8")) as { version: string };
const program = new Command("portolan")
  .description("Serves a PostgreSQL/PostGIS database over GraphQL, OAuth 2.0, JSON-RPC and OGC API.")
  .version(version)
  .showHelpAfterError()
  .exitOverride();

program.command("start").description("start the gateway").action(start);

program
  .command("migrate")
  .description("bring schema portolan of every configured database up to date")
  .option("--repair-roles", "also write roles, recorded grants and the leakproof mark again, as after a restore")
  .action(async (options: { repairRoles?: boolean }) => {
    for (const database of await configuredDatabases()) {
      const gatewayLogin = new pg.Client(database.url).user;
      const { migrations, code } = await migrate({
        ownerUrl: database.ownerUrl,
        gatewayLogin,
        repairRoles: options.repairRoles ?? false,
      });
      const repaired = options.repairRoles ? ", roles repaired" : "";
      print(`${database.name}: ${migrations.length} migrations, ${code.length} code files applied${repaired}`);
    }
  });

const user = program.command("user").description("accounts");

withDatabase(user.command("add <name>").description("make an account; prints its password if none is given"))
  .option("--password <text>", "password, or an argon2, bcrypt or scrypt hash; - reads it from standard input")
  .option("--email <address>")
  .option("--group <name>", "another account whose role this one inherits")
  .option("--properties <json>", "JSON object of what policies may ask for")
  .option("--superuser", "every right on all exposed schemas")
  .option("--role <name>", "use this PostgreSQL role, which is there already")
  .action(async (name: string, options: AddOptions) => {
    const given = options.password === "-" ? readFileSync(0, "utf8").replace(/\r?\n$/, "") : options.password;
    const password = given ?? generatePassword();
    const hash = isPasswordHash(password) ? password : await hashPassword(password);
    const properties = parseObject("--properties", options.properties);
    if (options.role !== undefined && (options.superuser || options.group !== undefined))
      throw new OperatorError("--role keeps the role as it is: --superuser and --group do not go with it");
    const role = await withOwner(options, ({ db }) =>
      options.role === undefined
        ? db.func("portolan.create_user", [
            name,
            hash,
            options.email ?? null,
            options.group ?? null,
            properties,
            options.superuser ?? false,
          ])
        : db.func("portolan.adopt_role", [name, options.role, hash, options.email ?? null, properties]),
    );
    print(`${name.toLowerCase()} acts as the role ${Object.values((role as object[])[0] ?? {})[0]}`);
    if (given === undefined) print(`password: ${password}`);
  });

withDatabase(user.command("list").description("all accounts")).action(async (options: DatabaseOption) => {
  const rows = await withOwner(options, ({ db }) =>
    db.any<Record<string, unknown>>(
      "select name, role, coalesce(user_group, '') as group, superuser, coalesce(email, '') as email from portolan.users order by name",
    ),
  );
  printTable(rows);
});

withDatabase(user.command("remove <name>").description("remove an account, and the role that was made for it")).action(
  async (name: string, options: DatabaseOption) => {
    await withOwner(options, ({ db }) => db.func("portolan.drop_user", [name]));
    print(`${name.toLowerCase()} is removed`);
  },
);

withDatabase(user.command("password <name>").description("give an account a new password; its tokens end"))
  .option("--password <text>", "password or hash; - reads it from standard input; default: a new one, printed")
  .action(async (name: string, options: AddOptions) => {
    const given = options.password === "-" ? readFileSync(0, "utf8").replace(/\r?\n$/, "") : options.password;
    const password = given ?? generatePassword();
    const hash = isPasswordHash(password) ? password : await hashPassword(password);
    await withOwner(options, ({ db }) => db.func("portolan.set_password", [name, hash]));
    if (given === undefined) print(`password: ${password}`);
  });

withDatabase(user.command("invite <name>").description("print a link with which an account sets its password, once"))
  .option("--days <number>", "how long the link is valid", "3")
  .action(async (name: string, options: DatabaseOption & { days: string }) => {
    if (!/^([1-9]|[12]\d|3[01])$/.test(options.days)) throw new OperatorError("--days: must be a number from 1 to 31");
    const { name: database, baseUrl } = await chooseDatabase(options);
    const rows = await withOwner(options, ({ db }) =>
      db.func<{ invite_user: string }[]>("portolan.invite_user", [name, `${options.days} days`]),
    );
    const query = new URLSearchParams({ database, token: rows[0]?.invite_user ?? "" });
    print(`${baseUrl}/password?${query}`);
  });

const client = program.command("client").description("OAuth clients");

withDatabase(client.command("add <id>").description("register a client; prints its secret, once"))
  .option("--name <text>", "what people read on the consent page")
  .option("--redirect-uri <uri...>", "where codes may be sent: https, or http on the loopback interface")
  .option("--public", "it cannot keep a secret: an app in a browser or on somebody's machine")
  .option("--no-confirm", "accounts are not asked")
  .option("--grants <list>", "authorization_code, refresh_token, device_code, password")
  .option("--homepage <url>")
  .option("--description <text>")
  .action(async (id: string, options: ClientOptions) => {
    const rows = await withOwner(options, ({ db }) =>
      db.func<{ create_client: string | null }[]>("portolan.create_client", [
        id,
        options.name ?? id,
        options.redirectUri ?? [],
        options.public ?? false,
        options.confirm,
        options.grants?.split(/[\s,]+/) ?? ["authorization_code", "refresh_token", "device_code"],
        options.homepage ?? null,
        options.description ?? null,
      ]),
    );
    const secret = rows[0]?.create_client;
    print(secret ? `secret: ${secret}` : `${id} is public and has no secret`);
  });

withDatabase(client.command("list").description("all clients")).action(async (options: DatabaseOption) => {
  const rows = await withOwner(options, ({ db }) =>
    db.any<Record<string, unknown>>(
      "select id, name, public, confirm, array_to_string(grants, ' ') as grants, array_to_string(redirect_uri, ' ') as redirect_uri from portolan.list_clients()",
    ),
  );
  printTable(rows);
});

withDatabase(client.command("remove <id>").description("remove a client; its tokens end")).action(
  async (id: string, options: DatabaseOption) => {
    await withOwner(options, ({ db }) => db.func("portolan.drop_client", [id]));
    print(`${id} is removed`);
  },
);

withDatabase(client.command("secret <id>").description("give a client a new secret; the old one ends")).action(
  async (id: string, options: DatabaseOption) => {
    const rows = await withOwner(options, ({ db }) =>
      db.func<{ set_client_secret: string }[]>("portolan.set_client_secret", [id]),
    );
    print(`secret: ${rows[0]?.set_client_secret}`);
  },
);

const rule = program.command("rule").description("rules: who may read and write which rows, from where, through what");

withDatabase(rule.command("add <access>").description("make a rule: allow, limit or deny; prints its number"))
  .option("--user <glob>", "account or group")
  .option("--schema <glob>")
  .option("--table <glob>")
  .option("--service <name>", "graphql, rpc, sql, events or ogc")
  .option("--request <name>", "select, insert, update or delete")
  .option("--from <network>", "address or network (CIDR)")
  .option("--priority <number>", "lower ones are asked first", "0")
  .option("--filter <condition>", "with limit: SQL on the table's columns; {{key}} is the account's properties.key")
  .action(async (access: string, options: RuleOptions) => {
    if (!/^-?\d{1,9}$/.test(options.priority)) throw new OperatorError("--priority: must be a whole number");
    const { user: username, from: iprange, priority, schema, table, service, request, filter } = options;
    const members = { access, username, iprange, priority: Number(priority), schema, table, service, request, filter };
    const { id, holds } = await withOwner(options, async ({ db }) => {
      const { id } = await db.one<{ id: number }>("select portolan.create_rule($1) as id", [JSON.stringify(members)]);
      const { holds } = await db.one<{ holds: boolean }>(
        "select exists (select from portolan.rule_map m where m.id = $1) as holds",
        [id],
      );
      return { id, holds };
    });
    print(`rule ${id}`);
    if (!holds) process.stderr.write("portolan: no table matches it yet\n");
  });

withDatabase(rule.command("list").description("all rules, in the order in which they are asked")).action(
  async (options: DatabaseOption) => {
    const rows = await withOwner(options, ({ db }) =>
      db.any<Record<string, unknown>>(
        `select id, priority, username, service, request, schema, "table", iprange, access, coalesce(filter, '') as filter from portolan.list_rules()`,
      ),
    );
    printTable(rows);
  },
);

withDatabase(rule.command("remove <id>").description("remove a rule")).action(
  async (id: string, options: DatabaseOption) => {
    if (!/^[1-9]\d{0,8}$/.test(id)) throw new OperatorError("the number of a rule, as portolan rule list shows it");
    await withOwner(options, ({ db }) => db.func("portolan.drop_rule", [Number(id)]));
    print(`rule ${id} is removed`);
  },
);

withDatabase(
  program
    .command("explain-access <user> <relation>")
    .description("what decides what an account may do with a relation"),
).action(async (name: string, relation: string, options: DatabaseOption) => {
  const rows = await withOwner(options, ({ db }) =>
    db.any<Record<string, unknown>>("select * from portolan.explain_access($1, $2::regclass)", [name, relation]),
  );
  printTable(rows);
});

const keys = program.command("keys").description("the keys that sign tokens");

withDatabase(keys.command("rotate").description("sign with a new key; what older keys signed stays valid"))
  .option("--at-once", "end the older keys now, and every token that they signed")
  .action(async (options: DatabaseOption & { atOnce?: boolean }) => {
    const { kid, publicJwk, privateJwk } = await makeSigningKey();
    await withOwner(options, ({ db }) =>
      db.func("portolan.rotate_signing_key", [kid, publicJwk, privateJwk, options.atOnce ?? false]),
    );
    print(`${kid} signs ${options.atOnce ? "now" : "in 5 seconds"}`);
  });

withDatabase(program.command("token <name>").description("print an access token for an account"))
  .option("--lifetime <seconds>", "how long it is valid", "3600")
  .action(async (name: string, options: DatabaseOption & { lifetime: string }) => {
    if (!/^[1-9]\d{0,8}$/.test(options.lifetime)) throw new OperatorError("--lifetime: must be a number of seconds");
    const { baseUrl } = await chooseDatabase(options);
    const token = await withOwner(options, async (database) => {
      const account = await findAccount(database, name.toLowerCase());
      if (!account) throw new OperatorError(`there is no account "${name.toLowerCase()}"`);
      return signAccessToken(database, account, {
        issuer: baseUrl,
        clientId: CLI_CLIENT,
        lifetimeSeconds: Number(options.lifetime),
      });
    });
    print(token);
  });

withDatabase(program.command("events <table>").description("print what is written to schema.table, as JSON lines"))
  .option("--as <name>", "the account whose rights count; default: a super user")
  .option("--where <filter>", "as in SQL (name = 'Oslo' and id > 5), or JSON")
  .option("--op <operation>", "INSERT, UPDATE or DELETE; default all")
  .option("--columns <list>", "default all")
  .option("--after <position>", "begin there, and not now")
  .action(async (name: string, options: EventsOptions) => {
    const [schema = "", table = ""] = [
      name.slice(0, Math.max(0, name.indexOf("."))),
      name.slice(name.indexOf(".") + 1),
    ];
    if (schema === "" || table === "") throw new OperatorError("name the table as schema.table");
    const { baseUrl } = await chooseDatabase(options);
    const token = (): Promise<string> =>
      withOwner(options, async (database) => {
        const account = await findAccount(database, options.as?.toLowerCase() ?? (await superuserOf(database)));
        if (!account)
          throw new OperatorError(`there is no account "${options.as?.toLowerCase() ?? ""}": name one with --as`);
        return signAccessToken(database, account, { issuer: baseUrl, clientId: CLI_CLIENT });
      });
    const stop = new AbortController();
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
    const live = (): void => void process.stderr.write(`${name}: following, Ctrl-C ends it\n`);
    await followEvents({ ...options, baseUrl, token, schema, table, live, print, signal: stop.signal });
  });

const method = program.command("method").description("stored JSON-RPC methods");

withDatabase(
  method.command("add <name> <sql>").description("store a statement as a method; - reads it from standard input"),
)
  .option("--type-hints <json>", "name of a parameter or column → name of a type", "{}")
  .option("--type-formats <json>", "name → pattern of dates in the letters of PHP's date()", "{}")
  .option("--output-format <format>", "json, csv, ndjson, geojson or excel", "json")
  .option("--srs <code>", "EPSG code of geometries in the result", "4326")
  .option("--description <text>")
  .action(async (name: string, sql: string, options: MethodOptions) => {
    const { check, newMethod } = await import("./methods/definition.ts");
    const { parserIsReady } = await import("./methods/statement.ts");
    await parserIsReady;
    const definition = check(newMethod, {
      method: name,
      q: sql === "-" ? readFileSync(0, "utf8") : sql,
      type_hints: JSON.parse(parseObject("--type-hints", options.typeHints)),
      type_formats: JSON.parse(parseObject("--type-formats", options.typeFormats)),
      output_format: options.outputFormat,
      srs: Number(options.srs),
      ...(options.description !== undefined && { description: options.description }),
    });
    await withOwner(options, ({ db }) =>
      db.func("portolan.create_method", [
        definition.method,
        definition.q,
        definition.type_hints ?? null,
        definition.type_formats ?? null,
        definition.output_format ?? "json",
        definition.srs ?? 4326,
        definition.description ?? null,
      ]),
    );
    print(`${name} is stored and published`);
  });

withDatabase(method.command("list").description("all methods")).action(async (options: DatabaseOption) => {
  const rows = await withOwner(options, ({ db }) =>
    db.any<Record<string, unknown>>(
      "select method, coalesce(owner, '') as owner, published, output_format as format, coalesce(description, '') as description from portolan.methods order by method",
    ),
  );
  printTable(rows);
});

withDatabase(method.command("remove <name>").description("remove a method")).action(
  async (name: string, options: DatabaseOption) => {
    await withOwner(options, ({ db }) => db.func("portolan.drop_method", [name]));
    print(`${name} is removed`);
  },
);

withDatabase(program.command("interfaces").description("TypeScript declarations of stored methods"))
  .option("--out <file>", "write them to this file; default: print them")
  .option("--account <name>", "of all that this account may call, functions included; default: of all stored methods")
  .action(async (options: DatabaseOption & { out?: string; account?: string }) => {
    const { account } = options;
    const text =
      account === undefined
        ? await withOwner(options, async (database) => (await import("./methods/declarations.ts")).declareAll(database))
        : await declareFor(options, account);
    if (options.out === undefined) process.stdout.write(text);
    else {
      writeFileSync(options.out, text);
      print(`written to ${options.out}`);
    }
  });

/** What `GET /api/v4/interfaces` gives the account. */
async function declareFor(options: DatabaseOption, account: string): Promise<string> {
  const { createMethods } = await import("./methods/methods.ts");
  const { identityOf } = await import("./kernel/identity/identity.ts");
  const { exposedSchemas } = await import("./kernel/catalogue/watcher.ts");
  const { name, url } = await chooseDatabase(options);
  const config = await loadConfig();
  return withOpened(name, url, async (database) => {
    const found = await findAccount(database, account);
    if (!found) throw new OperatorError(`there is no account ${account}`);
    const schemas = config.schemas ?? (await exposedSchemas(database));
    const methods = createMethods({
      ...config,
      databaseOf: () => database,
      schemasOf: () => schemas,
      watchTable: () => Promise.resolve({ close: () => undefined }), // nothing is called, so nothing is kept
      log: createLog("silent"),
    });
    try {
      return await methods.interfaces({ identity: identityOf(database, found, { sub: account, uid: account }) });
    } finally {
      methods.close();
    }
  });
}

program
  .command("doctor")
  .description("look at every configured database, and say what to mend and how")
  .action(async () => {
    const config = await loadConfig();
    let healthy = config.warnings.length === 0;
    for (const warning of config.warnings) print(`MEND ${warning}`);
    for (const database of await configuredDatabases()) {
      for (const finding of [
        ...(await diagnose(database, config.schemas)),
        ...(await schemasAreBuilt(database, config)),
      ]) {
        healthy &&= finding.ok;
        print(`${finding.ok ? "ok  " : "MEND"} ${database.name}: ${finding.text}`);
        for (const line of finding.ok ? [] : finding.remedy) print(`       ${line}`);
      }
    }
    process.exitCode = healthy ? 0 : 1;
  });

/** Builds every GraphQL schema once, as the gateway would with the plugins of `graphile.config.ts`. */
async function schemasAreBuilt({ name, url }: DatabaseConfig, config: Config): Promise<Finding[]> {
  process.env["GRAPHILE_ENV"] ??= "production"; // eslint-disable-line no-restricted-properties
  const { createGraphqlInstances } = await import("./graphql/instances.ts");
  const { judgePlugins } = await import("./graphql/plugins.ts");
  const { exposedSchemas } = await import("./kernel/catalogue/watcher.ts");
  return withOpened(name, url, async (database) => {
    if (!(await isMigrated((text) => database.pool.query(text)))) return [];
    const instances = createGraphqlInstances({ config, log: createLog("silent") });
    await instances.buildAll(database, config.schemas ?? (await exposedSchemas(database)));
    const failures = [...instances.failures(database)];
    await instances.close();
    const built = { ok: true, text: "every GraphQL schema can be built", remedy: [] };
    return [
      ...judgePlugins(config.preset).notices.map((text) => ({ ok: true, text, remedy: [] })),
      ...(failures.length === 0 ? [built] : []),
      ...failures.map(([schema, reason]) => ({
        ok: false,
        text: `the GraphQL schema ${schema} cannot be built: ${reason}`,
        remedy: [
          "take the plugins out of graphile.config.ts one by one: with the right one gone, doctor says that all can be built",
        ],
      })),
    ];
  });
}

interface MethodOptions extends DatabaseOption {
  readonly typeHints: string;
  readonly typeFormats: string;
  readonly outputFormat: string;
  readonly srs: string;
  readonly description?: string;
}

const style = program.command("style").description("how collections are drawn on maps");

style
  .command("check")
  .description("look at every style and raster, and say what is wrong where")
  .action(async () => {
    const config = await loadConfig();
    let right = true;
    for (const { name, ownerUrl } of await configuredDatabases())
      await withOpened(name, ownerUrl, async (database) => {
        const { checkStyles } = await import("../ogc/maps/styleCheck.ts");
        for (const { collection, problem } of await checkStyles(database, config, createLog("silent"))) {
          right &&= problem === undefined;
          print(problem === undefined ? `ok   ${name}: ${collection}` : `MEND ${name}: ${collection}: ${problem}`);
        }
      });
    process.exitCode = right ? 0 : 1;
  });

interface AddOptions extends DatabaseOption {
  readonly password?: string;
  readonly email?: string;
  readonly group?: string;
  readonly properties?: string;
  readonly superuser?: boolean;
  readonly role?: string;
}

interface RuleOptions extends DatabaseOption {
  readonly user?: string;
  readonly schema?: string;
  readonly table?: string;
  readonly service?: string;
  readonly request?: string;
  readonly from?: string;
  readonly priority: string;
  readonly filter?: string;
}

interface EventsOptions extends DatabaseOption {
  readonly as?: string;
  readonly where?: string;
  readonly op?: string;
  readonly columns?: string;
  readonly after?: string;
}

interface ClientOptions extends DatabaseOption {
  readonly name?: string;
  readonly redirectUri?: string[];
  readonly public?: boolean;
  readonly confirm: boolean;
  readonly grants?: string;
  readonly homepage?: string;
  readonly description?: string;
}

async function start(): Promise<void> {
  // Grafast asks for it when it is loaded; no other command needs the doors, so that only this one loads them
  process.env["GRAPHILE_ENV"] ??= "production"; // eslint-disable-line no-restricted-properties
  const { startGateway } = await import("./main.ts");
  const config = await loadConfig();
  const log = createLog(config.logLevel);
  const { stop, isStopping } = listenForSignals();
  const starting = startGateway(config, log);
  const gateway = await Promise.race([starting, stop]);
  if (typeof gateway === "string") {
    // nothing was served yet; what the start has opened by now ends with it, or with this process
    await Promise.race([
      starting.then((started) => started.close()),
      new Promise((resolve) => setTimeout(resolve, 5000)),
    ]);
    process.exit(0);
  }
  welcome(gateway);
  log.info({ baseUrl: gateway.baseUrl, databases: gateway.databases.map(({ name }) => name) }, "ready");
  const reason = await Promise.race([stop, gateway.failed.then((text) => `the private PostgreSQL ended: ${text}`)]);
  log.info({ reason }, "stopping");
  await gateway.close();
  log.info("stopped");
  process.exitCode = isStopping() ? 0 : 1;
}

/** SIGTERM and SIGINT promise an end within 10 s; a second Ctrl-C does not wait. */
function listenForSignals(): { readonly stop: Promise<string>; isStopping(): boolean } {
  let stopping = false;
  const stop = new Promise<string>((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const)
      process.on(signal, () => {
        if (stopping && signal === "SIGINT") process.exit(130);
        stopping = true;
        setTimeout(() => process.exit(1), 9_500).unref();
        resolve(signal);
      });
  });
  return { stop, isStopping: () => stopping };
}

function welcome({ baseUrl, databases, demo }: Gateway): void {
  print(`\nPortolan serves at ${baseUrl}\n`);
  for (const { name, schemas, broken } of databases) {
    print(`  ${name}\n    OGC API   ${baseUrl}/api/v4/ogc/database/${encodeURIComponent(name)}`);
    for (const schema of schemas) {
      print(`  ${name}.${schema}`);
      const reason = broken.get(schema);
      if (reason !== undefined) {
        print(`    GraphQL   cannot be built: ${reason}`);
        continue;
      }
      print(`    GraphQL   ${baseUrl}/api/graphql/schema/${encodeURIComponent(schema)}`);
      print(`    GraphiQL  ${baseUrl}/graphiql/${encodeURIComponent(schema)}`);
    }
  }
  print(`\n  Events      ${baseUrl.replace(/^http/, "ws")}/?token=…, or ${baseUrl}/events`);
  if (!demo) return;
  print(`\nSign-ins of the demo${demo.fresh ? " (made just now)" : ""}:`);
  print(`  captain   ${demo.signIns.captain}   super user`);
  print(`  guest     ${demo.signIns.guest}   reads part of it`);
  print(`\nA token: npx portolan token captain\nThe database: psql '${demo.psql.replace(/:[^:@/]*@/, ":…@")}'\n`);
}

function withDatabase(command: Command): Command {
  return command.option("--database <name>", "which database, when several are configured");
}

/** The databases of the configuration, or the demo that is running. */
async function configuredDatabases(): Promise<readonly (DatabaseConfig & { baseUrl: string })[]> {
  const config = await loadConfig();
  const fallback = baseUrlOf(config);
  if (config.databases.length > 0) return config.databases.map((database) => ({ ...database, baseUrl: fallback }));
  const demo = findLocalDemo(config);
  if (!demo)
    throw new OperatorError("the demo is not running: start it with npm start, or name a database with DATABASE_URL");
  return [{ ...demo, baseUrl: demo.baseUrl ?? fallback }];
}

function baseUrlOf(config: Config): string {
  const scheme = config.tlsCert === undefined ? "http" : "https";
  return config.baseUrl ?? `${scheme}://${config.host.includes(":") ? `[${config.host}]` : config.host}:${config.port}`;
}

async function chooseDatabase({ database }: DatabaseOption): Promise<DatabaseConfig & { baseUrl: string }> {
  const databases = await configuredDatabases();
  const names = databases.map(({ name }) => name).join(", ");
  const chosen =
    database === undefined && databases.length === 1 ? databases[0] : databases.find(({ name }) => name === database);
  if (!chosen) throw new OperatorError(`--database: choose one of ${names}`);
  return chosen;
}

/** As the owner: what the SQL functions are for is an operator's right. */
async function withOwner<T>(options: DatabaseOption, callback: (database: Database) => Promise<T>): Promise<T> {
  const { name, ownerUrl } = await chooseDatabase(options);
  return withOpened(name, ownerUrl, callback);
}

async function withOpened<T>(name: string, url: string, callback: (database: Database) => Promise<T>): Promise<T> {
  const database = openDatabase({
    name,
    url,
    poolSize: 1,
    connectTimeoutMs: 10_000,
    statementTimeoutMs: 60_000,
  });
  try {
    return await callback(database);
  } finally {
    await database.close();
  }
}

async function superuserOf({ db }: Database): Promise<string> {
  const row = await db.oneOrNone<{ name: string }>(
    "select name from portolan.users where superuser order by name limit 1",
  );
  return row?.name ?? "";
}

function parseObject(option: string, text: string | undefined): string {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return JSON.stringify(value);
  } catch {
    // said below
  }
  throw new OperatorError(`${option}: must be a JSON object`);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function printTable(rows: readonly Record<string, unknown>[]): void {
  const [first] = rows;
  if (!first) return;
  const names = Object.keys(first);
  const cells = [names, ...rows.map((row) => names.map((name) => String(row[name])))];
  const widths = names.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  for (const row of cells)
    print(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
}

/** One sentence for what an operator can mend; the whole trace for what only we can. */
function explain(error: unknown): string {
  if (error instanceof OperatorError) return error.message;
  const known = toGatewayError(error);
  if (known === error) return known.message;
  if (known.code === "UNAVAILABLE")
    return `The database does not answer: ${(error as Error).message || (error as Error).name}`;
  if (sqlstateOf(error) !== undefined) return (error as Error).message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode;
  else {
    process.stderr.write(`portolan: ${explain(error)}\n`);
    process.exitCode = 1;
  }
}

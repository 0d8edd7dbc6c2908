/** Commands about the database: migrations, doctor, the audit, the GraphQL schema, and psql. */
import type { Command } from "commander";
import { counted, listing, print, printRows, rowsOf, withDatabase, type Row } from "./command.ts";
import {
  chooseDatabase,
  configuredDatabases,
  missesAway,
  patternFindings,
  readConfig,
  withOpened,
  withOwner,
  type DatabaseOption,
} from "./databases.ts";
import { OperatorError } from "../ground/errors.ts";
import type { Finding } from "../ground/finding.ts";

export function addDatabaseCommands(program: Command): void {
  program
    .command("migrate")
    .description("migrate schema portolan of every configured database")
    .option("--repair-roles", "also write roles, recorded grants and the leakproof mark again, as after a restore")
    .option("--check", "list pending work and change nothing; the exit status is 1 if there is any")
    .action(migrateAll);
  program
    .command("doctor")
    .description("check every configured database, and name each problem with its remedy")
    .option("--json", "as JSON")
    .action(diagnoseAll);
  withDatabase(program.command("psql [arguments...]").description("psql on the database, as its owner"))
    .allowUnknownOption() // they are psql's
    .passThroughOptions()
    .action(psql);
  withDatabase(
    program
      .command("audit")
      .description("the log of changes of accounts, tokens, rights, settings and tables, latest first"),
  )
    .option("--event <prefix>", "only events with this beginning, such as user.")
    .option("--account <name>", "only entries by or about an account")
    .option("--limit <number>", "how many", "100")
    .option("--json", "as JSON")
    .action(audit);
  listing(
    program.command("fleet").description("the gateways that serve the database now"),
    "select * from portolan.fleet()",
  );
  withDatabase(program.command("schema <name>").description("print the GraphQL schema of a schema (SDL)")).action(
    printGraphqlSchema,
  );
}

async function migrateAll(options: { repairRoles?: boolean; check?: boolean }): Promise<void> {
  if (options.check) return checkMigrations();
  const { makeClient } = await import("../kernel/database/database.ts");
  const { migrate } = await import("../operate/migrate.ts");
  for (const database of await configuredDatabases(missesAway)) {
    const { migrations, code } = await migrate({
      ownerUrl: database.ownerUrl,
      gatewayLogin: makeClient({ connectionString: database.url }).user,
      repairRoles: options.repairRoles ?? false,
      legacyClient: database.legacyClient,
      waits: (text) => void process.stderr.write(`portolan: ${text}\n`),
    });
    const repaired = options.repairRoles ? ", roles repaired" : "";
    print(`${database.name}: ${parts(migrations, code)} applied${repaired}`);
  }
}

function parts(migrations: readonly unknown[], code: readonly unknown[]): string {
  return `${counted(migrations.length, "migration")}, ${counted(code.length, "code file")}`;
}

async function checkMigrations(): Promise<void> {
  const { pendingMigrations } = await import("../operate/migrate.ts");
  for (const { name, ownerUrl } of await configuredDatabases(missesAway)) {
    const { migrations, code, newer } = await pendingMigrations({ ownerUrl });
    const isReady = migrations.length + code.length === 0;
    if (!isReady) process.exitCode = 1;
    const beside = newer === undefined ? "is up to date" : `is of Portolan ${newer}, which this version can serve too`;
    print(`${name}: ${isReady ? beside : `${parts(migrations, code)} to apply`}`);
    for (const one of [...migrations.map((id) => `migrations/${id}.sql`), ...code]) print(`  ${one}`);
  }
}

async function diagnoseAll({ json }: { json?: boolean }): Promise<void> {
  const { diagnose } = await import("../operate/doctor/doctor.ts");
  const { natsFindings } = await import("../fleet/nats.ts");
  const { mailFindings } = await import("../kernel/mail/mailer.ts");
  const { certificateFindings } = await import("../operate/certificate.ts");
  const { rasterDirectoryFindings } = await import("../operate/rasterDirectory.ts");
  process.env["GRAPHILE_ENV"] ??= "production"; // oxlint-disable-line no-restricted-properties
  const served = () => import("./servedChecks.ts");
  const config = await readConfig();
  const databases = await configuredDatabases(() => undefined); // clusters that do not answer are among the findings
  const rows: Row[] = config.warnings.map((warning) => ({
    ok: false,
    severity: "warning",
    finding: warning,
    remedy: [],
    page: "docs/reference/options.md",
  }));
  if (!json) for (const warning of config.warnings) print(`FIX  ${warning}`);
  const tell = (name: string, finding: Finding): void => {
    rows.push(rowOf(name, finding));
    if (!json) printFinding(name, finding);
  };
  for (const [name, finding] of await patternFindings(config)) tell(name, finding);
  for (const database of databases) {
    // each is printed as soon as it is known: the checks of the database long before the schemas are built
    for (const look of [
      () => natsFindings(config),
      () => mailFindings(config),
      async () => (config.identityProviders.length > 0 ? (await served()).providerFindings(config) : []),
      () => [...certificateFindings(config), ...rasterDirectoryFindings(config)],
      () => diagnose(database, config.schemas),
      async () => (await served()).schemasAreBuilt(database, config),
      async () => (await served()).definitions(database, config),
    ])
      for (const finding of await look()) tell(database.name, finding);
  }
  if (json) printRows(rows, true);
  process.exitCode = rows.every(({ ok }) => ok) ? 0 : 1;
}

function rowOf(database: string, { ok, severity = "error", text, remedy, page = "operating.md" }: Finding): Row {
  return {
    database,
    ok,
    severity: ok ? null : severity,
    finding: text,
    remedy: ok ? [] : remedy,
    page: `docs/guides/${page}`,
  };
}

function printFinding(
  database: string,
  { ok, severity = "error", text, remedy, page = "operating.md" }: Finding,
): void {
  print(`${ok ? "ok  " : "FIX "} ${database}: ${text}`);
  if (ok) return;
  for (const line of remedy) print(`       ${line}`);
  print(`       ${severity}; docs/guides/${page}`);
}

async function psql(args: readonly string[], options: DatabaseOption): Promise<void> {
  const { runProgram } = await import("./postgresProgram.ts");
  const { ownerUrl } = await chooseDatabase(options);
  const { code } = await runProgram("psql", ownerUrl, args);
  process.exitCode = code ?? 1;
}

async function audit(
  options: DatabaseOption & { event?: string; account?: string; limit: string; json?: boolean },
): Promise<void> {
  if (!/^[1-9]\d{0,6}$/.test(options.limit)) throw new OperatorError("--limit: must be a number from 1 to 9999999");
  const { patterns } = await readConfig();
  if (patterns.length > 0 && options.database !== undefined) {
    const { auditOfRemoved } = await import("./pattern.ts");
    const removed = await auditOfRemoved(options.database);
    if (removed.length > 0) return printRows(removed, options.json);
  }
  const rows = await withOwner(options, (database) =>
    rowsOf(
      database,
      "select id, at, event, account, client_id, address, details from portolan.list_audit($1, $2, most => $3)",
      [options.event ?? null, options.account ?? null, Number(options.limit)],
    ),
  );
  printRows(rows, options.json);
}

/** Runs as the gateway's login, which reads the catalogue in the service too. */
async function printGraphqlSchema(schema: string, options: DatabaseOption): Promise<void> {
  // Grafast reads it when it is loaded
  process.env["GRAPHILE_ENV"] ??= "production"; // oxlint-disable-line no-restricted-properties
  const { createSchemaRegistry, printSchemaOf } = await import("../graphql/build/schemaRegistry.ts");
  const { createLog } = await import("../ground/log.ts");
  const config = await readConfig();
  const { name, url } = await chooseDatabase(options);
  await withOpened(name, url, async (database) => {
    const registry = createSchemaRegistry({ config, log: createLog("error") });
    try {
      process.stdout.write(printSchemaOf(await registry.schemaFor(database, schema)));
    } finally {
      await registry.close();
    }
  });
}

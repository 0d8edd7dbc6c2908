/** `portolan backup check`: restores a dump into a scratch database, repairs it there, and reports what remains wrong. */
import type { Command } from "commander";
import { randomBytes } from "node:crypto";
import { open, stat } from "node:fs/promises";
import { join } from "node:path";
import { atDatabase } from "../kernel/connectionString.ts";
import type { Connection } from "../kernel/database/database.ts";
import type { Finding } from "../ground/finding.ts";
import { OperatorError } from "../ground/errors.ts";
import { interruptible, print, printRows, withDatabase, type Row } from "./command.ts";
import { chooseDatabase, type DatabaseOption, type ServedDatabase } from "./databases.ts";
import { runProgram } from "./postgresProgram.ts";

const MAINTENANCE_DATABASE = "postgres";
/** A dump has no roles, so that statements about missing roles fail: `migrate --repair-roles` repairs that. */
const EXPECTED = /role "[^"]*" does not exist/;
/** The last line of a plain dump by pg_dump. */
const COMPLETE = /-- PostgreSQL database (cluster )?dump complete/;

export function addBackupCommands(program: Command): void {
  const backup = program.command("backup").description("backups, which are PostgreSQL's own: pg_dump, pg_basebackup");
  withDatabase(backup.command("check <file>"))
    .description("restore a dump into a scratch database beside the original, and report what remains to be fixed")
    .option("--json", "as JSON")
    .action(check);
}

/** The findings of the check. */
interface Result {
  /** Errors of the restore other than those about missing roles. */
  readonly errors: readonly string[];
  /** The latest migration of Portolan in the dump. */
  readonly migration: string;
  readonly migrated: number;
  /** The repairs of `migrate --repair-roles`, and its failures. */
  readonly repaired: readonly Finding[];
  readonly left: readonly Finding[];
  readonly contents: Readonly<Record<string, number>>;
}

async function check(file: string, { json, ...options }: DatabaseOption & { json?: boolean }): Promise<void> {
  const format = await formatOf(file);
  if (format === "archive") await readTableOfContents(file);
  const served = await chooseDatabase(options);
  const result = await inScratchDatabase(served, (scratch) => checkIn(scratch, file, format));
  report(result, json ?? false);
  const bad = result.errors.length > 0 || result.left.some(({ severity }) => severity !== "warning");
  process.exitCode = bad ? 1 : 0;
}

type Scratch = ServedDatabase & {
  /** Fires when the command must end. */
  readonly signal: AbortSignal;
};

type Format = "archive" | "sql";

/** Throws `OperatorError` for a file that is not a dump, or an incomplete one. */
async function formatOf(path: string): Promise<Format> {
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new OperatorError(`there is no ${path}`);
  if (found.isDirectory()) {
    if (await stat(join(path, "toc.dat")).catch(() => undefined)) return "archive";
    throw new OperatorError(`${path} is a folder, but not a dump of pg_dump --format=directory`);
  }
  await using file = await open(path);
  const head = Buffer.alloc(600);
  await file.read(head, 0, head.length, 0);
  if (head.toString("latin1", 0, 5) === "PGDMP" || head.toString("latin1", 257, 262) === "ustar") return "archive";
  if (!/PostgreSQL database/.test(head.toString("latin1"))) throw new OperatorError(`${path} is not a dump of pg_dump`);
  const tail = Buffer.alloc(600);
  await file.read(tail, 0, tail.length, Math.max(0, found.size - tail.length));
  if (COMPLETE.test(tail.toString("latin1"))) return "sql";
  throw new OperatorError(`${path} is not complete: it lacks the last line of a dump`);
}

/** Throws `OperatorError` with pg_restore's message for an archive that it cannot read, e.g. one of a newer PostgreSQL. */
async function readTableOfContents(file: string): Promise<void> {
  const { code, stderr } = await runProgram("pg_restore", undefined, ["--list", file], ["ignore", "ignore", "pipe"]);
  if (code !== 0) throw new OperatorError(`${file} cannot be read. ${stderr.trim()}`);
}

/** Makes a database beside the one that is served, and drops it with the roles that were made for it. */
async function inScratchDatabase<T>(served: ServedDatabase, callback: (scratch: Scratch) => Promise<T>): Promise<T> {
  const { connectTo, quoteIdentifier } = await import("../kernel/database/database.ts");
  const name = `check_${randomBytes(3).toString("hex")}`; // short, since roles of accounts end with it
  const maintenance = connectTo(atDatabase(served.ownerUrl, MAINTENANCE_DATABASE));
  try {
    return await interruptible("interrupted; the scratch database is gone", async (signal) => {
      await maintenance.rows(`create database ${quoteIdentifier(name)} template template0`);
      try {
        return await callback({
          ...served,
          name,
          url: atDatabase(served.url, name),
          ownerUrl: atDatabase(served.ownerUrl, name),
          pooledUrl: undefined,
          signal,
        });
      } finally {
        await maintenance.rows(`drop database ${quoteIdentifier(name)} with (force)`);
        for (const role of await rolesFor(maintenance, name))
          await maintenance.rows(`drop role ${quoteIdentifier(role)}`);
      }
    });
  } finally {
    await maintenance.close();
  }
}

/** Roles of accounts, of the owner and of the runner are `…@<database>`. */
async function rolesFor(maintenance: Connection, name: string): Promise<readonly string[]> {
  const rows = await maintenance.rows<{ role: string }>(
    "select rolname as role from pg_roles where rolname like '%@' || replace($1, '_', '\\_') order by 1",
    [name],
  );
  return rows.map(({ role }) => role);
}

/**
 * Findings that are normal in a scratch database: the role `owner@` of the original owns the restored objects, and the
 * dump has the clients of the original.
 */
const OF_ORIGINAL = /runs code of the untrusted role owner@\S+$|^the client gc2-cli /;

async function checkIn(scratch: Scratch, file: string, format: Format): Promise<Result> {
  const { connectTo, makeClient } = await import("../kernel/database/database.ts");
  scratch.signal.throwIfAborted();
  const errors = await restore(scratch.ownerUrl, file, format);
  scratch.signal.throwIfAborted();
  const connection = connectTo(scratch.ownerUrl);
  try {
    const [portolan] = await connection.rows<{ there: boolean }>(
      "select to_regclass('portolan.migrations') is not null as there",
    );
    if (!portolan?.there) throw inShort(`${file} holds no schema portolan`, errors);
    const [latest] = await connection.rows<{ id: string }>("select max(id) as id from portolan.migrations");
    const { diagnose } = await import("../operate/doctor/doctor.ts");
    const { migrate } = await import("../operate/migrate.ts");
    const broken = async (): Promise<readonly Finding[]> =>
      (await diagnose(scratch, undefined)).filter(({ ok, text }) => !ok && !OF_ORIGINAL.test(text));
    const before = await broken();
    const gatewayLogin = makeClient({ connectionString: scratch.url }).user;
    const { ownerUrl } = scratch;
    const { migrations } = await migrate({ ownerUrl, gatewayLogin, repairRoles: true }).catch((error: unknown) => {
      throw inShort(`migrate --repair-roles fails after the restore: ${(error as Error).message}`, errors);
    });
    const left = await broken();
    return {
      errors,
      migration: latest?.id ?? "",
      migrated: migrations.length,
      repaired: before.filter(({ text }) => left.every((one) => one.text !== text)),
      left,
      contents: await contentsOf(connection),
    };
  } finally {
    await connection.close();
  }
}

/** With the first errors of the restore, which usually are the reason. */
function inShort(message: string, errors: readonly string[]): OperatorError {
  return new OperatorError([message, ...errors.slice(0, 10)].join("\n  "));
}

/** Returns the errors other than those about missing roles. Throws `OperatorError` where it was killed. */
async function restore(url: string, file: string, format: Format): Promise<readonly string[]> {
  const [program, args] =
    format === "archive"
      ? (["pg_restore", [file]] as const)
      : (["psql", ["--no-psqlrc", "--quiet", "--file", file]] as const);
  const { code, stderr } = await runProgram(program, url, args, ["ignore", "ignore", "pipe"]);
  if (code === null) throw new OperatorError(`${program} was killed`);
  return stderr
    .split("\n")
    .filter((line) => /error:|ERROR:|FATAL:/.test(line) && !EXPECTED.test(line))
    .map((line) => line.trim());
}

/** Figures that let an operator compare the copy with the database. */
async function contentsOf(connection: Connection): Promise<Readonly<Record<string, number>>> {
  const [row] = await connection.rows<Record<string, number>>(`
select
  (select count(*)::integer from portolan.users) as accounts,
  (select count(*)::integer from portolan.rules) as rules,
  (select count(*)::integer from portolan.methods) as methods,
  (select count(*)::integer from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where c.relkind in ('r', 'p', 'm', 'f') and n.nspname !~ '^(pg_|information_schema$|portolan$)') as tables,
  (pg_database_size(current_database()) / 1000000)::integer as megabytes`);
  return row ?? {};
}

function report({ errors, migration, migrated, repaired, left, contents }: Result, json: boolean): void {
  const rowOf =
    (withRemedy: boolean) =>
    ({ text, severity = "error", remedy }: Finding): Row => ({
      finding: text,
      severity,
      remedy: withRemedy ? remedy : [],
    });
  if (json) {
    const findings = { repaired: repaired.map(rowOf(false)), left: left.map(rowOf(true)) };
    return printRows([{ migration, migrated, errors, ...findings, contents }], true);
  }
  const figures = Object.entries(contents).map(([name, figure]) => `${figure} ${name}`);
  print(`restored: ${figures.join(", ")}`);
  print(`its schema portolan is of migration ${migration}; ${migrated} more were applied`);
  for (const error of errors) print(`FIX  ${error}`);
  for (const { text } of repaired) print(`done ${text}`);
  for (const { text, remedy } of left) {
    print(`FIX  ${text}`);
    for (const line of remedy) print(`       ${line}`);
  }
  print(errors.length === 0 && left.length === 0 ? "the backup is good" : "there are problems to fix");
}

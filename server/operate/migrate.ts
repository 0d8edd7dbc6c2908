/** Brings schema `portolan` of one database up to date: numbered state once, repeatable code whenever it has changed. */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { makeClient, SET_JIT_OFF, SET_SEARCH_PATH, SHARDS_IN_TURN, STANDBY } from "../kernel/database/database.ts";
import { OperatorError, SQLSTATE, sqlstateOf } from "../ground/errors.ts";
import { SIGNING_ALGORITHMS, makeSigningKey } from "../kernel/identity/tokens.ts";
import { besideCode, VERSION } from "../ground/packageDirectory.ts";

const SQL_DIRECTORY = besideCode("sql");
const CONNECT_TIMEOUT_MS = 10_000;
/** At first longer than deadlock_timeout, and shorter than DDL of others waits to be followed: sql/catalogue/tg__follow_ddl.sql. */
const LOCK_MS = 1500;
const MOST_LOCK_MS = 12_000;
/** The migration that makes the first clients, `gc2-cli` among them. */
const MAKES_CLIENTS = "000002";
/** The folders without repeatable code: numbered state, and the demo. */
const OTHER_FOLDERS = ["migrations", "demo"];

type Tell = (text: string) => void;

export interface MigrateOptions {
  /** Connection string of the role that owns schema `portolan`. It needs CREATEROLE, and CREATE on the database. */
  readonly ownerUrl: string;
  /** Login role of the gateway's pool; default: the owner itself. */
  readonly gatewayLogin?: string | undefined;
  /** Also restores the recorded grants, as after a restore. */
  readonly repairRoles?: boolean;
  /** Whether a new database gets the client `gc2-cli`. Default false; others keep what they have. */
  readonly legacyClient?: boolean | undefined;
  /** Is told what the migration waits for, in one sentence. */
  readonly waits?: Tell | undefined;
  /** The directory of the SQL; for tests. */
  readonly directory?: string;
  /** The version of this Portolan; for tests. */
  readonly version?: string;
}

export interface MigrateResult {
  /** Numbers of the migrations that this run applied. */
  readonly migrations: readonly string[];
  /** Paths of the code files that this run applied. */
  readonly code: readonly string[];
}

/** For the operator: the message says what to do. */
export class MigrationError extends OperatorError {
  override readonly name = "MigrationError";
}

interface SqlFile {
  readonly path: string;
  readonly text: string;
  readonly hash: string;
}

/**
 * Applies everything new in one transaction, under a lock that only the owner can take: a second runner waits and finds
 * nothing to do, and a failure leaves the database as it was. A second run does nothing. Throws `MigrationError` when an
 * applied migration has another text now, or when the database has migrations or code of a newer Portolan.
 */
export async function migrate(options: MigrateOptions): Promise<MigrateResult> {
  const { directory = SQL_DIRECTORY, version = VERSION } = options;
  const client = ownerClient(options);
  await client.connect();
  try {
    await client.query(SET_SEARCH_PATH);
    await client.query(SET_JIT_OFF);
    await client.query(SHARDS_IN_TURN);
    const { rows } = await client.query<{ standby: boolean }>("select pg_is_in_recovery() as standby");
    if (rows[0]?.standby) throw new MigrationError(`The database cannot be migrated. ${STANDBY}.`);
    await client.query("set citus.enable_ddl_propagation = off"); // nodes of Citus have little of schema portolan
    await createBookkeeping(client);
    const done = await patiently(client, options.waits, async () => {
      await refuseHalf(client);
      const migrations = await applyMigrations(client, await readFolder(directory, "migrations"));
      if (migrations.includes(MAKES_CLIENTS) && !options.legacyClient)
        await client.query("delete from portolan.clients where id = 'gc2-cli'");
      const code = await applyCode(client, await readCode(directory), version);
      await client.query("set citus.enable_ddl_propagation = on"); // they have its roles
      await client.query("select portolan.ship_functions()");
      await client.query("select portolan.repair_roles($1)", [options.repairRoles ?? false]);
      await registerLogin(client, options.gatewayLogin);
      await createSecrets(client);
      await client.query("select portolan.join_nodes()");
      await client.query("select portolan.harden()");
      await client.query("select portolan.note_own_parts($1, $2)", [migrations.length > 0, code.length > 0]);
      return { migrations, code };
    });
    await client.query("select portolan.tell_nodes()");
    return done;
  } catch (error) {
    await client.query("rollback").catch(() => undefined); // the first error is the one to report
    throw await withRemedy(error, client);
  } finally {
    await client.end().catch(() => undefined); // the connection may be what failed
  }
}

/**
 * Runs `work` in a transaction that has locked what others need for rules, rights and DDL, and again where another session
 * holds a lock. All that wait behind this one get their turn in between, for as long as it has waited. Its waits get longer, so
 * that it has its turn too. `tell`: what holds the lock; once for each.
 */
async function patiently<T>(client: pg.Client, tell: Tell | undefined, work: () => Promise<T>): Promise<T> {
  let told = "";
  for (let limitMs = LOCK_MS; ; limitMs = Math.min(2 * limitMs, MOST_LOCK_MS)) {
    const begunAt = performance.now();
    await client.query("begin");
    try {
      await client.query(`set local lock_timeout = ${limitMs}`);
      // in the order of locks: sql/catalogue/one_at_a_time.sql
      const { rows: ruled } = await client.query("select to_regclass('portolan.rules') is not null as there");
      if (ruled[0]?.there) await client.query("lock table portolan.rules in access exclusive mode");
      await client.query("lock table portolan.migrations in access exclusive mode");
      await client.query("set local lock_timeout to default");
      const result = await work();
      await client.query("commit");
      return result;
    } catch (error) {
      if (sqlstateOf(error) !== SQLSTATE.lockNotAvailable) throw error;
      await client.query("rollback");
      const holders = (await holdersOf(client)) ?? "another session";
      if (holders !== told) tell?.(`The migration waits for a lock of ${holders}`);
      told = holders;
      await sleep(performance.now() - begunAt);
    }
  }
}

/** In words; undefined where there are none any more, or where the database is older than the function. */
async function holdersOf(client: pg.Client): Promise<string | undefined> {
  const { rows: known } = await client.query(
    "select to_regprocedure('portolan.lock_holders(regclass,text)') is not null as is",
  );
  if (!known[0]?.is) return undefined;
  const { rows } = await client.query<{ holders: string | null }>(`
select coalesce(portolan.lock_holders('portolan.rules', 'access exclusive'), portolan.lock_holders('portolan.migrations', 'access exclusive'))
  as holders`);
  return rows[0]?.holders ?? undefined;
}

/** Default: the owner itself. A login that is registered already has got its memberships from the repair of roles. */
async function registerLogin(client: pg.Client, login: string | undefined): Promise<void> {
  const { rows } = await client.query(
    `
select from portolan.logins l join pg_roles r on r.rolname = l.role
where l.role = coalesce($1, current_user)`,
    [login],
  );
  if (rows.length > 0) return;
  await client.query("select portolan.register_login(coalesce($1, current_user))", [login]);
  await client.query("select portolan.repair_roles()");
}

function ownerClient({ ownerUrl }: MigrateOptions): pg.Client {
  return makeClient({
    connectionString: ownerUrl,
    application_name: "portolan migrate",
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
}

/** The work that `migrate` would do. */
export interface Pending extends MigrateResult {
  /** The version of a newer Portolan that migrated the database: this one serves beside it, and migrates nothing. */
  readonly newer: string | undefined;
}

/** Changes nothing. Throws `MigrationError` where an applied migration has another text now. */
export async function pendingMigrations(options: MigrateOptions): Promise<Pending> {
  const { directory = SQL_DIRECTORY, version = VERSION } = options;
  const client = ownerClient(options);
  await client.connect();
  try {
    await client.query(SET_SEARCH_PATH);
    const [migrations, code] = [await readFolder(directory, "migrations"), await readCode(directory)];
    const applied = await readApplied((text) => client.query(text));
    refuseEdited(migrations, applied?.hashes ?? new Map());
    const isMissing = (file: SqlFile): boolean => applied?.hashes.get(idOf(file)) !== file.hash;
    const newer = applied && newerThan(version, applied.versions);
    const isTouched = await codeIsTouched(client);
    return {
      newer,
      migrations: migrations.filter(isMissing).map(idOf),
      code: newer === undefined ? code.filter((file) => isTouched || isMissing(file)).map(({ path }) => path) : [],
    };
  } finally {
    await client.end();
  }
}

/** The applied files by id, and the versions that applied them. */
interface Applied {
  readonly hashes: ReadonlyMap<string, string>;
  readonly versions: readonly string[];
}

/** Undefined without schema portolan. Empty for migrations from before versions were recorded. */
async function readApplied(query: Query): Promise<Applied | undefined> {
  try {
    // as a row, so that a table without this column can be queried
    const { rows } = await query(`
select id as path, hash, null as version from portolan.migrations
union all select path, hash, to_jsonb(c) ->> 'version' from portolan.code c`);
    return {
      hashes: new Map(rows.map(({ path, hash }) => [path ?? "", hash ?? ""])),
      versions: rows.flatMap(({ version }) => version ?? []),
    };
  } catch (error) {
    const missing: readonly string[] = [SQLSTATE.undefinedTable, SQLSTATE.insufficientPrivilege, "3F000"];
    if (missing.includes(sqlstateOf(error) ?? "")) return undefined;
    throw error;
  }
}

/** The newest of these versions, where it is newer than `own`. */
function newerThan(own: string, versions: readonly string[]): string | undefined {
  const [newest] = versions.toSorted((a, b) => compareVersions(b, a));
  return newest !== undefined && compareVersions(newest, own) > 0 ? newest : undefined;
}

/** Compares the numbers before any `-`. */
function compareVersions(a: string, b: string): number {
  const [left = [], right = []] = [a, b].map((one) => (one.split("-")[0] ?? "").split(".").map(Number));
  return left.map((part, at) => part - (right[at] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

/** Adds the right that the owner role lacks, as SQL, to PostgreSQL's error, which only says that permission is denied. */
async function withRemedy(error: unknown, client: pg.Client): Promise<unknown> {
  if (sqlstateOf(error) !== SQLSTATE.insufficientPrivilege) return error;
  const { rows } = await client.query<{ statement: string }>(`
select format('alter role %I createrole;', r.rolname) as statement
from pg_roles r
where r.rolname = current_user and not (r.rolcreaterole or r.rolsuper)
union all
select format('grant create on database %I to %I;', current_database(), current_user)
where to_regnamespace('portolan') is null and not has_database_privilege(current_database(), 'create')
union all
select format('alter schema portolan owner to %I;', current_user)
where exists (select from pg_namespace n where n.nspname = 'portolan' and not pg_has_role(n.nspowner, 'usage'))`);
  const statements = rows.map(({ statement }) => `  ${statement}`);
  if (statements.length === 0) return error;
  const reason = (error as Error).message;
  return new MigrationError([`${reason}. Run as a superuser, then migrate again:`, ...statements].join("\n"), {
    cause: error,
  });
}

/** Numbered state and code of this Portolan; a process reads them once. */
let shipped: Promise<readonly (readonly SqlFile[])[]> | undefined;

export type Query = (text: string) => Promise<{ rows: readonly Record<string, string | null>[] }>;

/**
 * Whether the database has all migrations and exactly the code of this Portolan, or those of a newer one, beside which it
 * may serve. `query` runs as the gateway's login.
 */
export async function isMigrated(query: Query): Promise<boolean> {
  const [migrations = [], code = []] = await (shipped ??= Promise.all([
    readFolder(SQL_DIRECTORY, "migrations"),
    readCode(SQL_DIRECTORY),
  ]));
  const applied = await readApplied(query);
  if (!applied) return false;
  const needed = newerThan(VERSION, applied.versions) === undefined ? [...migrations, ...code] : migrations;
  return needed.every((file) => applied.hashes.get(idOf(file)) === file.hash);
}

/** A migration is known by its number, a code file by its path. */
function idOf(file: SqlFile): string {
  return file.path.startsWith("migrations/") ? file.path.slice("migrations/".length, -".sql".length) : file.path;
}

/**
 * Repeatable code, by subject: `<name>.view.sql` before `<name>.sql`, a function, before `<name>.trigger.sql`. Functions may
 * call later ones, but a view or a trigger needs what it uses to exist: views are made in the order of their names.
 */
async function readCode(directory: string): Promise<SqlFile[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const subjects = entries.filter((entry) => entry.isDirectory() && !OTHER_FOLDERS.includes(entry.name));
  const files = await Promise.all(subjects.map(({ name }) => readFolder(directory, name)));
  return files.flat().sort((a, b) => turnOf(a) - turnOf(b) || (basename(a.path) < basename(b.path) ? -1 : 1));
}

function turnOf({ path }: SqlFile): number {
  return path.endsWith(".view.sql") ? 0 : path.endsWith(".trigger.sql") ? 2 : 1;
}

async function readFolder(directory: string, folder: string): Promise<SqlFile[]> {
  const names = (await readdir(join(directory, folder))).filter((name) => name.endsWith(".sql")).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(directory, folder, name), "utf8");
      return { path: `${folder}/${name}`, text, hash: createHash("sha256").update(text).digest("hex") };
    }),
  );
}

async function createBookkeeping(client: pg.Client): Promise<void> {
  const create = `
begin;
create schema if not exists portolan;
create table if not exists portolan.migrations (
  id text primary key,
  hash text not null,
  applied_at timestamptz not null default now()
);
create table if not exists portolan.code (
  path text primary key,
  hash text not null,
  applied_at timestamptz not null default now()
);
grant usage on schema portolan to public;
commit`;
  for (let attempt = 1; ; attempt++) {
    try {
      const { rows } = await client.query("select to_regclass('portolan.code') is not null as there");
      if (rows[0].there) return;
      await client.query(create);
      return;
    } catch (error) {
      await client.query("rollback");
      // "if not exists" does not help against a second runner that creates the same at the same moment
      const raced = ["23505", "42P06", "42P07", "XX000"].includes(sqlstateOf(error) ?? "");
      if (!raced || attempt === 5) throw error;
    }
  }
}

const MOST_NAMED = 10;

/** Refuses an incomplete restore. A repair would hide it, and a missing policy would go unnoticed. */
async function refuseHalf(client: pg.Client): Promise<void> {
  const again = "It was restored only in part: drop it and restore it again (docs/guides/backup.md)";
  const { rows } = await client.query<{ keyed: boolean; emptied: boolean; notes: boolean }>(`
select exists (select from pg_constraint where conrelid = 'portolan.migrations'::regclass and contype = 'p') as keyed,
  not exists (select from portolan.migrations) and to_regclass('portolan.users') is not null as emptied,
  to_regprocedure('portolan.missing_parts()') is not null as notes`);
  if (!rows[0]?.keyed) throw new MigrationError(`The schema portolan of the database is not whole. ${again}.`);
  if (rows[0].emptied)
    throw new MigrationError(
      `The schema portolan of the database has lost its rows, as where only definitions were dumped. ${again}.`,
    );
  if (!rows[0].notes) return;
  const missing = await client.query<{ part: string }>("select part from portolan.missing_parts() part");
  const parts = missing.rows.map(({ part }) => part);
  if (parts.length === 0) return;
  const named = parts.length > MOST_NAMED ? [...parts.slice(0, MOST_NAMED), "…"] : parts;
  throw new MigrationError(
    `The database lacks ${parts.length} parts that were in the dump: ${named.join(", ")}. ${again}, or create them; if they were removed on purpose: truncate portolan.noted_parts`,
  );
}

async function applyMigrations(client: pg.Client, files: readonly SqlFile[]): Promise<string[]> {
  const { rows } = await client.query<{ id: string; hash: string }>("select id, hash from portolan.migrations");
  const applied = new Map(rows.map((row) => [row.id, row.hash]));
  const known = new Set(files.map(idOf));
  const newer = rows.filter((row) => !known.has(row.id)).map((row) => row.id);
  if (newer.length > 0)
    throw new MigrationError(
      `The database has migrations of a newer Portolan: ${newer.sort().join(", ")}. Start that version or a later one: nothing was changed. To return to this version, restore an earlier backup (docs/guides/backup.md)`,
    );
  refuseEdited(files, applied);
  const done: string[] = [];
  for (const file of files) {
    const id = idOf(file);
    if (applied.has(id)) continue;
    await client.query("insert into portolan.migrations (id, hash) values ($1, $2)", [id, file.hash]);
    await run(client, file);
    done.push(id);
  }
  return done;
}

function refuseEdited(files: readonly SqlFile[], applied: ReadonlyMap<string, string>): void {
  for (const id of files.filter((file) => (applied.get(idOf(file)) ?? file.hash) !== file.hash).map(idOf))
    throw new MigrationError(
      `The migration ${id} was applied with another text: restore the released file, and put changes into a new migration`,
    );
}

async function applyCode(client: pg.Client, files: readonly SqlFile[], version: string): Promise<string[]> {
  const { rows } = await client.query<{ path: string; hash: string; version: string | null }>(
    "select path, hash, version from portolan.code",
  );
  const newer = newerThan(
    version,
    rows.flatMap((row) => row.version ?? []),
  );
  if (newer !== undefined)
    throw new MigrationError(
      `The database was migrated by Portolan ${newer}, and this is ${version}: it can serve the database, but cannot migrate it`,
    );
  const applied = new Map(rows.map((row) => [row.path, row.hash]));
  await client.query("delete from portolan.code where path <> all($1)", [files.map((file) => file.path)]);
  const isTouched = await codeIsTouched(client);
  const changed = files.filter((file) => isTouched || applied.get(file.path) !== file.hash);
  if (changed.length === 0) return [];
  await client.query("set local check_function_bodies = off"); // a function may call one that comes later
  for (const file of changed) {
    await run(client, file).catch((error: unknown) => {
      if (!isTouched) throw error;
      const reason = (error as Error).message;
      throw new MigrationError(
        `${reason}. Schema portolan was changed by hand: first repair what npx portolan doctor names there, except functions, views and triggers`,
        { cause: error },
      );
    });
    await client.query(
      `
insert into portolan.code (path, hash, version) values ($1, $2, $3)
on conflict (path) do update set hash = excluded.hash, version = excluded.version, applied_at = now()`,
      [file.path, file.hash, version],
    );
  }
  await describe(client, changed);
  return changed.map((file) => file.path);
}

/** Whether objects of the code files were dropped or changed. All files are applied again then. */
async function codeIsTouched(client: pg.Client): Promise<boolean> {
  const ask = async (text: string): Promise<boolean> =>
    (await client.query<{ yes: boolean }>(`select ${text} as yes`)).rows[0]?.yes ?? false;
  if (!(await ask("to_regclass('portolan.noted_own_parts') is not null"))) return false;
  if (!(await ask("exists (select from portolan.noted_own_parts)"))) return false; // made in this very run
  for (const name of ["changed_own_parts", "own_parts"])
    if (!(await ask(`to_regprocedure('portolan.${name}()') is not null`))) return true;
  return ask("exists (select from portolan.changed_own_parts() where is_code)");
}

/** The comment above a function or view in its file is also its comment in the database, which `\\df+` shows. */
async function describe(client: pg.Client, files: readonly SqlFile[]): Promise<void> {
  const described = files.flatMap(({ text }) =>
    [...text.matchAll(/((?:^--.*\n)+)create or replace (?:function|procedure|view) portolan\.(\w+)/gm)].map(
      ([, lines = "", name = ""]) => ({
        name,
        description: lines.replaceAll(/^-- ?/gm, "").trim().replaceAll("\n", " "),
      }),
    ),
  );
  const { rows } = await client.query<{ statement: string }>(
    `
select format('comment on %s is %L', o.object, d.description) as statement
from json_to_recordset($1) d (name text, description text)
join (
  select proname, 'routine ' || oid::regprocedure from pg_proc where pronamespace = 'portolan'::regnamespace
  union all
  select relname, 'view ' || oid::regclass from pg_class
  where relnamespace = 'portolan'::regnamespace and relkind = 'v'
) o (name, object) on o.name = d.name`,
    [JSON.stringify(described)],
  );
  await client.query(rows.map(({ statement }) => statement).join(";"));
}

async function run(client: pg.Client, file: SqlFile): Promise<void> {
  try {
    await client.query(file.text);
  } catch (error) {
    throw new Error(`sql/${file.path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

async function createSecrets(client: pg.Client): Promise<void> {
  await client.query(`
insert into portolan.settings (name, value)
select 'own_sql_secret', to_jsonb(encode(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 'hex'))
on conflict do nothing`);
  for (const alg of SIGNING_ALGORITHMS) {
    const { rows } = await client.query("select from portolan.signing_keys where retired_at is null and alg = $1", [
      alg,
    ]);
    if (rows.length > 0) continue;
    const { kid, publicJwk, privateJwk } = await makeSigningKey(alg);
    await client.query(
      "insert into portolan.signing_keys (kid, alg, public_jwk, private_jwk) values ($1, $2, $3, $4)",
      [kid, alg, publicJwk, privateJwk],
    );
  }
}

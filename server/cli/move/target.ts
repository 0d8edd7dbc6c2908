/** The other cluster: the database is made there, filled, and served at the end. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { forLibpq } from "../../kernel/connectionString.ts";
import { quoteIdentifier, quoteLiteral, type Connection } from "../../kernel/database/database.ts";
import { OperatorError } from "../../ground/errors.ts";
import { runProgram, type ProgramName } from "../postgresProgram.ts";
import { noteIn } from "../cluster.ts";
import type { Row } from "../command.ts";
import { dropGone, type RolesOptions } from "./roles.ts";
import { MOVE, type Configured, type SequenceState } from "./source.ts";

const LOOK_MS = 100;
/** How long to wait for gateways to begin preparing for the database, and at most until they are ready. */
const COME_MS = 1500;
const REHEARSED_MS = 60_000;
/** How long the worker that copies may be missing: PostgreSQL starts it again 5 s after it has failed. */
const WORKER_MS = 30_000;
/**
 * A subscription that stopped at an error is started again, this many times at most within this time. A lost connection is
 * such an error too, and so is a slot whose lost connection has not ended yet: both pass. A row that cannot be written
 * fails each time.
 */
const START_AGAIN = { times: 3, withinMs: 30_000, pauseMs: 1000 };
/** More rows than any table of Portolan gets during a move. */
const AHEAD = 1_000_000;
/** Tables of Portolan whose rows hold object ids, or record state of this database only. */
const DERIVED = [
  ...["noted_database", "logins", "privileges", "authentication", "event_tables", "versioned_tables"],
  ...["workflow_tables", "workflow_roles", "row_security", "rule_map"],
];
/** The first version whose subscriptions stop at an error. */
const STOPS_AT_ERRORS = 15_0000;

export interface TargetOptions {
  readonly name: string;
  /** Connection strings of the owners: of the database there, of its maintenance database, of the database here. */
  readonly url: string;
  readonly maintenanceUrl: string;
  readonly sourceUrl: string;
  readonly connection: Connection;
  readonly maintenance: Connection;
}

export class Target {
  readonly #options: TargetOptions;
  /** Tables whose owners are subject to their policies, except while rows are copied. */
  #forced: readonly string[] = [];
  /** Changes with the data from which `prepare` has derived others. */
  #prepared = "";
  /** Since when no worker has been seen; undefined: there is one. */
  #idleSinceMs: number | undefined;
  /** When the subscription was started again lately. */
  #startedAgainMs: readonly number[] = [];

  constructor(options: TargetOptions) {
    this.#options = options;
  }

  get #connection(): Connection {
    return this.#options.connection;
  }

  /** Makes the database with all its objects and none of its rows, as `pg_dump` writes them. */
  async make(): Promise<void> {
    const { sourceUrl, maintenanceUrl, url, name } = this.#options;
    const folder = await mkdtemp(join(tmpdir(), "portolan-move-"));
    try {
      const [objects, rows] = [join(folder, "objects.sql"), join(folder, "rows.sql")];
      const dump = ["--no-tablespaces", "--no-subscriptions"];
      await use("pg_dump", sourceUrl, [...dump, "--schema-only", "--create", "--file", objects]);
      await use("psql", maintenanceUrl, [...QUIETLY, "--file", objects]);
      for (const statement of [
        `drop event trigger ${MOVE}`,
        `drop event trigger ${MOVE}_drop`,
        `drop function ${MOVE}.refuse()`,
      ])
        await this.#connection.rows(statement);
      const tables = await this.#connection.rows<{ name: string }>(
        "select format('%I.%I', n.nspname, c.relname) as name from pg_extension e cross join unnest(e.extconfig) t join pg_class c on c.oid = t join pg_namespace n on n.oid = c.relnamespace where c.relkind = 'r' order by 1",
      );
      if (tables.length > 0) {
        const named = tables.map(({ name: table }) => `--table=${table}`);
        await use("pg_dump", sourceUrl, ["--data-only", "--file", rows, ...named]);
        await use("psql", url, [...QUIETLY, "--file", rows]);
      }
    } catch (error) {
      if (error instanceof OperatorError) throw new OperatorError(`${name} cannot be made there: ${error.message}`);
      throw error;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Begins to copy all rows, and to follow later writes. */
  async subscribe(slot: string): Promise<void> {
    await this.#force(false);
    const stops = (await this.#version()) >= STOPS_AT_ERRORS ? ", disable_on_error = true" : "";
    await this.#connection.rows(
      `create subscription ${MOVE} connection ${quoteLiteral(forLibpq(this.#options.sourceUrl))} publication ${MOVE} with (slot_name = ${quoteLiteral(slot)}, create_slot = false${stops})`,
    );
  }

  /**
   * PostgreSQL 16 and later write the rows as the owner of the table, and refuse that if its policies apply to the owner
   * too. The database has no other readers or writers meanwhile.
   */
  async #force(forced: boolean): Promise<void> {
    if (!forced) {
      const found = await this.#connection.rows<{ name: string }>(
        "select c.oid::regclass::text as name from pg_class c where c.relforcerowsecurity order by c.oid",
      );
      this.#forced = found.map(({ name }) => name);
    }
    const statements = this.#forced.map((name) => `alter table ${name} ${forced ? "" : "no "}force row level security`);
    if (statements.length > 0) await this.#connection.rows(statements.join(";"));
  }

  async #version(): Promise<number> {
    const [row] = await this.#connection.rows<{ version: number }>(
      "select current_setting('server_version_num')::integer as version",
    );
    return row?.version ?? 0;
  }

  /**
   * Waits until every table is copied. `tell` is called with the number of copied tables when it grows. `stuck` is
   * called repeatedly while no rows arrive, and throws to end the wait.
   */
  async untilCopied(
    tell: (copied: number, all: number) => void,
    stuck: () => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    for (let told = -1; ; await sleep(LOOK_MS)) {
      signal.throwIfAborted();
      await this.mustGoOn();
      const [row] = await this.#connection.rows<{ copied: number; all: number; copying: boolean }>(
        `select count(*) filter (where r.srsubstate in ('r', 's'))::integer as copied, count(*)::integer as all,
           exists (select from pg_stat_progress_copy p where p.datname = current_database()) as copying
         from pg_subscription_rel r`,
      );
      const { copied, all, copying } = row!;
      if (copied !== told) tell(copied, all);
      else if (!copying) await stuck();
      told = copied;
      if (copied === all) return;
    }
  }

  /** Throws `OperatorError` where the copy has ended, or no process has done it for some time. */
  async mustGoOn(): Promise<void> {
    const [row] = await this.#connection.rows<{ enabled: boolean; works: boolean }>(
      `select s.subenabled as enabled, exists (select from pg_stat_subscription a where a.subid = s.oid and a.pid is not null) as works
       from pg_subscription s
       where s.subname = $1 and s.subdbid = (select oid from pg_database where datname = current_database())`,
      [MOVE],
    );
    if (!row || (!row.enabled && !(await this.#startAgain())))
      throw new OperatorError("rows cannot be written there: see the log of that PostgreSQL");
    this.#idleSinceMs = row.works ? undefined : (this.#idleSinceMs ?? performance.now());
    if (this.#idleSinceMs !== undefined && performance.now() - this.#idleSinceMs > WORKER_MS)
      throw new OperatorError(
        "no process there copies rows: see the log of that PostgreSQL, or raise max_logical_replication_workers and max_worker_processes",
      );
  }

  /** Starts the subscription again, after a pause since the last time. Resolves to false if that did not help before. */
  async #startAgain(): Promise<boolean> {
    const now = performance.now();
    const lately = this.#startedAgainMs.filter((each) => now - each < START_AGAIN.withinMs);
    if (lately.length >= START_AGAIN.times) return false;
    if (now - (lately.at(-1) ?? -Infinity) < START_AGAIN.pauseMs) return true;
    this.#startedAgainMs = [...lately, now];
    await this.#connection.rows(`alter subscription ${MOVE} enable`);
    return true;
  }

  /**
   * Does the slow work that needs the rows, while writes still arrive from the other cluster: fills materialized views,
   * gathers statistics, and sets up roles, events, history, workflow and rules.
   */
  async prepare(states: readonly SequenceState[], gatewayLogin: string | undefined): Promise<void> {
    await this.#fill();
    await this.#connection.rows("analyze");
    await this.#connection.rows(`alter subscription ${MOVE} disable`); // it and the repair would wait for each other's locks
    await this.#untilIdle();
    await this.setSequences(states, AHEAD);
    await this.#connection.rows("update portolan.noted_database set identity = portolan.database_identity()"); // it arrived with all its rights
    await this.repair(gatewayLogin);
    this.#prepared = await this.#stamp();
    await this.#connection.rows(`alter subscription ${MOVE} enable`);
  }

  /** Writes the data that Portolan derives from the catalogue, because object ids differ here. */
  async repair(gatewayLogin: string | undefined): Promise<void> {
    const { migrate } = await import("../../operate/migrate.ts");
    await this.#force(true);
    await migrate({ ownerUrl: this.#options.url, gatewayLogin, repairRoles: true });
    await this.#force(false);
  }

  /** Whether no row that would replace derived data has arrived since `prepare`. */
  async isPrepared(): Promise<boolean> {
    return (await this.#stamp()) === this.#prepared;
  }

  async #stamp(): Promise<string> {
    const [row] = await this.#connection.rows<{ stamp: string }>(
      `select md5(concat_ws(' ', ${DERIVED.map((table) => `(select string_agg(r::text, ' ' order by r::text) from portolan.${table} r)`).join(", ")})) as stamp`,
    );
    return row?.stamp ?? "";
  }

  /** A subscription that was disabled writes its last rows. */
  async #untilIdle(): Promise<void> {
    const busy =
      "select from pg_stat_subscription s where s.subname = $1 and s.pid is not null and s.subid = (select oid from pg_subscription where subname = $1 and subdbid = (select oid from pg_database where datname = current_database()))";
    for (const end = performance.now() + WORKER_MS; (await this.#connection.rows(busy, [MOVE])).length > 0;) {
      if (performance.now() > end) throw new OperatorError("the process that copies rows there does not end");
      await sleep(LOOK_MS / 5);
    }
  }

  /** Waits for gateways that prepare for the database. Each is connected to it meanwhile. */
  async untilRehearsed(gatewayLogin: string | undefined, signal: AbortSignal): Promise<void> {
    const beganMs = performance.now();
    for (;;) {
      await sleep(LOOK_MS);
      signal.throwIfAborted();
      const passedMs = performance.now() - beganMs;
      if (passedMs > REHEARSED_MS) return;
      const busy = await this.#connection.rows(
        "select from pg_stat_activity a where a.datname = current_database() and a.usename = $1",
        [gatewayLogin],
      );
      if (busy.length === 0 && passedMs > COME_MS) return;
    }
  }

  /** The memberships that accounts and the gateway's logins lack: accounts may have been made since `prepare`. */
  async joinRoles(): Promise<void> {
    await this.#connection.rows(`
select portolan.grant_role(m.role, m.member, m.inherit)
from portolan.wanted_memberships(array(select u.name from portolan.users u)) m
where not exists (
  select from pg_auth_members a
  where a.roleid = to_regrole(quote_ident(m.role)) and a.member = to_regrole(quote_ident(m.member)))`);
  }

  async #fill(): Promise<void> {
    for (let left = await this.#unfilled(); left.length > 0;) {
      for (const { name } of left)
        await this.#connection.rows(`refresh materialized view ${name}`).catch(() => undefined); // it may read one of those
      const now = await this.#unfilled();
      if (now.length === left.length)
        throw new OperatorError(`these materialized views cannot be filled: ${now.map(({ name }) => name).join(", ")}`);
      left = now;
    }
  }

  #unfilled(): Promise<readonly { readonly name: string }[]> {
    return this.#connection.rows(
      "select c.oid::regclass::text as name from pg_class c where c.relkind = 'm' and not c.relispopulated order by c.oid",
    );
  }

  /** Whether the mark arrived within this time, and with it everything that was written before. */
  async arrives(mark: string, withinMs: number): Promise<boolean> {
    for (const end = performance.now() + withinMs; ; await sleep(LOOK_MS / 5)) {
      const found = await this.#connection.rows(`select from ${MOVE}.marker where mark = $1`, [mark]);
      if (found.length > 0) return true;
      if (performance.now() > end) return false;
    }
  }

  /** `ahead`: rows that are made here meanwhile get numbers that none of the later rows will have. */
  async setSequences(states: readonly SequenceState[], ahead = 0): Promise<void> {
    await this.#connection.rows(
      `select setval(s.name::regclass, least(s.value + $4, greatest(s.value, q.seqmax - $4)), s.called)
       from unnest($1::text[], $2::bigint[], $3::boolean[]) s (name, value, called)
         join pg_sequence q on q.seqrelid = s.name::regclass`,
      [states.map(({ name }) => name), states.map(({ value }) => value), states.map(({ called }) => called), ahead],
    );
  }

  /** Rows of tables of extensions become what they are in the source, which were others when the database was made. */
  async configure(tables: readonly Configured[], before: readonly Configured[]): Promise<void> {
    for (const { table, condition, rows } of tables) {
      if (before.some((one) => one.table === table && one.rows === rows)) continue;
      await this.#connection.rows(
        `delete from ${table} ${condition};
         insert into ${table} overriding system value
         select * from json_populate_recordset(null::${table}, ${quoteLiteral(rows)})`,
      );
    }
  }

  /** Ends what is under way in the database, except for the command's own statements to come. */
  async cut(): Promise<void> {
    const { maintenance, name } = this.#options;
    await maintenance.rows(
      "select pg_terminate_backend(a.pid) from pg_stat_activity a where a.datname = $1 and a.backend_type = 'client backend'",
      [name],
    );
  }

  /** Ends the copying. The slot stays at the source, which is not contacted here, because it may be closed or gone. */
  async unsubscribe(): Promise<void> {
    const found = await this.#connection.rows(
      "select from pg_subscription where subname = $1 and subdbid = (select oid from pg_database where datname = current_database())",
      [MOVE],
    );
    if (found.length === 0) return;
    await this.#connection.rows(`alter subscription ${MOVE} disable`);
    await this.#connection.rows(`alter subscription ${MOVE} set (slot_name = none)`);
    await this.#connection.rows(`drop subscription ${MOVE}`);
  }

  /** Drops the roles of accounts that were removed meanwhile. */
  async dropGone(options: RolesOptions): Promise<void> {
    await dropGone(options, this.#connection);
  }

  /** In the audit of the database. */
  async note(event: string, before: Row, after: Row): Promise<void> {
    await noteIn(this.#connection, event, before, after);
  }

  /** Removes the remains of the move from the database. */
  async finish(): Promise<void> {
    await this.#force(true);
    await this.#connection.rows(`drop schema if exists ${MOVE} cascade`);
  }

  /** Drops the database and these roles. Does nothing where there is none. */
  async remove(roles: readonly string[]): Promise<void> {
    const { maintenance, name } = this.#options;
    if ((await maintenance.rows("select from pg_database where datname = $1", [name])).length > 0) {
      await this.unsubscribe();
      await maintenance.rows(`drop database ${quoteIdentifier(name)} with (force)`);
    }
    for (const role of roles) await maintenance.rows(`drop role if exists ${quoteIdentifier(role)}`);
  }
}

const QUIETLY = ["--no-psqlrc", "--quiet", "--set", "ON_ERROR_STOP=1"];

/** Throws `OperatorError` with the program's own message. */
async function use(program: ProgramName, url: string, args: readonly string[]): Promise<void> {
  const { code, stderr } = await runProgram(program, url, args, ["ignore", "ignore", "pipe"]);
  if (code === 0) return;
  throw new OperatorError(stderr.trim().split("\n").slice(0, 5).join("\n  ") || `${program} was ended`);
}

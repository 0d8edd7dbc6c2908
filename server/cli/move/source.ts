/** The database that moves: how it is read during the move, and closed at the end. */
import { setTimeout as sleep } from "node:timers/promises";
import { quoteIdentifier, quoteLiteral, type Connection } from "../../kernel/database/database.ts";
import { OperatorError, SQLSTATE, sqlstateOf } from "../../ground/errors.ts";

/** The name of everything that a move makes: a schema, an event trigger, a publication, a subscription. */
export const MOVE = "portolan_move";
const ENDED_MS = 3000;
/** How long a statement may continue at the switch before it is ended. */
const GRACE_MS = 1000;
/** A session that has been idle this long is ended at once, because no statement is on its way to it. */
const IDLE_MS = 50;
/** How long others wait behind an ALTER TABLE of the move before that is started again. */
const LOCK_MS = 300;
/** How long creating a slot may take before it is started again: it waits for each transaction that writes. */
const SLOT_MS = 5000;
/** Tables of Portolan that are about this server only: object ids and transactions of another server mean nothing. */
const NOT_COPIED = ["portolan.outbox", "portolan.shapes"];

/** An ordinary table that logical replication copies: not one of an extension, nor of the move. */
export const REPLICATED = `
select c.oid, c.relreplident
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where c.relkind = 'r' and c.relpersistence = 'p' and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
  and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`;

/** Whether PostgreSQL identifies the rows of this `pg_class` row by an index that is checked at once. */
export function isKeyed(relation: string): string {
  return `exists (
    select from pg_index i
    where i.indrelid = ${relation}.oid and i.indisvalid and i.indimmediate
      and case ${relation}.relreplident when 'i' then i.indisreplident else i.indisprimary end)`;
}

export interface SequenceState {
  /** The name, quoted for SQL. */
  readonly name: string;
  readonly value: string;
  readonly called: boolean;
}

/** A table of an extension whose rows are the user's. */
export interface Configured {
  /** The name, quoted for SQL. */
  readonly table: string;
  /** Which of its rows are. */
  readonly condition: string;
  /** Those rows, as JSON. */
  readonly rows: string;
}

export class Source {
  readonly name: string;
  /** A connection as the owner, the only one that stays when the others are ended. */
  readonly connection: Connection;
  /** The maintenance database. */
  readonly maintenance: Connection;

  constructor(name: string, connection: Connection, maintenance: Connection) {
    this.name = name;
    this.connection = connection;
    this.maintenance = maintenance;
  }

  /** The name of the replication slot, which is unique in a cluster. */
  async slot(): Promise<string> {
    const [row] = await this.maintenance.rows<{ oid: number }>(
      "select oid::integer from pg_database where datname = $1",
      [this.name],
    );
    return `${MOVE}_${row?.oid}`;
  }

  /** Whether something of a move is left here. */
  async isBegun(): Promise<boolean> {
    return (await this.connection.rows("select from pg_namespace where nspname = $1", [MOVE])).length > 0;
  }

  /** From here on others cannot alter the database. `system`: the identifier of the server that it moves to. */
  async refuseDdl(to: string, system: string): Promise<void> {
    await this.#withoutTriggers();
    for (const statement of [
      `create schema ${MOVE}`,
      `comment on schema ${MOVE} is ${quoteLiteral(system)}`,
      `create table ${MOVE}.marker (mark text primary key)`,
      `create table ${MOVE}.identities (relation regclass primary key, was text not null)`,
      `create function ${MOVE}.refuse() returns event_trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if tg_event = 'sql_drop' then
    if not exists (select from pg_event_trigger_dropped_objects() o where not o.is_temporary) then return; end if;
  elsif not exists (select from pg_event_trigger_ddl_commands() c where c.schema_name is distinct from 'pg_temp')
    or tg_tag in ('REFRESH MATERIALIZED VIEW', 'REINDEX') then
    return;
  end if;
  raise exception '%', ${quoteLiteral(`the database is being moved to the cluster ${to}, and cannot be altered until the move ends`)}
    using errcode = '55006';
end $$`,
      `create event trigger ${MOVE} on ddl_command_end execute function ${MOVE}.refuse()`,
      `create event trigger ${MOVE}_drop on sql_drop execute function ${MOVE}.refuse()`,
    ])
      await this.connection.rows(statement);
  }

  /** The event trigger does not affect our own statements. */
  async #withoutTriggers(): Promise<void> {
    await this.connection.rows("set session_replication_role = replica");
  }

  /**
   * Publishes every table. Rows of one without a key that is checked at once are identified by all of its columns. `again` is
   * called when a table was in use, and throws when it was in use for too long.
   */
  async publish(again: () => Promise<void>): Promise<void> {
    await this.#withoutTriggers();
    const bare = await this.connection.rows<{ relation: string; was: string }>(
      `
select r.oid::regclass::text as relation, case r.relreplident when 'd' then 'default' else 'nothing' end as was
from (${REPLICATED}) r
where r.oid <> all ($1::regclass[])
  and (r.relreplident = 'n' or r.relreplident in ('d', 'i') and not ${isKeyed("r")})
order by 1`,
      [NOT_COPIED],
    );
    for (const { relation, was } of bare) {
      await this.connection.rows(`insert into ${MOVE}.identities values ($1::regclass, $2)`, [relation, was]);
      await this.#identify(relation, "full", again);
    }
    const tables = await this.connection.rows<{ relation: string }>(
      `select r.oid::regclass::text as relation from (${REPLICATED}) r where r.oid <> all ($1::regclass[]) order by 1`,
      [[`${MOVE}.identities`, ...NOT_COPIED]],
    );
    await this.connection.rows(
      `create publication ${MOVE} for table only ${tables.map(({ relation }) => relation).join(", only ")}`,
    );
  }

  /**
   * A transaction that has written to the table blocks this statement, and this one blocks all later ones, so it waits
   * only briefly.
   */
  async #identify(relation: string, by: string, again: () => Promise<void>): Promise<void> {
    const alter = (): Promise<unknown> => this.connection.rows(`alter table ${relation} replica identity ${by}`);
    await this.#patiently({ limit: "lock_timeout", ms: LOCK_MS, code: SQLSTATE.lockNotAvailable }, alter, again);
  }

  /** Keeps everything that the other cluster has not received yet. It is made when all writing transactions have ended. */
  async makeSlot(again: () => Promise<void>): Promise<void> {
    const slot = await this.slot();
    await this.dropSlot(); // an existing one would begin too early
    const make = async (): Promise<void> => {
      try {
        await this.connection.rows("select pg_create_logical_replication_slot($1, 'pgoutput')", [slot]);
      } catch (error) {
        if (sqlstateOf(error) !== SQLSTATE.duplicateObject) throw error; // it was made just when the time of a try was over
      }
    };
    await this.#patiently({ limit: "statement_timeout", ms: SLOT_MS, code: SQLSTATE.queryCanceled }, make, again);
  }

  /** Repeats it until it does not fail for lack of time. */
  async #patiently(
    { limit, ms, code }: { readonly limit: string; readonly ms: number; readonly code: string },
    run: () => Promise<unknown>,
    again: () => Promise<void>,
  ): Promise<void> {
    await this.connection.rows(`set ${limit} = ${ms}`);
    for (;;) {
      try {
        await run();
        break;
      } catch (error) {
        if (sqlstateOf(error) !== code) throw error;
        await again();
      }
    }
    await this.connection.rows(`reset ${limit}`);
  }

  /** The next transaction that will write anywhere in the cluster: those that are open now have earlier numbers. */
  async nextTransaction(): Promise<string> {
    const [row] = await this.maintenance.rows<{ next: string }>(
      "select pg_snapshot_xmax(pg_current_snapshot())::text as next",
    );
    return row?.next ?? "0";
  }

  /** A description of an open transaction of the cluster that began to write before this one; undefined: there is none. */
  async openBefore(transaction: string): Promise<string | undefined> {
    const [row] = await this.maintenance.rows<{ is: boolean }>(
      "select pg_snapshot_xmin(pg_current_snapshot()) < $1::xid8 as is",
      [transaction],
    );
    return row?.is ? ((await this.#writer(0, "true")) ?? "a transaction that is prepared") : undefined;
  }

  /** Whether a transaction is prepared. The other cluster would receive it only when it is committed. */
  async hasPrepared(): Promise<boolean> {
    const found = await this.maintenance.rows("select from pg_prepared_xacts where database = $1", [this.name]);
    return found.length > 0;
  }

  /** A description of a transaction that has been writing for this time; undefined: there is none. */
  async longWriter(seconds: number, { anywhere = false } = {}): Promise<string | undefined> {
    return this.#writer(seconds, anywhere ? "true" : "a.datname = $1");
  }

  async #writer(seconds: number, condition: string): Promise<string | undefined> {
    const [row] = await this.maintenance.rows<{ who: string }>(
      `select format('a transaction of %s in %s, open for %s s (process %s%s)', a.usename, a.datname,
           extract(epoch from clock_timestamp() - a.xact_start)::integer, a.pid, ', ' || nullif(a.application_name, '')) as who
         from pg_stat_activity a
         where $1::text is not null and a.backend_xid is not null and a.backend_type = 'client backend' and a.pid <> pg_backend_pid()
           and a.xact_start <= clock_timestamp() - make_interval(secs => $2) and ${condition}
         order by a.xact_start limit 1`,
      [this.name, seconds],
    );
    return row?.who;
  }

  /** How many bytes of its log have not reached the other cluster. */
  async lag(): Promise<number> {
    const [row] = await this.maintenance.rows<{ bytes: number }>(
      `select pg_wal_lsn_diff(pg_current_wal_lsn(), s.confirmed_flush_lsn)::float8 as bytes
       from pg_replication_slots s where s.slot_name = $1`,
      [await this.slot()],
    );
    return row?.bytes ?? Infinity;
  }

  /**
   * Refuses new connections, gives running statements a second to end, and ends the others with their sessions.
   * Afterwards nothing more is committed.
   */
  async close(): Promise<void> {
    const [own] = await this.connection.rows<{ pid: number }>("select pg_backend_pid() as pid");
    await this.maintenance.rows(`alter database ${quoteIdentifier(this.name)} with allow_connections false`);
    const beganMs = performance.now();
    for (;;) {
      const passedMs = performance.now() - beganMs;
      const left = await this.maintenance.rows(
        `select case
             when $3 or a.state = 'idle' and a.state_change < clock_timestamp() - make_interval(secs => $4)
               or a.state <> 'idle' and a.backend_xid is null and a.query_start < clock_timestamp() - make_interval(secs => $5)
             then pg_terminate_backend(a.pid) end
         from pg_stat_activity a
         where a.datname = $1 and a.pid <> $2 and a.backend_type not in ('walsender', 'autovacuum worker')`,
        [this.name, own?.pid, passedMs > GRACE_MS, IDLE_MS / 1000, GRACE_MS / 1000],
      );
      if (left.length === 0) return;
      if (passedMs > GRACE_MS + ENDED_MS) throw new OperatorError(`connections to ${this.name} do not end`);
      await sleep(10);
    }
  }

  async open(): Promise<void> {
    await this.maintenance.rows(`alter database ${quoteIdentifier(this.name)} with allow_connections true`);
  }

  /** Writes a mark: when the other side has it, it has everything before it. */
  async mark(mark: string): Promise<void> {
    await this.connection.rows(`insert into ${MOVE}.marker values ($1)`, [mark]);
  }

  /** Where each sequence stands. */
  async sequences(): Promise<readonly SequenceState[]> {
    const found = await this.connection.rows<{ name: string }>(
      `select c.oid::regclass::text as name from pg_class c where c.relkind = 'S' and c.relpersistence <> 't' order by 1`,
    );
    if (found.length === 0) return [];
    const each = found.map(
      ({ name }) => `select ${quoteLiteral(name)} as name, last_value::text as value, is_called as called from ${name}`,
    );
    return this.connection.rows<SequenceState>(each.join(" union all "));
  }

  /** The rows of tables of extensions that `pg_dump` would write, which no publication tells of. */
  async configured(): Promise<readonly Configured[]> {
    const found = await this.connection.rows<{ table: string; condition: string }>(
      `select c.oid::regclass::text as table, coalesce(nullif(e.extcondition[t.at], ''), 'where true') as condition
       from pg_extension e cross join unnest(e.extconfig) with ordinality t (oid, at) join pg_class c on c.oid = t.oid
       where c.relkind = 'r' order by e.extname, t.at`,
    );
    const tables: Configured[] = [];
    for (const one of found) {
      const [row] = await this.connection.rows<{ rows: string }>(
        `select coalesce(json_agg(r order by r::text), '[]')::text as rows from (select * from ${one.table} ${one.condition}) r`,
      );
      tables.push({ ...one, rows: row!.rows });
    }
    return tables;
  }

  /** Why nothing can come from here any more; undefined where all is well. */
  async slotProblem(): Promise<string | undefined> {
    const slot = await this.slot();
    const [row] = await this.maintenance.rows<{ status: string | null }>(
      "select wal_status as status from pg_replication_slots where slot_name = $1",
      [slot],
    );
    if (!row) return `the replication slot ${slot} is gone`;
    return row.status === "lost" ? `the replication slot ${slot} has fallen behind max_slot_wal_keep_size` : undefined;
  }

  /** Removes the objects that the move has made here. Does nothing where there are none. `again`: as for `publish`. */
  async restore(again: () => Promise<void>): Promise<void> {
    await this.open();
    await this.#withoutTriggers();
    await this.#dropSlotsOfTables();
    await this.dropSlot();
    for (const statement of [
      `drop publication if exists ${MOVE}`,
      `drop event trigger if exists ${MOVE}`,
      `drop event trigger if exists ${MOVE}_drop`,
    ])
      await this.connection.rows(statement);
    for (const { relation, was } of await this.#identities()) await this.#identify(relation, was, again);
    await this.connection.rows(`drop schema if exists ${MOVE} cascade`);
  }

  async #identities(): Promise<readonly { readonly relation: string; readonly was: string }[]> {
    const [made] = await this.connection.rows<{ there: boolean }>(
      `select to_regclass('${MOVE}.identities') is not null as there`,
    );
    if (!made?.there) return [];
    return this.connection.rows(`select relation::text as relation, was from ${MOVE}.identities`);
  }

  /** Ends the readers of the slots of tables: one that waits for a writer notices nothing else, and holds up their end. */
  async endReaders(): Promise<void> {
    for (const { pid } of await this.#slotsOfTables())
      if (pid !== null) await this.maintenance.rows("select pg_terminate_backend($1)", [pid]);
  }

  /** While a table is copied it has a slot, which remains if the other server is lost for good. */
  async #dropSlotsOfTables(): Promise<void> {
    for (const { name } of await this.#slotsOfTables()) await this.#drop(name);
  }

  #slotsOfTables(): Promise<readonly { readonly name: string; readonly pid: number | null }[]> {
    return this.connection.rows(
      `select s.slot_name as name, s.active_pid as pid
       from pg_replication_slots s, obj_description(to_regnamespace('${MOVE}'), 'pg_namespace') system
       where s.database = current_database() and s.slot_name ~ '^pg_[0-9]+_sync_[0-9]+_' and s.slot_name like '%\\_' || system`,
    );
  }

  async dropSlot(): Promise<void> {
    await this.#drop(await this.slot());
  }

  /** Its reader may take a moment to disconnect. */
  async #drop(slot: string): Promise<void> {
    for (const end = performance.now() + ENDED_MS; ; await sleep(50)) {
      const [row] = await this.maintenance.rows<{ pid: number | null }>(
        "select active_pid as pid from pg_replication_slots where slot_name = $1",
        [slot],
      );
      if (!row) return;
      if (row.pid === null) {
        await this.maintenance.rows("select pg_drop_replication_slot($1)", [slot]);
        return;
      }
      await this.maintenance.rows("select pg_terminate_backend($1)", [row.pid]);
      if (performance.now() > end) throw new OperatorError(`the replication slot ${slot} is still in use`);
    }
  }
}

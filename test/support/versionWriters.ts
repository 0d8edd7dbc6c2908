/** Writers that change a few rows of a versioned table in every way of SQL at once, and the check of the history. */
import pg from "pg";
import { HAS_MERGE } from "./postgres.ts";

const KEYS = 10;
const ISOLATIONS = ["read committed", "repeatable read", "serializable"] as const;

/** Lost races, and TRUNCATE above read committed, which is refused. */
const EXPECTED_ERRORS = /^(40001|40P01|23505|0A000)$/;

export interface VersionRound {
  /** Two partitions, by id; some writes go straight to one. */
  readonly partitioned: boolean;
  /** As if the clock had been set back by an hour: all versions begin in the future. */
  readonly clockSetBack: boolean;
  /** Rows are copied into the history again and again while the writers run, as for a large table. */
  readonly inPortions?: boolean;
}

/** Makes `town.<name>` with its history, and a log of the changes of each key in each committed transaction. */
async function makeTable(
  client: pg.Client,
  name: string,
  { partitioned, clockSetBack, inPortions = false }: VersionRound,
): Promise<void> {
  const table = `town.${name}`;
  await client.query(`
create table ${table} (id int primary key, t text, n int not null default 0) ${partitioned ? "partition by range (id)" : ""};
${partitioned ? `create table ${table}_a partition of ${table} for values from (0) to (6); create table ${table}_b partition of ${table} for values from (6) to (1000);` : ""}
insert into ${table} select i, 'first' from generate_series(1, ${KEYS / 2}) i;
create table ${table}_log (place bigserial, xid xid8 default pg_current_xact_id(), id int, op text);
create function ${table}_log() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.id = old.id then
    insert into ${table}_log (id, op) values (new.id, 'U');
  else
    if tg_op <> 'INSERT' then insert into ${table}_log (id, op) values (old.id, 'D'); end if;
    if tg_op <> 'DELETE' then insert into ${table}_log (id, op) values (new.id, 'I'); end if;
  end if;
  return null;
end $$;
create trigger log after insert or update or delete on ${table} for each row execute function ${table}_log();
${inPortions ? `select portolan.queue_job('versioning', '${table}'); select portolan.work_job(); select portolan.work_job();` : `select portolan.enable_versioning('${table}');`}
${clockSetBack ? `update town__history.${name} set portolan_from = portolan_from + interval '1 hour';` : ""}`);
}

/**
 * Runs writers until each has ended this number of transactions. Returns the faults of the history, and the number of commits.
 */
export async function writeVersions(
  url: string,
  name: string,
  round: VersionRound,
  { writers = 8, transactions = 50 } = {},
): Promise<{ faults: unknown[]; kept: number }> {
  await using owner = await connect(url);
  await makeTable(owner, name, round);
  let kept = 0;
  const copied = round.inPortions ? copyPortions(url, name) : undefined;
  await Promise.all(
    Array.from({ length: writers }, async () => {
      await using client = await connect(url);
      await client.query("set deadlock_timeout = '5ms'");
      for (let i = 0; i < transactions; i++) if (await transact(client, `town.${name}`, round)) kept++;
    }),
  );
  await copied?.end();
  return { faults: await faultsOf(owner, name, round), kept };
}

/** Copies the rows again and again until it is stopped, and then ends the job. */
function copyPortions(url: string, name: string): { end(): Promise<void> } {
  let goesOn = true;
  const done = (async () => {
    await using worker = await connect(url);
    const begin = `update portolan.jobs set position = (position - 'file') || '{"filled": []}' where relation = 'town.${name}'::regclass`;
    while (goesOn) {
      await worker.query(begin);
      await worker.query("select portolan.work_job()");
    }
    for (let left = true; left;)
      left = ((await worker.query("select from portolan.work_job() j where j.state <> 'done'")).rowCount ?? 0) > 0;
  })();
  return {
    end() {
      goesOn = false;
      return done;
    },
  };
}

async function transact(client: pg.Client, table: string, round: VersionRound): Promise<boolean> {
  const texts = Array.from({ length: 1 + chance(3) }, () => statement(table, round));
  if (chance(40) === 0) texts.unshift(`truncate ${table}`); // first: the log does not know it
  try {
    await client.query(`begin isolation level ${pick(ISOLATIONS)}`);
    if (chance(2) === 0) await client.query(`select from ${table} limit 1`); // a snapshot that may grow old
    for (const text of texts) {
      if (chance(3) === 0) await client.query(`select pg_sleep(${Math.random() / 500})`);
      if (chance(4) > 0) await client.query(text);
      else await client.query(`savepoint s; ${text}; ${pick(["rollback to s", "release s"])}`);
    }
    await client.query(chance(10) === 0 ? "rollback" : "commit");
    return true;
  } catch (error) {
    if (!EXPECTED_ERRORS.test((error as { code?: string }).code ?? "")) throw error;
    await client.query("rollback");
    return false;
  }
}

function statement(table: string, { partitioned }: VersionRound): string {
  const [id, other] = [1 + chance(KEYS), 1 + chance(KEYS)];
  const target = partitioned && chance(3) === 0 ? `${table}_${id < 6 ? "a" : "b"}` : table;
  return pick([
    `insert into ${target} values (${id}, 'insert')`,
    `update ${target} set n = n + 1 where id = ${id}`,
    `update ${table} set n = n + 1 where id between ${id} and ${id + 2}`,
    `delete from ${target} where id = ${id}`,
    `insert into ${target} values (${id}, 'upsert') on conflict (id) do update set n = excluded.n + 1, t = 'upserted'`,
    `insert into ${table} values (${id}, 'new'), (${other + KEYS}, 'new') on conflict do nothing`,
    `update ${table} set id = ${other} where id = ${id}`,
    ...(HAS_MERGE
      ? [
          `merge into ${table} k using (values (${id}), (${id + 1})) v (id) on k.id = v.id
     when matched and k.n % 3 = 2 then delete when matched then update set n = k.n + 1 when not matched then insert (id, t) values (v.id, 'merge')`,
        ]
      : []),
    `with gone as (delete from ${table} where id = ${id} returning id) insert into ${table} select id + ${10 * KEYS}, 'moved' from gone on conflict do nothing`,
  ]);
}

/** The faults: two versions at an instant, none, one that never existed, one that was lost. */
async function faultsOf(client: pg.Client, name: string, { clockSetBack }: VersionRound): Promise<unknown[]> {
  const now = `town__history.as_of_${name}(clock_timestamp() + interval '${clockSetBack ? 2 : 0} hours')`;
  const { rows } = await client.query(`
with
  versions as (
    select id, portolan_from as begins, portolan_to as ends, portolan_tx as xid,
      lag(portolan_to) over (partition by id order by portolan_from, portolan_to) as before
    from town__history.${name}
  ),
  done as (
    select distinct on (id, xid) id, xid, op as first, last_value(op) over (
      partition by id, xid order by place rows between unbounded preceding and unbounded following) as last
    from town.${name}_log order by id, xid, place
  )
select 'not in history now' as fault, to_jsonb(x) as row from (table town.${name} except select * from ${now}) x
union all select 'in history only', to_jsonb(x) from (select * from ${now} except table town.${name}) x
union all select 'empty', to_jsonb(v) from versions v where ends <= begins
union all select 'overlap', to_jsonb(v) from versions v where begins < before
union all select 'hole', to_jsonb(v) from versions v join done d using (id, xid) where d.first <> 'I' and begins is distinct from before
union all select 'lost', to_jsonb(d) from done d where d.last <> 'D' and not exists (select from versions v where (v.id, v.xid) = (d.id, d.xid))`);
  return rows;
}

async function connect(url: string): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}

const chance = (below: number): number => Math.floor(Math.random() * below);
const pick = <T>(choices: readonly T[]): T => choices[chance(choices.length)]!;

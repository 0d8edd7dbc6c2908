/** A large table, and somebody who changes it a row at a time. */
import pg from "pg";

export interface Waits {
  readonly longestMs: number;
  readonly writes: number;
}

/** Makes `town.large`, vacuumed. */
export async function makeLargeTable(client: pg.Client, rows: number): Promise<void> {
  await client.query(`
create schema town;
create table town.large (id int primary key, name text, kind int, at timestamptz default now());
insert into town.large select i, 'row ' || i, i % 10 from generate_series(1, ${rows}) i`);
  await client.query("vacuum analyze town.large");
}

export async function seconds(run: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await run();
  return (performance.now() - started) / 1000;
}

/** Changes a row somewhere, again and again, until it is stopped. */
export async function startWriter(url: string, rows: number): Promise<{ stop(): Promise<Waits> }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  let goesOn = true;
  let longestMs = 0;
  let writes = 0;
  const done = (async () => {
    while (goesOn) {
      const id = 1 + Math.floor(Math.random() * rows);
      const ms =
        1000 * (await seconds(() => client.query("update town.large set kind = kind + 1 where id = $1", [id])));
      longestMs = Math.max(longestMs, ms);
      writes++;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await client.end();
  })();
  return {
    async stop() {
      goesOn = false;
      await done;
      return { longestMs, writes };
    },
  };
}

/** Rows that are written and followed through a gateway while servers have faults. For soaks: it prints its figures. */
import assert from "node:assert/strict";
import type pg from "pg";
import { Follower } from "./follower.ts";
import { tokenFor } from "./gateway.ts";
import { GatewayProcess } from "./process.ts";
import { RowHistory, type RowWrite } from "./rowHistory.ts";
import { until } from "./until.ts";

export const TENANTS = 1000;
export const WRITERS = 4;
/** Writes between two faults. */
export const ENOUGH = 100;
export const PATIENCE_MS = 120_000;

export const tell = (what: string, figure: string): void => console.log(`    ${what}: ${figure}`);

interface Answer {
  readonly data?: Readonly<Record<string, readonly unknown[]>>;
  readonly errors?: readonly { readonly message: string }[];
}

/** Both have the same columns. `spots` is distributed, and `pins` stays on the coordinator. */
type Table = "spots" | "pins";

/** Asks a gateway as ann, and counts what it refuses. */
export class Door {
  readonly gateway: GatewayProcess;
  readonly token: string;
  /** Messages of errors, and how often each came. */
  readonly refusals = new Map<string, number>();

  constructor(gateway: GatewayProcess, token: string) {
    this.gateway = gateway;
    this.token = token;
  }

  /** `ownerUrl`: of the database of that name, for the owner of Portolan. */
  static async open(name: string, url: string, ownerUrl: string): Promise<Door> {
    const gateway = await GatewayProcess.start({
      DATABASE_URL: url,
      OWNER_DATABASE_URL: ownerUrl,
      PORT: "0",
      LOG_LEVEL: "warn",
    });
    return new Door(gateway, await tokenFor({ name, url: ownerUrl }, gateway.baseUrl, "ann"));
  }

  async ask(query: string): Promise<Answer> {
    const response = await fetch(`${this.gateway.baseUrl}/api/graphql/schema/app`, {
      method: "POST",
      headers: { Authorization: `Bearer ${this.token}`, "Content-Type": "application/json" },
      body: JSON.stringify({ query }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return (await response.json()) as Answer;
  }

  async write({ kind, tenant, id, v }: RowWrite, table: Table = "spots"): Promise<boolean> {
    const name = `${table[0]!.toUpperCase()}${table.slice(1)}`;
    const where = `where: {tenant: {eq: ${tenant}}, id: {eq: ${id}}}`;
    const text = {
      insert: `w: insert${name}(data: {tenant: ${tenant}, id: ${id}, v: ${v}, kind: 1})`,
      update: `w: update${name}(${where}, data: {v: ${v}})`,
      delete: `w: delete${name}(${where})`,
    }[kind];
    const { data, errors = [] } = await this.ask(`mutation { ${text} { id } }`);
    for (const { message } of errors) this.refusals.set(message, (this.refusals.get(message) ?? 0) + 1);
    return errors.length === 0 && data?.["w"]?.length === 1;
  }

  follow(history: RowHistory, table: Table = "spots"): Follower {
    return new Follower({
      url: () => this.gateway.baseUrl.replace(/^http/, "ws"),
      token: () => Promise.resolve(this.token),
      schema: "app",
      relation: table,
      take: (rows) => history.take(rows),
      onGap: () => history.gap(),
    });
  }

  /** Tells of refusals and of what the gateway calls internal, since the last call. */
  tell(): void {
    for (const [message, count] of this.refusals) tell(`  ${count} x`, message);
    this.refusals.clear();
    const internal = this.gateway.stderr.split("\n").filter((line) => line.includes('"INTERNAL"'));
    if (internal.length > 0) tell("  internal errors", internal.join("\n").slice(0, 3000));
    this.gateway.stderr = "";
  }
}

/** What must hold at the end, once all events have come. */
export async function assertWhole(
  history: RowHistory,
  client: pg.Client,
  from = 1,
  table: Table = "spots",
): Promise<void> {
  await until(() => history.isComplete, PATIENCE_MS).catch(() => undefined); // the report says what is missing
  const { rows } = await client.query<{ id: number; v: number }>(`select id, v from app.${table} where id >= $1`, [
    from,
  ]);
  const { problems, ...report } = history.report(new Map(rows.map(({ id, v }) => [id, v])));
  tell(`history of ${table}`, JSON.stringify({ ...report, problems: problems.length }));
  assert.deepEqual(problems.slice(0, 10), []);
}

export async function makeSpots(client: pg.Client): Promise<void> {
  await client.query(`
create schema app;
create table app.spots (tenant int, id int, v int, kind int, primary key (tenant, id));
select create_distributed_table('app.spots', 'tenant');
select portolan.create_user('ann', null), portolan.set_privilege('app.spots', 'ann', 'write'),
  portolan.enable_events('app.spots')`);
}

/** Until the log of each node is read. */
export function untilFollowed(client: pg.Client, nodes = 3): Promise<void> {
  return until(
    async () => (await client.query("select from portolan.shard_positions where upto > '0/0'")).rows.length === nodes,
    PATIENCE_MS,
  );
}

/** Writes through these gateways in turn. */
export const writesThrough = (doors: readonly Door[], table: Table = "spots"): RowHistory =>
  new RowHistory({
    write: (one) => doors[one.id % doors.length]!.write(one, table),
    writers: WRITERS,
    tenants: TENANTS,
    from: 1,
    pauseMs: 5,
  });

export interface Followed {
  readonly name?: string;
  readonly history: RowHistory;
  readonly follower: Follower;
}

/** Lets a fault happen, waits until enough is written after it, and tells what it cost. */
export async function survive(what: string, fault: () => Promise<unknown>, all: readonly Followed[]): Promise<void> {
  const before = all.map(({ history, follower }) => [history.acknowledged, history.unanswered, follower.gaps] as const);
  for (const { history } of all) history.longestPauseMs = 0;
  await fault();
  const done = all.map(({ history }) => history.acknowledged);
  await until(() => all.every(({ history }, at) => history.acknowledged > done[at]! + ENOUGH), PATIENCE_MS);
  for (const [at, { name, history, follower }] of all.entries()) {
    const [acknowledged, unanswered, gaps] = before[at]!;
    tell(
      name === undefined ? what : `${what} (${name})`,
      `${history.acknowledged - acknowledged} writes, ${history.unanswered - unanswered} refused, longest pause ` +
        `${Math.round(history.longestPauseMs)} ms; ${follower.gaps - gaps} gaps`,
    );
  }
}

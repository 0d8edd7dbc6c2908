/** A hub of change events over a test database, and subscribers that remember their events. */
import { Registry } from "prom-client";
import type { Database, Identity } from "../../server/kernel/database/database.ts";
import type { GatewayError } from "../../server/ground/errors.ts";
import { createEventHub } from "../../server/events/hub.ts";
import { createEventMetrics } from "../../server/events/metrics.ts";
import type { Change, EventBatch, EventGap, EventHub, SubscribeRequest } from "../../server/events/types.ts";
import { makeConfig } from "../../server/kernel/config.ts";
import { createLog } from "../../server/ground/log.ts";
import { openNats, type Nats } from "../../server/fleet/nats.ts";
import { openAsGateway, type TestDatabase } from "./databases.ts";
import { until } from "./until.ts";

export { until };

export interface TestHub {
  readonly hub: EventHub;
  readonly registry: Registry;
  readonly database: Database;
  identity(account: string, claims?: Record<string, unknown>): Promise<Identity>;
  subscribe(account: string, relation: string, request?: Partial<SubscribeRequest>): Promise<Subscriber>;
  close(): Promise<void>;
}

export async function testHub(
  { name, gatewayUrl }: Pick<TestDatabase, "name" | "gatewayUrl">,
  config: Partial<Parameters<typeof createEventHub>[0]["config"]> & {
    schemas?: readonly string[];
    /** If it shares the work with others: an address, or a shared connection. */
    nats?: string | Nats | undefined;
  } = {},
): Promise<TestHub> {
  const database = openAsGateway({ name, gatewayUrl }, { poolSize: 4, statementTimeoutMs: 10_000 });
  const registry = new Registry();
  const log = createLog(process.env["TEST_LOG_LEVEL"] ?? "silent");
  const own = typeof config.nats === "string" ? openNats(makeConfig({ natsUrl: config.nats }), log) : undefined;
  const nats = typeof config.nats === "string" ? own : config.nats;
  const hub = createEventHub({
    database,
    config: {
      events: "marked",
      eventPoolSize: 4,
      eventRetentionMs: 3_600_000,
      eventRetentionBytes: 1_000_000_000,
      ...config,
    },
    schemas: () => config.schemas ?? ["town"],
    log,
    nats,
    metrics: createEventMetrics(registry),
  });
  const identity = async (account: string, claims: Record<string, unknown> = {}): Promise<Identity> => {
    const { role } = await database.db.one<{ role: string }>("select role from portolan.users where name = $1", [
      account,
    ]);
    return { database: name, name: account, role, roleMade: true, claims: { sub: account, ...claims } };
  };
  await until(() =>
    hub.check().then(
      () => true,
      () => false,
    ),
  );
  return {
    hub,
    registry,
    database,
    identity,
    async subscribe(account, relation, request = {}) {
      const subscriber = new Subscriber();
      const [schema = "", table = ""] = relation.split(".");
      subscriber.subscription = await hub.subscribe({
        identity: request.identity ?? (await identity(account)),
        schema,
        relation: table,
        deliver: (batch) => subscriber.deliver(batch),
        gap: (gap) => subscriber.gaps.push(gap),
        end: (error) => (subscriber.ended = error),
        ...request,
      });
      return subscriber;
    },
    async close() {
      await hub.close();
      await own?.close();
      await database.close();
    },
  };
}

export class Subscriber {
  subscription!: Awaited<ReturnType<EventHub["subscribe"]>>;
  readonly batches: EventBatch[] = [];
  readonly gaps: EventGap[] = [];
  ended: GatewayError | undefined;

  deliver(batch: EventBatch): void {
    this.batches.push(batch);
  }

  get endCode(): string | undefined {
    return this.ended?.code;
  }

  get changes(): readonly Change[] {
    return this.batches.flatMap(({ changes }) => changes);
  }

  /** `INSERT 1`, `UPDATE 2`, … in order. */
  get summary(): readonly string[] {
    return this.changes.map(({ operation, key }) => `${operation} ${key}`);
  }

  /** Waits until this number of changes have arrived. */
  async expect(count: number, withinMs?: number): Promise<readonly Change[]> {
    await until(
      () => this.changes.length >= count || this.ended !== undefined,
      withinMs,
      () => JSON.stringify(this.summary),
    );
    return this.changes;
  }
}

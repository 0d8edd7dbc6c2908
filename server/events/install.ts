import { openDatabase, type Database } from "../kernel/database/database.ts";
import type { Door } from "../kernel/door.ts";
import { GatewayError } from "../ground/errors.ts";
import { mostOf } from "../operate/metrics.ts";
import type { Kernel } from "../kernel.ts";
import { createEventHub } from "./hub.ts";
import { createEventMetrics } from "./metrics.ts";
import type { EventHub } from "./types.ts";

export interface Events extends Door {
  /** Change events of a database. Throws `UNAVAILABLE` for one that is falling asleep. */
  eventsOf(database: Pick<Database, "name">): EventHub;
}

/**
 * Change events. They have pools of their own, so that requests and events do not wait for each other. In a database
 * that sleeps while idle they share the connections of requests, because there may be many such databases. `socketsOf`:
 * counts the open sockets of a database.
 */
export function installEvents(kernel: Kernel, socketsOf: (database: string) => number = () => 0): Events {
  const { config, databases, directory, own: connections, log, metrics, nats, tracing, schemasOf } = kernel;
  const eventMetrics = createEventMetrics(metrics.registry);
  const hubs = new Map<string, { readonly hub: EventHub; readonly opened: Database | undefined }>();

  function open(shared: Database): EventHub {
    const { name, url, memory } = shared;
    const own = !directory.isSleeper(shared);
    const opened = own
      ? openDatabase({ ...config, name, url, memory, own: connections, poolSize: config.eventPoolSize })
      : undefined;
    const database = opened ?? shared;
    const hub = createEventHub({
      database,
      config,
      log,
      metrics: eventMetrics,
      nats,
      sockets: () => socketsOf(name),
      tracing,
      schemas: () => schemasOf(name),
    });
    hubs.set(name, { hub, opened });
    return hub;
  }

  async function close(name: string, how?: { readonly rests: boolean }): Promise<void> {
    const one = hubs.get(name);
    hubs.delete(name);
    await one?.hub.close(how);
    await one?.opened?.close();
  }

  const hubOf = (database: Database): EventHub => hubs.get(database.name)?.hub ?? open(database);
  for (const database of databases.values()) open(database);
  const eventsOf: Events["eventsOf"] = ({ name }) => {
    const one = hubs.get(name);
    if (!one) throw new GatewayError("UNAVAILABLE");
    return one.hub;
  };
  return {
    eventsOf,
    routes: [],
    checks: {
      events: async () => {
        const named = [...databases.values()].filter((database) => !directory.isSleeper(database));
        await Promise.all(named.map((database) => eventsOf(database).check()));
      },
    },
    figures: async (database) => ({
      event_lag_ms: Math.round((await mostOf(metrics.registry, "portolan_events_lag_seconds", { database })) * 1000),
    }),
    wake: (database) => void hubOf(database),
    prepare: (database, schemas) => hubOf(database).sync(schemas),
    onCatalogue: (database) => eventsOf(database).refresh(),
    onSilence: ({ name }) => hubs.get(name)?.opened?.cut(),
    rest: ({ name }) => close(name, { rests: true }),
    async close() {
      await Promise.all([...hubs.keys()].map((name) => close(name)));
    },
  };
}

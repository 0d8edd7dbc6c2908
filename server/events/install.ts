import { openDatabase, type Database } from "../kernel/database/database.ts";
import type { Door } from "../kernel/door.ts";
import type { Kernel } from "../kernel/kernel.ts";
import { createEventHub } from "./hub.ts";
import { createEventMetrics } from "./metrics.ts";
import type { EventHub } from "./types.ts";

export interface Events extends Door {
  /** Change events of a database. */
  eventsOf(database: Pick<Database, "name">): EventHub;
}

/** Change events, which have pools of their own, so that requests and events do not wait for one another. */
export function installEvents({ config, databases, log, metrics, schemasOf }: Kernel): Events {
  const opened = [...databases.values()].map(({ name, url, memory }) =>
    openDatabase({ ...config, name, url, memory, poolSize: config.eventPoolSize }),
  );
  const eventMetrics = createEventMetrics(metrics.registry);
  const hubs = new Map(
    opened.map((database) => [
      database.name,
      createEventHub({ database, config, log, metrics: eventMetrics, schemas: () => schemasOf(database.name) }),
    ]),
  );
  const all = [...hubs.values()];
  const eventsOf: Events["eventsOf"] = ({ name }) => hubs.get(name) as EventHub;
  return {
    eventsOf,
    routes: [],
    checks: {
      events: async () => {
        await Promise.all(all.map((hub) => hub.check()));
      },
    },
    prepare: (database, schemas) => eventsOf(database).sync(schemas),
    onCatalogue: (database) => eventsOf(database).refresh(),
    async close() {
      await Promise.all(all.map((hub) => hub.close()));
      await Promise.all(opened.map((database) => database.close()));
    },
  };
}

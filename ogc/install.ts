import type { Door } from "../server/kernel/door.ts";
import type { Kernel } from "../server/kernel.ts";
import { openMaps } from "./maps/maps.ts";
import { Downloads } from "./downloads/downloads.ts";
import { openTiles } from "./tiles/tiles.ts";
import { createOgc, ROOT, type OgcDoor } from "./door/router.ts";
import { mostOf } from "../server/operate/metrics.ts";

const EXPOSED_HEADERS = [
  "Content-Crs",
  "Content-Bbox",
  "Content-Datetime",
  "OGC-NumberMatched",
  "OGC-NumberReturned",
  "Content-Range",
];

export interface Ogc extends Door, Pick<OgcDoor, "ask" | "readableIds"> {
  /** Whether there is a MapServer that draws maps. */
  readonly draws: boolean;
}

export function installOgc({ config, log, metrics, identifyIn, own, ...kernel }: Kernel): Ogc {
  const maps = openMaps({ config, log, metrics, own });
  const downloads = new Downloads(log, metrics.registry);
  const ogc = createOgc({
    ...kernel,
    config,
    log,
    maps,
    tiles: openTiles(config.ogc, log, metrics.registry),
    downloads,
    rasters: { directory: config.rasterDirectory, log },
    identify: identifyIn,
  });
  const refresh = (database: Parameters<typeof ogc.refresh>[0]): Promise<void> => ogc.refresh(database);
  return {
    routes: ogc.routes,
    ask: (asked) => ogc.ask(asked),
    readableIds: (asker, ids) => ogc.readableIds(asker, ids),
    draws: maps !== undefined,
    onCatalogue: refresh,
    start: () => {
      ogc.seeder.start();
      return Promise.resolve();
    },
    wake: (database) => ogc.seeder.look(database),
    isInUse: (database) => ogc.seeder.isWorking(database),
    subjects: { maps: refresh, jobs: (database) => ogc.seeder.look(database) },
    forPeople: { below: "/api/v4/ogc/", ofDatabase: `${ROOT}{database}` },
    exposedHeaders: EXPOSED_HEADERS,
    figures: async () => ({ map_queue: await mostOf(metrics.registry, "portolan_map_queue") }),
    ...(maps && {
      checks: { mapserver: () => maps.server.check() },
    }),
    async rest(database) {
      await ogc.seeder.rest(database);
      await maps?.server.leave(database.name);
    },
    async close() {
      await ogc.seeder.close();
      await downloads.close();
      await maps?.close();
    },
  };
}

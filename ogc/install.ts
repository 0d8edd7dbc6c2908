import type { Door } from "../server/kernel/door.ts";
import type { Kernel } from "../server/kernel.ts";
import { openMaps } from "./maps/maps.ts";
import { Downloads } from "./downloads/downloads.ts";
import { openTiles } from "./tiles/tiles.ts";
import { createOgc, ROOT, type OgcDoor } from "./door/router.ts";
import { mostOf } from "../server/operate/metrics.ts";

const EXPOSED_HEADERS = ["Content-Crs", "Content-Bbox", "Content-Datetime", "OGC-NumberMatched", "OGC-NumberReturned"];

export interface Ogc extends Door, Pick<OgcDoor, "ask"> {
  /** Whether there is a MapServer that draws. */
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
    draws: maps !== undefined,
    onCatalogue: refresh,
    subjects: { maps: refresh },
    forPeople: { below: "/api/v4/ogc/", ofDatabase: `${ROOT}{database}` },
    exposedHeaders: EXPOSED_HEADERS,
    figures: async () => ({ map_queue: await mostOf(metrics.registry, "portolan_map_queue") }),
    ...(maps && {
      checks: { mapserver: () => maps.server.check() },
      rest: ({ name }) => maps.server.leave(name),
    }),
    async close() {
      await downloads.close();
      await maps?.close();
    },
  };
}

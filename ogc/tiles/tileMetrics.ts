/** The metrics of tiles for Prometheus. */
import { Counter, Gauge, type Registry } from "prom-client";

export interface TileMetrics {
  /** Observes the kept tiles. */
  watch(state: { bytes(): number; tiles(): number }): void;
  /** Counts a requested tile: it was kept, made and then kept, made but not allowed to be kept, or made beforehand. */
  served(kind: "vector" | "map", from: "kept" | "made" | "unkept" | "seeded"): void;
  /** Counts tiles that were made for a pyramid. */
  seeded(tiles: number): void;
  /** Counts a pyramid whose making ended in this process. */
  pyramidEnded(result: "done" | "stopped" | "failed"): void;
}

export function createTileMetrics(registry: Registry): TileMetrics {
  const registers = [registry];
  const served = new Counter({
    name: "portolan_tiles_total",
    help: "Tiles by kind and source: kept, made, made but not keepable, or seeded in advance",
    labelNames: ["kind", "from"],
    registers,
  });
  const seeded = new Counter({
    name: "portolan_pyramid_tiles_total",
    help: "Tiles of pyramids that were made in advance, empty ones included",
    registers,
  });
  const ended = new Counter({
    name: "portolan_pyramids_total",
    help: "Pyramids that were made, or made up to date, by how that ended",
    labelNames: ["result"],
    registers,
  });
  return {
    watch(state) {
      new Gauge({
        name: "portolan_tile_cache_bytes",
        help: "Memory of the tiles that are kept",
        registers,
        collect() {
          this.set(state.bytes());
        },
      });
      new Gauge({
        name: "portolan_tile_cache_tiles",
        help: "Tiles that are kept",
        registers,
        collect() {
          this.set(state.tiles());
        },
      });
    },
    served: (kind, from) => served.inc({ kind, from }),
    seeded: (tiles) => seeded.inc(tiles),
    pyramidEnded: (result) => ended.inc({ result }),
  };
}

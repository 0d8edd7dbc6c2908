/** The resources of maps: a directory with fonts and mapfiles, and the workers. */
import { chmodSync, chownSync, copyFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import type { Config } from "../../server/kernel/config.ts";
import type { Kernel } from "../../server/kernel.ts";
import type { Log } from "../../server/ground/log.ts";
import { makeTemporaryFolder, removeLeftovers, removeTemporaryFolder } from "../../server/ground/temporaryFolder.ts";
import { findMapserv } from "../../server/setup/programs.mjs";
import { MAX_FILES, Mapfiles } from "./mapfile.ts";
import { createMapMetrics } from "./mapMetrics.ts";
import { createMapServer, type MapServer } from "./mapserver.ts";

export interface Maps {
  readonly server: MapServer;
  readonly files: Mapfiles;
  /** Mapfiles of maps with a filter or a style of their own. Their number has no limit. */
  readonly filtered: Mapfiles;
  readonly log: Log;
  /** The raster folder; undefined where none is configured. */
  readonly rasterDirectory: string | undefined;
  readonly statementTimeoutMs: number;
  close(): Promise<void>;
}

export type MapsConfig = Pick<
  Config,
  | "mapWorkers"
  | "mapTimeoutMs"
  | "mapQueueTimeoutMs"
  | "accountShare"
  | "connectTimeoutMs"
  | "mapPixelBudget"
  | "mapConnections"
  | "mapRequestsPerWorker"
  | "mapWorkerMemoryBytes"
  | "mapDirectory"
  | "rasterDirectory"
>;

/** The parts of the kernel that maps need. */
export interface MapsKernel extends Pick<Kernel, "log" | "metrics" | "own"> {
  readonly config: MapsConfig;
}

/** Debian's nobody and nogroup, as on most systems. They own no file. */
const NOBODY = { uid: 65_534, gid: 65_534 };
const MAX_QUEUED = 1000;
const FOLDER = "portolan-maps-";

/** Opens the maps; undefined where there is no MapServer. No worker runs before the first map. */
export function openMaps({ config, log, metrics: { registry }, own }: MapsKernel): Maps | undefined {
  const program = findMapserv();
  if (program === undefined) {
    log.warn("MapServer is not installed, so there are no maps");
    return undefined;
  }
  const user = process.getuid?.() === 0 ? NOBODY : undefined;
  const directory = makeDirectory(config, user);
  const workers = config.mapWorkers || availableParallelism();
  const server = createMapServer({
    worker: {
      program,
      directory,
      env: {
        PATH: "/usr/bin:/bin",
        LANG: "C.UTF-8",
        MAPSERVER_CONFIG_FILE: join(directory, "mapserver.conf"),
        // rasters are files of one folder: GDAL must not fetch any, nor list a folder
        GDAL_DISABLE_READDIR_ON_OPEN: "EMPTY_DIR",
        GDAL_HTTP_TIMEOUT: "1",
        CPL_VSIL_CURL_ALLOWED_EXTENSIONS: "{none}",
      },
      user,
      memoryBytes: config.mapWorkerMemoryBytes,
    },
    workers,
    requestsPerWorker: config.mapRequestsPerWorker,
    connections: config.mapConnections,
    pixelBudget: config.mapPixelBudget,
    timeoutMs: config.mapTimeoutMs,
    queueTimeoutMs: config.mapQueueTimeoutMs,
    maxQueued: MAX_QUEUED,
    accountShare: config.accountShare,
    own,
    connectTimeoutMs: config.connectTimeoutMs,
    log,
    metrics: createMapMetrics(registry),
  });
  return {
    server,
    files: new Mapfiles(directory, MAX_FILES.plain),
    filtered: new Mapfiles(directory, MAX_FILES.filtered),
    log,
    rasterDirectory: config.rasterDirectory,
    statementTimeoutMs: config.mapTimeoutMs,
    async close() {
      await server.close();
      await removeTemporaryFolder(directory);
    },
  };
}

/** Makes the directory, readable by the workers' user only, because it contains connection strings. */
function makeDirectory({ mapDirectory, rasterDirectory }: MapsConfig, user: typeof NOBODY | undefined): string {
  const parent = mapDirectory ?? tmpdir();
  const directory = makeTemporaryFolder(FOLDER, parent);
  removeLeftovers(FOLDER, parent);
  const font = createRequire(import.meta.url).resolve("dejavu-fonts-ttf/ttf/DejaVuSans.ttf");
  // copied, since the workers' user may not be able to read the package
  copyFileSync(font, join(directory, "sans.ttf"));
  chmodSync(join(directory, "sans.ttf"), 0o644);
  writeFileSync(join(directory, "fonts.txt"), "sans sans.ttf\n");
  writeFileSync(
    join(directory, "mapserver.conf"),
    `CONFIG\n  ENV\n    MS_MAP_PATTERN "/${FOLDER}[0-9]+-[A-Za-z0-9]+/[0-9a-f]+[.]map$"\n  END\nEND\n`,
  );
  if (rasterDirectory !== undefined) symlinkSync(rasterDirectory, join(directory, "rasters"));
  if (user) {
    chownSync(directory, process.getuid?.() ?? 0, user.gid);
    chmodSync(directory, 0o750);
  }
  return directory;
}

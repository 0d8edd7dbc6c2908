/** Rasters among the collections, described from the headers of their files. */
import type { Database } from "../../server/kernel/database/database.ts";
import type { Log } from "../../server/ground/log.ts";
import type { Bounds, Extent } from "./bounds.ts";
import { readRasterHeader } from "../maps/rasterFile.ts";

/** The parts of a collection that make it a raster. */
export interface Raster {
  /** Path of the file below the raster folder. */
  readonly file: string;
  /** EPSG code of the file; 0 where the file has none, or cannot be read. */
  readonly srid: number;
  readonly isBytes: boolean;
  /** Undefined where the extent is not known. */
  readonly extent: Extent | undefined;
}

export interface RasterOptions {
  /** Undefined where no raster folder is configured. */
  readonly directory: string | undefined;
  readonly log: Log;
}

const WGS84 = 4326;

/** Reads the header of a raster. An unreadable raster is a collection too; its maps are errors. */
export async function readRaster(database: Database, file: string, { directory, log }: RasterOptions): Promise<Raster> {
  try {
    const { srid, bounds, isBytes } = await readRasterHeader(directory, file);
    const degrees = await inDegrees(database, bounds, srid);
    return { file, srid, isBytes, extent: degrees && { degrees, storage: bounds } };
  } catch (error) {
    log.warn({ database: database.name, file, err: error }, "a raster cannot be read");
    return { file, srid: 0, isBytes: true, extent: undefined };
  }
}

async function inDegrees(database: Database, bounds: Bounds | undefined, srid: number): Promise<Bounds | undefined> {
  if (!bounds || srid === WGS84 || srid === 0) return srid === 0 ? undefined : bounds;
  const { extent } = await database.db.one<{ extent: Bounds | null }>(
    "select portolan.transform_bounds($1::float8[], $2, $3) as extent",
    [bounds, srid, WGS84],
  );
  return extent ?? undefined;
}

/** Faults of the styles and rasters of a database, for `portolan style check` and `portolan doctor`. */
import type { Finding } from "../../server/ground/finding.ts";
import type { Config } from "../../server/kernel/config.ts";
import type { Database } from "../../server/kernel/database/database.ts";
import type { Log } from "../../server/ground/log.ts";
import { Collections } from "../collections/catalogue.ts";
import type { Collection } from "../collections/collections.ts";
import { readRasterHeader } from "./rasterFile.ts";

export interface StyleFinding {
  readonly collection: string;
  /** The fault, with its path; undefined: none. */
  readonly problem: string | undefined;
  /** The remedy. */
  readonly remedy: string;
}

/** One finding for each collection that has a style or is a raster. */
export async function checkStyles(
  database: Database,
  config: Pick<Config, "schemas" | "rasterDirectory" | "ogc">,
  log: Log,
): Promise<StyleFinding[]> {
  const { schemas } = await database.db.one<{ schemas: string[] }>("select portolan.exposed_schemas() as schemas");
  const collections = new Collections({
    schemasOf: () => config.schemas ?? schemas,
    crs: config.ogc.crs,
    axisOrder: config.ogc.axisOrder,
    rasters: { directory: config.rasterDirectory, log },
  });
  const all = [...(await collections.of(database)).values()];
  return Promise.all(
    all
      .filter(({ style, raster }) => style !== undefined || raster)
      .map(async (collection) => ({
        collection: collection.id,
        problem: await problemOf(collection, config),
        remedy: collection.raster
          ? `put the GeoTIFF ${collection.raster.file} below RASTER_DIRECTORY, or call portolan.update_raster or portolan.drop_raster`
          : "set it anew with portolan.set_style",
      })),
  );
}

async function problemOf(
  collection: Collection,
  { rasterDirectory }: Pick<Config, "rasterDirectory">,
): Promise<string | undefined> {
  try {
    if (collection.raster) await readRasterHeader(rasterDirectory, collection.raster.file);
    return collection.style?.problem;
  } catch (error) {
    return (error as Error).message;
  }
}

/** The same for `doctor`. */
export async function drawingFindings(...args: Parameters<typeof checkStyles>): Promise<Finding[]> {
  return (await checkStyles(...args)).map(({ collection, problem, remedy }) => ({
    ok: problem === undefined,
    page: "gis.md",
    text: problem === undefined ? `${collection} can be drawn` : `${collection} cannot be drawn: ${problem}`,
    remedy: [remedy],
  }));
}

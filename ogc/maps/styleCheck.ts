/** Faults of the styles, rasters and functions of a database, for `portolan style check` and `portolan doctor`. */
import type { Finding } from "../../server/ground/finding.ts";
import type { Config } from "../../server/kernel/config.ts";
import type { Database } from "../../server/kernel/database/database.ts";
import type { Log } from "../../server/ground/log.ts";
import { Collections } from "../collections/catalogue.ts";
import type { Collection } from "../collections/collections.ts";
import { DEFAULT_STYLE } from "../exchange/parameters/table.ts";
import { readRasterHeader } from "./rasterFile.ts";

export interface StyleFinding {
  readonly collection: string;
  /** The fault, with its path; undefined where there is none. */
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
  return stylesOf(await offered(database, config, log), database, config);
}

/** The collections of a database, for commands that run without the service. */
export async function offered(
  database: Database,
  config: Pick<Config, "schemas" | "rasterDirectory" | "ogc">,
  log: Log,
): Promise<Collections> {
  const { schemas } = await database.db.one<{ schemas: string[] }>("select portolan.exposed_schemas() as schemas");
  return new Collections({
    schemasOf: () => config.schemas ?? schemas,
    crs: config.ogc.crs,
    axisOrder: config.ogc.axisOrder,
    tables: config.ogc.tables,
    rasters: { directory: config.rasterDirectory, log },
  });
}

async function stylesOf(
  collections: Collections,
  database: Database,
  config: Pick<Config, "rasterDirectory">,
): Promise<StyleFinding[]> {
  const all = [...(await collections.of(database)).values()];
  return Promise.all(
    all
      .filter(({ styles, raster }) => styles.some(({ judged }) => judged !== undefined) || raster)
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
    return problemIn(collection);
  } catch (error) {
    return (error as Error).message;
  }
}

/** The first fault, with the name of its style where that is not `default`. */
function problemIn({ styles }: Collection): string | undefined {
  const wrong = styles.find(({ judged }) => judged?.problem !== undefined);
  const problem = wrong?.judged?.problem;
  return wrong === undefined || wrong.name === DEFAULT_STYLE ? problem : `${wrong.name}: ${problem}`;
}

/** The findings for `doctor`, including the functions whose `@ogc` has no effect. */
export async function collectionFindings(
  ...[database, config, log]: Parameters<typeof checkStyles>
): Promise<Finding[]> {
  const collections = await offered(database, config, log);
  const drawn = (await stylesOf(collections, database, config)).map(({ collection, problem, remedy }) => ({
    ok: problem === undefined,
    page: "gis.md",
    text: problem === undefined ? `${collection} can be drawn` : `${collection} cannot be drawn: ${problem}`,
    remedy: [remedy],
  }));
  const leftOut = (await collections.leftOut(database)).map(({ schema, name, reason }) => ({
    ok: false,
    page: "gis.md",
    text: `The function ${schema}.${name} cannot be a collection: ${reason}`,
    remedy: ["change the function, or take `@ogc` out of its comment"],
  }));
  return [...drawn, ...leftOut];
}

/** Checks the folder of the GeoTIFF files. */
import { readdirSync } from "node:fs";
import type { Config } from "../kernel/config.ts";
import type { Finding } from "../ground/finding.ts";

/** One finding, or none where no folder is configured. */
export function rasterDirectoryFindings({ rasterDirectory }: Pick<Config, "rasterDirectory">): Finding[] {
  if (rasterDirectory === undefined) return [];
  const page = "gis.md";
  const name = `the folder of rasters ${rasterDirectory} (RASTER_DIRECTORY)`;
  try {
    readdirSync(rasterDirectory);
    return [{ ok: true, text: `${name} can be read`, remedy: [], page }];
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === "ENOENT" ? "is not there" : code === "ENOTDIR" ? "is no folder" : `cannot be read: ${message}`;
    const remedy = ["create it, mount it, or name another one: until then no raster is drawn"];
    return [{ ok: false, severity: "warning", text: `${name} ${why}`, remedy, page }];
  }
}

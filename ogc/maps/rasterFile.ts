/** A raster's file: a GeoTIFF below the configured folder. Other files are refused. */
import { open, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import type { GeoTIFFImage } from "geotiff";
import type { Bounds } from "../collections/bounds.ts";

/** The header of a GeoTIFF. */
export interface RasterHeader {
  /** EPSG code; 0 where the file has none. */
  readonly srid: number;
  /** The bounds in that system, x first; undefined for a file without a position in the world. */
  readonly bounds: Bounds | undefined;
  /** Whether its values are bytes, which are colours. Other values are stretched to the range of bytes. */
  readonly isBytes: boolean;
}

/** The same check as `portolan.check_raster_file`. */
const PLAIN_PATH = /^([A-Za-z0-9_-][A-Za-z0-9_.-]*\/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*\.tiff?$/i;
/** The first bytes of TIFF and BigTIFF, in either byte order. */
const MAGIC = ["49492a00", "4d4d002a", "49492b00", "4d4d002b"];
/** GeoTIFF's code for a system that the file itself describes. */
const USER_DEFINED = 32_767;

/**
 * The path of a raster's file below `directory`, for a mapfile. Throws if it leaves the folder, also by a link, or is
 * not a TIFF: GDAL recognises a file by its content, and other formats can name files and hosts to read from.
 */
export async function checkRasterFile(directory: string | undefined, file: string): Promise<string> {
  if (directory === undefined) throw new Error("no raster folder is configured");
  if (!PLAIN_PATH.test(file)) throw new Error(`${file} is not a plain path of a .tif file`);
  const [folder, path] = await Promise.all([realpath(directory), realpath(join(directory, file))]);
  if (!path.startsWith(folder + sep)) throw new Error(`${file} is outside the raster folder`);
  const handle = await open(path, "r");
  try {
    const { buffer } = await handle.read({ buffer: Buffer.alloc(4), position: 0 });
    if (!MAGIC.includes(buffer.toString("hex"))) throw new Error(`${file} is not a TIFF`);
  } finally {
    await handle.close();
  }
  return path;
}

/** Reads the header. Throws if the file does not exist, is not a valid raster or cannot be read. */
export async function readRasterHeader(directory: string | undefined, file: string): Promise<RasterHeader> {
  const path = await checkRasterFile(directory, file);
  const { fromFile } = await import("geotiff"); // a twentieth of the start's time, and most services have no rasters
  const tiff = await fromFile(path);
  try {
    const image = await tiff.getImage();
    return { srid: sridOf(image), bounds: boundsOf(image), isBytes: image.getBitsPerSample() === 8 };
  } finally {
    await tiff.close();
  }
}

function sridOf(image: GeoTIFFImage): number {
  const keys = image.getGeoKeys() as Partial<Record<string, unknown>> | null;
  const code = keys?.["ProjectedCSTypeGeoKey"] ?? keys?.["GeographicTypeGeoKey"];
  return typeof code === "number" && code > 0 && code < USER_DEFINED ? code : 0;
}

function boundsOf(image: GeoTIFFImage): Bounds | undefined {
  try {
    const bounds = image.getBoundingBox();
    return bounds.length === 4 && bounds.every(Number.isFinite) ? (bounds as unknown as Bounds) : undefined;
  } catch {
    return undefined; // a TIFF without a position
  }
}

/**
 * Mapfiles. They are made when a map is first requested, named by the hash of their content, and removed when unused.
 */
import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { GatewayError } from "../../server/ground/errors.ts";
import type { MapLayer } from "./mapLayer.ts";
import { MM_PER_PIXEL } from "../exchange/parameters/table.ts";
import { SYMBOL_BLOCKS } from "./symbols.ts";

/** A mapfile for a request. */
export interface Mapfile {
  readonly path: string;
  /** The layers, the lowest first. */
  readonly layers: readonly Pick<MapLayer, "name" | "range">[];
}

interface Entry extends Mapfile {
  /** The objects that it was made from. */
  readonly sources: readonly object[];
}

export const MM_PER_INCH = 25.4;

/**
 * The number of mapfiles that are kept, the most recently used ones. A worker opens a mapfile when it begins a map, so
 * the others can be removed.
 */
export const MAX_FILES = { plain: 1000, filtered: 64 } as const;

/** Pixels per inch: sizes in styles are for pixels of this size. Other pixels make them larger or smaller. */
const RESOLUTION = MM_PER_INCH / MM_PER_PIXEL;
/** A layer for maps that have no other layer. */
export const NOTHING = "nothing";

const head = (srids: readonly number[]): string => `MAP
  NAME "portolan"
  STATUS ON
  SIZE 256 256
  MAXSIZE 16384
  EXTENT -180 -90 180 90
  UNITS DD
  RESOLUTION ${RESOLUTION}
  DEFRESOLUTION ${RESOLUTION}
  IMAGECOLOR 255 255 255
  FONTSET "fonts.txt"
  SHAPEPATH "rasters"
  PROJECTION "init=epsg:4326" END
  CONFIG "MS_ERRORFILE" "stderr"
  CONFIG "ON_MISSING_DATA" "FAIL"
  CONFIG "MS_NONSQUARE" "YES"
  OUTPUTFORMAT NAME "png" DRIVER AGG/PNG MIMETYPE "image/png" IMAGEMODE RGBA EXTENSION "png" FORMATOPTION "COMPRESSION=3" END
  OUTPUTFORMAT NAME "jpeg" DRIVER AGG/JPEG MIMETYPE "image/jpeg" IMAGEMODE RGB EXTENSION "jpg" FORMATOPTION "QUALITY=85" END
  OUTPUTFORMAT NAME "tiff" DRIVER GDAL/GTiff MIMETYPE "image/tiff" IMAGEMODE RGBA EXTENSION "tif" FORMATOPTION "COMPRESS=DEFLATE" END
  LAYER NAME "${NOTHING}" TYPE POINT STATUS ON END
  LEGEND STATUS ON KEYSIZE 24 16 KEYSPACING 8 6 LABEL TYPE TRUETYPE FONT "sans" SIZE 10 COLOR "#202020" END END
  WEB METADATA "ows_title" "portolan" "ows_onlineresource" "http://localhost/?" "wms_srs" "${srids.map((srid) => `EPSG:${srid}`).join(" ")}" "wms_enable_request" "GetMap GetLegendGraphic" "wms_sld_enabled" "false" END END
${SYMBOL_BLOCKS.map((text) => `  ${text}`).join("\n")}
`;

/** The input for a mapfile. */
export interface MapfileContent {
  readonly layers: readonly MapLayer[];
  /** Systems that maps can be in. */
  readonly srids: readonly number[];
}

function mapfileText({ layers, srids }: MapfileContent): string {
  return `${head(srids)}${layers.map(({ text }) => text.replace(/^/gm, "  ")).join("\n")}\nEND\n`;
}

export class Mapfiles {
  readonly #directory: string;
  readonly #entries: LRUCache<string, Entry>;
  /** Files that may no longer be used. */
  #unused: string[] = [];

  /** `directory`: an absolute path that workers can read. `max`: the number of files that are kept. */
  constructor(directory: string, max: number) {
    this.#directory = directory;
    this.#entries = new LRUCache({
      max,
      dispose: ({ path }, _key, reason) => void (reason === "evict" && this.#unused.push(path)),
    });
  }

  /**
   * The mapfile of `key`. It is made again if `sources` are other objects than before. Throws
   * `MAP_BACKEND_ERROR` if it cannot be written.
   */
  async of(key: string, sources: readonly object[], make: () => Promise<MapfileContent>): Promise<Mapfile> {
    const known = this.#entries.get(key);
    const isFresh = known?.sources.length === sources.length && known.sources.every((one, i) => one === sources[i]);
    const entry = known && isFresh ? known : await this.#write(sources, await make());
    this.#entries.set(key, entry);
    if (this.#unused.length > 0) await this.#tidy();
    return entry;
  }

  /** Makes and writes the mapfile of `key` again next time, because it did not work. */
  forget(key: string): void {
    this.#entries.delete(key);
  }

  async #write(sources: readonly object[], content: MapfileContent): Promise<Entry> {
    const text = mapfileText(content);
    const name = createHash("sha256").update(text).digest("hex").slice(0, 40);
    const path = join(this.#directory, `${name}.map`);
    const draft = join(this.#directory, `${name}.${Math.random().toString(36).slice(2)}.new`);
    try {
      await writeFile(draft, text, { mode: 0o644 });
      await rename(draft, path);
    } catch (error) {
      await rm(draft, { force: true }).catch(() => undefined); // the first error is the one to report
      throw new GatewayError("MAP_BACKEND_ERROR", undefined, { detail: "a mapfile cannot be written", cause: error });
    }
    return { path, layers: content.layers.map(({ name, range }) => ({ name, ...(range && { range }) })), sources };
  }

  async #tidy(): Promise<void> {
    const used = new Set(this.#entries.values().map(({ path }) => path));
    const unused = this.#unused.splice(0).filter((path) => !used.has(path));
    await Promise.all(unused.map((path) => rm(path, { force: true })));
  }
}

/** Maps, and the workers that draw them. */
import { z } from "zod";
import { SECOND, MEGABYTE, count, list, milliseconds, orJson, type Option } from "./kinds.ts";

/** Origins as a Content-Security-Policy takes them: nothing in them ends a directive. */
const ORIGIN = /^https?:\/\/(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?$/i;

const basemap = z
  .strictObject({
    url: z
      .string()
      .max(2000)
      .refine((text) => URL.canParse(text) && ORIGIN.test(new URL(text).origin), "must be an address of http or https"),
    title: z.string().min(1).max(200).optional(),
    attribution: z.string().min(1).max(500).optional(),
    layers: z.string().min(1).max(1000).optional(),
    maxZoom: z.int().min(0).max(24).optional(),
  })
  .refine(
    ({ url, layers }) => layers !== undefined || ["{z}", "{x}"].every((part) => url.includes(part)),
    "url must have {z}, {x} and {y}, or layers must name those of a WMS",
  );

export type Basemap = z.infer<typeof basemap>;

export const MAPS = {
  basemaps: {
    schema: orJson(z.record(z.string().regex(/^[a-z0-9-]{1,60}$/), basemap)),
    default: {},
    doc: "Maps of others that saved maps may have as layers: name → `{url, title, attribution, layers, maxZoom}`. `url` has `{z}`, `{x}` and `{y}` (tiles in Web Mercator), or is that of a WMS whose `layers` are named. The workspace and public maps may load from their origins, no other page may. Default none: then no browser asks another host.",
  },
  embedOrigins: {
    schema: list.pipe(z.array(z.string().regex(ORIGIN, "must be origins such as https://example.org"))),
    default: [],
    doc: "Origins whose pages may embed public maps and dashboards (`/maps/{database}/{name}`, `/dashboards/{database}/{name}`), such as `https://example.org`. Default none.",
  },
  rasterDirectory: {
    schema: z.string().regex(/^\//, "must be an absolute path").optional(),
    doc: "Folder of the GeoTIFF files that `portolan.create_raster` may name. The workers of MapServer must be able to read it. Default: no rasters.",
  },
  mapWorkers: {
    schema: z.coerce.number().int().min(0).max(256),
    default: 0,
    doc: "MapServer processes, and with them maps that are drawn at the same time; 0: as many as there are cores.",
  },
  mapTimeoutMs: {
    schema: milliseconds,
    default: 30 * SECOND,
    doc: "Longest time of a map. One that takes longer fails, and its worker is killed.",
  },
  mapQueueTimeoutMs: {
    schema: milliseconds,
    default: 15 * SECOND,
    doc: "How long a map may wait for a worker before it is answered with 503.",
  },
  mapPixelBudget: {
    schema: count,
    default: 16_384 * 16_384,
    doc: "Pixels of all maps that are drawn or sent at the same time; the default is one map of the largest size.",
  },
  mapConnections: {
    schema: count.max(1000),
    default: 16,
    doc: "Database connections of all MapServer workers together: each account needs one of its own in a worker.",
  },
  mapRequestsPerWorker: {
    schema: count,
    default: 5000,
    doc: "Maps that a MapServer worker draws before a new one takes its place.",
  },
  mapWorkerMemoryBytes: {
    schema: count.min(256 * MEGABYTE),
    default: 4000 * MEGABYTE,
    doc: "Address space of a MapServer worker; the largest JPEG takes 2 GB.",
  },
  mapDirectory: {
    schema: z.string().regex(/^\//, "must be an absolute path").optional(),
    doc: "Where the mapfiles are written, in a folder that ends with the process. Default: the system's folder for temporary files.",
  },
} as const satisfies Record<string, Option>;

/** The OGC API. */
import { z } from "zod";
import { MEGABYTE, count, milliseconds, flag, list, orJson, type Option } from "./kinds.ts";

const srids = z.array(z.int().min(1).max(999_999));

const tileMatrixSet = z
  .strictObject({
    title: z.string().min(1).optional(),
    crs: z.int().min(1).max(998_999),
    bounds: z.tuple([z.number(), z.number(), z.number(), z.number()]),
    levels: z.int().min(1).max(30).default(20),
    tileSize: z.int().min(64).max(2048).default(256),
  })
  .refine(
    ({ bounds: [minx, miny, maxx, maxy] }) => minx < maxx && miny < maxy,
    "has bounds that are not minx, miny, maxx, maxy",
  );

const tileMatrixSets = z.record(
  z.string().regex(/^[A-Za-z][A-Za-z0-9_.-]{0,62}$/, "is no name for a tile matrix set"),
  tileMatrixSet,
);

const webAddress = z.url({ protocol: /^https?$/, message: "must be an http or https address" });
/** OpenAPI 3.0.3, "Contact Object" and "License Object". */
const contact = z
  .strictObject({ name: z.string().min(1), url: webAddress, email: z.email("must be a mail address") })
  .partial();
const license = z.strictObject({ name: z.string().min(1), url: webAddress.optional() });
/** Addresses of tiles with `{z}`, `{x}` and `{y}`, in Web Mercator. */
const baseMap = z.strictObject({
  url: webAddress.refine((url) => ["z", "x", "y"].every((name) => url.includes(`{${name}}`)), "needs {z}, {x} and {y}"),
  attribution: z.string().min(1),
});

export const ogc = z.strictObject({
  antimeridian: z.enum(["reject", "split"]).default("reject"),
  axisOrder: z.enum(["xy", "authority"]).default("xy"),
  datetimeIntervals: z.enum(["reject", "accept"]).default("reject"),
  mapCrs: z.enum(["CRS84", "storage"]).default("CRS84"),
  countBudgetMs: milliseconds.optional(),
  crs: z.union([srids, list.transform((codes) => codes.map(Number)).pipe(srids)]).default([]),
  crsForms: z.enum(["uri", "all"]).default("uri"),
  defaultSchema: z.string().min(1).optional(),
  downloads: flag.default(false),
  downloadSeconds: count.max(31_536_000).default(86_400),
  fgbIndexed: z.coerce.number().int().min(0).max(1_000_000).default(20_000),
  mapCollections: count.max(1000).default(50),
  qgisQueryables: flag.default(false),
  tables: z.enum(["commented", "all"]).default("commented"),
  tileCacheBytes: z.coerce
    .number()
    .int()
    .min(0)
    .default(64 * MEGABYTE),
  tileFeatureLimit: count.max(1_000_000).default(50_000),
  tileMatrixSets: orJson(tileMatrixSets).default({}),
  tileMaxAge: z.coerce.number().int().min(0).max(31_536_000).default(0),
  stylesWrite: flag.default(false),
  transactions: flag.default(false),
  requireIfMatch: flag.default(false),
  maxBodyBytes: count.default(64 * MEGABYTE),
  title: z.string().min(1).optional(),
  contact: orJson(contact).optional(),
  license: orJson(license).optional(),
  logo: z
    .string()
    .regex(/^\/.*\.(png|jpe?g|svg|webp)$/i, "must be the absolute path of a png, jpg, svg or webp")
    .optional(),
  baseMap: orJson(baseMap).optional(),
});

/** Options of the OGC API. */
export type OgcConfig = Readonly<z.infer<typeof ogc>>;

const ows = z
  .union([flag, orJson(z.strictObject({ basic: flag.default(true) }))])
  .transform((value) => (value === true ? { basic: true } : value));

export const OGC = {
  ows: {
    schema: ows,
    default: true,
    doc: "The classic services (WMS, WMTS, WFS) at `/ows/{database}` and `/ows/{database}/{schema}`: `true`, `false`, or `{basic: false}`, by which they take tokens, but no name and password (Basic). These are taken over TLS or from the same machine alone.",
  },
  ogc: {
    env: "", // its members have
    schema: ogc,
    default: {},
    doc: 'OGC API: `antimeridian` ("reject": a bbox over it is an error; "split": it is taken as the standard says), `axisOrder` (of projected systems whose registry has north before east, such as 3035, 2180 and 2193; "xy": x first, and only in what is read; "authority": the order of the registry, in all that is read and written), `datetimeIntervals` ("reject" or "accept"), `mapCrs` ("CRS84" or "storage": what maps are in without `crs`), `countBudgetMs` (where counting takes longer, `numberMatched` is left out; default: no such limit), `crs` (EPSG codes that every collection offers beside its own), `crsForms` ("uri": `crs` and `bbox-crs` are URIs of the list; "all": https and `[EPSG:4326]` will do too), `defaultSchema` (the collections of `/map` without `collections`; default: all schemas), `downloads` (whether accounts may have files of collections made in the background; default: no), `downloadSeconds` (how long such a file is kept; 86,400), `fgbIndexed` (most features of a FlatGeobuf with an index; 20,000), `mapCollections` (most collections of one map; 50), `qgisQueryables` (whether QGIS 3.40 sends spatial filters to the service: geometries in queryables then have the `$ref` that it expects and the standard forbids, and `/conformance` names a class of CQL2 as the drafts did; default: no), `stylesWrite` (whether super users may PUT and DELETE styles as documents; default: no), `tables` (which tables and views without geometry are collections; "commented": those with the comment `@ogc`; "all": all but those with `@ogc off`), `tileCacheBytes` (memory for tiles that are kept until their table is written; 64 MB, 0 keeps none), `tileFeatureLimit` (most features of a layer of a vector tile; 50,000), `tileMatrixSets` (more of them, by id: `{crs, bounds, levels, tileSize, title}` with an EPSG code and `[minx, miny, maxx, maxy]`, x or longitude first), `tileMaxAge` (seconds for which a client may keep public tiles; 0), `transactions` (whether features can be written; `@ogc write` allows it for one table; default: no), `requireIfMatch` (whether PUT, PATCH and DELETE need `If-Match`; default: no), `maxBodyBytes` (largest body of such a request; 64 MB), `title` (of every dataset; default: the name of its database), `contact` (`{name, url, email}`) and `license` (`{name, url}`), on the landing page, in `/api` and on all pages, `logo` (absolute path of a picture for the pages), `baseMap` (`{url, attribution}`: tiles in Web Mercator of another host beneath the maps of pages, with `{z}`, `{x}` and `{y}`; default: none, and the browser sends no request to another host). Each is a variable too, as `OGC_MAP_CRS`; lists by commas, objects as JSON.',
  },
} as const satisfies Record<string, Option>;

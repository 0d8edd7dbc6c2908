/** Collections as maps, their styles, and breaks that divide values into classes. */
import { queryOptions } from "@tanstack/react-query";
import { ask } from "./http/ask.ts";
import type { Map as SavedMap, MapChange, NewMap, ValueClass, paths } from "./http/openapi.ts";
import { answer, rest } from "./http/rest.ts";
import type { Table } from "./rows/relations.ts";

export type { SavedMap, ValueClass };
export type MapLayer = SavedMap["layers"][number];
/** The style of a layer itself: the name of a style of its collection, or classes. */
export type OwnStyle = NonNullable<MapLayer["style"]>;
export type MapView = NonNullable<SavedMap["view"]>;

export interface Drawing {
  readonly color?: string;
  readonly outlineColor?: string;
  readonly width?: number | string;
  readonly size?: number | string;
  readonly symbol?: string;
  readonly opacity?: number | string;
}

export interface Label {
  readonly text: string;
  readonly size?: number | string;
  readonly color?: string;
}

/** A class of a style. Members that the editor has no field for stay unchanged. */
export interface StyleClass {
  readonly name: string;
  readonly where?: unknown;
  readonly minScale?: number | null;
  readonly maxScale?: number | null;
  readonly styles?: readonly Drawing[] | null;
  readonly labels?: readonly Label[] | null;
}

export type Style = readonly StyleClass[];
type StyleBody = paths["/schemas/{schema}/tables/{table}/style"]["patch"]["requestBody"]["content"]["application/json"];

export const METHODS = ["quantile", "equal", "natural", "unique"] as const;
export type ClassMethod = (typeof METHODS)[number];

/** A box in degrees: minx, miny, maxx, maxy. */
export type Box = readonly [number, number, number, number];

export type Shape = "polygon" | "line" | "point";

/** The shape of a table on the map, by its first geometry column; undefined where it has none. */
export function shapeOf({ columns }: Pick<Table, "columns">): Shape | undefined {
  return shapeOfTypes(columns.map(({ type }) => type));
}

export function shapeOfTypes(types: readonly string[]): Shape | undefined {
  const type = types.find((each) => /^(\w+\.)?(geometry|geography)\b/.test(each));
  if (type === undefined) return undefined;
  return /point/i.test(type) ? "point" : /line/i.test(type) ? "line" : "polygon";
}

/** The root of the OGC API of a database. */
export function ogcPath(database: string): string {
  return `/api/v4/ogc/database/${encodeURIComponent(database)}`;
}

/** The schema and the name of the table that a collection, `schema.table`, is of. */
export function tableOfCollection(collection: string): [schema: string, name: string] {
  const dot = collection.indexOf(".");
  return [collection.slice(0, dot), collection.slice(dot + 1)];
}

export function collectionPath(database: string, schema: string, table: string): string {
  return `${ogcPath(database)}/collections/${encodeURIComponent(`${schema}.${table}`)}`;
}

export const extentOf = (database: string, schema: string, table: string) =>
  queryOptions({
    queryKey: ["extent", database, schema, table],
    queryFn: async ({ signal }): Promise<Box> => {
      const response = await ask(`${collectionPath(database, schema, table)}?f=json`, { signal });
      const { extent } = (await response.json()) as {
        extent?: { spatial?: { bbox?: readonly (readonly number[])[] } };
      };
      const box = extent?.spatial?.bbox?.[0] ?? [];
      // a box of six numbers includes heights
      return box.length === 6 ? [box[0]!, box[1]!, box[3]!, box[4]!] : box.length === 4 ? (box as Box) : WORLD;
    },
  });

/** The addresses of WMS, WMTS and WFS of a schema, by the name of the service; none where the service has them off. */
export const classicServices = (database: string, schema: string) =>
  queryOptions({
    queryKey: ["classic services", database, schema],
    queryFn: async ({ signal }): Promise<readonly { readonly title: string; readonly href: string }[]> => {
      const response = await ask(`/api/v4/ogc/database/${encodeURIComponent(database)}?f=json`, { signal });
      const { links } = (await response.json()) as { links: { rel: string; title: string; href: string }[] };
      return links
        .filter(({ rel, title }) => rel === "related" && /^W(MS|MTS|FS)$/.test(title))
        .map(({ title, href }) => ({ title, href: href.replace("?", `/${encodeURIComponent(schema)}?`) }));
    },
  });

const WORLD: Box = [-180, -90, 180, 90];

export const styleOf = (schema: string, table: string) =>
  queryOptions({
    queryKey: ["style", schema, table],
    queryFn: ({ signal }) =>
      answer(
        rest.GET("/schemas/{schema}/tables/{table}/style", { params: { path: { schema, table } }, signal }),
      ) as Promise<Style>,
  });

export async function saveStyle(schema: string, table: string, style: Style): Promise<void> {
  await rest.PATCH("/schemas/{schema}/tables/{table}/style", {
    params: { path: { schema, table } },
    body: style as unknown as StyleBody,
  });
}

/** A named style. */
export interface NamedStyle {
  readonly name: string;
  readonly title: string | null;
  /** Whether it is used where a request names no style. */
  readonly default: boolean;
}

export const stylesOf = (schema: string, table: string) =>
  queryOptions({
    queryKey: ["styles", schema, table],
    queryFn: ({ signal }) =>
      answer(rest.GET("/schemas/{schema}/tables/{table}/styles", { params: { path: { schema, table } }, signal })),
  });

/** The result of importing another program's style: its name, and the parts that are left out. */
export interface ImportedStyle {
  readonly name: string;
  readonly notes: readonly { readonly at: string; readonly message: string }[];
}

export function importStyle(
  schema: string,
  table: string,
  style: { readonly name: string; readonly document: string },
): Promise<ImportedStyle> {
  return answer(
    rest.POST("/schemas/{schema}/tables/{table}/styles", { params: { path: { schema, table } }, body: style }),
  );
}

export async function chooseStyle(schema: string, table: string, name: string): Promise<void> {
  const path = { schema, table, style: name };
  await rest.PATCH("/schemas/{schema}/tables/{table}/styles/{style}", { params: { path }, body: { default: true } });
}

export interface Division {
  readonly column: string;
  readonly count: number;
  readonly method: ClassMethod;
}

export function readClasses(schema: string, table: string, { column, count, method }: Division) {
  const query = { column, count: String(count), method };
  return answer(rest.GET("/schemas/{schema}/tables/{table}/classes", { params: { path: { schema, table }, query } }));
}

/** The differences between a map's picture and the stored state: another style or instant. */
export interface MapLooks {
  /** The name of a style, or classes. */
  readonly style?: string | Style | undefined;
  /** An instant. */
  readonly at?: string | undefined;
  /** A filter in CQL2. */
  readonly filter?: string | undefined;
  /** The system of the frame and of the picture, as a URI. Default: degrees. */
  readonly crs?: string | undefined;
  /** Further parameters. */
  readonly query?: Readonly<Record<string, string>> | undefined;
}

/** A rectangle of the world, and the pixels of its picture. */
export interface Frame {
  readonly box: Box;
  readonly width: number;
  readonly height: number;
  /** The number of picture pixels in a page pixel. */
  readonly pixelRatio: number;
}

/** The largest side of a picture in pixels. A finer screen shows it at a lower resolution. */
const MOST_PIXELS = 4096;
/** The size of a pixel in millimetres on a screen whose pixels are those of the page (OGC 20-058). */
const MM_PER_PIXEL = 0.28;
/** The smallest pixel that the service draws, in millimetres. */
const LEAST_MM_PER_PIXEL = 0.03;

/** The frame for `box`. `resolution`: degrees in a page pixel. */
export function frameOf(box: Box, resolution: number, screenRatio: number): Frame {
  const [minx, miny, maxx, maxy] = box;
  const [across, down] = [(maxx - minx) / resolution, (maxy - miny) / resolution];
  const pixelRatio = Math.min(screenRatio, MOST_PIXELS / across, MOST_PIXELS / down, MM_PER_PIXEL / LEAST_MM_PER_PIXEL);
  const pixels = (length: number): number => Math.max(1, Math.round(length * pixelRatio));
  return { box, width: pixels(across), height: pixels(down), pixelRatio };
}

/** The parameters for a style by name, or with its classes. */
export function styleQuery(style: string | Style | undefined): Readonly<Record<string, string>> {
  if (style === undefined || style.length === 0) return {};
  return typeof style === "string" ? { style } : { "style-definition": JSON.stringify(style) };
}

/** A picture of the map; undefined where it would be empty. Throws `ServiceError`. */
export async function drawMap(
  path: string,
  { box, width, height, pixelRatio }: Frame,
  { style, at, filter, crs, query: more }: MapLooks,
  { signal, ask: request = ask }: { readonly signal: AbortSignal; readonly ask?: typeof ask },
): Promise<ImageBitmap | undefined> {
  const query = new URLSearchParams({
    bbox: box.join(","),
    width: String(width),
    height: String(height),
    "mm-per-pixel": String(MM_PER_PIXEL / pixelRatio), // lines and texts have the same size on every screen
    transparent: "true",
    f: "png",
    ...styleQuery(style),
    ...(at !== undefined && { datetime: at }),
    ...(filter !== undefined && filter !== "" && { filter }),
    ...(crs !== undefined && { crs, "bbox-crs": crs }),
    ...more,
  });
  const response = await request(`${path}/map?${query}`, { signal });
  return response.status === 204 ? undefined : createImageBitmap(await response.blob());
}

export const savedMaps = queryOptions({
  queryKey: ["maps"],
  queryFn: ({ signal }) => answer(rest.GET("/maps", { signal })),
});

export const savedMap = (name: string) =>
  queryOptions({
    queryKey: ["maps", name],
    queryFn: ({ signal }) =>
      answer(rest.GET("/maps/{names}", { params: { path: { names: name } }, signal })) as Promise<SavedMap>,
  });

export async function createMap(map: NewMap): Promise<void> {
  await rest.POST("/maps", { body: map });
}

/** Changes a map of a version. Returns its next version. Throws CONFLICT where somebody has changed it since. */
export async function changeMap(name: string, change: Omit<MapChange, "version">, version: number): Promise<number> {
  await rest.PATCH("/maps/{names}", { params: { path: { names: name } }, body: { ...change, version } });
  return version + 1;
}

export async function removeMap(name: string): Promise<void> {
  await rest.DELETE("/maps/{names}", { params: { path: { names: name } } });
}

/** `features`: features of a table with geometries, as GeoJSON. */
import { z } from "zod";
import { badInput } from "../../ground/errors.ts";
import { parseKeepingDigits } from "../../types/exactJson.ts";
import { fitting } from "../answers.ts";
import { findTable, qualified } from "../catalogue.ts";
import { fromCursor, toCursor } from "../cursor.ts";
import { anObject, cursorText, nextCursor, tableName, toolOf } from "./tool.ts";

export const bbox = z
  .array(z.number())
  .length(4)
  .describe("[west, south, east, north] in degrees (WGS 84, longitude first)");
export const filter = z
  .string()
  .max(20_000)
  .describe("CQL2 text over the columns: population > 100000 AND S_INTERSECTS(geom, POINT(10 50))");

const input = z.strictObject({
  table: tableName.optional(),
  bbox: bbox.optional(),
  filter: filter.optional(),
  columns: z.array(z.string().max(200)).min(1).max(1600).optional().describe("Properties. Default: all"),
  sortby: z.array(z.string().max(200)).min(1).max(20).optional().describe('Columns, "-" before one for descending'),
  limit: z.int().min(1).max(10_000).optional().describe("Default 20"),
  withoutGeometry: z.boolean().optional(),
  decimals: z.int().min(0).max(12).optional().describe("Decimals of coordinates. Default 5, about a metre"),
  cursor: cursorText.optional(),
});
type Args = z.infer<typeof input>;

const output = z.strictObject({
  type: z.literal("FeatureCollection"),
  features: z.array(anObject).describe("GeoJSON (RFC 7946), in WGS 84"),
  numberMatched: z.int().optional().describe("The total number of features"),
  cursor: nextCursor,
});

const DEFAULT_LIMIT = 20;
const DEFAULT_DECIMALS = 5;
/** The answer of the OGC door may be this many times larger before it is cut to the limit. */
const ROOM = 20;

interface Collection {
  readonly features: readonly unknown[];
  readonly numberMatched?: number;
}

export const features = toolOf({
  name: "features",
  title: "Read features",
  description:
    "Reads features of a table with geometries as GeoJSON, by place and by a condition in CQL2. describe says which tables have a geometry.",
  example: { right: "select", geometry: true, given: ({ table }) => ({ table, bbox: [5, 45, 15, 55], limit: 5 }) },
  input,
  output,
  isOffered: (_agent, tables) => tables.some(({ geometry, rights }) => geometry && rights.includes("select")),
  async run(agent, args) {
    const place = args.cursor === undefined ? undefined : await fromCursor(agent, "features", args.cursor);
    const { cursor: _before, ...wanted } = (place?.arguments ?? args) as Args;
    if (wanted.table === undefined) return badInput("table: is missing");
    const table = await findTable(agent, wanted.table);
    const offset = Number(place?.at ?? 0);
    const { caller, config, doors } = agent;
    const limit = Math.min(wanted.limit ?? DEFAULT_LIMIT, config.mcpMaxRows);
    const { body } = await doors.ogc.ask({
      ...caller,
      operation: "getFeatures",
      pathParameters: { database: agent.database.name, collectionId: qualified(table) },
      query: { f: "json", limit: String(limit), offset: String(offset), ...queryOf(wanted) },
      maxBytes: config.mcpMaxBytes * ROOM,
    });
    const found = parseKeepingDigits(body.toString("utf8")) as Collection;
    const shown = fitting(found.features, { rows: limit, bytes: config.mcpMaxBytes });
    const at = offset + shown.length;
    const { numberMatched } = found;
    const isEnd = shown.length < limit && shown.length === found.features.length;
    const more = !isEnd && (numberMatched === undefined || at < numberMatched);
    return {
      structured: {
        type: "FeatureCollection",
        features: shown,
        ...(numberMatched !== undefined && { numberMatched }),
        ...(more && { cursor: await toCursor(agent, { tool: "features", arguments: wanted, at }) }),
      },
    };
  },
});

function queryOf({
  bbox: box,
  filter: condition,
  columns,
  sortby,
  withoutGeometry,
  decimals = DEFAULT_DECIMALS,
}: Args) {
  return {
    ...(box && { bbox: box.join(",") }),
    ...(condition !== undefined && { filter: condition }),
    ...(columns && { properties: columns.map(quoted).join(",") }),
    ...(sortby && {
      sortby: sortby.map((name) => (name.startsWith("-") ? `-${quoted(name.slice(1))}` : quoted(name))).join(","),
    }),
    ...(withoutGeometry ? { skipGeometry: "true" } : { precision: String(decimals) }),
  };
}

/** A name in a list by commas. */
function quoted(name: string): string {
  return /^[\w.]+$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

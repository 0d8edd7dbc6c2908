/** `map`: a picture of tables with geometries. */
import { z } from "zod";
import { findTable, qualified } from "../catalogue.ts";
import { bbox, filter } from "./features.ts";
import { tableName, toolOf } from "./tool.ts";

const input = z.strictObject({
  tables: z.array(tableName).min(1).max(10).describe("From the lowest to the highest layer"),
  bbox: bbox.optional().describe("[west, south, east, north] in degrees. Default: the extent of the tables"),
  width: z.int().min(16).max(2048).optional().describe("Pixels. Default 800"),
  height: z.int().min(16).max(2048).optional().describe("Pixels. Default: from the width and the rectangle"),
  filter: filter.optional().describe("CQL2 text, for a single table"),
});

const output = z.strictObject({
  mediaType: z.string(),
  bbox: z.array(z.number()).describe("The area of the picture, in degrees: [west, south, east, north]"),
  tables: z.array(z.string()),
});

const WIDTH = 800;
/** A picture takes fewer tokens than text of the same size. */
const BYTES = 4;

export const map = toolOf({
  name: "map",
  title: "Draw a map",
  description:
    "Draws tables with geometries in their styles, the lowest layer first, and gives a picture (PNG). describe says which tables have a geometry.",
  example: { right: "select", geometry: true, given: ({ table }) => ({ tables: [table], bbox: [-10, 35, 30, 60] }) },
  input,
  output,
  isOffered: ({ doors }, tables) =>
    doors.ogc.draws && tables.some(({ geometry, rights }) => geometry && rights.includes("select")),
  async run(agent, { tables: names, bbox: box, width = WIDTH, height, filter: condition }) {
    const tables: string[] = [];
    for (const name of names) tables.push(qualified(await findTable(agent, name)));
    const { caller, config, database, doors } = agent;
    const [only, ...more] = tables;
    const isOne = more.length === 0;
    const { body, mediaType, headers } = await doors.ogc.ask({
      ...caller,
      operation: isOne ? "map.collection.getMap" : "map.dataset.getMap",
      pathParameters: { database: database.name, ...(isOne && { collectionId: only! }) },
      query: {
        f: "png",
        width: String(width),
        ...(height !== undefined && { height: String(height) }),
        ...(box && { bbox: box.join(",") }),
        ...(!isOne && { collections: tables.join(",") }),
        ...(condition !== undefined && { filter: condition }),
      },
      maxBytes: config.mcpMaxBytes * BYTES,
    });
    const shown = String(headers["content-bbox"] ?? "")
      .split(",")
      .map(Number);
    const structured = { mediaType, bbox: shown.every(Number.isFinite) ? shown : [], tables };
    return body.length === 0 ? { structured } : { structured, image: { mediaType, body } };
  },
});

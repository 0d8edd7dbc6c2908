/** The shape of saved maps. `portolan.map_problem` checks the same in SQL. */
import { z } from "zod";
import { styleClass } from "./tableSettings.ts";
import { owner, savedName, sharedWith, title } from "./savedShape.ts";

/** Tiles have the style in their address. */
const LONGEST_STYLE = 16_384;
const isShort = (style: readonly unknown[]): boolean => Buffer.byteLength(JSON.stringify(style)) <= LONGEST_STYLE;

const view = z
  .strictObject({
    center: z.tuple([z.number().min(-180).max(180), z.number().min(-90).max(90)]).meta({
      description: "Longitude and latitude of the middle, in degrees",
    }),
    zoom: z.number().min(0).max(24).meta({ description: "0: the world in 256 pixels; each further step doubles it" }),
    time: z.iso
      .datetime({ offset: true })
      .nullish()
      .meta({ description: "The instant at which tables with history are shown; null: now" }),
  })
  .meta({ title: "MapView" });

const layer = z
  .strictObject({
    collection: z
      .string()
      .max(130)
      .regex(/^[^.]+\../, "must be schema.table")
      .optional()
      .meta({ description: "A table, view or raster, as schema.table" }),
    basemap: savedName.optional().meta({ description: "A basemap, by its name in the option basemaps" }),
    land: z.literal(true).optional().meta({ description: "Portolan's own outline of the land" }),
    show: z
      .enum(["tiles", "features", "map"])
      .optional()
      .meta({ description: "How a collection is loaded; default tiles. map: pictures, as always for a raster" }),
    title: z.string().max(200).nullish().meta({ description: "Default: the name of the collection or basemap" }),
    opacity: z.number().min(0).max(1).optional().meta({ description: "Default 1" }),
    visible: z.boolean().optional().meta({ description: "Default true" }),
    style: z
      .union([
        z.string().min(1).max(60),
        z.array(styleClass).min(1).max(100).refine(isShort, `must have at most ${LONGEST_STYLE} bytes`),
      ])
      .nullish()
      .meta({
        description:
          "The name of a style of the collection, or the classes of a style of the layer itself. Default: the style of the collection",
      }),
    color: z
      .string()
      .regex(/^#[0-9a-f]{6}$/, "must be #rrggbb")
      .optional()
      .meta({ description: "The colour of a collection where it has no style, as #rrggbb" }),
    filter: z.string().max(10_000).nullish().meta({ description: "Only features that meet this condition, in CQL2" }),
  })
  .refine(
    ({ collection, basemap, land }) => [collection, basemap, land].filter((one) => one !== undefined).length === 1,
    {
      error: "must have one of collection, basemap and land",
    },
  )
  .refine(({ collection, style }) => collection !== undefined || style === undefined, {
    path: ["style"],
    error: "only a collection has one",
  })
  .refine(({ collection, color }) => collection !== undefined || color === undefined, {
    path: ["color"],
    error: "only a collection has one",
  })
  .meta({ title: "MapLayer" });

export const mapMembers = {
  title,
  view: view.nullish().meta({ description: "The view that opens first; null: the extent of all layers" }),
  layers: z.array(layer).max(50).meta({ description: "The lowest layer first" }),
  shared: sharedWith("everybody, who can then open its public page"),
  owner,
};

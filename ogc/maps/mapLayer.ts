/** A collection and its style → layers of a mapfile. */
import type { SpatialCollection } from "../collections/collections.ts";
import { block, classBlock, legendBlock } from "./mapClass.ts";
import type { MapConnection } from "./mapConnection.ts";
import { dataOf, Items, shapesOf, sridOf, type RowChoice } from "./mapData.ts";
import type { ScaleRange, ShapeKind, Style, StyleClass } from "./style.ts";
import { defaultStyle } from "./styleDefaults.ts";

export interface MapLayer {
  readonly name: string;
  /** The layer's block of the mapfile. */
  readonly text: string;
  /**
   * The scales at which the layer is drawn. Portolan selects the layers, because MapServer computes scales at the
   * equator and with other pixels.
   */
  readonly range?: ScaleRange;
}

/** Whether a layer is drawn at a scale: at `minScale` and above, below `maxScale`. */
export function isDrawnAt({ range }: Pick<MapLayer, "range">, scale: number): boolean {
  return scale >= (range?.minScale ?? 0) && scale < (range?.maxScale ?? Infinity);
}

export interface LayerSource extends RowChoice {
  /** Index of the collection among those of the map. It makes the names of layers unique. */
  readonly index: number;
  readonly style: Style | undefined;
  readonly connection: Pick<MapConnection, "uri" | "isKept">;
}

/** The layers of a collection, the lowest first. */
export function vectorLayers(collection: SpatialCollection, source: LayerSource): MapLayer[] {
  const { index, style, connection, seam } = source;
  return shapesOf(collection).flatMap((shape) => {
    const classes = style ?? defaultStyle(shape, collection.colour);
    return scaleSteps(classes).map(({ range, active }, step) => {
      const name = `l${index}_${shape}${step}`;
      const items = new Items();
      const blocks = active.map((one, number) => classBlock(one, number, shape, items));
      const text = layerBlock(name, shape, [
        "CONNECTIONTYPE POSTGIS",
        `CONNECTION '${connection.uri}'`,
        `PROCESSING "CLOSE_CONNECTION=${connection.isKept ? "DEFER" : "NORMAL"}"`,
        `DATA '${dataOf(collection, { shape, active, items }, source)}'`,
        projectionOf(collection, seam?.srid ?? sridOf(collection)),
        "CLASSITEM 'class'",
        'ENCODING "UTF-8"',
        ...blocks,
      ]);
      return { name, text, range };
    });
  });
}

/** The allowed characters of PROJ parameters, so that none of them ends the text around it. */
const PARAMETER = /^[\w.,=@:/+-]+$/;

/** The projection block. MapServer knows the codes of EPSG; for any other system the block has the PROJ parameters. */
function projectionOf({ geometry, srs }: SpatialCollection, srid: number): string {
  const proj4 = srid === geometry.srid ? srs?.proj4 : undefined;
  const parameters = proj4?.trim().split(/\s+/) ?? [];
  const isSound = parameters.length > 0 && parameters.every((parameter) => PARAMETER.test(parameter));
  const texts = isSound ? parameters.map((parameter) => parameter.replace(/^\+/, "")) : [`init=epsg:${srid}`];
  return `PROJECTION ${texts.map((text) => `"${text}"`).join(" ")} END`;
}

/** Index of the collection whose layer MapServer could not draw; undefined where it names none. */
export function failedLayer({ detail = "" }: { readonly detail?: string | undefined }): number | undefined {
  const index = /draw layer named 'l(\d+)_/.exec(detail)?.[1];
  return index === undefined ? undefined : Number(index);
}

/** The layer of a raster. `file`: a checked path below the raster folder. */
export function rasterLayer(collection: SpatialCollection, index: number): MapLayer {
  const { geometry, raster } = collection;
  const name = `l${index}_raster`;
  const text = block("LAYER", [
    `NAME '${name}'`,
    "TYPE RASTER",
    "STATUS ON",
    `METADATA "wms_title" "${name}" END`,
    `DATA '${raster?.file}'`,
    geometry.srid === 0 ? "PROJECTION AUTO END" : projectionOf(collection, geometry.srid),
    ...(raster?.isBytes ? [] : ['PROCESSING "SCALE=AUTO"']),
  ]);
  return { name, text };
}

/** The common name of all layers of a legend. */
export const LEGEND = "legend";

/** Layers without data, whose classes have names and symbols. */
export function legendLayers(collection: SpatialCollection, style: Style | undefined): MapLayer[] {
  return shapesOf(collection).map((shape) => {
    const name = `${LEGEND}_${shape}`;
    const blocks = (style ?? defaultStyle(shape)).map((one) => legendBlock(one, shape));
    return { name, text: layerBlock(name, shape, [`GROUP '${LEGEND}'`, ...blocks]) };
  });
}

function layerBlock(name: string, shape: ShapeKind, lines: string[]): string {
  return block("LAYER", [
    `NAME '${name}'`,
    `TYPE ${shape.toUpperCase()}`,
    "STATUS ON",
    `METADATA "wms_title" "${name}" END`,
    ...lines,
  ]);
}

export interface ScaleStep {
  readonly range: ScaleRange;
  readonly active: readonly StyleClass[];
}

/**
 * The ranges between the scale limits of all classes and labels, each with the classes and labels that it draws. The
 * first matching class depends on the scale, which the database does not know.
 */
export function scaleSteps(style: Style): ScaleStep[] {
  const limited = style.flatMap((one): ScaleRange[] => [one, ...one.labels]);
  const limits = limited.flatMap(({ minScale, maxScale }) => [minScale ?? 0, maxScale ?? Infinity]);
  const ends = [...new Set([0, ...limits, Infinity])].sort((a, b) => a - b);
  return ends.slice(0, -1).flatMap((from, index) => {
    const to = ends[index + 1] ?? Infinity;
    const isIn = ({ minScale = 0, maxScale = Infinity }: ScaleRange): boolean => minScale <= from && to <= maxScale;
    const active = style.filter(isIn).map((one) => ({ ...one, labels: one.labels.filter(isIn) }));
    const range = { ...(from > 0 && { minScale: from }), ...(to < Infinity && { maxScale: to }) };
    return active.length > 0 ? [{ range, active }] : [];
  });
}

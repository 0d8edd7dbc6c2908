/** Mapbox Vector Tiles, read by the library of the format's authors. */
import { VectorTile } from "@mapbox/vector-tile";
import { PbfReader } from "pbf";

export interface TileFeature {
  readonly id: number | undefined;
  /** Point, LineString, Polygon. */
  readonly type: string;
  readonly properties: Readonly<Record<string, string | number | boolean>>;
  /** In units of the tile, from its upper left corner. */
  readonly rings: readonly (readonly { readonly x: number; readonly y: number }[])[];
}

export interface TileLayer {
  readonly name: string;
  readonly version: number;
  readonly extent: number;
  readonly features: readonly TileFeature[];
}

const TYPES = ["Unknown", "Point", "LineString", "Polygon"];

/** The layers in their order. */
export function readVectorTile(bytes: ArrayBuffer | Uint8Array): readonly TileLayer[] {
  const tile = new VectorTile(new PbfReader(new Uint8Array(bytes)));
  return Object.values(tile.layers).map((layer) => ({
    name: layer.name,
    version: layer.version,
    extent: layer.extent,
    features: Array.from({ length: layer.length }, (_, index) => {
      const feature = layer.feature(index);
      return {
        id: feature.id,
        type: TYPES[feature.type] ?? "Unknown",
        properties: { ...feature.properties } as TileFeature["properties"],
        rings: feature.loadGeometry().map((ring) => ring.map(({ x, y }) => ({ x, y }))),
      };
    }),
  }));
}

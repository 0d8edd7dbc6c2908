/** Geometries of the columnar formats: well-known binary by the longitude first (WGS 84), with or without heights. */
import { badInput } from "../../ground/errors.ts";
import type { FeatureFile } from "../featureFile.ts";

const WGS84 = 4326;

/** Throws `BAD_USER_INPUT` for geometries that GeoParquet 1.1 and GeoArrow cannot hold here. */
export function checkGeometries({ srs, dimensions }: FeatureFile, format: string): void {
  if (srs !== WGS84) badInput(`srs: ${format} supports only geometries in ${WGS84}`);
  if (dimensions.m) badInput(`format: ${format} does not support measures, which some geometries have`);
}

const TYPES: Readonly<Record<string, string>> = {
  POINT: "Point",
  LINESTRING: "LineString",
  POLYGON: "Polygon",
  MULTIPOINT: "MultiPoint",
  MULTILINESTRING: "MultiLineString",
  MULTIPOLYGON: "MultiPolygon",
  GEOMETRYCOLLECTION: "GeometryCollection",
};

/** `geometry_types` of GeoParquet; empty where they are mixed. */
export function geometryTypes({ geometryType, dimensions }: FeatureFile): readonly string[] {
  const type = TYPES[geometryType];
  if (type === undefined) return [];
  return dimensions.z ? [type, `${type} Z`] : [type]; // some may have none
}

/** Rows of a table as JSON-FG 1.0 (OGC 21-045r1). Geometries by the longitude are GeoJSON's where that can say them. */
import { isNorthFirst } from "../../types/axisOrder.ts";
import type { TextRow } from "../../kernel/database/database.ts";
import { bytesOf } from "../columnar/columnKind.ts";
import { geometryColumn, rowToJson, type Column } from "../column.ts";
import type { FeatureFile } from "../featureFile.ts";
import { FORMAT_NAMES } from "../names.ts";
import { writeRows, type Format } from "../writer.ts";
import { conformsTo, isOfGeojson, placeJson } from "./place.ts";

/** Rows have no other system of longitude and latitude: theirs is x first. */
const WGS84 = 4326;
/** Decimals of coordinates by their unit. */
const [DEGREE_DIGITS, OTHER_DIGITS] = [9, 6];

export const jsonfg = (file: FeatureFile): Format => ({
  mediaType: FORMAT_NAMES.jsonfg.mediaType,
  open(write) {
    const isCrs84 = file.srs === WGS84;
    const options = {
      digits: isCrs84 ? DEGREE_DIGITS : OTHER_DIGITS,
      flipped: !isCrs84 && isNorthFirst(file.srs),
    };
    const root = {
      type: "FeatureCollection",
      conformsTo: conformsTo(),
      featureType: file.table,
      ...(!isCrs84 && { coordRefSys: `http://www.opengis.net/def/crs/EPSG/0/${file.srs}` }),
    };
    let toFeature: (row: TextRow) => string;
    let separator = "";
    const featureWriter = (columns: readonly Column[]): typeof toFeature => {
      const at = geometryColumn(columns);
      const toJson = rowToJson(columns, at);
      return (row) => {
        const text = row[at] ?? null;
        const place = text === null ? undefined : placeJson(bytesOf(text), options);
        const isGeojson = place !== undefined && isCrs84 && isOfGeojson(place);
        const [first, second] = isGeojson ? ["null", place] : [place ?? "null", "null"];
        const feature = `${separator}{"type":"Feature","time":null,"place":${first},"geometry":${second},"properties":${toJson(row)}}`;
        separator = ",\n";
        return feature;
      };
    };
    return {
      start(columns) {
        toFeature = featureWriter(columns);
        return write(`${JSON.stringify(root).slice(0, -1)},"features":[`);
      },
      rows: (rows) => writeRows(rows, (row) => toFeature(row), write),
      end: () => write("]}\n"),
    };
  },
});

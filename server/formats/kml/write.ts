/**
 * Writes KML 2.3 (OGC 12-007r2): a placemark for each row, longitude first. Columns of text that are called `name` and
 * `description` are those of the placemark; all others are data of a schema.
 */
import { readWkbCode } from "../../types/wkb.ts";
import { escapeXml } from "../../types/xml.ts";
import type { TextRow } from "../../kernel/database/database.ts";
import { bytesOf, columnKind, type ColumnKind } from "../columnar/columnKind.ts";
import { checkGeometries } from "../columnar/geometries.ts";
import { geometryColumn, type Column } from "../column.ts";
import type { FeatureFile } from "../featureFile.ts";
import { placeJson } from "../jsonfg/place.ts";
import { FORMAT_NAMES } from "../names.ts";
import { writeRows, type Format } from "../writer.ts";
import type { GeoJson } from "./geometry.ts";

const DIGITS = 9;
/** Elements of a placemark that show in its balloon, in this order. */
const TEXTS = ["name", "description"];

/** OGC 12-007r2 §9.8: the types of a schema. A reader gets other values as text. */
const FIELD_TYPES: Readonly<Partial<Record<ColumnKind, string>>> = {
  boolean: "bool",
  int32: "int",
  float: "float",
  double: "double",
};

export const kml = (file: FeatureFile): Format => ({
  mediaType: FORMAT_NAMES.kml.mediaType,
  open(write) {
    checkGeometries({ ...file, dimensions: { ...file.dimensions, m: false } }, "kml"); // measures are left out
    let toPlacemark: ReturnType<typeof rowToPlacemark>;
    return {
      start(columns) {
        toPlacemark = rowToPlacemark(columns);
        return write(headOf(file, columns));
      },
      rows: (rows) => writeRows(rows, (row) => toPlacemark(row), write),
      end: () => write("</Document>\n</kml>\n"),
    };
  },
});

/** The columns that become data: with the place of each in a row. */
function dataOf(columns: readonly Column[]): readonly (Column & { readonly index: number })[] {
  const spatial = geometryColumn(columns);
  return columns.flatMap((column, index) => (index === spatial || isOfPlacemark(column) ? [] : [{ ...column, index }]));
}

const isOfPlacemark = ({ name, type }: Column): boolean => TEXTS.includes(name) && type.kind === "text";

function headOf({ name }: FeatureFile, columns: readonly Column[]): string {
  const fields = dataOf(columns).map(
    (column) =>
      `<SimpleField name="${escapeXml(column.name)}" type="${FIELD_TYPES[columnKind(column.type)] ?? "string"}"/>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>${escapeXml(name)}</name>
<Schema name="rows" id="rows">${fields.join("")}</Schema>
`;
}

/** A function that writes a row as a Placemark; an element for NULL is left out. */
function rowToPlacemark(columns: readonly Column[]): (row: TextRow) => string {
  const spatial = geometryColumn(columns);
  const texts = TEXTS.flatMap((name) => {
    const index = columns.findIndex((column) => column.name === name && isOfPlacemark(column));
    return index === -1 ? [] : [{ name, index, output: columns[index]!.output }];
  });
  const data = dataOf(columns).map((column) => ({
    ...column,
    before: `<SimpleData name="${escapeXml(column.name)}">`,
    isBoolean: columnKind(column.type) === "boolean",
  }));
  return (row) => {
    let text = "<Placemark>";
    for (const { name, index, output } of texts) {
      const value = row[index] ?? null;
      if (value !== null) text += `<${name}>${escapeXml(output.plain(value))}</${name}>`;
    }
    let values = "";
    for (const { index, before, output, isBoolean } of data) {
      const value = row[index] ?? null;
      if (value === null) continue;
      values += `${before}${isBoolean ? value === "t" || value === "true" : escapeXml(output.plain(value))}</SimpleData>`;
    }
    if (values !== "") text += `<ExtendedData><SchemaData schemaUrl="#rows">${values}</SchemaData></ExtendedData>`;
    const geometry = row[spatial] ?? null;
    return `${text}${geometry === null ? "" : geometryOf(geometry)}</Placemark>\n`;
  };
}

/** `text`: PostgreSQL's of well-known binary. Nothing for an empty geometry, and one whose coordinates are not numbers. */
function geometryOf(text: string): string {
  const wkb = bytesOf(text);
  const { z } = readWkbCode(wkb.readUInt32LE(1));
  const json = placeJson(wkb, { digits: DIGITS, flipped: false });
  return json === undefined ? "" : elementOf(JSON.parse(json) as GeoJson, z ? 3 : 2);
}

type Position = readonly number[];

/** `size`: the ordinates of a position that are written: measures have no place. */
function elementOf({ type, coordinates, geometries }: GeoJson, size: number): string {
  const parts = (geometries ?? coordinates) as readonly unknown[];
  if (parts.length === 0) return "";
  switch (type) {
    case "Point":
      return `<Point>${positions([parts as Position], size)}</Point>`;
    case "LineString":
      return `<LineString>${positions(parts as readonly Position[], size)}</LineString>`;
    case "Polygon":
      return `<Polygon>${(parts as readonly (readonly Position[])[]).map((ring, index) => boundary(ring, index, size)).join("")}</Polygon>`;
    default: {
      const single = type.slice("Multi".length);
      const all = geometries ?? parts.map((part): GeoJson => ({ type: single, coordinates: part }));
      return `<MultiGeometry>${all.map((each) => elementOf(each, size)).join("")}</MultiGeometry>`;
    }
  }
}

function boundary(ring: readonly Position[], index: number, size: number): string {
  const side = index === 0 ? "outerBoundaryIs" : "innerBoundaryIs";
  return `<${side}><LinearRing>${positions(ring, size)}</LinearRing></${side}>`;
}

function positions(all: readonly Position[], size: number): string {
  return `<coordinates>${all.map((position) => position.slice(0, size).join(",")).join(" ")}</coordinates>`;
}

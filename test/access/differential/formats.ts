/** Reads files in each format back into rows. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { strFromU8, unzipSync } from "fflate";
import { deserialize } from "flatgeobuf/lib/mjs/geojson.js";
import { readArrow, readParquet } from "../../support/columnar.ts";
import type { RowFormatName } from "../../../server/formats/names.ts";

export type Records = readonly Readonly<Record<string, unknown>>[];

interface Feature {
  readonly id?: string | number;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** The key is the feature's `id`, or among its properties. */
export const ofFeature = ({ id, properties }: Feature): Readonly<Record<string, unknown>> => ({ id, ...properties });

/** Lines of cells. No cell of ours has a comma, a tab or quotes but the geometry, which is left out. */
function table(lines: readonly string[], separator: string, names: readonly string[]): Records {
  return lines.map((line) => {
    const cells = line.replaceAll(/"[^"]*"/g, "").split(separator);
    return Object.fromEntries(cells.map((cell, index) => [names[index], cell === "\\N" ? "" : cell]));
  });
}

function csv(bytes: Buffer): Records {
  const [head = "", ...rest] = String(bytes)
    .split("\r\n")
    .filter((line) => line !== "");
  return table(rest, ",", head.split(","));
}

function markdown(text: string): Records {
  const lines = text.trim().split("\n");
  const cells = (line: string): string[] =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll(/\\(?=[!-/:-@[-`{-~])/g, ""));
  const names = cells(lines[0]!);
  return lines.slice(2).map((line) => Object.fromEntries(cells(line).map((cell, index) => [names[index], cell])));
}

export async function readFlatgeobuf(bytes: Buffer): Promise<Records> {
  const features: Feature[] = [];
  for await (const feature of deserialize(new Uint8Array(bytes) as never)) features.push(feature as unknown as Feature);
  return features.map(ofFeature);
}

function readGeopackage(bytes: Buffer): Records {
  const folder = mkdtempSync(join(tmpdir(), "differential-"));
  try {
    const file = join(folder, "rows.gpkg");
    writeFileSync(file, bytes);
    const database = new DatabaseSync(file, { readOnly: true });
    try {
      const [contents] = database.prepare("select table_name from gpkg_contents").all();
      return database.prepare(`select * from "${String(contents!["table_name"])}"`).all() as unknown as Records;
    } finally {
      database.close();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const lines = (bytes: Buffer): string[] =>
  String(bytes)
    .split("\n")
    .filter((line) => line !== "");
const texts = (bytes: Buffer): string[] => String(bytes).split("\x1e").slice(1);
const sequence = (bytes: Buffer): Records => texts(bytes).map((text) => ofFeature(JSON.parse(text) as Feature));
/** No cell of ours has a character that is escaped in XML. */
const placemarks = (bytes: Buffer): Records =>
  String(bytes)
    .split("<Placemark>")
    .slice(1)
    .map((text) => Object.fromEntries([...text.matchAll(/<(?:SimpleData name=")?(\w+)"?>([^<]+)</g)].map(([, name, value]) => [name, value]))); // oxfmt-ignore
const collection = (bytes: Buffer): Records =>
  (JSON.parse(String(bytes)) as { features: readonly Feature[] }).features.map(ofFeature);

export const READERS: Readonly<
  Record<RowFormatName, (bytes: Buffer, columns: readonly string[]) => Records | Promise<Records>>
> = {
  json: (bytes) => JSON.parse(String(bytes)) as Records,
  csv,
  tsv: (bytes, columns) => table(lines(bytes), "\t", columns),
  ndjson: (bytes) => lines(bytes).map((line) => JSON.parse(line) as Record<string, unknown>),
  jsonseq: (bytes) => texts(bytes).map((text) => JSON.parse(text) as Record<string, unknown>),
  geojson: collection,
  geojsonseq: sequence,
  jsonfg: collection,
  flatgeobuf: readFlatgeobuf,
  kml: placemarks,
  geopackage: readGeopackage,
  parquet: readParquet,
  arrow: readArrow,
  // the key is the first column
  excel: (bytes) =>
    [...strFromU8(unzipSync(bytes)["xl/worksheets/sheet1.xml"]!).matchAll(/<row><c><v>(\d+)/g)].map(([, id]) => ({
      id,
    })),
  markdown: (bytes) => markdown(String(bytes)),
};

/** Of the OGC API, by the word of `f`. */
export const FEATURE_READERS: Readonly<Record<string, (bytes: Buffer) => Records | Promise<Records>>> = {
  json: collection,
  csv,
  jsonfg: collection,
  fgb: readFlatgeobuf,
  kml: placemarks,
  gpkg: readGeopackage,
  parquet: readParquet,
  arrow: readArrow,
  ndjson: (bytes) => lines(bytes).map((line) => ofFeature(JSON.parse(line) as Feature)),
  geojsonseq: sequence,
};

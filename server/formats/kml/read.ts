/** Placemarks of a KML file (OGC 12-007r2), or of the KML file in a KMZ file. */
import type { XmlElement } from "../../types/xml.ts";
import { badInput } from "../../ground/errors.ts";
import type { Cell, Portion, Source } from "../source.ts";
import { spooled } from "../spooled.ts";
import { textOf, xmlPortions, type Cells, type XmlFeatures } from "../xmlFeatures.ts";
import { ZipReader } from "../zip.ts";
import { kmlGeometry } from "./geometry.ts";

const GEOMETRY = "geometry";
/** Elements of a placemark that are columns, in this order. */
const TEXTS = ["name", "description", "address", "phoneNumber"];

export function kmlSource(bytes: AsyncIterable<Uint8Array>, portion: number | undefined): Source {
  return { unit: "feature", optional: new Set(), portions: xmlPortions(bytes, KML, portion) };
}

/** `maxBytes`: of the file within, decompressed. */
export function kmzSource(bytes: AsyncIterable<Uint8Array>, maxBytes: number, portion: number | undefined): Source {
  const portions = spooled(bytes, (path) => portionsOfKmz(path, maxBytes, portion));
  return { unit: "feature", optional: new Set(), portions };
}

async function* portionsOfKmz(path: string, maxBytes: number, portion: number | undefined): AsyncGenerator<Portion> {
  const zip = await ZipReader.open(path, maxBytes);
  try {
    const files = zip.names.filter((name) => /\.kml$/i.test(name));
    const main =
      files.find((name) => name.toLowerCase() === "doc.kml") ?? files[0] ?? badInput("the KMZ file has no .kml file");
    yield* xmlPortions(zip.stream(main), KML, portion);
  } finally {
    zip.close();
  }
}

const KML: XmlFeatures = {
  root: "kml",
  title: "KML file",
  features: new Set(["Placemark"]),
  rows: (placemark) => [() => cellsOf(placemark)],
};

function cellsOf(placemark: XmlElement): Cells {
  const cells = new Map<string, Cell>();
  const add = (name: string, value: Cell | undefined): void => {
    if (value !== undefined) cells.set(name, value);
  };
  for (const name of TEXTS) add(name, textOf(placemark, name));
  for (const { name, children } of placemark.children) {
    if (name === "TimeStamp" || name === "TimeSpan")
      for (const moment of children)
        if (["when", "begin", "end"].includes(moment.name)) add(moment.name, moment.text.trim() || undefined);
    if (name === "ExtendedData") for (const each of children) addData(each, add);
  }
  add(GEOMETRY, kmlGeometry(placemark));
  return cells;
}

/** Untyped data, or data of a schema. */
function addData(element: XmlElement, add: (name: string, value: Cell | undefined) => void): void {
  if (element.name === "SchemaData") for (const each of element.children) addData(each, add);
  const name = element.attributes.get("name");
  if (name === undefined || name === "") return;
  if (element.name === "Data") add(name, textOf(element, "value"));
  if (element.name === "SimpleData") add(name, element.text.trim() || undefined);
}

/** Shapefiles in a zip file: shapes (.shp), their table (.dbf), system (.prj) and letters (.cpg). The index (.shx) is not needed. */
import { badInput } from "../../ground/errors.ts";
import { Incoming } from "../incoming.ts";
import { freeGeometryName, type Shape } from "../geometryShape.ts";
import { portionsOfCells, type Item } from "../portions.ts";
import { LONGEST_ROW, type Cell, type Portion, type Source } from "../source.ts";
import { spooled } from "../spooled.ts";
import { systemOfWkt } from "../systems/systemOfWkt.ts";
import { ZipReader } from "../zip.ts";
import { DbfReader } from "./dbf.ts";
import { LetterReader } from "./letters.ts";
import { shapeOfFile, ShapeReader } from "./shapes.ts";

export interface ShapefileOptions {
  /** Its name without ending. Default the only one. */
  readonly layer: string | undefined;
  /** Default: as the files say. */
  readonly encoding: string | undefined;
  /** For a system without a known code. */
  readonly srid: number | undefined;
  /** Of all files that are read, decompressed. */
  readonly maxBytes: number;
  readonly portion: number | undefined;
}

const MOST_BYTES_OF_PRJ = 64_000;

export function shapefileSource(bytes: AsyncIterable<Uint8Array>, options: ShapefileOptions): Source {
  return { unit: "row", optional: new Set(), portions: spooled(bytes, (path) => portionsOf(path, options)) };
}

async function* portionsOf(path: string, options: ShapefileOptions): AsyncGenerator<Portion> {
  const zip = await ZipReader.open(path, options.maxBytes);
  try {
    const files = filesOf(zip, options.layer);
    const text = async (name: string | undefined): Promise<string | undefined> =>
      name === undefined ? undefined : (await zip.read(name, MOST_BYTES_OF_PRJ)).toString();
    const srid = await systemOfWkt((await text(files.prj)) ?? "", ".prj", options.srid);
    const cpg = await text(files.cpg);
    const shapes = new Incoming(zip.stream(files.shp));
    const dbf =
      files.dbf === undefined
        ? undefined
        : await DbfReader.open(new Incoming(zip.stream(files.dbf)), (language) =>
            LetterReader.of(options.encoding, cpg, language),
          );
    try {
      const type = await readHead(shapes);
      const shape = shapeOfFile(type, srid);
      const own = dbf?.names ?? [];
      const geometry = freeGeometryName(own);
      const names = [...own, geometry];
      const types = new Map<string, string | Shape>(dbf?.types);
      if (shape) types.set(geometry, shape);
      yield* portionsOfCells(itemsOf(shapes, dbf, new ShapeReader(srid)), { names, types }, options.portion);
    } finally {
      await shapes.close();
      await dbf?.close();
    }
  } finally {
    zip.close();
  }
}

interface Files {
  readonly shp: string;
  readonly dbf: string | undefined;
  readonly prj: string | undefined;
  readonly cpg: string | undefined;
}

/** The files of the layer. Throws `BAD_USER_INPUT` where there is none, or where one must be chosen. */
function filesOf(zip: ZipReader, wanted: string | undefined): Files {
  const all = zip.names.filter((name) => !/(^|\/)(__MACOSX\/|\.)/.test(name));
  const shapes = all.filter((name) => /\.shp$/i.test(name));
  if (shapes.length === 0)
    badInput("the zip file has no .shp file: a Shapefile is sent as a zip file of its .shp, .dbf, .prj and .cpg");
  const baseOf = (name: string): string => name.replace(/\.\w+$/, "");
  const layerOf = (name: string): string => baseOf(name).replace(/^.*\//, "");
  const chosen =
    wanted === undefined && shapes.length === 1 ? shapes : shapes.filter((name) => layerOf(name) === wanted);
  if (chosen.length !== 1)
    badInput(
      `layer: choose one of ${shapes
        .slice(0, 50)
        .map((name) => JSON.stringify(layerOf(name)))
        .join(", ")}`,
    );
  const [shp = ""] = chosen;
  const beside = (ending: string): string | undefined =>
    all.find((name) => name.toLowerCase() === `${baseOf(shp)}.${ending}`.toLowerCase());
  return { shp, dbf: beside("dbf"), prj: beside("prj"), cpg: beside("cpg") };
}

const HEAD_BYTES = 100;
const FILE_CODE = 9994;
const RECORD_HEAD_BYTES = 8;
/** Lengths are in words of two bytes. */
const WORD = 2;

/** The type of the shapes. */
async function readHead(bytes: Incoming): Promise<number> {
  if (!(await bytes.fill(HEAD_BYTES)) || bytes.peek(4).readInt32BE(0) !== FILE_CODE)
    badInput("the .shp file is not a shapefile, or is damaged");
  return bytes.take(HEAD_BYTES).readInt32LE(32);
}

/** Rows, as many as have arrived. A row that is marked as deleted is left out. */
async function* itemsOf(
  shapes: Incoming,
  dbf: DbfReader | undefined,
  reader: ShapeReader,
): AsyncGenerator<Item<readonly Cell[]>[]> {
  let place = 0;
  let items: Item<readonly Cell[]>[] = [];
  const add = (content: Buffer): void => {
    place++;
    const row = dbf?.take();
    if (dbf && !row) return;
    items.push({ place, read: () => [...(row ? dbf!.cells(row) : []), reader.read(content)] });
  };
  for (;;) {
    while (isWholeHere(shapes) && (dbf?.isHere ?? true) && (dbf === undefined || place < dbf.count))
      add(takeRecord(shapes));
    if (items.length > 0) yield items;
    items = [];
    if (!(await shapes.fill(RECORD_HEAD_BYTES))) break;
    const bytes = lengthOf(shapes);
    if (bytes < 0 || bytes > LONGEST_ROW)
      badInput(`row ${place + 1}: is longer than ${LONGEST_ROW} bytes, or the .shp file is damaged`);
    if (!(await shapes.fill(RECORD_HEAD_BYTES + bytes)))
      badInput(`row ${place + 1}: the .shp file ends in the middle of it`);
    if (dbf && place === dbf.count) badInput(`the .shp file has more shapes than the ${place} rows of the .dbf file`);
    if (dbf && !(await dbf.fill())) badInput(`row ${place + 1}: the .dbf file ends in the middle of it`);
  }
  if (shapes.here > 0) badInput(`row ${place + 1}: the .shp file ends in the middle of it`);
  if (dbf && place < dbf.count) badInput(`the .shp file has ${place} shapes, and the .dbf file ${dbf.count} rows`);
}

/** The bytes of the content of the record that is next, whose head must be here. */
function lengthOf(shapes: Incoming): number {
  return shapes.peek(RECORD_HEAD_BYTES).readInt32BE(4) * WORD;
}

function isWholeHere(shapes: Incoming): boolean {
  if (shapes.here < RECORD_HEAD_BYTES) return false;
  const bytes = lengthOf(shapes);
  return bytes >= 0 && bytes <= LONGEST_ROW && shapes.here >= RECORD_HEAD_BYTES + bytes;
}

function takeRecord(shapes: Incoming): Buffer {
  const bytes = lengthOf(shapes);
  shapes.take(RECORD_HEAD_BYTES);
  return shapes.take(bytes);
}

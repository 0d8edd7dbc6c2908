/** Reads FlatGeobuf 3, feature by feature as it arrives. Offsets are checked, because a file may contain wrong ones. */
import { badInput, GatewayError } from "../../ground/errors.ts";
import { freeGeometryName, shapeName, type Shape } from "../geometryShape.ts";
import { Incoming } from "../incoming.ts";
import { portionsOfCells, type Item } from "../portions.ts";
import { shortest } from "../shortest.ts";
import { checkWidth, LONGEST_ROW, type Cell, type Portion, type Source } from "../source.ts";
import { systemOfWkt, withoutHeight } from "../systems/systemOfWkt.ts";
import { FlatTable } from "./flatTable.ts";
import { FlatGeometry } from "./flatGeometry.ts";
import { GEOMETRY_TYPES } from "./header.ts";

const MAGIC = Buffer.from("fgb\x03fgb", "latin1");
const MAGIC_BYTES = 8;
const MOST_BYTES_OF_HEADER = 10_000_000;
const NODE_BYTES = 40;

/** `srid`: where the file does not say its system, or says an unknown one. */
export function flatgeobufSource(
  bytes: AsyncIterable<Uint8Array>,
  { srid, portion }: { readonly srid: number | undefined; readonly portion: number | undefined },
): Source {
  return { unit: "feature", optional: new Set(), portions: portionsOf(new Incoming(bytes), srid, portion) };
}

async function* portionsOf(
  bytes: Incoming,
  given: number | undefined,
  portion: number | undefined,
): AsyncGenerator<Portion> {
  try {
    const header = await readHeader(bytes, given);
    const own = header.columns.map(({ name }) => name);
    const geometry = freeGeometryName(own);
    const types = new Map<string, string | Shape>();
    for (const { name, type } of header.columns) if (type.postgres !== undefined) types.set(name, type.postgres);
    types.set(geometry, header.shape);
    yield* portionsOfCells(itemsOf(bytes, header), { names: [...own, geometry], types }, portion);
  } finally {
    await bytes.close();
  }
}

interface Header {
  readonly columns: readonly { readonly name: string; readonly type: PropertyType }[];
  /** A code of well-known binary; 0: each geometry says its own. */
  readonly type: number;
  readonly shape: Shape & { readonly srid: number };
}

/** Runs `read` on a table. A wrong offset becomes an error of the caller. */
function checked<Value>(what: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (error instanceof GatewayError) throw error;
    return badInput(`${what} is damaged`);
  }
}

async function readHeader(bytes: Incoming, given: number | undefined): Promise<Header> {
  if (!(await bytes.fill(MAGIC_BYTES + 4)) || !bytes.peek(MAGIC.length).equals(MAGIC))
    badInput("the file is not a FlatGeobuf of version 3");
  bytes.take(MAGIC_BYTES);
  const size = bytes.take(4).readUInt32LE(0);
  if (size > MOST_BYTES_OF_HEADER || !(await bytes.fill(size))) badInput("the file is damaged: it ends in its header");
  const buffer = Buffer.from(bytes.take(size));
  const { wkt, code, index, ...header } = checked("the header of the file", () => headerOf(FlatTable.root(buffer)));
  if (!(await bytes.skip(index))) badInput("the file is damaged: it ends in its index");
  const srid = code > 0 ? withoutHeight(code) : await systemOfWkt(wkt, "file", given);
  return { ...header, shape: { ...header.shape, srid } };
}

/** Fields by their numbers in `header.fbs`. */
function headerOf(table: FlatTable): Omit<Header, "shape"> & {
  readonly wkt: string;
  readonly code: number;
  readonly index: number;
  readonly shape: Omit<Shape, "srid">;
} {
  const columns = table.tables(7).map((column) => {
    const code = column.byte(1);
    const name = column.text(0) ?? "";
    return {
      name,
      type: PROPERTY_TYPES[code] ?? badInput(`the column ${JSON.stringify(name)} has an unknown type: ${code}`),
    };
  });
  checkWidth(columns, "the file");
  const names = columns.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) badInput(`the file names the column ${JSON.stringify(twice)} twice`);
  const system = table.table(10);
  const isEpsg = /^(epsg)?$/i.test(system?.text(0) ?? "");
  const type = table.byte(2);
  return {
    columns,
    type,
    shape: { type: shapeName(GEOMETRY_TYPES[type] ?? ""), z: table.byte(3) === 1, m: table.byte(4) === 1 },
    wkt: system?.text(4) ?? system?.text(2) ?? "",
    code: isEpsg ? (system?.int(1) ?? 0) : 0,
    index: indexBytes(Number(table.long(8)), table.short(9, 16)),
  };
}

/** The bytes of the packed tree before the features. */
function indexBytes(count: number, node: number): number {
  if (node < 2 || count === 0) return 0;
  let [level, nodes] = [count, count];
  do {
    level = Math.ceil(level / node);
    nodes += level;
  } while (level > 1);
  return nodes * NODE_BYTES;
}

async function* itemsOf(bytes: Incoming, header: Header): AsyncGenerator<Item<readonly Cell[]>[]> {
  const geometries = new FlatGeometry(header.shape.srid, header.type);
  let place = 0;
  let items: Item<readonly Cell[]>[] = [];
  const read = (feature: Buffer): readonly Cell[] =>
    checked("the feature", () => {
      const table = FlatTable.root(feature);
      const geometry = table.table(0);
      return [
        ...propertiesOf(table.bytes(1), header.columns),
        geometry ? geometries.read(geometry, feature.length) : null,
      ];
    });
  for (;;) {
    while (bytes.here >= 4 && bytes.here >= 4 + bytes.peek(4).readUInt32LE(0)) {
      const feature = bytes.take(bytes.take(4).readUInt32LE(0));
      items.push({ place: ++place, read: () => read(feature) });
    }
    if (items.length > 0) yield items;
    items = [];
    if (!(await bytes.fill(4))) break;
    const size = bytes.peek(4).readUInt32LE(0);
    if (size > LONGEST_ROW)
      badInput(`feature ${place + 1}: is longer than ${LONGEST_ROW} bytes, or the file is damaged`);
    if (!(await bytes.fill(4 + size))) badInput(`feature ${place + 1}: the file ends in the middle of it`);
  }
  if (bytes.here > 0) badInput(`feature ${place + 1}: the file ends in the middle of it`);
}

interface PropertyType {
  /** Its bytes; undefined: a length of four bytes stands before them. */
  readonly bytes: number | undefined;
  read(bytes: Buffer): string;
  /** The type that holds each value; undefined: the texts say it. */
  readonly postgres: string | undefined;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });
const text = (bytes: Buffer): string => {
  try {
    return utf8.decode(bytes);
  } catch {
    return badInput("is not utf-8");
  }
};
const fixed = (bytes: number, postgres: string, read: (from: Buffer) => number | bigint): PropertyType => ({
  bytes,
  postgres,
  read: (from) => String(read(from)),
});

/** By the numbers of the enumeration ColumnType of the header. */
const PROPERTY_TYPES: readonly PropertyType[] = [
  fixed(1, "smallint", (from) => from.readInt8(0)),
  fixed(1, "smallint", (from) => from.readUInt8(0)),
  { bytes: 1, postgres: "boolean", read: (from) => (from[0] === 0 ? "false" : "true") },
  fixed(2, "smallint", (from) => from.readInt16LE(0)),
  fixed(2, "integer", (from) => from.readUInt16LE(0)),
  fixed(4, "integer", (from) => from.readInt32LE(0)),
  fixed(4, "bigint", (from) => from.readUInt32LE(0)),
  fixed(8, "bigint", (from) => from.readBigInt64LE(0)),
  fixed(8, "decimal", (from) => from.readBigUInt64LE(0)),
  { bytes: 4, postgres: "real", read: (from) => shortest(from.readFloatLE(0)) },
  fixed(8, "double precision", (from) => from.readDoubleLE(0)),
  { bytes: undefined, postgres: "text", read: text },
  { bytes: undefined, postgres: "jsonb", read: text },
  { bytes: undefined, postgres: undefined, read: text },
  { bytes: undefined, postgres: "bytea", read: (from) => `\\x${from.toString("hex")}` },
];

/** Those that are there, by the numbers of their columns. */
function propertiesOf(bytes: Buffer, columns: Header["columns"]): (string | null)[] {
  const cells: (string | null)[] = columns.map(() => null);
  for (let at = 0; at < bytes.length;) {
    const index = bytes.readUInt16LE(at);
    const { name, type } =
      columns[index] ?? badInput(`has a property of the column ${index}, which the file does not have`);
    at += 2;
    const length = type.bytes ?? bytes.readUInt32LE(at);
    if (type.bytes === undefined) at += 4;
    if (at + length > bytes.length) badInput("the feature is damaged");
    try {
      cells[index] = type.read(bytes.subarray(at, at + length));
    } catch (error) {
      badInput(`${name}: ${(error as Error).message}`);
    }
    at += length;
  }
  return cells;
}

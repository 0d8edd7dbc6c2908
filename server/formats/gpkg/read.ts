/** Layers of a GeoPackage (OGC 12-128r18), which is an SQLite file. Only tables and stored columns are read. */
import type { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import { badInput, GatewayError } from "../../ground/errors.ts";
import { shapeName, type Shape } from "../geometryShape.ts";
import { portionsOfCells, type Item } from "../portions.ts";
import { LONGEST_ROW, ROWS_OF_PORTION, type Cell, type Portion, type Source } from "../source.ts";
import { spooled } from "../spooled.ts";
import { within32Bits } from "./numbering.ts";
import { checkPages, type Room } from "./sqlitePages.ts";

interface Layer {
  readonly table: string;
  readonly columns: readonly string[];
  readonly geometry: string | undefined;
  readonly types: ReadonlyMap<string, string | Shape>;
}

/** First reads the whole file into a temporary one, which is removed when the portions end. `layer`: default the only one. */
export function geopackageSource(
  bytes: AsyncIterable<Uint8Array>,
  layer: string | undefined,
  portion = ROWS_OF_PORTION,
): Source {
  const portions = spooled(bytes, (path) => portionsOf(path, layer, portion));
  return { unit: "row", optional: new Set(["fid"]), portions };
}

async function* portionsOf(file: string, wanted: string | undefined, portion: number): AsyncGenerator<Portion> {
  const room = await checkPages(file);
  const { DatabaseSync } = await import("node:sqlite");
  const database = new DatabaseSync(file, { readOnly: true, limits: { length: LONGEST_ROW } });
  try {
    database.exec("pragma trusted_schema = off; pragma cell_size_check = on");
    yield* rowsOf(database, await chooseLayer(database, wanted), portion, room);
  } catch (error) {
    if (error instanceof GatewayError || (error as { code?: unknown }).code !== "ERR_SQLITE_ERROR") throw error;
    if ((error as { errcode?: unknown }).errcode === SQLITE_TOOBIG)
      throw new GatewayError("BAD_USER_INPUT", `a row is longer than ${LONGEST_ROW} bytes`, { cause: error });
    throw new GatewayError("BAD_USER_INPUT", "the file is not a GeoPackage, or is damaged", { cause: error });
  } finally {
    database.close();
  }
}

const SQLITE_TOOBIG = 18;
/** SQLite is synchronous: other requests wait this long while rows are read. */
const TURN_MS = 10;

/** Yields the rows one by one, and lets other work run every `TURN_MS`. */
async function* inTurns<Row>(rows: Iterable<Row>): AsyncGenerator<Row> {
  let began = performance.now();
  for (const row of rows) {
    yield row;
    if (performance.now() - began < TURN_MS) continue;
    await setImmediate();
    began = performance.now();
  }
}

/** Rows that are read of a table of the GeoPackage's own metadata. */
const MOST_TOLD = 20_000;

/** Throws `BAD_USER_INPUT`. */
async function chooseLayer(database: DatabaseSync, wanted: string | undefined): Promise<Layer> {
  const contents = await told(database, "gpkg_contents", ["table_name", "data_type"]);
  const tables = contents
    .filter(({ data_type: type }) => type === "features" || type === "attributes")
    .map(({ table_name: name }) => String(name))
    .filter((name) => storedColumns(database, name).length > 0)
    .sort();
  const table = wanted === undefined && tables.length === 1 ? tables[0] : tables.find((name) => name === wanted);
  if (table === undefined)
    return badInput(
      `layer: choose one of ${
        tables
          .slice(0, 50)
          .map((name) => JSON.stringify(name))
          .join(", ") || "none"
      }`,
    );
  const geometries = await told(database, "gpkg_geometry_columns", ["table_name", "column_name"]);
  const found = geometries.find(({ table_name: name }) => name === table);
  const geometry = found && String(found.column_name);
  const columns = storedColumns(database, table);
  return { table, columns, geometry, types: await typesOf(database, table, geometry) };
}

/** Its data types (table 1 of the standard), as those of PostgreSQL that hold each of their values. */
const TYPES: Readonly<Record<string, string>> = {
  BOOLEAN: "boolean",
  TINYINT: "smallint",
  SMALLINT: "smallint",
  MEDIUMINT: "integer",
  INT: "bigint",
  INTEGER: "bigint",
  FLOAT: "real",
  DOUBLE: "double precision",
  REAL: "double precision",
  TEXT: "text",
  BLOB: "bytea",
  DATE: "date",
  DATETIME: "timestamp with time zone",
};

async function typesOf(
  database: DatabaseSync,
  table: string,
  geometry: string | undefined,
): Promise<ReadonlyMap<string, string | Shape>> {
  const types = new Map<string, string | Shape>();
  const made = database.prepare("select sql from sqlite_schema where type = 'table' and name = ?").get(table)?.["sql"];
  for (const { name, type, pk } of database.prepare(`pragma main.table_xinfo(${quoted(table)})`).all()) {
    const known = TYPES[/^\w*/.exec(String(type).toUpperCase())![0]];
    const isNarrow = pk === 1 && known === "bigint" && String(made).includes(within32Bits(quoted(String(name))));
    if (name !== geometry && known !== undefined) types.set(String(name), isNarrow ? "integer" : known);
  }
  const shapes = await told(database, "gpkg_geometry_columns", ["table_name", "geometry_type_name", "z", "srs_id"]);
  const shape = shapes.find(({ table_name: name }) => name === table);
  if (geometry !== undefined && shape) {
    const srid = epsgOf(await told(database, "gpkg_spatial_ref_sys", SYSTEM), Number(shape.srs_id));
    types.set(geometry, {
      type: shapeName(String(shape.geometry_type_name)),
      z: Number(shape.z) === 1,
      m: false,
      srid,
    });
  }
  return types;
}

/** The stored columns of a table. A view or virtual table has none: reading it could compute without end. */
function storedColumns(database: DatabaseSync, table: string): readonly string[] {
  const isTable = database
    .prepare(`pragma main.table_list(${quoted(table)})`)
    .all()
    .some(({ type }) => type === "table");
  const columns = isTable ? database.prepare(`pragma main.table_xinfo(${quoted(table)})`).all() : [];
  return columns.filter(({ hidden }) => hidden === 0).map(({ name }) => String(name));
}

/** The beginning of a table in its own order: a crafted file could make searching and sorting take very long. */
async function told<Column extends string>(
  database: DatabaseSync,
  table: string,
  columns: readonly Column[],
): Promise<readonly Readonly<Record<Column, unknown>>[]> {
  const stored = new Set(storedColumns(database, table));
  if (!columns.every((column) => stored.has(column))) return [];
  const text = `select ${columns.map(quoted).join(", ")} from ${quoted(table)} limit ${MOST_TOLD}`;
  const statement = database.prepare(text);
  statement.setReadBigInts(true); // values that do not fit into a number of JavaScript would throw
  const rows: Record<Column, unknown>[] = [];
  for await (const row of inTurns(statement.iterate())) rows.push(row as Record<Column, unknown>);
  return rows;
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

async function* rowsOf(
  database: DatabaseSync,
  { table, columns, geometry, types }: Layer,
  portion: number,
  room: Room,
): AsyncGenerator<Portion> {
  const systems = await told(database, "gpkg_spatial_ref_sys", SYSTEM);
  const srids = new Map<number, number>();
  const sridOf = (id: number): number => {
    if (!srids.has(id)) srids.set(id, epsgOf(systems, id));
    return srids.get(id)!;
  };
  const statement = database.prepare(`select ${columns.map(quoted).join(", ")} from ${quoted(table)}`);
  statement.setReadBigInts(true);
  const spatial = geometry === undefined ? -1 : columns.indexOf(geometry);
  async function* items(): AsyncGenerator<Item<readonly Cell[]>[]> {
    let place = 0;
    for await (const row of inTurns(statement.iterate())) {
      room.take(columns.reduce((bytes, name) => bytes + bytesOf(row[name]), 0));
      const read = (): readonly Cell[] =>
        columns.map((name, index) => textOf(row[name], index === spatial ? sridOf : undefined));
      yield [{ place: ++place, read }];
    }
  }
  yield* portionsOfCells(items(), { names: columns, types }, portion);
}

/** The approximate size of a value in the file. A NULL has only its type. */
function bytesOf(value: unknown): number {
  if (value === null || value === undefined) return 1;
  return value instanceof Uint8Array ? value.byteLength : String(value as bigint | number | string).length;
}

/** `sridOf`: the value is a geometry. */
function textOf(value: unknown, sridOf: ((id: number) => number) | undefined): string | null {
  if (value === null || value === undefined) return null;
  if (!(value instanceof Uint8Array)) return String(value as bigint | number | string);
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return sridOf ? geometryText(bytes, sridOf) : `\\x${bytes.toString("hex")}`;
}

const ENVELOPES = [0, 32, 48, 48, 64];
const HEADER_BYTES = 8;

/** GeoPackageBinary (2.1.3.1.1) as EWKB with its EPSG code. */
function geometryText(bytes: Buffer, sridOf: (id: number) => number): string | null {
  const flags = bytes[3] ?? 0;
  const envelope = ENVELOPES[(flags >> 1) & 7];
  if (bytes.toString("latin1", 0, 2) !== "GP" || envelope === undefined || bytes.length < HEADER_BYTES + envelope + 5)
    return badInput("the geometry is not in the format of a GeoPackage");
  const srid = sridOf(flags & 1 ? bytes.readInt32LE(4) : bytes.readInt32BE(4));
  const wkb = bytes.toString("hex", HEADER_BYTES + envelope);
  return srid > 0 ? `SRID=${srid};${wkb}` : wkb;
}

const SYSTEM = ["srs_id", "organization", "organization_coordsys_id"] as const;
type System = Readonly<Record<(typeof SYSTEM)[number], unknown>>;

/** The EPSG code of a system. The file's own ids mean nothing outside it; 0 and below are unknown. */
function epsgOf(systems: readonly System[], id: number): number {
  if (id <= 0) return 0;
  const system = systems.find(({ srs_id: own }) => Number(own) === id);
  if (!/^epsg$/i.test(String(system?.organization))) return badInput(`the reference system ${id} is not from EPSG`);
  return Number(system?.organization_coordsys_id);
}

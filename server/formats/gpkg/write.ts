/**
 * Writes a GeoPackage (OGC 12-128r18) of one layer. An SQLite file is complete only when its first page is, so the whole
 * file is written before any of it is sent. A feature has the number of its row's key; without one, rows are numbered by
 * `fid` in their order.
 */
import { FORMAT_NAMES } from "../names.ts";
import { createReadStream } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import type { TextRow } from "../../kernel/database/database.ts";
import type { Write } from "../../kernel/http/answer.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "../../ground/temporaryFolder.ts";
import { hasParts } from "../../types/columnType.ts";
import { isIsoMoment } from "../../types/instants.ts";
import { rowOf } from "../../types/table.ts";
import { geometryColumn, type Column } from "../column.ts";
import type { FeatureFile } from "../featureFile.ts";
import { NUMBERING, within32Bits } from "./numbering.ts";
import { boxOf, type Box } from "./wkbBox.ts";
import type { Format, Writer } from "../writer.ts";

/** The prefix of the name in `tmpdir()`. */
export const EXPORT_FOLDER = "portolan-export-";
/** The bytes of the file that are in memory while it is sent. */
const PIECE_BYTES = 256 * 1024;

export const geopackage = (file: FeatureFile): Format => ({
  mediaType: FORMAT_NAMES.geopackage.mediaType,
  binary: true,
  open: (write) => new GeoPackage(file, write),
});

class GeoPackage implements Writer {
  readonly #file: FeatureFile;
  readonly #write: Write;
  #folder: string | undefined;
  #database: DatabaseSync | undefined;
  #insert!: StatementSync;
  #values: readonly ((text: string) => SQLInputValue)[] = [];
  #box: Box | undefined;

  constructor(file: FeatureFile, write: Write) {
    this.#file = file;
    this.#write = write;
  }

  async start(columns: readonly Column[]): Promise<void> {
    const { DatabaseSync } = await import("node:sqlite");
    this.#folder = makeTemporaryFolder(EXPORT_FOLDER);
    this.#database = new DatabaseSync(join(this.#folder, "file.gpkg"));
    // the file is read only when it is complete, and an incomplete one is removed
    this.#database.exec("pragma journal_mode = off; pragma synchronous = off; pragma locking_mode = exclusive");
    this.#database.exec(`pragma application_id = ${0x47504b47}; pragma user_version = 10300; begin; ${TABLES}`);
    const spatial = geometryColumn(columns);
    this.#describe(columns, spatial);
    this.#values = columns.map((column, index) => (index === spatial ? this.#geometry : valueOf(column)));
    const places = [...(this.#keyOf(columns) === -1 ? ["null"] : []), ...columns.map(() => "?")].join(", ");
    this.#insert = this.#database.prepare(`insert into ${quoted(layerOf(this.#file))} values (${places})`);
  }

  rows(rows: readonly TextRow[]): void {
    for (const row of rows)
      this.#insert.run(...this.#values.map((toValue, index) => (row[index] === null ? null : toValue(row[index]!))));
  }

  async end(): Promise<void> {
    const [minx = null, maxx = null, miny = null, maxy = null] = this.#box ?? [];
    this.#run("update gpkg_contents set min_x = ?, min_y = ?, max_x = ?, max_y = ?", minx, miny, maxx, maxy);
    this.#database!.exec("commit");
    this.#closeDatabase();
    const file = createReadStream(join(this.#folder!, "file.gpkg"), { highWaterMark: PIECE_BYTES });
    for await (const piece of file) await this.#write(piece as Buffer);
  }

  async close(): Promise<void> {
    this.#closeDatabase();
    if (this.#folder !== undefined) await removeTemporaryFolder(this.#folder);
  }

  #closeDatabase(): void {
    this.#database?.close();
    this.#database = undefined;
  }

  #run(text: string, ...values: SQLInputValue[]): void {
    this.#database!.prepare(text).run(...values);
  }

  /** The index of the column that numbers the rows; -1 where there is none. */
  #keyOf(columns: readonly Column[]): number {
    return columns.findIndex((column) => column.name === this.#file.key && INTEGERS.has(typeOf(column)));
  }

  /** Makes the layer, and its entries in the metadata. */
  #describe(columns: readonly Column[], spatial: number): void {
    const { system, srs, dimensions, geometryType } = this.#file;
    const layer = layerOf(this.#file);
    const names = namesOf(columns);
    const key = this.#keyOf(columns);
    const declared = columns.map((column, index) => {
      const name = quoted(names[index + 1]!);
      if (index === key) return `${name} ${NUMBERING}${typeOf(column) === "INTEGER" ? "" : ` ${within32Bits(name)}`}`;
      return `${name} ${index === spatial ? geometryType : typeOf(column)}`;
    });
    if (key === -1) declared.unshift(`${quoted(names[0]!)} ${NUMBERING}`);
    this.#database!.exec(`create table ${quoted(layer)} (${declared.join(", ")})`);
    const { organization, code, definition } = system;
    this.#run(
      "insert or ignore into gpkg_spatial_ref_sys values (?, ?, ?, ?, ?, null)",
      ...[`${organization}:${code}`, srs, organization, code, definition],
    );
    this.#run(
      "insert into gpkg_contents (table_name, data_type, identifier, srs_id) values (?, ?, ?, ?)",
      ...[layer, spatial === -1 ? "attributes" : "features", layer, spatial === -1 ? null : srs],
    );
    if (spatial === -1) return;
    const { z, m } = dimensions;
    this.#run(
      "insert into gpkg_geometry_columns values (?, ?, ?, ?, ?, ?)",
      ...[layer, names[spatial + 1]!, geometryType, srs, z ? OPTIONAL : NONE, m ? OPTIONAL : NONE],
    );
  }

  /** GeoPackageBinary (2.1.3.1.1) from PostgreSQL's text of well-known binary; a point has no envelope. */
  readonly #geometry = (text: string): Buffer => {
    const wkb = Buffer.from(text.slice(HEX.length), "hex");
    const box = boxOf(wkb);
    if (box) this.#box = this.#box ? union(this.#box, box) : box;
    const isBoxed = box !== undefined && (box[0] < box[1] || box[2] < box[3]);
    const head = Buffer.alloc(HEAD_BYTES + (isBoxed ? 32 : 0));
    head.write("GP", "latin1");
    head[3] = LITTLE_ENDIAN | (isBoxed ? WITH_BOX : 0);
    head.writeInt32LE(this.#file.srs, 4);
    if (isBoxed) for (const [index, side] of box.entries()) head.writeDoubleLE(side, HEAD_BYTES + 8 * index);
    return Buffer.concat([head, wkb]);
  };
}

const INTEGERS: ReadonlySet<string> = new Set(["INTEGER", "MEDIUMINT"]);
const HEAD_BYTES = 8;
const LITTLE_ENDIAN = 1;
/** An envelope of minx, maxx, miny, maxy. */
const WITH_BOX = 1 << 1;
/** Whether there are heights and measures, in the form of `gpkg_geometry_columns`. */
const [NONE, OPTIONAL] = [0, 2];
/** The prefix of PostgreSQL's text of bytes. */
const HEX = "\\x";

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const union = (a: Box, b: Box): Box => [
  Math.min(a[0], b[0]),
  Math.max(a[1], b[1]),
  Math.min(a[2], b[2]),
  Math.max(a[3], b[3]),
];

/** Names that SQLite or the standard reserves get another beginning. */
function layerOf({ table }: FeatureFile): string {
  return /^(gpkg|rtree|sqlite)_/i.test(table) ? `table_${table}` : table;
}

/** First the number's name, then the columns'; for SQLite `a` and `A` are the same. */
function namesOf(columns: readonly Column[]): readonly string[] {
  const taken = new Set<string>();
  const free = (name: string): string => {
    let found = name;
    for (let n = 2; taken.has(found.toLowerCase()); n++) found = `${name}_${n}`;
    taken.add(found.toLowerCase());
    return found;
  };
  const names = columns.map(({ name }) => free(name));
  return [free("fid"), ...names];
}

/** The standard's types of columns (table 1); a type that it lacks becomes text. */
function typeOf({ type }: Column): string {
  if (hasParts(type)) return "TEXT";
  const { kind, schema, moment } = rowOf(type);
  if (kind === "boolean") return "BOOLEAN";
  if (kind === "bytes") return "BLOB";
  if (schema["type"] === "integer") return schema["format"] === "int64" ? "INTEGER" : "MEDIUMINT";
  if (kind === "float") return schema["format"] === "float" ? "FLOAT" : "DOUBLE";
  if (moment === "date") return "DATE";
  return moment === "timestamp" ? "DATETIME" : "TEXT";
}

/** From PostgreSQL's text of a value that is not NULL. */
function valueOf(column: Column): (text: string) => SQLInputValue {
  const { plain } = column.output;
  switch (typeOf(column)) {
    case "BOOLEAN":
      return (text) => (text === "t" ? 1 : 0);
    case "BLOB":
      return (text) => Buffer.from(text.slice(HEX.length), "hex");
    case "MEDIUMINT":
      return Number;
    case "INTEGER":
      return BigInt;
    case "FLOAT":
    case "DOUBLE":
      return (text) => (Number.isFinite(Number(text)) ? Number(text) : null);
    case "DATE":
      return (text) => (isIsoMoment(text) ? plain(text) : null);
    case "DATETIME":
      return (text) => (isIsoMoment(text) ? inUtc(plain(text)) : null);
    default:
      return plain;
  }
}

/**
 * `2024-05-06T07:08:09.123Z`, to the millisecond; an instant without a zone is taken as UTC, as GDAL does. Other texts stay.
 */
function inUtc(instant: string): string {
  const [, seconds, fraction = ""] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(?:Z|\+00(?::00)?)?$/.exec(instant) ?? [];
  return seconds === undefined ? instant : `${seconds}.${fraction.slice(0, 3).padEnd(3, "0")}Z`;
}

const WGS84 =
  'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563,AUTHORITY["EPSG","7030"]],AUTHORITY["EPSG","6326"]],PRIMEM["Greenwich",0,AUTHORITY["EPSG","8901"]],UNIT["degree",0.0174532925199433,AUTHORITY["EPSG","9122"]],AUTHORITY["EPSG","4326"]]';

/** The metadata tables (1.1.2, 1.1.3 and 2.1.5), and the three systems that each file has. */
const TABLES = `
create table gpkg_spatial_ref_sys (
  srs_name text not null, srs_id integer not null primary key, organization text not null,
  organization_coordsys_id integer not null, definition text not null, description text);
insert into gpkg_spatial_ref_sys values
  ('Undefined Cartesian', -1, 'NONE', -1, 'undefined', null),
  ('Undefined geographic', 0, 'NONE', 0, 'undefined', null),
  ('WGS 84', 4326, 'EPSG', 4326, '${WGS84}', null);
create table gpkg_contents (
  table_name text not null primary key, data_type text not null, identifier text unique, description text default '',
  last_change datetime not null default (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  min_x double, min_y double, max_x double, max_y double, srs_id integer references gpkg_spatial_ref_sys (srs_id));
create table gpkg_geometry_columns (
  table_name text not null unique references gpkg_contents (table_name), column_name text not null,
  geometry_type_name text not null, srs_id integer not null references gpkg_spatial_ref_sys (srs_id),
  z tinyint not null, m tinyint not null, primary key (table_name, column_name))`;

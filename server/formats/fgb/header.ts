/** The beginning of a FlatGeobuf file: eight magic bytes, and a FlatBuffers table with the schema of the features. */
import { Builder, SIZE_PREFIX_LENGTH, type Offset } from "flatbuffers";
import type { Dimensions } from "../dimensions.ts";
import type { ColumnType } from "../../types/columnType.ts";
import { CODES, columnType } from "./columnType.ts";
import { FGB_ALIGNMENT, type Box } from "./feature.ts";

/** Version 3.0. */
export const MAGIC = Buffer.from("fgb\x03fgb\x00", "latin1");

/** Children of a node of the index. */
export const NODE_SIZE = 16;

/** The numbers of the enumeration GeometryType; any other or mixed type is 0. */
export const GEOMETRY_TYPES = [
  "",
  "Point",
  "LineString",
  "Polygon",
  "MultiPoint",
  "MultiLineString",
  "MultiPolygon",
  "GeometryCollection",
];

interface HeaderColumn {
  readonly name: string;
  readonly type: ColumnType;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly notNull?: boolean;
}

interface System {
  readonly srid: number;
}

export interface HeaderContent {
  readonly collection: {
    readonly id: string;
    readonly title: string;
    readonly description: string | undefined;
    /** PostGIS's name of the type; undefined where there may be any. */
    readonly geometry: { readonly geometryType: string | undefined };
    readonly key: readonly HeaderColumn[];
  };
  readonly columns: readonly HeaderColumn[];
  /** Its number 0: unknown. */
  readonly crs: System;
  readonly dimensions: Dimensions;
  readonly count: number;
  /** The envelope of all features; undefined without an index. */
  readonly envelope: Box | undefined;
}

/** The table, after its size. Fields are those of `header.fbs`, by their number. */
export function header({ collection, columns, crs, dimensions, count, envelope }: HeaderContent): Buffer {
  const builder = new Builder(1024);
  const { geometry, id, title, description } = collection;
  const name = builder.createString(id);
  const titleAt = builder.createString(title);
  const descriptionAt = description === undefined ? 0 : builder.createString(description);
  const keys = new Set(collection.key);
  const columnsAt = vector(
    builder,
    columns.map((column) => columnOf(builder, column, keys.has(column))),
  );
  const crsAt = crs.srid === 0 ? 0 : crsOf(builder, crs);
  const envelopeAt = envelope ? doubles(builder, envelope) : 0;
  builder.startObject(14);
  builder.addFieldInt64(8, BigInt(count), 0n);
  builder.addFieldOffset(0, name, 0);
  builder.addFieldOffset(1, envelopeAt, 0);
  builder.addFieldOffset(7, columnsAt, 0);
  builder.addFieldOffset(10, crsAt, 0);
  builder.addFieldOffset(11, titleAt, 0);
  builder.addFieldOffset(12, descriptionAt, 0);
  builder.addFieldInt16(9, envelope ? NODE_SIZE : 0, NODE_SIZE);
  builder.addFieldInt8(2, Math.max(0, GEOMETRY_TYPES.indexOf(geometry.geometryType ?? "")), 0);
  builder.addFieldInt8(3, Number(dimensions.z), 0);
  builder.addFieldInt8(4, Number(dimensions.m), 0);
  builder.finishSizePrefixed(builder.endObject());
  const bytes = builder.asUint8Array();
  const padded = Buffer.alloc(Math.ceil(bytes.length / FGB_ALIGNMENT) * FGB_ALIGNMENT);
  padded.set(bytes);
  padded.writeUInt32LE(padded.length - SIZE_PREFIX_LENGTH);
  return padded;
}

function columnOf(builder: Builder, column: HeaderColumn, isKey: boolean): Offset {
  const { title, description } = column;
  const name = builder.createString(column.name);
  const titleAt = title === undefined ? 0 : builder.createString(title);
  const descriptionAt = description === undefined ? 0 : builder.createString(description);
  builder.startObject(11);
  builder.addFieldOffset(0, name, 0);
  builder.addFieldOffset(2, titleAt, 0);
  builder.addFieldOffset(3, descriptionAt, 0);
  builder.addFieldInt8(1, CODES[columnType(column.type)], 0);
  builder.addFieldInt8(7, Number(!column.notNull), 1);
  builder.addFieldInt8(9, Number(isKey), 0);
  return builder.endObject();
}

/** The system by its EPSG code. Coordinates are always x or longitude first. */
function crsOf(builder: Builder, { srid }: System): Offset {
  const organization = builder.createString("EPSG");
  builder.startObject(6);
  builder.addFieldOffset(0, organization, 0);
  builder.addFieldInt32(1, srid, 0);
  return builder.endObject();
}

function vector(builder: Builder, offsets: readonly Offset[]): Offset {
  builder.startVector(4, offsets.length, 4);
  for (const offset of offsets.toReversed()) builder.addOffset(offset);
  return builder.endVector();
}

function doubles(builder: Builder, values: readonly number[]): Offset {
  builder.startVector(8, values.length, 8);
  for (const value of values.toReversed()) builder.addFloat64(value);
  return builder.endVector();
}

/** The columns of a Parquet file as PostgreSQL's types, and their values as its texts. */
import type { FileMetaData, SchemaElement } from "hyparquet";
import { badInput } from "../../ground/errors.ts";
import { isObject, type JsonObject } from "../../types/json.ts";
import { shapeName, type Shape } from "../geometryShape.ts";
import { shortest } from "../shortest.ts";
import { systemOfWkt, withoutHeight } from "../systems/systemOfWkt.ts";

export interface ColumnOptions {
  /** For geometries whose system is not known. */
  readonly srid: number | undefined;
  /** Nested columns are refused where they are among these; undefined: all are wanted. */
  readonly wanted: readonly string[] | undefined;
}

export interface ReadColumn {
  readonly name: string;
  /** Undefined: the texts say it. */
  readonly type: string | Shape | undefined;
  /** The text of a value as it is stored. Throws `BAD_USER_INPUT`. */
  text(value: unknown): string;
}

/**
 * The columns that have values of their own. Their logical types are removed from the metadata, so that values arrive
 * as they are stored and lose no digit. Throws `BAD_USER_INPUT` for nested columns that are wanted, and for unknown
 * types.
 */
export async function columnsOf(
  metadata: FileMetaData,
  { srid, wanted }: ColumnOptions,
): Promise<readonly ReadColumn[]> {
  const geo = readGeo(metadata);
  const covering = new Set(Object.values(geo).flatMap((column) => coveringOf(column)));
  const columns: ReadColumn[] = [];
  const nested: string[] = [];
  for (const element of topLevel(metadata.schema)) {
    const { name } = element;
    if (element.num_children !== undefined || element.repetition_type === "REPEATED") {
      if (!covering.has(name) && (wanted?.includes(name) ?? true)) nested.push(name);
    } else
      columns.push(
        Object.hasOwn(geo, name) ? await geometryColumn(name, geo[name]!, srid) : await plainColumn(element, srid),
      );
  }
  if (nested.length > 0)
    badInput(
      `nested columns are not supported: ${nested
        .map((name) => JSON.stringify(name))
        .join(", ")
        .slice(0, 1000)}; use columns to choose the others`,
    );
  for (const element of metadata.schema) {
    delete element.converted_type;
    delete element.logical_type;
  }
  return columns;
}

function topLevel(schema: readonly SchemaElement[]): readonly SchemaElement[] {
  const found: SchemaElement[] = [];
  for (let at = 1; at < schema.length; at++) {
    found.push(schema[at]!);
    for (let left = schema[at]!.num_children ?? 0; left > 0; left--) left += schema[++at]?.num_children ?? 0;
  }
  return found;
}

/** The columns of geometries, by the metadata of GeoParquet. */
function readGeo({ key_value_metadata: metadata = [] }: FileMetaData): Readonly<Record<string, JsonObject>> {
  const text = metadata.find(({ key }) => key === "geo")?.value;
  if (text === undefined) return {};
  try {
    const json: unknown = JSON.parse(text);
    const columns = isObject(json) ? json["columns"] : undefined;
    return Object.fromEntries(
      Object.entries(isObject(columns) ? columns : {}).filter(([, column]) => isObject(column)),
    ) as Record<string, JsonObject>;
  } catch {
    return badInput("the metadata of GeoParquet is not JSON");
  }
}

/** The group of columns that holds the boxes of geometries. */
function coveringOf({ covering }: JsonObject): readonly string[] {
  const box = isObject(covering) ? covering["bbox"] : undefined;
  return Object.values(isObject(box) ? box : {}).flatMap((path) =>
    Array.isArray(path) && typeof path[0] === "string" ? [path[0]] : [],
  );
}

async function geometryColumn(
  name: string,
  { encoding, crs, geometry_types: kinds }: JsonObject,
  given: number | undefined,
): Promise<ReadColumn> {
  if (encoding !== "WKB")
    badInput(`the geometries of ${JSON.stringify(name)} are not in WKB, which is the only supported encoding`);
  const srid = crs === undefined ? WGS84 : await systemOf(crs, given);
  const texts = Array.isArray(kinds) ? kinds.map(String) : [];
  const singles = new Set(texts.map((kind) => kind.replace(/ Z$/, "").replace("Multi", "")));
  const isMany = texts.some((kind) => kind.startsWith("Multi"));
  const type = singles.size === 1 ? shapeName(`${isMany ? "Multi" : ""}${[...singles][0]}`) : "Geometry";
  return { name, type: { type, z: texts.some((kind) => kind.endsWith(" Z")), m: false, srid }, text: wkbText(srid) };
}

const WGS84 = 4326;

/** `crs`: PROJJSON; null: unknown. Without any it is OGC:CRS84. */
async function systemOf(crs: unknown, given: number | undefined): Promise<number> {
  if (crs === null) return given ?? 0;
  const { id, name } = isObject(crs) ? crs : { id: undefined, name: undefined };
  const { authority, code } = isObject(id) ? id : { authority: undefined, code: undefined };
  if (authority === "OGC" && /^CRS84h?$/.test(String(code))) return WGS84;
  if (/^(EPSG|ESRI)$/i.test(String(authority)) && Number.isInteger(Number(code))) return withoutHeight(Number(code));
  return systemOfWkt(`PROJCRS["${String(name ?? "unknown").replaceAll('"', "")}"]`, "file", given);
}

const wkbText =
  (srid: number) =>
  (value: unknown): string => {
    const hex = bytesOf(value).toString("hex");
    if (!/^0[01]/.test(hex) || hex.length < 10) badInput("the geometry is not WKB");
    return srid === 0 ? hex : `SRID=${srid};${hex}`;
  };

function bytesOf(value: unknown): Buffer {
  if (!(value instanceof Uint8Array)) return badInput("the value does not have its column's type");
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function letters(value: unknown): string {
  try {
    return utf8.decode(bytesOf(value));
  } catch {
    return badInput("is not utf-8");
  }
}

const TYPES_OF_UNITS = { MILLIS: 1000n, MICROS: 1n, NANOS: -1000n } as const;

async function plainColumn(element: SchemaElement, given: number | undefined): Promise<ReadColumn> {
  const { name, type, converted_type: converted, logical_type: logical } = element;
  const column = (postgres: ReadColumn["type"], text: (value: unknown) => string): ReadColumn => ({
    name,
    type: postgres,
    text,
  });
  if (logical?.type === "GEOMETRY" || logical?.type === "GEOGRAPHY") {
    const code = /^(?:EPSG|ESRI):(\d+)$/i.exec(logical.crs ?? "OGC:CRS84")?.[1];
    const isDefault = logical.crs === undefined || /^OGC:CRS84$/i.test(logical.crs);
    const srid = isDefault
      ? WGS84
      : code === undefined
        ? await systemOf({ name: logical.crs }, given)
        : withoutHeight(Number(code));
    return column({ type: "Geometry", z: false, m: false, srid }, wkbText(srid));
  }
  if (logical?.type === "DECIMAL" || converted === "DECIMAL") return column("decimal", decimalText(element.scale ?? 0));
  if (logical?.type === "UUID") return column("uuid", (value) => bytesOf(value).toString("hex"));
  if (logical?.type === "DATE" || converted === "DATE") return column("date", (value) => dayText(Number(value)));
  if (logical?.type === "TIMESTAMP")
    return column(
      logical.isAdjustedToUTC ? "timestamp with time zone" : "timestamp without time zone",
      momentText(logical.unit, logical.isAdjustedToUTC),
    );
  if (converted === "TIMESTAMP_MILLIS") return column("timestamp with time zone", momentText("MILLIS", true));
  if (converted === "TIMESTAMP_MICROS") return column("timestamp with time zone", momentText("MICROS", true));
  if (logical?.type === "TIME") return column("time without time zone", timeText(logical.unit));
  if (converted === "TIME_MILLIS") return column("time without time zone", timeText("MILLIS"));
  if (converted === "TIME_MICROS") return column("time without time zone", timeText("MICROS"));
  if (logical?.type === "JSON" || converted === "JSON") return column("jsonb", letters);
  if (logical?.type === "STRING" || logical?.type === "ENUM" || converted === "UTF8" || converted === "ENUM")
    return column("text", letters);
  if (["INTERVAL", "BSON", "VARIANT", "FLOAT16"].includes(logical?.type ?? converted ?? ""))
    badInput(`the column ${JSON.stringify(name)} is of the type ${logical?.type ?? converted}, which is not supported`);
  const isUnsigned = (logical?.type === "INTEGER" && !logical.isSigned) || /^UINT_/.test(converted ?? "");
  switch (type) {
    case "BOOLEAN":
      return column("boolean", String);
    case "INT32":
      return isUnsigned ? column("bigint", (value) => String(Number(value) >>> 0)) : column("integer", String);
    case "INT64":
      return isUnsigned
        ? column("decimal", (value) => String(BigInt.asUintN(64, BigInt(value as bigint))))
        : column("bigint", String);
    case "INT96":
      return column("timestamp without time zone", momentText("NANOS", false));
    case "FLOAT":
      return column("real", (value) => shortest(Number(value)));
    case "DOUBLE":
      return column("double precision", String);
    default:
      return column("bytea", (value) => `\\x${bytesOf(value).toString("hex")}`);
  }
}

const decimalText =
  (scale: number) =>
  (value: unknown): string => {
    const whole = value instanceof Uint8Array ? signed(bytesOf(value)) : BigInt(value as number | bigint);
    const digits = (whole < 0n ? -whole : whole).toString().padStart(scale + 1, "0");
    const point = digits.length - scale;
    return `${whole < 0n ? "-" : ""}${digits.slice(0, point)}${scale > 0 ? `.${digits.slice(point)}` : ""}`;
  };

/** Big-endian, with a sign. */
function signed(bytes: Buffer): bigint {
  return bytes.length === 0 ? 0n : BigInt.asIntN(8 * bytes.length, BigInt(`0x${bytes.toString("hex")}`));
}

const DAY_MS = 86_400_000;

function dayText(days: number): string {
  return isoOf(days * DAY_MS).replace(/T.*/, "");
}

/** With years as PostgreSQL reads them. */
function isoOf(ms: number): string {
  const date = new Date(ms);
  if (Number.isNaN(date.getTime())) badInput("the date is beyond all calendars");
  return date.toISOString().replace(/^\+0*/, "");
}

type Unit = keyof typeof TYPES_OF_UNITS;

function microseconds(value: unknown, unit: Unit): bigint {
  const factor = TYPES_OF_UNITS[unit];
  const whole = BigInt(value as number | bigint);
  return factor > 0n ? whole * factor : (whole - (((whole % 1000n) + 1000n) % 1000n)) / 1000n;
}

const momentText =
  (unit: Unit, isInstant: boolean) =>
  (value: unknown): string => {
    const all = microseconds(value, unit);
    const rest = ((all % 1000n) + 1000n) % 1000n;
    const text = isoOf(Number((all - rest) / 1000n))
      .replace("T", " ")
      .slice(0, -1);
    return `${text}${rest === 0n ? "" : String(rest).padStart(3, "0")}${isInstant ? "Z" : ""}`;
  };

const timeText =
  (unit: Unit) =>
  (value: unknown): string => {
    const all = microseconds(value, unit);
    if (all < 0n || all > BigInt(DAY_MS) * 1000n) badInput("the time is not within a day");
    const seconds = Number(all / 1_000_000n);
    const two = (part: number): string => String(part).padStart(2, "0");
    return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}.${String(all % 1_000_000n).padStart(6, "0")}`;
  };

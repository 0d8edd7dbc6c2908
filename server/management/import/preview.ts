/** What is in a file: its columns, types that they could have in a table, and the first rows. */
import { GatewayError } from "../../kernel/errors.ts";
import { isRawNumber } from "../../types/exactJson.ts";
import { isObject } from "../../types/json.ts";
import { openSource, type FormatOptions } from "./formats.ts";
import { CHARACTERS_OF_PORTION, type Cell, type Portion, type Source } from "./source.ts";

const ROWS = 100;
/** A file that is cut off has whole rows before its end. */
const PORTION = 5;
const LONGEST_TEXT = 200;

export interface Preview {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly (readonly (string | null)[])[];
}

/** Of the beginning of a file too. Throws `BAD_USER_INPUT` where not even the first rows can be read. */
export async function previewOf(
  mediaType: string,
  bytes: AsyncIterable<Uint8Array>,
  options: FormatOptions,
): Promise<Preview> {
  const portions = await firstPortions(openSource(mediaType, bytes, { ...options, portion: PORTION }));
  const names = [...new Set(portions.flatMap((portion) => portion.names))];
  const rows = portions.flatMap((portion) => {
    const places = new Map(portion.names.map((name, index) => [name, index]));
    return portion.rows.map((row) => names.map((name) => row[places.get(name) ?? -1] ?? null));
  });
  return {
    columns: names.map((name, index) => ({ name, type: typeOf(rows.map((row) => row[index])) })),
    rows: rows.map((row) => row.map(textOf)),
  };
}

/** Fewer where rows are long. */
async function firstPortions({ portions }: Source): Promise<readonly Portion[]> {
  const read: Portion[] = [];
  let characters = 0;
  try {
    for await (const portion of portions) {
      read.push(portion);
      characters += JSON.stringify(portion.rows).length;
      if (read.length >= ROWS / PORTION || characters >= CHARACTERS_OF_PORTION) break;
    }
  } catch (error) {
    if (read.length === 0 || !(error instanceof GatewayError && error.code === "BAD_USER_INPUT")) throw error;
  }
  return read;
}

function textOf(cell: Cell): string | null {
  if (cell === null || cell === undefined) return null;
  const text = typeof cell === "string" ? cell : isRawNumber(cell) ? cell.rawJSON : JSON.stringify(cell);
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
}

const WKT = /^(SRID=\d+;)?(MULTI)?(POINT|LINESTRING|POLYGON|GEOMETRYCOLLECTION)( ?[ZM]+)? ?(\(|EMPTY)/i;
const EWKB = /^(?:SRID=(\d+);)?01[0-9a-f]{16,}$/i;
/** The first that all values are. */
const TYPES: readonly (readonly [type: string, is: RegExp])[] = [
  ["integer", /^-?(0|[1-9]\d{0,8})$/],
  ["bigint", /^-?(0|[1-9]\d{0,17})$/],
  ["decimal", /^-?(0|[1-9]\d*)(\.\d+)?(e[-+]?\d+)?$/i],
  ["boolean", /^(true|false)$/i],
  ["date", /^\d{4}-\d\d-\d\d$/],
  ["timestamp with time zone", /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[-+]\d\d(:?\d\d)?)$/i],
  ["timestamp without time zone", /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$/],
  ["geometry(Geometry,4326)", WKT],
];

function typeOf(cells: readonly Cell[]): string {
  const given = cells.filter((cell) => cell !== null && cell !== undefined && cell !== "");
  const [first] = given;
  if (first === undefined) return "text";
  if (given.some((cell) => typeof cell === "object" && !isRawNumber(cell)))
    return given.every(isGeometry) ? geometryType(given) : "jsonb";
  const texts = given.map((cell) => textOf(cell) ?? "");
  const srid = EWKB.exec(texts[0]!)?.[1];
  if (srid !== undefined) return `geometry(Geometry,${srid})`;
  return TYPES.find(([, is]) => texts.every((text) => is.test(text)))?.[0] ?? "text";
}

function isGeometry(cell: Cell): boolean {
  return isObject(cell) && (Array.isArray(cell["coordinates"]) || Array.isArray(cell["geometries"]));
}

/** One type where all are of it, or of it and many of it. */
function geometryType(cells: readonly Cell[]): string {
  const types = new Set(cells.map((cell) => String((cell as { type?: unknown }).type)));
  const single = new Set([...types].map((type) => type.replace("Multi", "")));
  const [only = ""] = single;
  const isKnown = single.size === 1 && /^(Point|LineString|Polygon)$/.test(only);
  const isMany = [...types].some((type) => type.startsWith("Multi"));
  return `geometry(${isKnown ? `${isMany ? "Multi" : ""}${only}` : "Geometry"},4326)`;
}

/** Features as comma-separated values (RFC 4180) with a header; the geometry is well-known text in the last column. */
import type { SQL } from "postgraphile/pg-sql2";
import { COMMA, putLineEnd, putText, QUOTE } from "../../../server/formats/csv/bytes.ts";
import type { ByteRow, Bytes } from "../../../server/kernel/database/database.ts";
import { hasParts, type ColumnType } from "../../../server/types/columnType.ts";
import { harmless, quoteCell } from "../../../server/formats/csv/cell.ts";
import { rowOf } from "../../../server/types/table.ts";
import { FeatureDocument, type Piece } from "../page/document.ts";
import { FEATURE_COLUMNS, shownGeometry, type EncodingScope, type FeatureKey, type RowSource } from "../encoding.ts";
import { geometryWkt } from "../../crs/geometryJson.ts";
import { ColumnEncoding } from "./columnEncoding.ts";

/**
 * GDAL and QGIS recognize a geometry column by this name. If a property has it, the geometry's column gets another
 * name.
 */
const WKT = "WKT";

/** The conversion of a value's text to the text of a cell. */
type Cell = "plain" | "decimal" | "boolean" | "text";

function cellOf(type: ColumnType): Cell {
  if (hasParts(type)) return "text";
  const { kind, schema, moment } = rowOf(type);
  if (kind === "boolean") return "boolean";
  if (kind === "float") return "decimal";
  return ["number", "integer"].includes(String(schema["type"])) || moment !== undefined ? "plain" : "text";
}

const codeOf = (character: string): number => character.charCodeAt(0);
const POINT = codeOf(".");
const EXPONENT = codeOf("e");
/** The text of a geometry has lower-case letters only where a coordinate is not a number. */
const NOT_FINITE = [..."af"].map(codeOf);
const DIGITS = [codeOf("0"), codeOf("9")] as const;

class CsvEncoding extends ColumnEncoding {
  readonly #cells: readonly Cell[];

  constructor(scope: EncodingScope) {
    super(scope);
    this.#cells = this.columns.map(({ type }) => cellOf(type));
  }

  get header(): string {
    const { geometry } = this.scope.collection;
    const names = this.columns.map(({ name }) => name);
    const isTaken = names.some((name) => name.toUpperCase() === WKT);
    const place = geometry ? [isTaken ? geometry.name : WKT] : [];
    return `${[...names, ...place].map((name) => quoteCell(harmless(name))).join(",")}\r\n`;
  }

  geometry(source: RowSource): SQL {
    const { collection, crs, exactness } = this.scope;
    return shownGeometry(collection, source, (value, column) =>
      geometryWkt(value, column, crs, { ...source, ...exactness }),
    );
  }

  write(row: ByteRow, _key: FeatureKey, out: Bytes): boolean {
    const isPlaced = this.scope.collection.geometry !== undefined;
    for (let index = 0; index < this.#cells.length; index++) {
      if (!row.isNull(FEATURE_COLUMNS.values + index))
        WRITE[this.#cells[index]!](row, FEATURE_COLUMNS.values + index, out);
      if (index + 1 < this.#cells.length || isPlaced) out.putByte(COMMA);
    }
    const start = out.length;
    writeGeometry(row, out);
    const isShown = row.text(FEATURE_COLUMNS.failed) === "f" && !out.has(NOT_FINITE, start);
    if (!isShown) out.length = start;
    putLineEnd(out);
    return isShown;
  }
}

function writeGeometry(row: ByteRow, out: Bytes): void {
  if (row.isNull(FEATURE_COLUMNS.geometry)) return;
  out.putByte(QUOTE);
  out.copy(row, FEATURE_COLUMNS.geometry);
  out.putByte(QUOTE);
}

const WRITE: Readonly<Record<Cell, (row: ByteRow, index: number, out: Bytes) => void>> = {
  plain: (row, index, out) => out.copy(row, index),
  boolean: writeBoolean,
  decimal: writeDecimal,
  text: putText,
};

function writeBoolean(row: ByteRow, index: number, out: Bytes): void {
  out.put(row.text(index) === "t" ? "true" : "false");
}

/**
 * Writes a decimal number with a point or an exponent, because readers take a column whose first values have neither
 * for integers. The cell is empty for a value that is not a number.
 */
function writeDecimal(row: ByteRow, index: number, out: Bytes): void {
  const start = out.length;
  out.copy(row, index);
  const { buffer, length } = out;
  const last = buffer[length - 1]!;
  if (last < DIGITS[0] || last > DIGITS[1]) {
    out.length = start; // NaN, Infinity
    return;
  }
  for (let at = start; at < length; at++) if (buffer[at] === POINT || buffer[at] === EXPONENT) return;
  out.put(".0");
}

export class CsvDocument extends FeatureDocument {
  readonly encoding: CsvEncoding;

  constructor(scope: EncodingScope) {
    super();
    this.encoding = new CsvEncoding(scope);
  }

  begin(features: readonly Piece[]): readonly Piece[] {
    return [this.encoding.header, ...features];
  }
}

/** Features as GML, simple features of level 0 (OGC 10-100r3): the values of a row in the order of its columns. */
import { sql, type SQL } from "postgraphile/pg-sql2";
import { Bytes, type ByteRow } from "../../../server/kernel/database/database.ts";
import { hasParts, type ColumnType } from "../../../server/types/columnType.ts";
import { rowOf } from "../../../server/types/table.ts";
import type { XmlForm } from "../../../server/types/xmlForm.ts";
import { GmlWriter } from "../../../server/formats/gml/geometry.ts";
import { digitsOf, geometryWkb } from "../../crs/geometryJson.ts";
import {
  FEATURE_COLUMNS,
  shownGeometry,
  type EncodingScope,
  type FeatureKey,
  type RowSource,
} from "../../features/encoding.ts";
import { ColumnEncoding } from "../../features/formats/columnEncoding.ts";
import { escapeXml } from "../../../server/types/xml.ts";
import { putXml } from "../xml.ts";
import { featureIdOf } from "../../features/feature.ts";
import type { Collection, CollectionColumn } from "../../collections/collections.ts";
import { gmlIdOf, PREFIX, toXmlName, type Dialect } from "./names.ts";
import { gmlNameOf } from "./systems.ts";

export class GmlEncoding extends ColumnEncoding {
  readonly hasBinaryGeometry = true;
  /** The properties: the columns, and then the geometry. */
  readonly #properties: readonly Property[];
  /** By column; undefined where XML has PostgreSQL's text. */
  readonly #toXml: readonly XmlForm["toXml"][];
  readonly #type: string;
  /** The tag of the feature up to its id. */
  readonly #open: Buffer;
  /** By the number of properties up to the last one that has a value: what comes after that one. */
  readonly #closes: readonly Buffer[];
  /** The same at the end of the feature. */
  readonly #ends: readonly Buffer[];
  readonly #geometries: GmlWriter;
  readonly #id: GmlId;
  #unnamed = 0;

  constructor(scope: EncodingScope, dialect: Dialect) {
    super(scope);
    const { collection, crs, exactness = {} } = scope;
    this.#type = toXmlName(collection.id);
    const names = [...this.columns.map(({ name }) => name), collection.geometry?.name ?? ""].map(
      (name) => `${PREFIX}:${toXmlName(name)}`,
    );
    const closes = ['">', ...names.map((name) => `</${name}>`)];
    this.#properties = names.map((name, index) => propertyOf(name, closes[index]!));
    this.#closes = closes.map((close) => Buffer.from(close));
    this.#ends = closes.map((close) => Buffer.from(`${close}</${PREFIX}:${this.#type}>`));
    this.#toXml = this.columns.map(({ type }) => toXmlOf(type));
    this.#open = Buffer.from(`<${PREFIX}:${this.#type} gml:id="`);
    this.#id = new GmlId(collection);
    this.#geometries = new GmlWriter({
      places: digitsOf(crs, exactness),
      flipped: crs.flipped,
      srsName: escapeXml(gmlNameOf(crs)),
      hasIds: dialect.hasIds,
    });
  }

  geometry(source: RowSource): SQL {
    const { collection, crs, exactness } = this.scope;
    return shownGeometry(collection, source, (value, column) =>
      geometryWkb(value, column, crs, { ...source, ...exactness }),
    );
  }

  write(row: ByteRow, key: FeatureKey, out: Bytes): boolean {
    const id = this.idOf(key);
    out.putBytes(this.#open);
    out.append(id);
    const { length } = this.columns;
    let done = 0;
    for (let index = 0; index < length; index++) if (this.#putProperty(row, index, done, out)) done = index + 1;
    const hasPlace = !row.isNull(FEATURE_COLUMNS.geometry);
    const isShown = !row.is(FEATURE_COLUMNS.failed, "t") && (!hasPlace || this.#putPlace(row, done, id, out));
    if (isShown && hasPlace) done = length + 1;
    out.putBytes(this.#ends[done]!);
    return isShown;
  }

  /** The id of a feature, escaped. It is another one's after the next call. */
  protected idOf(key: FeatureKey): Bytes {
    return this.#id.of(key) ?? this.#id.put(`${this.#type}..${++this.#unnamed}`);
  }

  /**
   * Writes a property with what ends the one before it; nothing where it has no value, and then returns false. `done`:
   * the number of properties up to the last one that has a value.
   */
  #putProperty(row: ByteRow, index: number, done: number, out: Bytes): boolean {
    if (row.isNull(FEATURE_COLUMNS.values + index)) return false;
    const start = out.length;
    this.#openProperty(index, done, out);
    const isPut = this.#putValue(row, index, out);
    if (!isPut) out.length = start;
    return isPut;
  }

  #openProperty(index: number, done: number, out: Bytes): void {
    const { open, openAfter } = this.#properties[index]!;
    if (done === index) return out.putBytes(openAfter);
    out.putBytes(this.#closes[done]!);
    out.putBytes(open);
  }

  /** Writes the value of a column; false where XML Schema does not have it. */
  #putValue(row: ByteRow, index: number, out: Bytes): boolean {
    const at = FEATURE_COLUMNS.values + index;
    const start = out.length;
    putXml(row, at, out);
    const toXml = this.#toXml[index];
    if (!toXml || isDigit(out.buffer[out.length - 1]!)) return true;
    const text = toXml(row.text(at)!);
    out.length = start;
    if (text !== undefined) out.put(text);
    return text !== undefined;
  }

  /** Writes a property without the others, nothing where it has no value. `index`: that of a column, or behind them the geometry. */
  protected putAlone(row: ByteRow, index: number, id: Bytes, out: Bytes): void {
    const isPlace = index === this.columns.length;
    if (row.isNull(isPlace ? FEATURE_COLUMNS.geometry : FEATURE_COLUMNS.values + index)) return;
    const start = out.length;
    out.putBytes(this.#properties[index]!.open);
    const isPut = isPlace
      ? !row.is(FEATURE_COLUMNS.failed, "t") && this.#geometries.write(row, FEATURE_COLUMNS.geometry, id, out)
      : this.#putValue(row, index, out);
    if (isPut) out.putBytes(this.#closes[index + 1]!);
    else out.length = start;
  }

  /** The same as `#putProperty` for the geometry: false where it cannot be shown. */
  #putPlace(row: ByteRow, done: number, id: Bytes, out: Bytes): boolean {
    const start = out.length;
    this.#openProperty(this.columns.length, done, out);
    const isPut = this.#geometries.write(row, FEATURE_COLUMNS.geometry, id, out);
    if (!isPut) out.length = start;
    return isPut;
  }
}

/** One property of features, or their ids, for GetPropertyValue. */
export class ValueEncoding extends GmlEncoding {
  readonly #value: CollectionColumn | undefined;

  /** `value`: the column; undefined for the id. */
  constructor(scope: EncodingScope, dialect: Dialect, value: CollectionColumn | undefined) {
    super(scope, dialect);
    this.#value = value;
  }

  override geometry(source: RowSource): SQL {
    return this.#isGeometry ? super.geometry(source) : sql`null::text`;
  }

  override write(row: ByteRow, key: FeatureKey, out: Bytes): boolean {
    const id = this.idOf(key);
    const value = this.#value;
    if (!value) out.append(id);
    else this.putAlone(row, this.#isGeometry ? this.columns.length : this.columns.indexOf(value), id, out);
    return true;
  }

  get #isGeometry(): boolean {
    return this.#value !== undefined && this.#value.number === this.scope.collection.geometry?.number;
  }
}

/** The id of one feature after another. */
class GmlId {
  readonly #collection: Collection;
  readonly #bytes = new Bytes();
  /** The part before the key; undefined where it is not the same in an id. */
  readonly #before: Buffer | undefined;

  constructor(collection: Collection) {
    this.#collection = collection;
    const before = `${collection.id}.`;
    if (escapeXml(toXmlName(before)) === before) this.#before = Buffer.from(before);
  }

  /** Undefined for a feature without a key. */
  of(key: FeatureKey): Bytes | undefined {
    const text = featureIdOf(key);
    if (text === undefined) return undefined;
    if (this.#before && this.#putPlain(this.#before, text)) return this.#bytes;
    return this.put(escapeXml(gmlIdOf(this.#collection, key)!));
  }

  /** Returns whether all characters of the key are the same in an id. */
  #putPlain(before: Buffer, text: string): boolean {
    const bytes = this.#bytes;
    bytes.length = 0;
    bytes.putBytes(before);
    bytes.reserve(text.length);
    const { buffer } = bytes;
    let at = bytes.length;
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (PLAIN_IN_ID[code] !== 1) return false;
      buffer[at++] = code;
    }
    bytes.length = at;
    return true;
  }

  put(text: string): Bytes {
    this.#bytes.length = 0;
    this.#bytes.put(text);
    return this.#bytes;
  }
}

/** By character: those that are the same in an id, wherever they are. */
const PLAIN_IN_ID = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9.-]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** The tags of a property. */
interface Property {
  readonly open: Buffer;
  /** After what ends the property before it. */
  readonly openAfter: Buffer;
}

function propertyOf(name: string, before: string): Property {
  return { open: Buffer.from(`<${name}>`), openAfter: Buffer.from(`${before}<${name}>`) };
}

const isDigit = (byte: number): boolean => byte >= 48 && byte <= 57;

function toXmlOf(type: ColumnType): XmlForm["toXml"] {
  return hasParts(type) ? undefined : rowOf(type).xml.toXml;
}

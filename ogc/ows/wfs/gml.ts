/** Features as GML, simple features of level 0 (OGC 10-100r3): the values of a row in the order of its columns. */
import { sql, type SQL } from "postgraphile/pg-sql2";
import type { ByteRow, Bytes } from "../../../server/kernel/database/database.ts";
import { hasParts, type ColumnType } from "../../../server/types/columnType.ts";
import { rowOf } from "../../../server/types/table.ts";
import type { XmlForm } from "../../../server/types/xmlForm.ts";
import type { CollectionColumn } from "../../collections/collections.ts";
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
import { gmlIdOf, PREFIX, toXmlName, type Dialect } from "./names.ts";
import { gmlNameOf } from "./systems.ts";

export class GmlEncoding extends ColumnEncoding {
  readonly hasBinaryGeometry = true;
  readonly #properties: readonly Element[];
  /** By column; undefined where XML has PostgreSQL's text. */
  readonly #toXml: readonly XmlForm["toXml"][];
  readonly #type: string;
  readonly #close: Buffer;
  readonly #geometry: Element;
  readonly #geometries: GmlWriter;
  #unnamed = 0;

  constructor(scope: EncodingScope, dialect: Dialect) {
    super(scope);
    const { collection, crs, exactness = {} } = scope;
    this.#properties = this.columns.map(({ name }) => elementOf(name));
    this.#toXml = this.columns.map(({ type }) => toXmlOf(type));
    this.#type = toXmlName(collection.id);
    this.#close = Buffer.from(`</${PREFIX}:${this.#type}>`);
    this.#geometry = elementOf(collection.geometry?.name ?? "");
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
    const id = escapeXml(this.idOf(key));
    out.put(`<${PREFIX}:${this.#type} gml:id="${id}">`);
    for (let index = 0; index < this.columns.length; index++) this.putProperty(row, index, out);
    const isShown = this.putPlace(row, id, out);
    out.putBytes(this.#close);
    return isShown;
  }

  protected idOf(key: FeatureKey): string {
    return gmlIdOf(this.scope.collection, key) ?? `${this.#type}..${++this.#unnamed}`;
  }

  /** Writes the property of a column; nothing where it has no value, or one that XML Schema does not have. */
  protected putProperty(row: ByteRow, index: number, out: Bytes): void {
    const at = FEATURE_COLUMNS.values + index;
    if (row.isNull(at)) return;
    const { open, close } = this.#properties[index]!;
    const before = out.length;
    out.putBytes(open);
    const start = out.length;
    putXml(row, at, out);
    const toXml = this.#toXml[index];
    if (toXml && !isDigit(out.buffer[out.length - 1]!)) {
      const text = toXml(row.text(at)!);
      out.length = text === undefined ? before : start;
      if (text === undefined) return;
      out.put(text);
    }
    out.putBytes(close);
  }

  /**
   * Writes the geometry as a property; nothing where there is none, or none that can be shown: then it is false. `id`: of the
   * feature, escaped.
   */
  protected putPlace(row: ByteRow, id: string, out: Bytes): boolean {
    if (row.is(FEATURE_COLUMNS.failed, "t")) return false;
    if (row.isNull(FEATURE_COLUMNS.geometry)) return true;
    const start = out.length;
    out.putBytes(this.#geometry.open);
    if (!this.#geometries.write(row, FEATURE_COLUMNS.geometry, id, out)) {
      out.length = start;
      return false;
    }
    out.putBytes(this.#geometry.close);
    return true;
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
    const id = escapeXml(this.idOf(key));
    const value = this.#value;
    if (!value) out.put(id);
    else if (this.#isGeometry) this.putPlace(row, id, out);
    else this.putProperty(row, this.columns.indexOf(value), out);
    return true;
  }

  get #isGeometry(): boolean {
    return this.#value !== undefined && this.#value.number === this.scope.collection.geometry?.number;
  }
}

/** Tags around a value. */
interface Element {
  readonly open: Buffer;
  readonly close: Buffer;
}

function elementOf(column: string): Element {
  const name = `${PREFIX}:${toXmlName(column)}`;
  return { open: Buffer.from(`<${name}>`), close: Buffer.from(`</${name}>`) };
}

const isDigit = (byte: number): boolean => byte >= 48 && byte <= 57;

function toXmlOf(type: ColumnType): XmlForm["toXml"] {
  return hasParts(type) ? undefined : rowOf(type).xml.toXml;
}

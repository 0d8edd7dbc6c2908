/** Features as GML, simple features of level 0 (OGC 10-100r3): the values of a row in the order of its columns. */
import { sql, type SQL } from "postgraphile/pg-sql2";
import type { ByteRow, Bytes } from "../../../server/kernel/database/database.ts";
import { hasParts } from "../../../server/types/columnType.ts";
import type { CollectionColumn } from "../../collections/collections.ts";
import { geometryGml } from "../../crs/geometryJson.ts";
import {
  FEATURE_COLUMNS,
  shownGeometry,
  type EncodingScope,
  type FeatureKey,
  type RowSource,
} from "../../features/encoding.ts";
import { ColumnEncoding } from "../../features/formats/columnEncoding.ts";
import { escapeXml } from "../xml.ts";
import { gmlIdOf, PREFIX, toXmlName, type Dialect } from "./names.ts";

/** Geometries that have an id in GML 3.2. */
const GEOMETRIES =
  /<gml:(Point|LineString|Curve|Polygon|Surface|MultiPoint|MultiCurve|MultiSurface|MultiGeometry|PolyhedralSurface|Tin|TriangulatedSurface)(?=[ >/])/g;
const NOT_FINITE = /nan|inf/i;

export class GmlEncoding extends ColumnEncoding {
  readonly #names: readonly string[];
  readonly #dialect: Dialect;
  readonly #type: string;
  readonly #geometry: string;
  #unnamed = 0;

  constructor(scope: EncodingScope, dialect: Dialect) {
    super(scope);
    this.#dialect = dialect;
    this.#names = this.columns.map(({ name }) => toXmlName(name));
    this.#type = toXmlName(scope.collection.id);
    this.#geometry = toXmlName(scope.collection.geometry?.name ?? "");
  }

  geometry(source: RowSource): SQL {
    const { collection, crs, exactness } = this.scope;
    return shownGeometry(collection, source, (value, column) =>
      geometryGml(value, column, crs, { ...source, ...exactness }),
    );
  }

  write(row: ByteRow, key: FeatureKey, out: Bytes): boolean {
    const id = this.idOf(key);
    const values = this.columns.map((_, index) => this.propertyOf(row, index));
    const { text, isShown } = this.placeOf(row, id);
    out.put(`<${PREFIX}:${this.#type} gml:id="${escapeXml(id)}">${values.join("")}${text}</${PREFIX}:${this.#type}>`);
    return isShown;
  }

  protected idOf(key: FeatureKey): string {
    return gmlIdOf(this.scope.collection, key) ?? `${this.#type}..${++this.#unnamed}`;
  }

  /** A column as a property; empty where it has no value. */
  protected propertyOf(row: ByteRow, index: number): string {
    const text = row.text(FEATURE_COLUMNS.values + index);
    const name = this.#names[index]!;
    return text === null
      ? ""
      : `<${PREFIX}:${name}>${escapeXml(shown(this.columns[index]!, text))}</${PREFIX}:${name}>`;
  }

  /** The geometry as a property; empty where there is none, or it cannot be shown. */
  protected placeOf(row: ByteRow, id: string): { readonly text: string; readonly isShown: boolean } {
    const geometry = row.text(FEATURE_COLUMNS.geometry);
    const isShown = row.text(FEATURE_COLUMNS.failed) === "f" && !(geometry !== null && NOT_FINITE.test(geometry));
    const text =
      geometry === null || !isShown
        ? ""
        : `<${PREFIX}:${this.#geometry}>${this.#withIds(geometry, id)}</${PREFIX}:${this.#geometry}>`;
    return { text, isShown };
  }

  #withIds(geometry: string, id: string): string {
    if (!this.#dialect.hasIds) return geometry;
    let number = 0;
    return geometry.replace(GEOMETRIES, (tag) => `${tag} gml:id="${escapeXml(id)}.g${++number}"`);
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
    if (!value) out.put(escapeXml(id));
    else if (this.#isGeometry) out.put(this.placeOf(row, id).text);
    else out.put(this.propertyOf(row, this.columns.indexOf(value)));
    return true;
  }

  get #isGeometry(): boolean {
    return this.#value !== undefined && this.#value.number === this.scope.collection.geometry?.number;
  }
}

/** XML Schema's text of a value. */
function shown({ type }: CollectionColumn, text: string): string {
  if (hasParts(type)) return text;
  if (type.kind === "boolean") return text === "t" ? "true" : text === "f" ? "false" : text;
  return type.kind === "float" ? text.replace("Infinity", "INF") : text;
}

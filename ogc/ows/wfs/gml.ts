/** Features as GML, simple features of level 0 (OGC 10-100r3): the values of a row in the order of its columns. */
import type { SQL } from "postgraphile/pg-sql2";
import type { ByteRow, Bytes } from "../../../server/kernel/database/database.ts";
import { hasParts } from "../../../server/types/columnType.ts";
import type { CollectionColumn } from "../../collections/collections.ts";
import { geometryGml } from "../../crs/geometryJson.ts";
import { FEATURE_COLUMNS, type EncodingScope, type FeatureKey, type RowSource } from "../../features/encoding.ts";
import { ColumnEncoding } from "../../features/formats/columnEncoding.ts";
import { escapeXml } from "../xml.ts";
import { gmlIdOf, PREFIX, toXmlName, type Dialect } from "./names.ts";

/** Geometries that have an id of their own in GML 3.2. */
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
    this.#geometry = toXmlName(scope.collection.geometry.name);
  }

  geometry(source: RowSource): SQL {
    const { collection, crs, exactness } = this.scope;
    return geometryGml(source.column(collection.geometry), collection.geometry, crs, { ...source, ...exactness });
  }

  write(row: ByteRow, key: FeatureKey, out: Bytes): boolean {
    const { collection } = this.scope;
    const id = gmlIdOf(collection, key) ?? `${this.#type}..${++this.#unnamed}`;
    const values = this.columns.map((column, index) => {
      const text = row.text(FEATURE_COLUMNS.values + index);
      const name = this.#names[index]!;
      return text === null ? "" : `<${PREFIX}:${name}>${escapeXml(shown(column, text))}</${PREFIX}:${name}>`;
    });
    const geometry = row.text(FEATURE_COLUMNS.geometry);
    const isShown = row.text(FEATURE_COLUMNS.failed) === "f" && !(geometry !== null && NOT_FINITE.test(geometry));
    const place =
      geometry === null || !isShown
        ? ""
        : `<${PREFIX}:${this.#geometry}>${this.#withIds(geometry, id)}</${PREFIX}:${this.#geometry}>`;
    out.put(`<${PREFIX}:${this.#type} gml:id="${escapeXml(id)}">${values.join("")}${place}</${PREFIX}:${this.#type}>`);
    return isShown;
  }

  #withIds(geometry: string, id: string): string {
    if (!this.#dialect.hasIds) return geometry;
    let number = 0;
    return geometry.replace(GEOMETRIES, (tag) => `${tag} gml:id="${escapeXml(id)}.g${++number}"`);
  }
}

/** XML Schema's text of a value. */
function shown({ type }: CollectionColumn, text: string): string {
  if (hasParts(type)) return text;
  if (type.kind === "boolean") return text === "t" ? "true" : text === "f" ? "false" : text;
  return type.kind === "float" ? text.replace("Infinity", "INF") : text;
}

/** Features as a file in the same form as rows of a table: Parquet, Arrow, GeoPackage and KML. */
import { sql, type SQL } from "postgraphile/pg-sql2";
import type { Column } from "../../../server/formats/column.ts";
import { columnKind } from "../../../server/formats/columnar/columnKind.ts";
import { describeFile, type FeatureFile } from "../../../server/formats/featureFile.ts";
import { isFiniteWkb } from "../../../server/formats/gpkg/wkbBox.ts";
import { CellFinder, putCell, putNull, textRows } from "../../../server/formats/rowBytes.ts";
import type { RowFormatName } from "../../../server/formats/names.ts";
import { ROW_FORMATS } from "../../../server/formats/ofRows.ts";
import type { Writer } from "../../../server/formats/writer.ts";
import type { ByteRow, Bytes, Transaction } from "../../../server/kernel/database/database.ts";
import type { Write } from "../../../server/kernel/http/answer.ts";
import { GatewayError } from "../../../server/ground/errors.ts";
import { stringOf, toJson } from "../../../server/types/textJson.ts";
import { rowOf } from "../../../server/types/table.ts";
import type { ColumnType } from "../../../server/types/columnType.ts";
import { postgis } from "../../../server/filter/sqlTypes.ts";
import type { CollectionColumn, SpatialColumn } from "../../collections/collections.ts";
import { WGS84 } from "../../crs/crs.ts";
import { geometryWkb, planar } from "../../crs/geometryJson.ts";
import { FEATURE_COLUMNS, shownGeometry, type EncodingScope, type FeatureKey, type RowSource } from "../encoding.ts";
import { FeatureDocument, type Piece } from "../page/document.ts";
import { selectGeometries, type Selection } from "../page/featureSql.ts";
import type { Page } from "../page/pagePlace.ts";
import { ColumnEncoding, valueSql } from "./columnEncoding.ts";

const TEXT: ColumnType = { kind: "text", schema: "pg_catalog", name: "text" };
const PLAIN = stringOf(toJson.asItIs);

/** Whether the file format has a type of its own for the column. Otherwise the file has GeoJSON's text. */
function isNative({ type }: CollectionColumn): boolean {
  return type.kind !== "geometry" && columnKind(type) !== "text";
}

/**
 * Writes no file yet: it collects the values of each row as PostgreSQL's texts, which the document reads when it takes
 * them.
 */
class RowEncoding extends ColumnEncoding {
  readonly #hasMeasures: boolean;

  constructor(scope: EncodingScope, hasMeasures: boolean) {
    super(scope);
    this.#hasMeasures = hasMeasures;
  }

  override values(source: RowSource): { readonly values: readonly SQL[] } {
    return {
      values: this.columns.map((each) => {
        const value = source.column(each);
        return isNative(each) ? value : valueSql(value, each.type, source);
      }),
    };
  }

  geometry(source: RowSource): SQL {
    const { collection, crs, exactness } = this.scope;
    return shownGeometry(collection, source, (value, column) =>
      geometryWkb(this.#hasMeasures ? value : withoutMeasures(value, column), column, crs, { ...source, ...exactness }),
    );
  }

  write(row: ByteRow, _key: FeatureKey, out: Bytes): boolean {
    for (let index = 0; index < this.columns.length; index++) putCell(row, FEATURE_COLUMNS.values + index, out);
    if (!this.scope.collection.geometry) return true;
    const start = out.length;
    putCell(row, FEATURE_COLUMNS.geometry, out);
    if (row.is(FEATURE_COLUMNS.failed, "f") && isFinite(out, out.length - row.lengthOf(FEATURE_COLUMNS.geometry)))
      return true;
    out.length = start;
    putNull(out);
    return false;
  }

  /** The columns of the file: the values, and the geometry after them. */
  get fileColumns(): readonly Column[] {
    const { geometry } = this.scope.collection;
    const toColumn = (column: CollectionColumn): Column => ({
      name: column.name,
      type: isNative(column) ? column.type : TEXT,
      output: isNative(column) ? rowOf(column.type).text.methods : PLAIN,
      formatted: false,
    });
    const spatial = geometry && { name: geometry.name, type: geometry.type, output: PLAIN, formatted: false };
    return [...this.columns.map(toColumn), ...(spatial ? [spatial] : [])];
  }
}

const codeOf = (character: string): number => character.charCodeAt(0);
const [F, ZERO, SEVEN, EIGHT] = ["f", "0", "7", "8"].map(codeOf) as [number, number, number, number];
/** The prefix of PostgreSQL's text of bytes. */
const HEX = "\\x";

/**
 * Whether all coordinates of the well-known binary are finite numbers. It is PostgreSQL's text of bytes, from `start`
 * on. The coordinates are checked only if the two highest bytes of such a number occur somewhere in it.
 */
function isFinite({ buffer, length }: Bytes, start: number): boolean {
  for (let at = start + HEX.length; at + 3 < length; at += 2) {
    if (buffer[at] !== F || buffer[at + 3] !== F) continue;
    const [second, third] = [buffer[at + 1], buffer[at + 2]];
    if ((second === ZERO || second === EIGHT) && (third === SEVEN || third === F))
      return isFiniteWkb(Buffer.from(buffer.toString("latin1", start + HEX.length, length), "hex"));
  }
  return true;
}

export class FileDocument extends FeatureDocument {
  readonly encoding: RowEncoding;
  readonly #format: RowFormatName;
  /** Whether its coordinates are longitude and latitude, without measures: GeoPackage alone has any. */
  readonly #isPlain: boolean;
  readonly #scope: EncodingScope;
  readonly #columns: readonly Column[];
  #file!: FeatureFile;
  #writer: Writer | undefined;
  readonly #cells: CellFinder;

  constructor(format: RowFormatName, scope: EncodingScope) {
    super();
    this.#format = format;
    this.#isPlain = format !== "geopackage";
    this.#scope = scope;
    if (scope.collection.geometry && this.#isPlain && scope.crs.srid !== WGS84)
      throw new GatewayError("INVALID_CRS", `crs: ${this.#format} has longitude and latitude only: leave crs out`);
    this.encoding = new RowEncoding(scope, !this.#isPlain);
    this.#columns = this.encoding.fileColumns;
    this.#cells = new CellFinder(this.#columns.length);
  }

  /**
   * Determines which kinds of geometries there are, for the head of the file. If the column's type does not tell, all
   * geometries are read.
   */
  override async prepare(transaction: Transaction, selection: Selection, page: Page): Promise<void> {
    const { collection, crs } = this.#scope;
    const { schema, relation, geometry, key, routine } = collection;
    const file = await describeFile(
      transaction,
      {
        ...{ schema, table: relation, srs: crs.srid },
        key: this.#isPlain || routine || page.order.length > 0 || key.length > 1 ? undefined : key[0]?.name,
      },
      geometry && {
        value: sql`p.value0`,
        type: geometry.type,
        from: sql`from ${selectGeometries(collection, selection, page)}`,
        declared: geometry,
      },
    );
    const { dimensions } = file;
    this.#file = this.#isPlain ? { ...file, dimensions: { ...dimensions, m: false } } : file;
  }

  begin(features: readonly Piece[]): readonly Piece[] {
    return features;
  }

  override readonly written = {
    add: async (pieces: readonly Piece[], write: Write): Promise<void> => {
      const writer = await this.#opened(write);
      for (const piece of pieces as readonly Buffer[])
        if (writer.written) await writer.written.add(piece);
        else await writer.rows(textRows(this.#cells.find(piece)));
    },
    end: async (write: Write): Promise<void> => {
      const writer = await this.#opened(write);
      await writer.end();
    },
  };

  override async close(): Promise<void> {
    await this.#writer?.close?.();
  }

  async #opened(write: Write): Promise<Writer> {
    if (this.#writer) return this.#writer;
    this.#writer = ROW_FORMATS[this.#format].open(this.#file).open(write);
    await this.#writer.start(this.#columns);
    return this.#writer;
  }
}

/** The geometry without measures, which this writer cannot put into GeoParquet and GeoArrow. */
function withoutMeasures(value: SQL, { type, more }: SpatialColumn): SQL {
  if (more?.m === false) return value;
  const own = planar(value, type);
  const flat = postgis(type, "st_force2d", own);
  const high = postgis(type, "st_force3d", own);
  return sql`(case ${postgis(type, "st_zmflag", own)} when 1 then ${flat} when 3 then ${high} else ${own} end)`;
}

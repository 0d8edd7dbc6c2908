/**
 * Features as FlatGeobuf 3.0, with an index of their boxes where they are few enough to be held. PostGIS's own function
 * for it takes only geometries that are not null and of one type, so PostgreSQL gives well-known binary here.
 */
import { sql, type SQL } from "postgraphile/pg-sql2";
import type { ByteRow, Bytes, Transaction } from "../../../server/kernel/database/database.ts";
import type { Dimensions } from "../../../server/formats/dimensions.ts";
import { FeatureDocument, type Beginning, type Piece } from "../page/document.ts";
import { FEATURE_COLUMNS, shownGeometry, type EncodingScope, type FeatureKey, type RowSource } from "../encoding.ts";
import { selectDimensions, type Selection } from "../page/featureSql.ts";
import type { Page } from "../page/pagePlace.ts";
import { isSpatial } from "../../collections/collections.ts";
import { geometryWkb } from "../../crs/geometryJson.ts";
import { ColumnEncoding } from "./columnEncoding.ts";
import { columnType, isExpressible, type ColumnTypeCode } from "../../../server/formats/fgb/columnType.ts";
import { FeatureWriter, type Box } from "../../../server/formats/fgb/feature.ts";
import { header, MAGIC } from "../../../server/formats/fgb/header.ts";
import { indexOf } from "../../../server/formats/fgb/packedTree.ts";

const FLAT: Dimensions = { z: false, m: false };

/** The most bytes in memory for the index; a larger file has none. */
const MOST_HELD_BYTES = 32 * 1024 * 1024;

class FlatgeobufEncoding extends ColumnEncoding {
  /** The boxes of the written features, in order; undefined for a feature without geometry. */
  readonly boxes: (Box | undefined)[] = [];
  readonly #types: readonly ColumnTypeCode[];
  #writer = new FeatureWriter(FLAT);

  constructor(scope: EncodingScope) {
    super(scope);
    this.#types = this.columns.map(({ type }) => columnType(type));
  }

  set dimensions(dimensions: Dimensions) {
    this.#writer = new FeatureWriter(dimensions);
  }

  geometry(source: RowSource): SQL {
    const { collection, crs, exactness } = this.scope;
    return shownGeometry(collection, source, (value, column) =>
      geometryWkb(value, column, crs, { ...source, ...exactness }),
    );
  }

  write(row: ByteRow, _key: FeatureKey, out: Bytes): boolean {
    const writer = this.#writer;
    writer.begin(out);
    for (let index = 0; index < this.#types.length; index++) {
      const text = row.text(FEATURE_COLUMNS.values + index);
      const type = this.#types[index]!;
      if (text !== null && isExpressible(type, text)) writer.property(index, type, text);
    }
    const box = writer.end(row.text(FEATURE_COLUMNS.geometry)?.slice(HEX.length));
    this.boxes.push(box === "not finite" ? undefined : box);
    return row.text(FEATURE_COLUMNS.failed) === "f" && box !== "not finite";
  }
}

/** The prefix of PostgreSQL's text of bytes. */
const HEX = "\\x";

export class FlatgeobufDocument extends FeatureDocument {
  readonly encoding: FlatgeobufEncoding;
  readonly #scope: EncodingScope;
  #dimensions = FLAT;

  constructor(scope: EncodingScope) {
    super();
    this.#scope = scope;
    this.encoding = new FlatgeobufEncoding(scope);
  }

  /**
   * Determines the dimensions of all geometries, for the header. If the column's type does not tell, all geometries are
   * read.
   */
  override async prepare(transaction: Transaction, selection: Selection, page: Page): Promise<void> {
    const { collection } = this.#scope;
    this.#dimensions =
      collection.geometry?.more ??
      (isSpatial(collection) ? await dimensionsOf(transaction, selectDimensions(collection, selection, page)) : FLAT);
    this.encoding.dimensions = this.#dimensions;
  }

  override holds(bytes: number, count: number): boolean {
    return this.#isIndexed(count) ? bytes < MOST_HELD_BYTES : super.holds(bytes, count);
  }

  /** Whether the file gets an index, which puts the features in an order of its own. */
  #isIndexed(count: number): boolean {
    const { config, isSorted } = this.#scope;
    return !isSorted && count <= config.fgbIndexed;
  }

  begin(features: readonly Piece[], { numberReturned, isWhole }: Beginning): readonly Piece[] {
    const { collection, crs } = this.#scope;
    const { boxes, columns } = this.encoding;
    const index =
      isWhole && this.#isIndexed(numberReturned) ? indexOf(features as readonly Buffer[], boxes) : undefined;
    const geometry = collection.geometry ?? { geometryType: undefined };
    const own = {
      collection: { ...collection, geometry },
      columns,
      crs,
      dimensions: this.#dimensions,
      count: numberReturned,
    };
    return [MAGIC, header({ ...own, envelope: index?.envelope }), ...(index ? [index.tree, index.features] : features)];
  }
}

async function dimensionsOf(transaction: Transaction, query: SQL): Promise<Dimensions> {
  const { text, values } = sql.compile(query);
  const { rows } = await transaction.query<Dimensions>({ text, values });
  return rows[0]!;
}

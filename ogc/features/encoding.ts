/** The common part of the formats of features: the expressions that they select, and their output. */
import { sql, type SQL } from "postgraphile/pg-sql2";
import type { OgcConfig } from "../../server/kernel/config/ogc.ts";
import type { ByteRow, Bytes } from "../../server/kernel/database/database.ts";
import type { Collection, CollectionColumn, SpatialColumn } from "../collections/collections.ts";
import type { Crs } from "../crs/crs.ts";
import type { Exactness, TransformOptions } from "../crs/geometryJson.ts";

/** PostgreSQL's text of each column of the key. */
export type FeatureKey = readonly (string | null)[];

/** The input of an encoding. */
export interface EncodingScope {
  readonly collection: Collection;
  readonly crs: Crs;
  /** The properties of features, without the geometry. */
  readonly given: readonly CollectionColumn[];
  /** Default: by the system. */
  readonly exactness?: Exactness;
  /** Whether the request sets the order of the features. */
  readonly isSorted: boolean;
  readonly config: Pick<OgcConfig, "fgbIndexed">;
}

/** A selected value of a row of the collection; `column`: its SQL. */
export interface RowSource extends TransformOptions {
  column(column: Pick<CollectionColumn, "name">): SQL;
}

/** SQL of a collection's geometry in the form that `show` gives it; NULL where there is none. */
export function shownGeometry(
  { geometry }: Pick<Collection, "geometry">,
  source: RowSource,
  show: (value: SQL, column: SpatialColumn) => SQL,
): SQL {
  return geometry ? show(source.column(geometry), geometry) : sql`null::text`;
}

export interface Selected {
  readonly values: readonly SQL[];
  /** Further sources of the values, besides the row. */
  readonly from?: SQL;
}

/**
 * The columns of a result row, in this order: the geometry in the encoding's form, or null; whether there is one that
 * could not be shown (`t` or `f`); the number of rows (only with `Page.last`, or of `fewStatement`) or the version of
 * the row (only of one feature); the values that the encoding selects (from `values` on); the text of each column of
 * the order and of the key.
 */
export const FEATURE_COLUMNS = { geometry: 0, failed: 1, count: 2, version: 2, values: 3 };

export interface FeatureEncoding {
  /** A name of its selection: the same name means the same SQL. Undefined where statements are not kept. */
  readonly shape?: string | undefined;
  /** Whether the geometry, which is bytes then, comes as PostgreSQL's binary form has it. */
  readonly hasBinaryGeometry?: boolean;
  /** The SQL of the geometry; NULL where there is none to show. */
  geometry(source: RowSource): SQL;
  /** The columns from which `values` are made. */
  readonly columns: readonly CollectionColumn[];
  /** The number of `values`. */
  readonly size: number;
  values(source: RowSource): Selected;
  /** The separator between two features. */
  readonly separator: string;
  /** Writes the feature of a row. Returns false if its geometry could not be shown. */
  write(row: ByteRow, key: FeatureKey, out: Bytes): boolean;
}

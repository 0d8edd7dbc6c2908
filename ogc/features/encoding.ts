/** What the formats of features have in common: what is selected of a row, and what is made of it. */
import type { SQL } from "postgraphile/pg-sql2";
import type { OgcConfig } from "../../server/kernel/config.ts";
import type { ByteRow, Bytes } from "../../server/kernel/database/database.ts";
import type { Collection, CollectionColumn } from "../collections/collections.ts";
import type { Crs } from "../crs/crs.ts";
import type { TransformOptions } from "../crs/geometryJson.ts";

/** PostgreSQL's text of each column of the key. */
export type FeatureKey = readonly (string | null)[];

/** What an encoding is made for. */
export interface EncodingScope {
  readonly collection: Collection;
  readonly crs: Crs;
  /** What features are given with, without the geometry. */
  readonly given: readonly CollectionColumn[];
  /** How many decimals coordinates have in text. Default: as the system wants. */
  readonly precision?: number | undefined;
  /** Whether the request says an order of them. */
  readonly isSorted: boolean;
  readonly config: Pick<OgcConfig, "fgbIndexed">;
}

/** What of a row of the collection is selected; `column`: it in SQL. */
export interface RowSource extends TransformOptions {
  column(column: Pick<CollectionColumn, "name">): SQL;
}

export interface Selected {
  readonly values: readonly SQL[];
  /** What the values are selected from, beside the row. */
  readonly from?: SQL;
}

/**
 * Where what stands in a row: the geometry as the encoding has it, or null; whether there is one that could not be shown (`t`
 * or `f`); how many rows there are (only with `Page.last`, or of `fewStatement`) or the version of the row (only of one feature); from `values` on what the encoding selects; and then the text of
 * each column of the order and of the key.
 */
export const FEATURE_COLUMNS = { geometry: 0, failed: 1, count: 2, version: 2, values: 3 };

export interface FeatureEncoding {
  /** What it selects in a word: the same word, the same SQL. Undefined where statements are not kept. */
  readonly shape?: string;
  /** The geometry as PostgreSQL gives it; NULL where there is none to show. */
  geometry(source: RowSource): SQL;
  /** What `values` are made of. */
  readonly columns: readonly CollectionColumn[];
  /** How many `values` there are. */
  readonly size: number;
  values(source: RowSource): Selected;
  /** What stands between two features. */
  readonly separator: string;
  /** Writes the feature of a row. Gives back whether its geometry, if it has one, could be shown. */
  write(row: ByteRow, key: FeatureKey, out: Bytes): boolean;
}

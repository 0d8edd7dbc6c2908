/** What a collection is, and what its features are read from. */
import { sql, type SQL } from "postgraphile/pg-sql2";
import type { ColumnType } from "../../server/types/columnType.ts";
import type { Crs, Srs } from "../crs/crs.ts";
import type { Raster } from "./rasterCollections.ts";

export interface CollectionColumn {
  /** Number in the relation, as privileges and keys know it. */
  readonly number: number;
  readonly name: string;
  readonly type: ColumnType;
  readonly notNull: boolean;
  readonly title: string | undefined;
  readonly description: string | undefined;
  /** Marked `@filterable`: `name=value` selects features by it. */
  readonly filterable: boolean;
  /** The text search configuration of `@search`, of the column or else of its relation. */
  readonly search?: string;
  /** Schema of the extension pg_trgm, which `similar` needs. */
  readonly trigrams?: string;
  /** Not marked `@filterable off`: a filter may name it. */
  readonly queryable: boolean;
  /** Marked `@instant`: when what the feature tells of was. */
  readonly instant: boolean;
  /** Whether PostgreSQL or Portolan gives its values: generated, always an identity, of a materialized view, of workflow or history. */
  readonly readOnly: boolean;
  /** Whether a row that does not give it gets a value all the same. */
  readonly hasDefault: boolean;
  /** What it alone refers to by foreign keys: oids of relations, and numbers of their columns. */
  readonly references: readonly { readonly relation: number; readonly column: number }[];
}

/** What coordinates have beside x and y: heights, measures. */
export interface Dimensions {
  readonly z: boolean;
  readonly m: boolean;
}

/** The geometry or geography column that a collection shows. */
export interface SpatialColumn extends CollectionColumn {
  readonly geography: boolean;
  /** SRID of all its values; 0 when the column takes any. */
  readonly srid: number;
  /** PostGIS's name of the geometry type, e.g. `MultiPolygon`; undefined when the column takes any. */
  readonly geometryType: string | undefined;
  /** How many ordinates a position of its values has beside x and y; undefined when the column takes any. */
  readonly more: Dimensions | undefined;
}

/** A style, and PostgreSQL's judgement of it. */
export interface JudgedStyle {
  readonly json: unknown;
  /** What is wrong, by its path; undefined: nothing. */
  readonly problem: string | undefined;
}

/** What a filter may read of a relation, whether features are read from it or not. */
export interface Readable {
  readonly oid: number;
  readonly schema: string;
  readonly relation: string;
  /** In the order of the relation. */
  readonly columns: readonly CollectionColumn[];
  /** What a foreign key joins it with, by the names of `related.ts`. */
  readonly related: ReadonlyMap<string, RelatedTable>;
  /** Schema of PostGIS. */
  readonly postgis: string;
  /** Schema of the extension unaccent; undefined where that is not installed. */
  readonly unaccent: string | undefined;
  /** Schema of the extension pg_trgm; undefined where that is not installed. */
  readonly trigrams: string | undefined;
}

/** What a foreign key leads to, whichever of the two refers to the other. */
export interface RelatedTable {
  readonly target: Readable;
  /** Names of columns that are equal. */
  readonly on: readonly (readonly [here: string, there: string])[];
}

export interface Collection extends Readable {
  /** `schema.table`, and `schema.table.column` for geometry columns after the first. */
  readonly id: string;
  readonly kind: "r" | "p" | "v" | "m" | "f";
  readonly title: string;
  readonly description: string | undefined;
  readonly geometry: SpatialColumn;
  /** The columns that tell a feature from all others, in key order; empty where there are none. */
  readonly key: readonly CollectionColumn[];
  /** Systems that requests may name. */
  readonly crs: readonly Crs[];
  /** What PostGIS knows of the system of the storage; undefined where the geometries have none in common, or it knows nothing. */
  readonly srs: Srs | undefined;
  /** As what the system of the storage is told: its own, or CRS84 for one that clients would read in another order. */
  readonly storageCrs: Crs | undefined;
  /** Whether features may be written at all: that is switched on, and there is a key to name them by. */
  readonly isWritable: boolean;
  /** Whether the caller may read columns of a table only, and not what PostgreSQL itself knows of a row. Default false. */
  readonly isNarrow?: boolean;
  /** Whether PostgreSQL chooses the rows by policies. */
  readonly rowSecurity: boolean;
  /** Set where the collection is a file. What stands for its geometry is then a column of its table, for the rights. */
  readonly raster: Raster | undefined;
  /** Since when there is history, from which it can be read as of an instant; undefined: none is kept. */
  readonly since: Date | undefined;
  /** The instant as of which it is read; undefined: now. */
  readonly instant?: string | undefined;
  /** As it was set, by `set_style` or the comment `@style`; undefined: the default. */
  readonly style: JudgedStyle | undefined;
  /** The text of another style, right, that the request is to be drawn with. */
  readonly draftStyle?: string;
  /** The comment `@tile`: what tiles of it have (tiles/tileTag.ts). */
  readonly tile: string | undefined;
}

/** What features are read from, here and nowhere else: the relation, or the function that gives it as of an instant. */
export function sourceOf({ schema, relation, instant }: Collection): SQL {
  if (instant === undefined) return sql.identifier(schema, relation);
  return sql`${sql.identifier(`${schema}__history`, `as_of_${relation}`)}(${sql.value(instant)}::timestamptz)`;
}

const atInstants = new WeakMap<Collection, Collection>();

/** The collection as of an instant: the same object for the same instant as the time before. */
export function asOf(collection: Collection, instant: string | undefined): Collection {
  if (instant === undefined || collection.since === undefined) return collection;
  const known = atInstants.get(collection);
  if (known?.instant === instant) return known;
  const then = { ...collection, instant };
  atInstants.set(collection, then);
  return then;
}

/** By id, in the order of schema and name. */
export type CollectionMap = ReadonlyMap<string, Collection>;

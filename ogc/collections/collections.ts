/** Collections, and the sources of their features. */
import type { Dimensions } from "../../server/formats/dimensions.ts";
import { sql, type SQL } from "postgraphile/pg-sql2";
import { GatewayError } from "../../server/ground/errors.ts";
import { pastRows } from "../../server/filter/pastRows.ts";
import type { ColumnType } from "../../server/types/columnType.ts";
import type { Crs, Srs } from "../crs/crs.ts";
import { callOf, type Routine } from "./routines.ts";
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
  /** Marked `@instant`: the time that the feature is about. */
  readonly instant: boolean;
  /**
   * Whether PostgreSQL or Portolan sets its values: generated, always an identity, of a materialized view, of workflow or
   * history.
   */
  readonly readOnly: boolean;
  /** Whether a row without it gets a value all the same. */
  readonly hasDefault: boolean;
  /** The targets of foreign keys of this column alone: oids of relations, and numbers of their columns. */
  readonly references: readonly { readonly relation: number; readonly column: number }[];
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
  /** The fault, with its path; undefined: none. */
  readonly problem: string | undefined;
}

/** A style of a collection by its name. */
export interface NamedStyle {
  readonly name: string;
  readonly title: string | undefined;
  /** That of `set_style` or the comment `@style`; undefined: as the geometry is drawn by default. */
  readonly judged: JudgedStyle | undefined;
}

/** The parts of a relation that a filter may read, whether it is a collection or not. */
export interface Readable {
  /** That of a function is negative, so that it is never that of a relation. */
  readonly oid: number;
  readonly schema: string;
  readonly relation: string;
  /** In the order of the relation. */
  readonly columns: readonly CollectionColumn[];
  /** The relations that a foreign key joins it with, by the names of `related.ts`. */
  readonly related: ReadonlyMap<string, RelatedTable>;
  /** Schema of PostGIS. */
  readonly postgis: string;
  /** Schema of the extension unaccent; undefined where that is not installed. */
  readonly unaccent: string | undefined;
  /** Schema of the extension pg_trgm; undefined where that is not installed. */
  readonly trigrams: string | undefined;
}

/** The other side of a foreign key, whichever side refers to the other. */
export interface RelatedTable {
  readonly target: Readable;
  /** Names of columns that are equal. */
  readonly on: readonly (readonly [here: string, there: string])[];
}

/** A licence of data. */
export interface License {
  readonly name: string;
  readonly url: string | undefined;
}

/** What the comment of a schema says of the dataset that its collections are: `@title`, `@abstract`, `@keywords`, `@license`. */
export interface About {
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly keywords: readonly string[];
  readonly license: License | undefined;
}

export interface Collection extends Readable {
  /** Of its schema, the same object for all collections of it; undefined where that has no comment. */
  readonly about: About | undefined;
  /** `schema.table`, and `schema.table.column` for geometry columns after the first. */
  readonly id: string;
  /** As of PostgreSQL's `relkind`. */
  readonly kind: "r" | "p" | "v" | "m" | "f" | "function";
  readonly title: string;
  /** The comment `@abstract`, else the rest of the comment. */
  readonly description: string | undefined;
  /** The comment `@keywords`; empty where there are none. */
  readonly keywords: readonly string[];
  /** The comment `@license` of the table or its schema, a name and an address, either of which may be missing; undefined: that of the dataset. */
  readonly license: License | undefined;
  /** Undefined: features have none. */
  readonly geometry: SpatialColumn | undefined;
  /** The columns that identify a feature, in key order; empty where there are none. */
  readonly key: readonly CollectionColumn[];
  /** Systems that requests may name. */
  readonly crs: readonly Crs[];
  /**
   * PostGIS' facts about the storage system; undefined where the geometries have no common one, or PostGIS knows nothing.
   */
  readonly srs: Srs | undefined;
  /** The advertised storage system: its own, or CRS84 for one whose axes clients would read in another order. */
  readonly storageCrs: Crs | undefined;
  /** Whether features may be written at all: writing is switched on, and there is a key to identify them. */
  readonly isWritable: boolean;
  /** Whether the caller may read only some columns, and no system columns of PostgreSQL. Default false. */
  readonly isNarrow?: boolean;
  /** Whether the database has Citus, so that the rows may be on several nodes. Default false. */
  readonly isSharded?: boolean;
  /** Whether PostgreSQL chooses the rows by policies. */
  readonly rowSecurity: boolean;
  /** Set where the collection is a raster file. A column of its table stands for the geometry, for the rights. */
  readonly raster: Raster | undefined;
  /** Set where the collection is a function. */
  readonly routine: Routine | undefined;
  /** Since when there is history, from which it can be read as of an instant; undefined: none is kept. */
  readonly since: Date | undefined;
  /** The instant as of which it is read; undefined: now. */
  readonly instant?: string | undefined;
  /** The first is drawn where a request names none. One is called `default`. Empty for a raster. */
  readonly styles: readonly NamedStyle[];
  /** The name of the style that the request is to be drawn with; undefined: the first. */
  readonly styleName?: string;
  /** The text of another style, right, that the request is to be drawn with. */
  readonly draftStyle?: string;
  /** The comment `@tile`: what tiles of it have (tiles/tileTag.ts). */
  readonly tile: string | undefined;
}

/** A collection whose features have a geometry: only of these are there maps, tiles and styles. */
export interface SpatialCollection extends Collection {
  readonly geometry: SpatialColumn;
}

export function isSpatial(collection: Collection): collection is SpatialCollection {
  return collection.geometry !== undefined;
}

/** The same collection, as one with geometries. Throws `INVALID_PARAMETER`. */
export function spatial(collection: Collection): SpatialCollection {
  if (isSpatial(collection)) return collection;
  throw new GatewayError(
    "INVALID_PARAMETER",
    `${collection.id} has no geometry: there are features of it, but no maps, tiles and styles`,
  );
}

/** The source of features, defined only here: the relation, its history as of an instant, or a call of the function. */
export function sourceOf(collection: Collection): SQL {
  const { schema, relation, instant, routine } = collection;
  if (routine) return callOf(collection);
  if (instant === undefined) return sql.identifier(schema, relation);
  return pastRows({ schema, name: relation }, sql`${sql.value(instant)}::timestamptz`);
}

const atInstants = new WeakMap<Collection, Collection>();

/** The collection as of an instant: the same object for the same instant as the time before. */
export function asOf<Of extends Collection>(collection: Of, instant: string | undefined): Of {
  if (instant === undefined || collection.since === undefined) return collection;
  const known = atInstants.get(collection);
  if (known?.instant === instant) return known as Of;
  const then = { ...collection, instant };
  atInstants.set(collection, then);
  return then;
}

const inStyles = new WeakMap<Collection, Map<string, Collection>>();

/** The collection as it is drawn in a style that it has: the same object each time. Undefined: in its default style. */
export function inStyle<Of extends Collection>(collection: Of, name: string | undefined): Of {
  if (name === undefined || name === collection.styles[0]?.name || collection.raster) return collection;
  const known = inStyles.get(collection) ?? new Map<string, Collection>();
  inStyles.set(collection, known);
  const styled = known.get(name) ?? { ...collection, styleName: name };
  known.set(name, styled);
  return styled as Of;
}

/** By id, in the order of schema and name. */
export type CollectionMap = ReadonlyMap<string, Collection>;

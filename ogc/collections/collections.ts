/** Collections, and the sources of their features. */
import type { Dimensions } from "../../server/formats/dimensions.ts";
import { sql, type SQL } from "postgraphile/pg-sql2";
import { GatewayError } from "../../server/ground/errors.ts";
import { pastRows } from "../../server/filter/pastRows.ts";
import type { ColumnType } from "../../server/types/columnType.ts";
import type { Crs, Srs } from "../crs/crs.ts";
import type { Colour } from "../maps/colours.ts";
import { callOf, type Routine } from "./routines.ts";
import type { Raster } from "./rasterCollections.ts";

export interface CollectionColumn {
  /** The number of the column in the relation, which privileges and keys use. */
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
  /** Schema of the extension pg_trgm, which the operator `similar` needs. */
  readonly trigrams?: string;
  /** Whether a filter may name it: it is not marked `@filterable off`. */
  readonly queryable: boolean;
  /** Marked `@instant`: the time that the feature is about. */
  readonly instant: boolean;
  /**
   * Whether PostgreSQL or Portolan sets its values: a generated column, an identity column that is always generated, a
   * column of a materialized view, of workflow or of history.
   */
  readonly readOnly: boolean;
  /** Whether a row gets a value for it when none is given. */
  readonly hasDefault: boolean;
  /** The targets of foreign keys that consist of this column alone: oids of relations, and numbers of their columns. */
  readonly references: readonly { readonly relation: number; readonly column: number }[];
}

/** The geometry or geography column that a collection shows. */
export interface SpatialColumn extends CollectionColumn {
  readonly geography: boolean;
  /** SRID of all its values; 0 where the column takes any. */
  readonly srid: number;
  /** PostGIS's name of the geometry type, e.g. `MultiPolygon`; undefined where the column takes any. */
  readonly geometryType: string | undefined;
  /** The number of ordinates of a position besides x and y; undefined where the column takes any. */
  readonly more: Dimensions | undefined;
}

/** A style with PostgreSQL's judgement of it. */
export interface JudgedStyle {
  readonly json: unknown;
  /** The fault, with its path; undefined for a valid style. */
  readonly problem: string | undefined;
}

/** A style of a collection by its name. */
export interface NamedStyle {
  readonly name: string;
  readonly title: string | undefined;
  /** The style of `set_style` or of the comment `@style`; undefined for the default drawing of the geometry. */
  readonly judged: JudgedStyle | undefined;
}

/** The parts of a relation that a filter may read, whether it is a collection or not. */
export interface Readable {
  /** The oid; negative for a function, so that it never equals the oid of a relation. */
  readonly oid: number;
  readonly schema: string;
  readonly relation: string;
  /** The columns in the order of the relation. */
  readonly columns: readonly CollectionColumn[];
  /** The relations that a foreign key joins with this one, by the names of `related.ts`. */
  readonly related: ReadonlyMap<string, RelatedTable>;
  /** Schema of PostGIS. */
  readonly postgis: string;
  /** Schema of the extension unaccent; undefined where it is not installed. */
  readonly unaccent: string | undefined;
  /** Schema of the extension pg_trgm; undefined where it is not installed. */
  readonly trigrams: string | undefined;
}

/** The other side of a foreign key, in either direction. */
export interface RelatedTable {
  readonly target: Readable;
  /** The pairs of column names that must be equal. */
  readonly on: readonly (readonly [here: string, there: string])[];
}

/** A licence of data. */
export interface License {
  readonly name: string;
  readonly url: string | undefined;
}

/**
 * The description of a dataset, from the tags of its schema's comment: `@title`, `@abstract`, `@keywords`, `@license`.
 */
export interface About {
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly keywords: readonly string[];
  readonly license: License | undefined;
}

export interface Collection extends Readable {
  /**
   * The description of its schema, one object for all collections of that schema; undefined where the schema has no
   * comment.
   */
  readonly about: About | undefined;
  /** `schema.table`, and `schema.table.column` for geometry columns after the first. */
  readonly id: string;
  /** PostgreSQL's `relkind`, or `function`. */
  readonly kind: "r" | "p" | "v" | "m" | "f" | "function";
  readonly title: string;
  /** The comment `@abstract`, else the rest of the comment. */
  readonly description: string | undefined;
  /** The comment `@keywords`; empty where there are none. */
  readonly keywords: readonly string[];
  /**
   * The tag `@license` of the table or its schema: a name and an address, either of which may be missing. Undefined
   * where the dataset's licence applies.
   */
  readonly license: License | undefined;
  /** Undefined for features without geometry. */
  readonly geometry: SpatialColumn | undefined;
  /** The columns that identify a feature, in key order; empty where there is no key. */
  readonly key: readonly CollectionColumn[];
  /** Reference systems that requests may name. */
  readonly crs: readonly Crs[];
  /**
   * PostGIS's facts about the storage system; undefined where the geometries have no common system, or PostGIS does not
   * know it.
   */
  readonly srs: Srs | undefined;
  /**
   * The advertised storage system: the collection's own, or CRS84 where clients would read the axes of its own in
   * another order.
   */
  readonly storageCrs: Crs | undefined;
  /** Whether features may be written at all: writing is switched on, and there is a key to identify them. */
  readonly isWritable: boolean;
  /** Whether the caller may read only some columns, and no system columns of PostgreSQL. Default false. */
  readonly isNarrow?: boolean;
  /** Whether the database has Citus, so that the rows may be on several nodes. Default false. */
  readonly isSharded?: boolean;
  /** Whether PostgreSQL chooses the rows by policies. */
  readonly rowSecurity: boolean;
  /** Set for a raster file. A column of its table stands for the geometry when rights are checked. */
  readonly raster: Raster | undefined;
  /** Set for a function. */
  readonly routine: Routine | undefined;
  /**
   * The instant from which on the history is kept, so that the collection can be read as of a later instant; undefined
   * where no history is kept.
   */
  readonly since: Date | undefined;
  /** The instant as of which the collection is read; undefined for the present. */
  readonly instant?: string | undefined;
  /** The styles. The first is drawn where a request names none; one is called `default`. Empty for a raster. */
  readonly styles: readonly NamedStyle[];
  /** The name of the style that the request is drawn with; undefined for the first. */
  readonly styleName?: string;
  /** The text of a valid style that is not stored and that the request is drawn with. */
  readonly draftStyle?: string;
  /** The colour that the request gives the collection, for drawing it where it has no style. */
  readonly colour?: Colour;
  /** The tag `@tile`: the content of its tiles (tiles/tileTag.ts). */
  readonly tile: string | undefined;
}

/** A collection whose features have a geometry. Maps, tiles and styles need one. */
export interface SpatialCollection extends Collection {
  readonly geometry: SpatialColumn;
}

export function isSpatial(collection: Collection): collection is SpatialCollection {
  return collection.geometry !== undefined;
}

/** The same collection, typed as one with geometries. Throws `INVALID_PARAMETER` for a collection without. */
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

/** The collection as of an instant. Gives the same object again for the same instant. */
export function asOf<Of extends Collection>(collection: Of, instant: string | undefined): Of {
  if (instant === undefined || collection.since === undefined) return collection;
  const known = atInstants.get(collection);
  if (known?.instant === instant) return known as Of;
  const then = { ...collection, instant };
  atInstants.set(collection, then);
  return then;
}

const inStyles = new WeakMap<Collection, Map<string, Collection>>();

/**
 * The collection with one of its styles. Gives the same object again for the same style. `name`: undefined for the
 * default style.
 */
export function inStyle<Of extends Collection>(collection: Of, name: string | undefined): Of {
  if (name === undefined || name === collection.styles[0]?.name || collection.raster) return collection;
  const known = inStyles.get(collection) ?? new Map<string, Collection>();
  inStyles.set(collection, known);
  const styled = known.get(name) ?? { ...collection, styleName: name };
  known.set(name, styled);
  return styled as Of;
}

/** The collections by id, in the order of schema and name. */
export type CollectionMap = ReadonlyMap<string, Collection>;

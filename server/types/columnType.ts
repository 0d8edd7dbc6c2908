/** PostgreSQL's types, as every door sees them. */

/** The external form of a type's values, which decides its operators and how JSON becomes SQL. */
export type TypeKind =
  | "boolean"
  | "integer" // int2, int4
  | "bigint" // int8, numeric, money: lossless text outside
  | "float"
  | "text" // text, varchar, uuid, inet, enums and everything that is text in and text out
  | "bytes" // bytea
  | "datetime" // date, time, timestamp and their zoned kinds
  | "interval"
  | "json"
  | "geometry" // geometry and geography of PostGIS
  | "geometric" // point, line, lseg, box, path, polygon, circle of PostgreSQL, box2d of PostGIS
  | "range"
  | "multirange"
  | "array"
  | "composite";

/** A type by its name. */
export interface TypeName {
  readonly schema: string;
  readonly name: string;
}

/** A type. Domains have been resolved to their base kind, but keep their name. */
export interface ColumnType extends TypeName {
  readonly kind: TypeKind;
  /**
   * domain: the type at the bottom of it. Values are cast to this one, so that a filter never trips over the domain's
   * check, and a write meets it when the value is assigned.
   */
  readonly base?: TypeName;
  /**
   * Schema of the type's operators where that is not `pg_catalog`: the schema of a base type (`typtype` b) that an
   * extension made, e.g. citext, ltree, hstore. Enums, ranges, arrays, composites and geometry need none.
   */
  readonly operators?: string;
  /** enum: its labels in order, where they are known. */
  readonly labels?: readonly string[];
  /** array: its element; range, multirange: the bound. */
  readonly element?: ColumnType;
  /** The delimiter of elements in an array of this type, where it is known. Default: that of the table of types. */
  readonly delimiter?: string;
  /** geometry: the column's SRID, 0 when it has none; the schema of PostGIS is that of `base`, else `schema`. */
  readonly srid?: number;
  /** numeric: how many decimals its values have, where the column or domain says so. */
  readonly scale?: number;
  /** composite: its attributes in order. */
  readonly attributes?: readonly Attribute[];
}

export interface Attribute {
  /** The name in the database. */
  readonly name: string;
  readonly type: ColumnType;
}

/** The type at the bottom of a domain, any other type itself. */
export function baseOf(type: ColumnType): TypeName {
  return type.base ?? type;
}

const WITH_PARTS: ReadonlySet<TypeKind> = new Set<TypeKind>(["range", "multirange", "array", "composite"]);

/** Whether its values are made of values of other types. */
export function hasParts({ kind }: ColumnType): boolean {
  return WITH_PARTS.has(kind);
}

/** json and jsonb, and domains over them, but not other types whose values are shown as JSON. */
export function isDocument(type: ColumnType): boolean {
  return type.kind === "json" && baseOf(type).schema === "pg_catalog";
}

/** Whether PostGIS measures its values on the globe. */
export function isGeography(type: ColumnType): boolean {
  return type.kind === "geometry" && baseOf(type).name === "geography";
}

/** Whether it contains a geometry: directly, in an array or in a composite. */
export function holdsGeometry({ kind, element, attributes = [] }: ColumnType): boolean {
  return (
    kind === "geometry" ||
    (element !== undefined && holdsGeometry(element)) ||
    attributes.some(({ type }) => holdsGeometry(type))
  );
}

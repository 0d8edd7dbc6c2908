/** The names of types as people read them. */

const SHORT: readonly (readonly [RegExp, string])[] = [
  [/timestamp(\(\d\))? with time zone/, "timestamptz$1"],
  [/timestamp(\(\d\))? without time zone/, "timestamp$1"],
  [/character varying/, "varchar"],
  [/double precision/, "float8"],
  // those of PostGIS are understood without the schema of the extension
  [/^\w+\.(?=(geometry|geography)\b)/, ""],
];

/** Types of PostgreSQL whose name a type in `public` could share. */
const BUILT_IN =
  /^public\."?(bool|boolean|bit|box|bytea|char|cidr|circle|date|float[48]|inet|int[248]?|integer|interval|jsonb?|line|lseg|macaddr8?|money|name|numeric|oid|path|point|polygon|real|smallint|bigint|text|timetz|time|timestamptz|timestamp|uuid|varchar|xml)\b/;

/**
 * A type in its usual short form, with its schema only where it is not `public`, or where a type of PostgreSQL has the
 * same name.
 */
export function shortType(type: string): string {
  const short = SHORT.reduce((text, [long, name]) => text.replace(long, name), type);
  return BUILT_IN.test(short) ? short : short.replace(/^public\./, "");
}

/** SQL of a value without parts → SQL from which `row_to_json` writes the JSON form of the value. Null gives null. */
import { sql, type SQL } from "postgraphile/pg-sql2";
import { baseOf, isGeography, type ColumnType } from "./columnType.ts";
import { straightGeometry } from "./straightGeometry.ts";

export type SqlToJson = (value: SQL, type: ColumnType) => SQL;

const FLOAT8 = sql`pg_catalog.float8`;
const text = (value: SQL): SQL => sql`${value}::pg_catalog.text`;

/** JSON has no number for NaN and infinity. */
function finite(value: SQL, json: SQL): SQL {
  return sql`(case when ${value} > '-infinity' and ${value} < 'infinity' then ${json} end)`;
}

/**
 * Readers such as GDAL and QGIS take a column for one of whole numbers when its first values have neither point nor
 * exponent, and cut the decimals of all that follow.
 */
function pointed(value: SQL): SQL {
  return sql`(case when ${value} = pg_catalog.trunc(${value}) and ${text(value)} !~ '[a-zA-Z]'
    then (${text(value)} || '.0')::json else pg_catalog.to_json(${value}) end)`;
}

const point = (of: SQL): SQL =>
  sql`pg_catalog.json_build_object('x', ${pointed(sql`(${of})[0]`)}, 'y', ${pointed(sql`(${of})[1]`)})`;

/** SQL that finds all points in the text of a value, in order. */
function points(value: SQL): SQL {
  const ordinate = (index: number): SQL => pointed(sql`n.n[${sql.literal(index)}]::${FLOAT8}`);
  return sql`(select pg_catalog.json_agg(pg_catalog.json_build_object('x', ${ordinate(1)}, 'y', ${ordinate(2)}))
    from pg_catalog.regexp_matches(${text(sql`(${value})`)}, '\\(([^(),]+),([^(),]+)\\)', 'g') n (n))`;
}

/** The JSON of a null value would be an object of nulls. */
const unlessNull =
  (json: (value: SQL) => SQL): SqlToJson =>
  (value) =>
    sql`(case when ${value} is not null then ${json(value)} end)`;

/** With a point for the same reason, unless its type is a whole number. */
function decimal(value: SQL, { scale }: Pick<ColumnType, "scale"> = {}): SQL {
  return finite(value, scale !== undefined && scale <= 0 ? value : sql`(${value} + 0.0)`);
}

export const sqlToJson = {
  asItIs: (value) => value,
  text,
  /** money has no cast to a text of plain digits. */
  moneyText: (value) => sql`${value}::pg_catalog.numeric::pg_catalog.text`,
  /** Null for NaN and the infinities. */
  finite: (value) => sql`(case when abs(${value}) < 'infinity' then ${value} end)`, // NaN is above infinity
  /** The same, always with a point or an exponent. */
  float: (value) => finite(value, pointed(value)),
  decimal,
  money: (value) => decimal(sql`${value}::pg_catalog.numeric`),
  base64: (value) => sql`pg_catalog.translate(pg_catalog.encode(${value}, 'base64'), e'\\n', '')`,
  /** GeoJSON in longitude and latitude (RFC 7946). Without an SRID the coordinates are unknown and stay as they are. */
  geoJson: (value, type) => sql`${geoJsonText(value, type)}::json`,
  point: unlessNull(point),
  startEnd: unlessNull(
    (value) =>
      sql`pg_catalog.json_build_object('start', ${point(sql`(${value})[0]`)}, 'end', ${point(sql`(${value})[1]`)})`,
  ),
  circle: unlessNull(
    (value) =>
      sql`pg_catalog.json_build_object('center', ${point(sql`pg_catalog.center(${value})`)}, 'radius', ${pointed(sql`pg_catalog.radius(${value})`)})`,
  ),
  path: unlessNull(
    (value) => sql`pg_catalog.json_build_object('closed', pg_catalog.isclosed(${value}), 'points', ${points(value)})`,
  ),
  polygon: unlessNull((value) => sql`pg_catalog.json_build_object('points', ${points(value)})`),
  line: unlessNull((value) => {
    const parts = sql`pg_catalog.regexp_split_to_array(pg_catalog.btrim(${text(sql`(${value})`)}, '{}'), ',')`;
    const part = (index: number): SQL => pointed(sql`(${parts})[${sql.literal(index)}]::${FLOAT8}`);
    return sql`pg_catalog.json_build_object('A', ${part(1)}, 'B', ${part(2)}, 'C', ${part(3)})`;
  }),
} satisfies Record<string, SqlToJson>;

const WGS84 = sql.literal(4326);

/** The same as text; NULL where a coordinate is NaN or infinite, which JSON cannot express. */
export function geoJsonText(value: SQL, type: ColumnType): SQL {
  const { schema } = baseOf(type);
  const geometry = isGeography(type) ? sql`${value}::${sql.identifier(schema, "geometry")}` : value;
  const moved = toLonLat(straightGeometry(geometry, schema), type);
  return finiteText(sql`${sql.identifier(schema, "st_asgeojson")}(${moved}, 9, 0)`);
}

/** GeoJSON as PostGIS writes it, or NULL where it has NaN or Infinity: no type of geometry has the capital letters of these. */
export function finiteText(json: SQL): SQL {
  const has = (letter: string): SQL => sql`pg_catalog.strpos(g.json, ${sql.literal(letter)}) > 0`;
  return sql`(select case when not (${has("N")} or ${has("I")}) then g.json end from (select ${json} as json offset 0) g)`;
}

/** A geometry in longitude and latitude; without an SRID it stays as it is. */
export function toLonLat(value: SQL, type: ColumnType): SQL {
  const { schema, name } = baseOf(type);
  const call = (own: string, ...args: SQL[]): SQL => sql`${sql.identifier(schema, own)}(${sql.join(args, ", ")})`;
  if (name === "geography" || type.srid === 4326) return value;
  const moved = call("st_transform", value, WGS84);
  if (type.srid) return moved;
  // The column takes any SRID, so each value says its own.
  return sql`(case when ${call("st_srid", value)} in (0, ${WGS84}) then ${value} else ${moved} end)`;
}

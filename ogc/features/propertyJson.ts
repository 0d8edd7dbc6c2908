/** Values of columns as what `row_to_json` writes as the JSON of the house: nested, ISO 8601, numbers as numbers. */
import { sql, type SQL } from "pg-sql2";
import { baseOf, isBuiltIn } from "../../server/filter/sqlTypes.ts";
import type { ColumnType } from "../../server/filter/tree.ts";
import { CRS84 } from "../crs.ts";
import { geometryJson, type TransformOptions } from "./geometryJson.ts";

/** `value`: of type `type`. Gives an expression of a type that `row_to_json` writes as it should be. */
export function propertyJson(value: SQL, type: ColumnType, options: TransformOptions = {}): SQL {
  return special(value, type, options) ?? value;
}

/** Undefined where PostgreSQL's own JSON of the value is what is wanted. */
function special(value: SQL, type: ColumnType, options: TransformOptions): SQL | undefined {
  switch (type.kind) {
    case "bigint":
      return isBuiltIn(type, "int8") ? undefined : finite(isBuiltIn(type, "money") ? sql`${value}::numeric` : value);
    case "float":
      return finite(value);
    case "bytes":
      return sql`pg_catalog.translate(pg_catalog.encode(${value}, 'base64'), e'\\n', '')`;
    case "geometry":
      return geometry(value, type, options);
    case "geometric":
      return geometric(value, baseOf(type).name);
    case "range":
      return range(value, type.element);
    case "array":
      return type.element && array(value, type.element, options);
    default:
      return undefined;
  }
}

/** JSON has no number for NaN and infinity. */
function finite(value: SQL): SQL {
  return sql`(case when ${value} > '-infinity' and ${value} < 'infinity' then ${value} end)`;
}

/** In longitude and latitude; NULL for one whose coordinates are no numbers, which would be no JSON. */
function geometry(value: SQL, type: ColumnType, options: TransformOptions): SQL {
  const json = geometryJson(value, type, undefined, CRS84, options);
  return sql`(select case when g.json !~ '[NI]' then g.json::json end from (select ${json} as json offset 0) g)`;
}

function range(value: SQL, bound: ColumnType | undefined): SQL {
  const json = (side: SQL): SQL => (bound ? propertyJson(side, bound) : side);
  return sql`(case when ${value} is not null then pg_catalog.json_build_object(
    'lower', ${json(sql`pg_catalog.lower(${value})`)}, 'upper', ${json(sql`pg_catalog.upper(${value})`)},
    'lowerInclusive', pg_catalog.lower_inc(${value}), 'upperInclusive', pg_catalog.upper_inc(${value})) end)`;
}

/** Element by element where one dimension has elements that need it; PostgreSQL's text of each where there are more. */
function array(value: SQL, element: ColumnType, options: TransformOptions): SQL | undefined {
  const each = special(sql`e.e`, element, options);
  if (!each) return undefined;
  return sql`(case
    when ${value} is null then null
    when pg_catalog.array_ndims(${value}) = 1 then (
      select pg_catalog.json_agg(${each} order by e.i) from pg_catalog.unnest(${value}) with ordinality e (e, i))
    else pg_catalog.to_json(${value}::pg_catalog.text[]) end)`;
}

/** All points in PostgreSQL's text of a value, in order. */
function points(text: SQL): SQL {
  return sql`(select pg_catalog.json_agg(pg_catalog.json_build_object('x', n.n[1]::float8, 'y', n.n[2]::float8))
    from pg_catalog.regexp_matches(${text}, '\\(([^(),]+),([^(),]+)\\)', 'g') n (n))`;
}

function geometric(value: SQL, name: string): SQL {
  const text = sql`(${value})::pg_catalog.text`;
  const point = (of: SQL): SQL => sql`pg_catalog.json_build_object('x', (${of})[0], 'y', (${of})[1])`;
  const when = (json: SQL): SQL => sql`(case when ${value} is not null then ${json} end)`;
  switch (name) {
    case "point":
      return when(point(value));
    case "lseg":
    case "box":
      return when(
        sql`pg_catalog.json_build_object('start', ${point(sql`(${value})[0]`)}, 'end', ${point(sql`(${value})[1]`)})`,
      );
    case "circle":
      return when(
        sql`pg_catalog.json_build_object('center', ${point(sql`pg_catalog.center(${value})`)}, 'radius', pg_catalog.radius(${value}))`,
      );
    case "path":
      return when(
        sql`pg_catalog.json_build_object('closed', pg_catalog.isclosed(${value}), 'points', ${points(text)})`,
      );
    case "polygon":
      return when(sql`pg_catalog.json_build_object('points', ${points(text)})`);
    default: {
      const part = (index: number): SQL =>
        sql`(pg_catalog.regexp_split_to_array(pg_catalog.btrim(${text}, '{}'), ','))[${sql.literal(index)}]::float8`;
      return when(sql`pg_catalog.json_build_object('A', ${part(1)}, 'B', ${part(2)}, 'C', ${part(3)})`);
    }
  }
}

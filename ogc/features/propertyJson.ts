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
      return isBuiltIn(type, "int8") ? undefined : decimal(value, type);
    case "float":
      return finite(value, float(value));
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
    case "composite":
      return composite(value, type.attributes ?? [], options);
    default:
      return undefined;
  }
}

/** JSON has no number for NaN and infinity. */
function finite(value: SQL, json = value): SQL {
  return sql`(case when ${value} > '-infinity' and ${value} < 'infinity' then ${json} end)`;
}

/**
 * Readers such as GDAL and QGIS take a column for one of whole numbers when its first values have neither point nor
 * exponent, and cut the decimals of all that follow.
 */
function float(value: SQL): SQL {
  return sql`(case when ${value} = pg_catalog.trunc(${value}) and ${value}::pg_catalog.text !~ '[a-zA-Z]'
    then (${value}::pg_catalog.text || '.0')::json else pg_catalog.to_json(${value}) end)`;
}

/** A numeric has a point for the same reason, unless its type says that it is whole. */
function decimal(value: SQL, type: ColumnType): SQL {
  const number = isBuiltIn(type, "money") ? sql`${value}::pg_catalog.numeric` : value;
  const isWhole = type.scale !== undefined && type.scale <= 0;
  return finite(number, isWhole ? number : sql`(${number} + 0.0)`);
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
  if (element.kind === "float") return floats(value);
  const each = special(sql`e.e`, element, options);
  if (!each) return undefined;
  return sql`(case
    when ${value} is null then null
    when pg_catalog.array_ndims(${value}) = 1 then ( -- in the list: in "from" a composite would become its attributes
      select pg_catalog.json_agg(${each} order by e.i)
      from (select pg_catalog.unnest(${value}) as e, pg_catalog.generate_subscripts(${value}, 1) as i) e)
    else pg_catalog.to_json(${value}::pg_catalog.text[]) end)`;
}

/** In as many dimensions as there are. */
function floats(value: SQL): SQL {
  const nulled = sql`pg_catalog.regexp_replace(pg_catalog.to_json(${value})::pg_catalog.text, '"[^"]*"', 'null', 'g')`;
  return sql`pg_catalog.regexp_replace(${nulled}, '(?<=[[,])(-?[0-9]+)(?=[],])', '\\1.0', 'g')::json`;
}

/** Attribute by attribute where one needs it. */
function composite(
  value: SQL,
  attributes: NonNullable<ColumnType["attributes"]>,
  options: TransformOptions,
): SQL | undefined {
  const own = attributes.map(({ name, type }) => {
    const attribute = sql`(${value}).${sql.identifier(name)}`;
    return { name, attribute, json: special(attribute, type, options) };
  });
  if (own.every(({ json }) => json === undefined)) return undefined;
  const members = own.map(({ name, attribute, json }) => sql`${json ?? attribute} as ${sql.identifier(name)}`);
  // `is not null` would mean that every attribute is not null
  return sql`(case when ${value} is distinct from null then (
    select pg_catalog.row_to_json(a) from (select ${sql.join(members, ", ")}) a) end)`;
}

/** All points in PostgreSQL's text of a value, in order. */
function points(text: SQL): SQL {
  return sql`(select pg_catalog.json_agg(pg_catalog.json_build_object('x', ${float(sql`n.n[1]::float8`)}, 'y', ${float(sql`n.n[2]::float8`)}))
    from pg_catalog.regexp_matches(${text}, '\\(([^(),]+),([^(),]+)\\)', 'g') n (n))`;
}

function geometric(value: SQL, name: string): SQL {
  const text = sql`(${value})::pg_catalog.text`;
  const point = (of: SQL): SQL =>
    sql`pg_catalog.json_build_object('x', ${float(sql`(${of})[0]`)}, 'y', ${float(sql`(${of})[1]`)})`;
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
        sql`pg_catalog.json_build_object('center', ${point(sql`pg_catalog.center(${value})`)}, 'radius', ${float(sql`pg_catalog.radius(${value})`)})`,
      );
    case "path":
      return when(
        sql`pg_catalog.json_build_object('closed', pg_catalog.isclosed(${value}), 'points', ${points(text)})`,
      );
    case "polygon":
      return when(sql`pg_catalog.json_build_object('points', ${points(text)})`);
    default: {
      const part = (index: number): SQL =>
        float(
          sql`(pg_catalog.regexp_split_to_array(pg_catalog.btrim(${text}, '{}'), ','))[${sql.literal(index)}]::float8`,
        );
      return when(sql`pg_catalog.json_build_object('A', ${part(1)}, 'B', ${part(2)}, 'C', ${part(3)})`);
    }
  }
}

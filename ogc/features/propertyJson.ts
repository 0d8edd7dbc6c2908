/** Expressions that `row_to_json` writes as Portolan's JSON: nested, ISO 8601, numbers as numbers. */
import { sql, type SQL } from "postgraphile/pg-sql2";
import type { Attribute, ColumnType } from "../../server/types/columnType.ts";
import { finiteText, sqlToJson } from "../../server/types/sqlJson.ts";
import { rowOf } from "../../server/types/table.ts";
import { CRS84 } from "../crs/crs.ts";
import { geometryJson, type TransformOptions } from "../crs/geometryJson.ts";

/** An expression of a type that `row_to_json` writes correctly. `value`: of type `type`. */
export function propertyJson(value: SQL, type: ColumnType, options: TransformOptions = {}): SQL {
  return special(value, type, options) ?? value;
}

/** The expression for types that need one; undefined where PostgreSQL's own JSON of the value will do. */
function special(value: SQL, type: ColumnType, options: TransformOptions): SQL | undefined {
  switch (type.kind) {
    case "range":
      return range(value, type.element);
    case "array":
      return type.element && array(value, type.element, options);
    case "composite":
      return composite(value, type.attributes ?? [], options);
    case "multirange":
      return undefined;
    default: {
      const { ogc } = rowOf(type).sql;
      if (!ogc) return geometry(value, type, options);
      return ogc === sqlToJson.asItIs ? undefined : ogc(value, type);
    }
  }
}

/**
 * The geometry in longitude and latitude; NULL for one with coordinates that are not numbers, which JSON cannot
 * express.
 */
function geometry(value: SQL, type: ColumnType, options: TransformOptions): SQL {
  return sql`${finiteText(geometryJson(value, { type }, CRS84, options))}::json`;
}

function range(value: SQL, bound: ColumnType | undefined): SQL {
  const json = (side: SQL): SQL => (bound ? propertyJson(side, bound) : side);
  return sql`(case when ${value} is not null then pg_catalog.json_build_object(
    'lower', ${json(sql`pg_catalog.lower(${value})`)}, 'upper', ${json(sql`pg_catalog.upper(${value})`)},
    'lowerInclusive', pg_catalog.lower_inc(${value}), 'upperInclusive', pg_catalog.upper_inc(${value})) end)`;
}

/**
 * The array, converted element by element if its elements need it and it has one dimension. With more dimensions, each
 * element is PostgreSQL's text.
 */
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

/** An array of floats in any number of dimensions. */
function floats(value: SQL): SQL {
  const nulled = sql`pg_catalog.regexp_replace(pg_catalog.to_json(${value})::pg_catalog.text, '"[^"]*"', 'null', 'g')`;
  return sql`pg_catalog.regexp_replace(${nulled}, '(?<=[[,])(-?[0-9]+)(?=[],])', '\\1.0', 'g')::json`;
}

/** An alias that cannot be the name of an attribute. */
const ATTRIBUTES = sql.identifier(Symbol("attributes"));

/** The composite value, converted attribute by attribute if one of them needs it. */
function composite(value: SQL, attributes: readonly Attribute[], options: TransformOptions): SQL | undefined {
  const own = attributes.map(({ name, type }) => {
    const attribute = sql`(${value}).${sql.identifier(name)}`;
    return { name, attribute, json: special(attribute, type, options) };
  });
  if (own.every(({ json }) => json === undefined)) return undefined;
  const members = own.map(({ name, attribute, json }) => sql`${json ?? attribute} as ${sql.identifier(name)}`);
  // `is not null` would mean that every attribute is not null
  return sql`(case when ${value} is distinct from null then (
    select pg_catalog.row_to_json(${ATTRIBUTES}) from (select ${sql.join(members, ", ")}) ${ATTRIBUTES}) end)`;
}

/** Values of PostGIS's box2d: outside an object of four numbers, in PostgreSQL `BOX(1 2,3 4)`. */
import { sql, type SQL } from "postgraphile/pg-sql2";
import { badInput } from "../ground/errors.ts";
import type { ColumnType } from "./columnType.ts";
import { decimalText, isObject, members } from "./json.ts";
import { at, show } from "./show.ts";

const SIDES = ["xmin", "ymin", "xmax", "ymax"] as const;
const EXPECTED = `a box {${SIDES.map((side) => `"${side}"`).join(", ")}}`;
const NUMBER = String.raw`(?:[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?|[-+]?inf(?:inity)?|nan)`;
const TEXT = new RegExp(String.raw`^BOX\(${NUMBER} ${NUMBER}, ?${NUMBER} ${NUMBER}\)$`, "i");

/** PostgreSQL's text → JSON text. Infinity, which JSON has no number for, is a string. */
export function box2dToJson(text: string): string {
  const numbers = text.replaceAll(/^BOX\(|\)$/g, "").split(/[ ,]/);
  return `{${SIDES.map((side, index) => `"${side}":${ordinate(numbers[index] ?? "")}`).join(",")}}`;
}

function ordinate(text: string): string {
  return /^-?\d/.test(text) ? text : JSON.stringify(text.replace(/^(-?)inf$/, "$1Infinity").replace("nan", "NaN"));
}

/** The same in SQL. */
export function box2dSql(value: SQL): SQL {
  const numbers = sql`pg_catalog.regexp_split_to_array(pg_catalog.btrim((${value})::pg_catalog.text, 'BOX()'), '[ ,]')`;
  const sides = SIDES.map((side, index) => sql`${sql.literal(side)}, ${number(sql`n.n[${sql.literal(index + 1)}]`)}`);
  return sql`(select pg_catalog.json_build_object(${sql.join(sides, ", ")}) from (select ${numbers} as n offset 0) n
    where n.n is not null)`;
}

/** Always with a point or an exponent, as floats are for readers that guess a column's type from its first values. */
function number(text: SQL): SQL {
  return sql`(case when ${text} ~ '^-?[0-9]+$' then ${text} || '.0' when ${text} ~ '^-?[0-9]' then ${text} end)::json`;
}

/** JSON, or PostgreSQL's own text → that text. Throws `BAD_USER_INPUT`. */
export function box2dToText(json: unknown, _type: ColumnType, path: string): string {
  // PostGIS has no SQLSTATE for a text that it does not read
  if (typeof json === "string" && TEXT.test(json)) return json;
  if (!isObject(json)) return badInput(`${path}: expected ${EXPECTED}, got ${show(json)}`);
  const given = members(json, SIDES, path, EXPECTED);
  const [xmin, ymin, xmax, ymax] = SIDES.map((side) => decimalText(given[side], at(path, side)));
  return `BOX(${xmin} ${ymin},${xmax} ${ymax})`;
}

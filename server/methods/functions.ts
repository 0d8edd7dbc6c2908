/** Functions with the comment `@method`, as methods: their arguments are the parameters, and defaults may be left out. */
import { quoteIdentifier } from "../database.ts";
import type { FunctionRow, Method, Params } from "./method.ts";

/** The method with all arguments. */
export function toFunctionMethod(row: FunctionRow): Method {
  return {
    method: row.method,
    q: callOf(row, row.arguments),
    typeHints: {},
    typeFormats: {},
    outputFormat: "json",
    srs: 4326,
    published: true, // who may execute it is the grant's affair
    owner: null,
    description: row.description,
    function: row,
  };
}

/** The method with the arguments that are given in one of the sets; those without a default stay, and are missed. */
export function withArguments(method: Method, sets: readonly Params[]): Method {
  const { function: row } = method;
  if (!row) return method;
  const given = new Set(
    sets.flatMap((params) => (Array.isArray(params) ? row.arguments.slice(0, params.length) : Object.keys(params))),
  );
  const names = row.arguments.filter((name, index) => index < row.required || given.has(name));
  return names.length === row.arguments.length ? method : { ...method, q: callOf(row, names) };
}

function callOf({ schema, name }: FunctionRow, names: readonly string[]): string {
  const list = names.map((argument) => `${quoteIdentifier(argument)} => :${argument}`).join(", ");
  return `select * from ${quoteIdentifier(schema)}.${quoteIdentifier(name)}(${list})`;
}

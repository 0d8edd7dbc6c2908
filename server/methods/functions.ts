/** Functions with the comment `@method`, as methods: their arguments are the parameters, and defaults may be left out. */
import { quoteIdentifier } from "../kernel/database/database.ts";
import type { FunctionRow, Method, Params, Runnable } from "./method.ts";

/** The method with all arguments. */
export function toFunctionMethod(row: FunctionRow): Method {
  return {
    method: row.method,
    q: callOf(row, row.arguments),
    typeHints: {},
    typeFormats: {},
    outputFormat: "json",
    srs: 4326,
    published: true, // grants decide who may execute it
    owner: null,
    description: row.description,
    function: row,
  };
}

/** The call for one set of parameters: a function with the given arguments, and those without a default. */
export function withArguments(runnable: Runnable, params: Params): Runnable {
  const { function: row } = runnable;
  if (!row) return runnable;
  const given = Array.isArray(params) ? row.arguments.slice(0, params.length) : Object.keys(params);
  const names = row.arguments.filter((name, index) => index < row.required || given.includes(name));
  return names.length === row.arguments.length ? runnable : { ...runnable, q: callOf(row, names) };
}

function callOf({ schema, name }: FunctionRow, names: readonly string[]): string {
  const list = names.map((argument) => `${quoteIdentifier(argument)} => :${argument}`).join(", ");
  return `select * from ${quoteIdentifier(schema)}.${quoteIdentifier(name)}(${list})`;
}

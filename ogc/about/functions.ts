/** `/functions`: the functions that a filter may call (OGC 19-079r2 §8.4). */
import { FUNCTIONS, type FunctionRow } from "../../server/filter/cql2/functions.ts";
import { kindOf, type ValueKind } from "../../server/filter/cql2/terms.ts";
import { sendJson, selfLinks, type Exchange } from "../exchange/exchange.ts";
import { HTML } from "../exchange/formats.ts";
import { functionsPage, type FunctionDescription } from "../pages/functionsPage.ts";

export const FUNCTIONS_REL = "http://www.opengis.net/def/rel/ogc/1.0/functions";

/** The names that the standard has for the kinds of values. */
const TYPES: Readonly<Record<ValueKind, string>> = {
  boolean: "boolean",
  number: "number",
  text: "string",
  date: "datetime",
  timestamp: "datetime",
  geometry: "geometry",
  array: "array",
  other: "object",
};

function describe([name, { description, arguments: all, type }]: [string, FunctionRow]): FunctionDescription {
  const result = typeof type === "function" ? "geometry" : type ? kindOf(type) : "boolean";
  return {
    name,
    description,
    arguments: all.map(({ title, kinds }) => ({ title, type: [...new Set(kinds.map((kind) => TYPES[kind]))] })),
    returns: [TYPES[result]],
  };
}

export function functions(exchange: Exchange): void {
  const all = Object.entries(FUNCTIONS).map(describe);
  const links = selfLinks(exchange, exchange.addresses.of(["functions"]), "Functions of filters");
  if (exchange.format === HTML) functionsPage(exchange, all, links);
  else sendJson(exchange, { functions: all, links }, links);
}

/** Reads the query of a request by the table of parameters, and describes it for the OpenAPI document. */
import { GatewayError } from "../../../server/ground/errors.ts";
import type { JsonSchema } from "../../../server/types/table.ts";
import { CRS84, type Crs } from "../../crs/crs.ts";
import type { RouteDescription } from "../route.ts";
import { Unfit, type Parameter, type ParameterScope } from "./parameter.ts";
import { PARAMETERS } from "./table.ts";

export type ParameterName = keyof typeof PARAMETERS;

type Values = { [Name in ParameterName]: ReturnType<(typeof PARAMETERS)[Name]["read"]> };

/** The parameters of a request; a missing one is undefined. */
export type Parameters = Readonly<Partial<Values>> & {
  /** `name=value` of filterable columns, in the order given. */
  readonly equalities: ReadonlyMap<string, string>;
};

const ROWS: ReadonlyMap<string, Parameter<unknown>> = new Map(Object.entries(PARAMETERS));

/** The parameters of each route, in the order in which they are read. */
const ofRoutes = new Map<string, ReadonlyMap<string, Parameter<unknown>>>();

function rowsOf({ id }: RouteDescription): ReadonlyMap<string, Parameter<unknown>> {
  let rows = ofRoutes.get(id);
  if (!rows) {
    rows = new Map([...ROWS].filter(([, { on }]) => on === "every route" || on.includes(id)));
    ofRoutes.set(id, rows);
  }
  return rows;
}

/** Whether the route takes the parameter. */
export function takes(route: RouteDescription, name: string): boolean {
  return rowsOf(route).has(name);
}

function namesOf(route: RouteDescription): string[] {
  return [...rowsOf(route).keys()];
}

/**
 * Reads the query of a request. Throws `UNKNOWN_PARAMETER` for a parameter that the route does not have,
 * `INVALID_PARAMETER` for one that is empty, given twice or has a bad value, and `INVALID_CRS`.
 */
export function readParameters(query: URLSearchParams, scope: ParameterScope): Parameters {
  if (query.size === 0) return NONE;
  const texts = textsOf(query, scope);
  const given: Record<string, unknown> = {};
  const rows = rowsOf(scope.route);
  rows.forEach((row, name) => {
    const text = texts.get(name);
    if (text !== undefined) given[name] = read({ name, text }, row, scope, given);
  });
  const equalities = new Map([...texts].filter(([name]) => !rows.has(name)));
  return { ...(given as Partial<Values>), equalities };
}

const NONE: Parameters = { equalities: new Map() };

/** The texts of the parameters by name, each name once. */
function textsOf(query: URLSearchParams, { route, properties }: ParameterScope): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const [name, text] of query) {
    const row = rowsOf(route).get(name);
    if (!row && !properties.includes(name))
      throw new GatewayError(
        "UNKNOWN_PARAMETER",
        `${JSON.stringify(name.slice(0, 100))} is not one of ${[...namesOf(route), ...properties].join(", ")}`,
      );
    const before = texts.get(name);
    if (before !== undefined && !row?.repeats) throw new GatewayError("INVALID_PARAMETER", `${name}: is given twice`);
    if (row && text === "" && !row.readsEmpty) throw new GatewayError("INVALID_PARAMETER", `${name}: is empty`);
    texts.set(name, before === undefined ? text : `${before},${text}`);
  }
  return texts;
}

function read(
  { name, text }: { readonly name: string; readonly text: string },
  row: Parameter<unknown>,
  scope: ParameterScope,
  given: Readonly<Record<string, unknown>>,
): unknown {
  const crs = row.crs === undefined ? undefined : (given[row.crs] as Crs | undefined);
  try {
    return row.read(text, scope, crs ?? CRS84);
  } catch (error) {
    if (!(error instanceof Unfit)) throw error;
    const got = JSON.stringify(text.slice(0, 100));
    throw new GatewayError("INVALID_PARAMETER", `${name}: expected ${error.message}, got ${got}`);
  }
}

/** A parameter as an object of OpenAPI 3.0. */
export type ParameterDescription = {
  readonly name: string;
  readonly description?: string;
  readonly schema: JsonSchema;
};

/** The parameters of the route. */
export function describeParameters(scope: ParameterScope): readonly ParameterDescription[] {
  return namesOf(scope.route).map((name) => {
    const { description, schema } = ROWS.get(name)!;
    return inQuery({ name, description, schema: typeof schema === "function" ? schema(scope) : schema });
  });
}

export function inQuery(parameter: ParameterDescription): ParameterDescription {
  return { ...parameter, ...{ in: "query", required: false, style: "form", explode: false } };
}

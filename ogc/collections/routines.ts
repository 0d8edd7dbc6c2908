/** Functions as collections: their parameters, the reasons why one is none, and calls of them. */
import { sql, type SQL } from "postgraphile/pg-sql2";
import { typeName } from "../../server/filter/sqlTypes.ts";
import { toTextValue } from "../../server/filter/values.ts";
import { GatewayError } from "../../server/ground/errors.ts";
import type { ColumnType } from "../../server/types/columnType.ts";

/** A parameter of a function: a query parameter of the same name. */
export interface RoutineParameter {
  readonly name: string;
  readonly type: ColumnType;
  /** Whether the function has no default for it. */
  readonly isRequired: boolean;
}

/** What makes a collection of a function. */
export interface Routine {
  readonly parameters: readonly RoutineParameter[];
  /** PostgreSQL's text of each value that a request gives; undefined: no request has given any. */
  readonly given: ReadonlyMap<string, string | null> | undefined;
  /** The same as the request has them. */
  readonly texts: ReadonlyMap<string, string> | undefined;
}

/** The parts of a collection that name a function. */
interface Callable {
  readonly schema: string;
  readonly relation: string;
  readonly routine: Routine | undefined;
}

/** The facts of `portolan.collections` about a function with `@ogc`. */
export interface CatalogueRoutine {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
  readonly kind: string;
  readonly isSet: boolean;
  readonly isVolatile: boolean;
  readonly isVariadic: boolean;
  readonly isPolymorphic: boolean;
  /** How many functions have its name. */
  readonly overloads: number;
  readonly comment: string | null;
  readonly parameters: readonly { readonly name: string | null; readonly type: number; readonly isRequired: boolean }[];
}

/** A function that cannot be a collection though its comment says `@ogc`. */
export interface LeftOut {
  readonly schema: string;
  readonly name: string;
  readonly reason: string;
}

/**
 * Why it cannot be a collection; undefined: it can. `columns`: how many its rows have; `isTaken`: whether a table has the id;
 * `isReserved`: whether a name is that of a parameter of the standards.
 */
export function whyLeftOut(
  routine: CatalogueRoutine,
  { columns, isTaken, isReserved }: { columns: number; isTaken: boolean; isReserved: (name: string) => boolean },
): string | undefined {
  const { kind, isSet, isVolatile, isVariadic, isPolymorphic, overloads, parameters } = routine;
  if (kind !== "f" || !isSet) return "it returns no set of rows";
  if (columns === 0) return "its rows have no columns with names";
  if (isVolatile) return "it is volatile: only a stable or immutable function can be read";
  if (overloads > 1) return "there are several functions of its name";
  if (isTaken) return "a table has its name";
  if (isVariadic || isPolymorphic) return "it has a parameter that takes any number of values, or any type";
  if (parameters.some(({ name }) => name === null)) return "it has a parameter without a name";
  const reserved = parameters.find(({ name }) => isReserved(name!));
  return reserved && `its parameter ${JSON.stringify(reserved.name)} has the name of one of the standards`;
}

/** The collection with the values of a request. Throws `INVALID_PARAMETER` for one that is missing or no value of its type. */
export function called<Of extends Callable>(collection: Of, texts: ReadonlyMap<string, string>): Of {
  const { routine } = collection;
  if (!routine) return collection;
  const given = new Map<string, string | null>();
  const own = new Map<string, string>();
  for (const { name, type, isRequired } of routine.parameters) {
    const text = texts.get(name);
    if (text !== undefined) {
      given.set(name, valueOf(name, text, type));
      own.set(name, text);
    } else if (isRequired) throw new GatewayError("INVALID_PARAMETER", `${name}: is needed`);
  }
  return { ...collection, routine: { ...routine, given, texts: own } };
}

function valueOf(name: string, text: string, type: ColumnType): string | null {
  try {
    return toTextValue(jsonOf(text, type), type, name);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    throw new GatewayError("INVALID_PARAMETER", error.message, { cause: error });
  }
}

/** Lists, objects and JSON are written as JSON; a list also by commas, and anything else is text. */
function jsonOf(text: string, { kind, element }: ColumnType): unknown {
  if (kind === "boolean" && /^(true|false)$/i.test(text)) return /^t/i.test(text);
  const isList = kind === "array";
  if (!isList && !["json", "composite", "geometry"].includes(kind)) return text;
  if (isList && !/^\s*\[/.test(text)) return text === "" ? [] : text.split(",").map((each) => jsonOf(each, element!));
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** The values of a request by name, for addresses of the same call. */
export function argumentsOf({ routine }: Pick<Callable, "routine">): Readonly<Record<string, string>> {
  return Object.fromEntries(routine?.texts ?? []);
}

/** A call as a source of rows. Parameters that are not given have the defaults of the function. */
export function callOf({ schema, relation, routine }: Callable): SQL {
  const values = (routine?.parameters ?? []).flatMap(({ name, type }) => {
    const value = routine?.given?.get(name);
    return value === undefined ? [] : [sql`${sql.identifier(name)} => ${sql.value(value)}::${typeName(type)}`];
  });
  return sql`${sql.identifier(schema, relation)}(${sql.join(values, ", ")})`;
}

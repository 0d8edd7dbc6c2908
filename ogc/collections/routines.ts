/** Functions as collections: their parameters, their calls, and the reasons why a function cannot be one. */
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

/** The parts of a collection that make it a function. */
export interface Routine {
  readonly parameters: readonly RoutineParameter[];
  /** PostgreSQL's text of each value that a request gives; undefined before a request has given any. */
  readonly given: ReadonlyMap<string, string | null> | undefined;
  /** The same values as the texts of the request. */
  readonly texts: ReadonlyMap<string, string> | undefined;
}

/** The parts of a collection that name a function. */
interface Callable {
  readonly schema: string;
  readonly relation: string;
  readonly routine: Routine | undefined;
}

/** The facts about a function with `@ogc` from `portolan.collections`. */
export interface CatalogueRoutine {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
  readonly kind: string;
  readonly isSet: boolean;
  readonly isVolatile: boolean;
  readonly isVariadic: boolean;
  readonly isPolymorphic: boolean;
  /** The number of functions of that name. */
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
 * The reason why a function cannot be a collection; undefined if it can. `columns`: the number of columns of its rows;
 * `isTaken`: whether a table has the id; `isReserved`: whether a name is that of a standard parameter.
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

/**
 * The collection with the values of a request. Throws `INVALID_PARAMETER` for a missing value, or one that does not fit
 * its type.
 */
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

/**
 * Reads the text of a value. Lists, objects and JSON are JSON; a list may also be separated by commas. Any other value
 * is its text.
 */
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

/** The values of a request by name, for links to the same call. */
export function argumentsOf({ routine }: Pick<Callable, "routine">): Readonly<Record<string, string>> {
  return Object.fromEntries(routine?.texts ?? []);
}

/** A call as a source of rows. A parameter without a value has the function's default. */
export function callOf({ schema, relation, routine }: Callable): SQL {
  const values = (routine?.parameters ?? []).flatMap(({ name, type }) => {
    const value = routine?.given?.get(name);
    return value === undefined ? [] : [sql`${sql.identifier(name)} => ${sql.value(value)}::${typeName(type)}`];
  });
  return sql`${sql.identifier(schema, relation)}(${sql.join(values, ", ")})`;
}

/** CQL2 (OGC 21-065r2) as it was written, as text or JSON, before any name is looked up. */
import { GatewayError, type ErrorCode } from "../../ground/errors.ts";
import type { Axes } from "../../types/axes.ts";

/** The system of geometries in a filter. */
export interface FilterAxes extends Axes {
  /** Whether it is in degrees: longitudes and latitudes are limited then. */
  readonly geographic: boolean;
}

/** A place in a filter: the index of the first character in text, or the path in JSON. */
export type Place = number | string;

interface At {
  readonly at: Place;
}

export type Syntax = At &
  (
    | {
        /** An operator or a function. */
        readonly kind: "call";
        /** In lower case: `and`, `<=`, `isnull`, `s_intersects`. */
        readonly name: string;
        readonly args: readonly Syntax[];
      }
    | { readonly kind: "property"; readonly name: string }
    | { readonly kind: "text"; readonly value: string }
    /** The original text, so that no digit is lost. */
    | { readonly kind: "number"; readonly value: string }
    | { readonly kind: "boolean"; readonly value: boolean }
    | { readonly kind: "date" | "timestamp"; readonly value: string }
    /** An end that is open is undefined. */
    | { readonly kind: "interval"; readonly start: Syntax | undefined; readonly end: Syntax | undefined }
    /** WKT or GeoJSON. `axes`: of a geometry that names its own system. Default: those of the filter. */
    | { readonly kind: "geometry"; readonly value: unknown; readonly axes?: FilterAxes }
    | { readonly kind: "bbox"; readonly numbers: readonly number[]; readonly axes?: FilterAxes }
    | { readonly kind: "list"; readonly items: readonly Syntax[] }
  );

export type SyntaxKind = Syntax["kind"];
export type SyntaxOf<Kind extends SyntaxKind> = Extract<Syntax, { kind: Kind }>;

/** A fault of a filter, and its place. */
export class Cql2Error extends Error {
  override readonly name = "Cql2Error";
  readonly at: Place;
  readonly code: ErrorCode;

  constructor(at: Place, message: string, code: ErrorCode = "BAD_USER_INPUT") {
    super(message);
    this.at = at;
    this.code = code;
  }
}

/** Throws; typed `never` so that it can stand in an expression. */
export function fail(at: Place, message: string, code?: ErrorCode): never {
  throw new Cql2Error(at, message, code);
}

/** The result of `action`. If it throws an error of the gateway, that error gets the place `at`. */
export function locate<Result>(at: Place, action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    if (error instanceof GatewayError) fail(at, error.message, error.code);
    throw error;
  }
}

/** How deep parentheses, functions, `not` and minus signs may nest. */
const MAX_DEPTH = 100;
/**
 * The largest number of parts: words, names, values and signs of text, or operators, names and values of JSON, without the
 * numbers of a geometry.
 */
const MAX_TOKENS = 5_000;

export function checkDepth(depth: number, at: Place): void {
  if (depth > MAX_DEPTH) fail(at, `nested deeper than ${MAX_DEPTH}`, "LIMIT_EXCEEDED");
}

export function checkTokens(count: number, at: Place): void {
  if (count > MAX_TOKENS) fail(at, `a filter of more than ${MAX_TOKENS} parts`, "LIMIT_EXCEEDED");
}

/** JSON-RPC 2.0 (https://www.jsonrpc.org/specification): reads the requests of a message. */
import { GatewayError } from "../../ground/errors.ts";
import { IGNORED_OF_SQL, notesOnIgnored } from "../../kernel/http/ignoredMembers.ts";
import { isRawNumber, parseKeepingDigits, type RawNumber } from "../../types/exactJson.ts";

/** §4: a request's id; a number may be one that no double holds. */
export type Id = string | number | null | RawNumber;

export interface Request {
  readonly method: string;
  /** One set of parameters for each run of the method. */
  readonly params: Readonly<Record<string, unknown>> | readonly unknown[];
  /** Whether `params` was an array of objects: the method runs once for each. */
  readonly repeated: boolean;
  /** Undefined for a notification. */
  readonly id: Id | undefined;
  /** About members of the request that have no effect here. */
  readonly notes?: readonly string[];
}

/** An invalid request, or one over a limit. */
export interface Invalid {
  readonly invalid: GatewayError;
  /** Its own where it can be read, else null. */
  readonly id: Id | undefined;
}

export interface Message {
  readonly batch: boolean;
  readonly requests: readonly (Request | Invalid)[];
}

const MAX_BATCH = 1000;
const MAX_RUNS = 10_000;

/** Reads a message, which is JSON already. Throws `INVALID_REQUEST` for a batch that is empty or too long. */
export function readMessage(json: unknown): Message {
  if (!Array.isArray(json)) return { batch: false, requests: [readRequest(json)] };
  if (json.length === 0) throw new GatewayError("INVALID_REQUEST", "The batch is empty");
  if (json.length > MAX_BATCH)
    throw new GatewayError("INVALID_REQUEST", `A batch has at most ${MAX_BATCH} requests, not ${json.length}`);
  return { batch: true, requests: json.map(readRequest) };
}

export function isInvalid(request: Request | Invalid): request is Invalid {
  return "invalid" in request;
}

function readRequest(json: unknown): Request | Invalid {
  if (!isObject(json)) return invalid("A request is an object");
  const { jsonrpc, method, params, id } = json;
  if (id !== undefined && !isId(id)) return invalid("id must be a string, a number or null");
  if (jsonrpc !== "2.0") return invalid('jsonrpc must be "2.0"', id);
  if (typeof method !== "string") return invalid("method must be a string", id);
  if (params !== undefined && !Array.isArray(params) && !isObject(params))
    return invalid("params must be an object or an array", id);
  if (Array.isArray(params) && params.length > MAX_RUNS)
    return { ...invalid(`params has at most ${MAX_RUNS} elements, not ${params.length}`), id };
  const repeated = Array.isArray(params) && params.length > 0 && params.every(isObject);
  return {
    method,
    params: (params ?? {}) as Request["params"],
    repeated,
    id,
    ...notesOnIgnored(json, IGNORED_OF_SQL),
  };
}

/** An invalid request is not a notification either: it is answered even without an id. */
function invalid(message: string, id: Id = null): Invalid {
  return { invalid: new GatewayError("INVALID_REQUEST", message), id };
}

function isId(value: unknown): value is Id {
  return value === null || typeof value === "string" || typeof value === "number" || isRawNumber(value);
}

/** A number beyond a double counts as no number here, although `parseMessage` makes an object of it. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isRawNumber(value);
}

/** The text of a response; `result` is JSON text. */
export function resultText(id: Id, result: string): string {
  return `{"jsonrpc":"2.0","result":${result},"id":${JSON.stringify(id)}}`;
}

export function errorText(id: Id, error: object): string {
  return `{"jsonrpc":"2.0","error":${JSON.stringify(error)},"id":${JSON.stringify(id)}}`;
}

/** JSON text of a message. Numbers that no double holds keep their digits. Throws `PARSE_ERROR`. */
export function parseMessage(text: string): unknown {
  try {
    return parseKeepingDigits(text);
  } catch (error) {
    throw new GatewayError("PARSE_ERROR", undefined, { cause: error });
  }
}

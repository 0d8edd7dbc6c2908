/** Reads and checks the body of a request: JSON, with all faults named at once. */
import type { IncomingMessage } from "node:http";
import { z } from "zod";
import { GatewayError, badInput } from "../../ground/errors.ts";
import { checkContentType, readText, streamBody } from "../http/body.ts";
import { isDeeperThan, parseKeepingNumbers } from "../../types/exactJson.ts";
import type { Operation } from "./resource.ts";

/** Objects in one body. */
export const MAX_ITEMS = 1000;
const MAX_LEVELS = 64;
const MAX_FAULTS = 100;
const HOUR = 3_600_000;

export interface Fault {
  /** JSON Pointer (RFC 6901) to the member. */
  readonly pointer: string;
  readonly detail: string;
}

export interface BodyOptions {
  readonly maxBodyBytes: number;
  /** For a body that is read as a stream. Default `maxBodyBytes`. */
  readonly maxImportBytes?: number;
  /** For a request whose body is read as a stream. Default an hour. */
  readonly importTimeoutMs?: number;
  /** Default application/json alone. */
  readonly mediaTypes?: readonly string[];
}

/**
 * The body of a request for an operation, and whether it was a list. Throws `UNSUPPORTED_MEDIA_TYPE`, `TOO_LARGE` and
 * `BAD_USER_INPUT`.
 */
export async function readBody(
  request: IncomingMessage,
  operation: Operation,
  { maxBodyBytes, maxImportBytes = maxBodyBytes, importTimeoutMs = HOUR, mediaTypes }: BodyOptions,
): Promise<{ readonly value: unknown; readonly isList: boolean }> {
  if (operation.stream) {
    const options = { mediaTypes: operation.stream, maxBytes: maxImportBytes, timeoutMs: importTimeoutMs };
    return { value: streamBody(request, options), isList: false };
  }
  if (!operation.body) return { value: undefined, isList: false };
  checkContentType(request, mediaTypes);
  const text = await readText(request, maxBodyBytes);
  if (text === "") badInput("The request has no body");
  const body = parse(text);
  if (isDeeperThan(body, MAX_LEVELS)) badInput(`The body is nested more than ${MAX_LEVELS} levels deep`);
  const { several = false, mayBeEmpty = false } = operation;
  const isList = Array.isArray(body);
  if (!several) return { value: check(operation.body, body), isList };
  const least = mayBeEmpty ? 0 : 1;
  const value = isList ? check(z.array(operation.body).min(least).max(MAX_ITEMS), body) : [check(operation.body, body)];
  return { value, isList };
}

function parse(text: string): unknown {
  try {
    return parseKeepingNumbers(text);
  } catch (error) {
    throw new GatewayError("BAD_USER_INPUT", "The request body is not valid JSON", { cause: error });
  }
}

/** The checked value. Throws `BAD_USER_INPUT` with every fault, and the SQLSTATE that a check of the schema's own gave. */
export function check<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const faults = faultsOf(parsed.error);
  const text = faults.map(({ pointer, detail }) => (pointer === "" ? detail : `${pointer.slice(1)}: ${detail}`));
  const [sqlstate] = issues.flatMap((issue) => (issue.code === "custom" ? (issue.params?.["sqlstate"] ?? []) : []));
  throw new GatewayError("BAD_USER_INPUT", text.join("; "), {
    sqlstate: sqlstate as string | undefined,
    members: { errors: faults },
  });
}

/** At most 100 of them. */
export function faultsOf({ issues }: z.ZodError): Fault[] {
  return issues.flatMap(toFaults).slice(0, MAX_FAULTS);
}

function toFaults(issue: z.core.$ZodIssue): Fault[] {
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => ({ pointer: toPointer([...issue.path, key]), detail: "is not a member here" }));
  if (issue.code === "invalid_key")
    // its name, not its value
    return issue.issues.map(({ message }) => ({ pointer: toPointer(issue.path), detail: message }));
  const missing = issue.code === "invalid_type" && /received undefined$/.test(issue.message);
  return [
    {
      pointer: toPointer(issue.path),
      detail: missing ? "is missing" : issue.message.replace(/^Invalid (input|option): /, ""),
    },
  ];
}

function toPointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).slice(0, 100).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

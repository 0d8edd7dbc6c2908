/** Reads and checks what a request brings: JSON, one megabyte at most, every fault of it named at once. */
import type { IncomingMessage } from "node:http";
import { z } from "zod";
import { GatewayError, badInput } from "../kernel/errors.ts";
import { checkContentType, readText } from "../kernel/http/body.ts";
import { isDeeperThan, parseKeepingNumbers } from "../types/exactJson.ts";
import type { Operation } from "./resource.ts";

const MAX_ITEMS = 1000;
const MAX_LEVELS = 64;
const MAX_FAULTS = 100;

export interface Fault {
  /** JSON Pointer (RFC 6901) to the member. */
  readonly pointer: string;
  readonly detail: string;
}

/**
 * The body of a request for an operation, up to `maxBytes`, and whether it was a list. Throws `UNSUPPORTED_MEDIA_TYPE`, `TOO_LARGE` and
 * `BAD_USER_INPUT`.
 */
export async function readBody(
  request: IncomingMessage,
  operation: Operation,
  maxBytes: number,
): Promise<{ readonly value: unknown; readonly isList: boolean }> {
  if (!operation.body) return { value: undefined, isList: false };
  checkContentType(request);
  const text = await readText(request, maxBytes);
  if (text === "") badInput("The request has no body");
  const body = parse(text);
  if (isDeeperThan(body, MAX_LEVELS)) badInput(`The body is nested more than ${MAX_LEVELS} levels deep`);
  return { value: check({ ...operation, body: operation.body }, body), isList: Array.isArray(body) };
}

function parse(text: string): unknown {
  try {
    return parseKeepingNumbers(text);
  } catch (error) {
    throw new GatewayError("BAD_USER_INPUT", "The request body is not valid JSON", { cause: error });
  }
}

/** The checked value; for `several` always an array. Throws `BAD_USER_INPUT` with every fault. */
function check(
  { body, several = false, mayBeEmpty = false }: Operation & { readonly body: z.ZodType },
  value: unknown,
): unknown {
  const isList = several && Array.isArray(value);
  const list = z
    .array(body)
    .min(mayBeEmpty ? 0 : 1)
    .max(MAX_ITEMS);
  const parsed = (isList ? list : body).safeParse(value);
  if (parsed.success) return several && !isList ? [parsed.data] : parsed.data;
  const faults = parsed.error.issues.flatMap(toFaults).slice(0, MAX_FAULTS);
  const text = faults.map(({ pointer, detail }) => (pointer === "" ? detail : `${pointer.slice(1)}: ${detail}`));
  throw new GatewayError("BAD_USER_INPUT", text.join("; "), { members: { errors: faults } });
}

function toFaults(issue: z.core.$ZodIssue): Fault[] {
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => ({ pointer: toPointer([...issue.path, key]), detail: "is not a member here" }));
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

/** Reads and checks what a request brings: JSON, one megabyte at most, every fault of it named at once. */
import express, { type Request, type Response } from "express";
import { z } from "zod";
import { GatewayError, badInput } from "../kernel/errors.ts";
import { isDeeperThan } from "../types/exactJson.ts";
import { keepNumbers } from "../types/exactJson.ts";
import type { Operation } from "./resource.ts";

const MAX_ITEMS = 1000;
const MAX_LEVELS = 64;
const MAX_FAULTS = 100;

export interface Fault {
  /** JSON Pointer (RFC 6901) to the member. */
  readonly pointer: string;
  readonly detail: string;
}

export type BodyReader = (request: Request, response: Response, operation: Operation) => Promise<unknown>;

/** A reader of bodies up to `maxBytes`. It throws `UNSUPPORTED_MEDIA_TYPE`, `TOO_LARGE` and `BAD_USER_INPUT`. */
export function bodyReader(maxBytes: number): BodyReader {
  const parse = express.json({ limit: maxBytes, strict: false, type: () => true, reviver: keepNumbers });
  return async (request, response, operation) => {
    if (!operation.body) return undefined;
    checkContentType(request);
    await new Promise<void>((resolve, reject) =>
      parse(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(error as Error))),
    );
    if (request.body === undefined || request.headers["content-length"] === "0") badInput("The request has no body");
    if (isDeeperThan(request.body, MAX_LEVELS)) badInput(`The body is nested more than ${MAX_LEVELS} levels deep`);
    return check({ ...operation, body: operation.body }, request.body);
  };
}

/** JSON is UTF-8 (RFC 8259 §8.1). */
function checkContentType({ headers }: Request): void {
  if (!/^application\/json *(; *charset="?utf-?8"? *)?$/i.test(headers["content-type"] ?? ""))
    throw new GatewayError("UNSUPPORTED_MEDIA_TYPE", "The request body must be application/json in UTF-8");
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

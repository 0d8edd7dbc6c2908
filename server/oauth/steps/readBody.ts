import type { IncomingMessage } from "node:http";
import { readText } from "../../kernel/http/body.ts";
import { oauthError } from "../errors.ts";
import type { OAuthContext, Parameters, Step } from "../context.ts";

export const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";
/** A token request has a few hundred bytes; a refresh token a thousand. */
export const MAX_BODY_BYTES = 64 * 1024;

/** Reads the body of a POST, a form or a JSON object of strings; each parameter once (RFC 6749 §3.2). */
export const readBody: Step = async (context) => {
  context.parameters = await readParameters(context);
};

async function readParameters({ request }: OAuthContext): Promise<Parameters> {
  const body = await readText(request, MAX_BODY_BYTES);
  if (isOf(request, FORM)) return fromForm(body);
  if (isOf(request, JSON_TYPE)) return fromJson(body);
  throw oauthError("invalid_request", `The body must be ${FORM} or ${JSON_TYPE}`);
}

/** Whether the body of a request has a media type, whatever its parameters. */
export function isOf({ headers }: IncomingMessage, mediaType: string): boolean {
  return headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase() === mediaType;
}

/**
 * Throws `invalid_request` for a parameter that is given twice, and `invalid_target` for a second `resource`: a
 * standard allows several (RFC 8707 §2), but a token here has one.
 */
export function fromForm(body: string): Parameters {
  const entries = [...new URLSearchParams(body)];
  const seen = new Set<string>();
  for (const [name] of entries) {
    if (seen.has(name))
      throw oauthError(
        name === "resource" ? "invalid_target" : "invalid_request",
        `The parameter '${name}' is given twice`,
      );
    seen.add(name);
  }
  return present(entries);
}

function fromJson(body: string): Parameters {
  const value = parse(body);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw oauthError("invalid_request", "The body must be a JSON object");
  const members = Object.entries(value);
  for (const [name, member] of members)
    if (member !== null && typeof member !== "string")
      throw oauthError("invalid_request", `The parameter '${name}' must be a string`);
  // JSON.parse takes the last of two members with one name: outside of strings, each member has one colon
  const colons = body.replaceAll(/"(?:[^"\\]|\\.)*"/g, "").split(":").length - 1;
  if (colons > members.length) throw oauthError("invalid_request", "A parameter is given twice");
  return present(members.filter((entry): entry is [string, string] => entry[1] !== null));
}

/** RFC 6749 §3.2: a parameter without a value counts as missing. PostgreSQL cannot store a NUL in text. */
function present(entries: readonly [string, string][]): Parameters {
  for (const [name, value] of entries)
    if (value.includes("\0")) throw oauthError("invalid_request", `The parameter '${name}' has a NUL in it`);
  return Object.fromEntries(entries.filter(([, value]) => value !== ""));
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    throw oauthError("invalid_request", "The body is not valid JSON");
  }
}

/** A client proves who it is by an assertion that it signs with its own key (RFC 7523 §3, OpenID Connect Core 1.0 §9). */
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  decodeJwt,
  errors,
  jwtVerify,
  type JWTVerifyGetKey,
} from "jose";
import { LRUCache } from "lru-cache";
import { FetchRefused, fetchPublic } from "../../kernel/http/publicFetch.ts";
import { agentsResource } from "../../kernel/identity/resources.ts";
import { isFirstUse } from "../../kernel/identity/once.ts";
import type { Kernel } from "../../kernel.ts";
import { proofAlgorithmsOf, type ProofAlgorithm } from "../../kernel/identity/proofAlgorithms.ts";
import { isFapi2, privateHostsOf, type Client } from "../clients.ts";
import { PATHS } from "../endpoints/metadata.ts";
import type { OAuthContext } from "../context.ts";

export const ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/** The tolerance for differing clocks. */
const TOLERANCE_SECONDS = 10;
/** How far ahead an assertion may end: its `jti` is kept until then. */
const MAX_LIFETIME_SECONDS = 3600;
const MAX_KEY_SET_BYTES = 100_000;

/** The client that an assertion names, before it is verified. */
export function subjectOfAssertion(assertion: string): string | undefined {
  try {
    const { sub } = decodeJwt(assertion);
    return sub;
  } catch {
    return undefined;
  }
}

/** The reason why an assertion is refused; undefined where it is valid. Each counts once. */
export async function whyNotAsserted(
  context: OAuthContext,
  client: Client,
  assertion: string,
): Promise<string | undefined> {
  try {
    const { payload, protectedHeader } = await jwtVerify(assertion, keysOf(context.kernel, client), {
      algorithms: [...algorithmsOf(client)],
      issuer: client.id,
      subject: client.id,
      requiredClaims: ["aud", "exp", "jti"],
      clockTolerance: TOLERANCE_SECONDS,
    });
    const { aud, exp = 0, iat = 0, jti } = payload;
    const now = Date.now() / 1000;
    if (!["jwt", "client-authentication+jwt", undefined].includes(protectedHeader.typ?.toLowerCase()))
      return "The assertion is a token of another kind";
    if (!isForUs(context, aud)) return `'aud' of the assertion must be ${context.kernel.baseUrl}`;
    if (exp > now + MAX_LIFETIME_SECONDS) return "The assertion ends more than an hour from now";
    if (iat > now + 3 * TOLERANCE_SECONDS) return "The assertion is from the future";
    if (typeof jti !== "string" || jti.length > 256)
      return "'jti' of the assertion must be a text of 1 to 256 characters";
    const lasts = exp - now + TOLERANCE_SECONDS + 1;
    if (!(await isFirstUse(context.database, `assertion ${client.id} ${jti}`, lasts)))
      return "The assertion was used before";
    return undefined;
  } catch (error) {
    if (error instanceof FetchRefused) return `The keys of the client cannot be read. ${error.message}`;
    if (error instanceof errors.JWTExpired) return "The assertion has expired";
    if (error instanceof errors.JOSEError) return "The assertion is not valid";
    throw error;
  }
}

function algorithmsOf(client: Client): readonly ProofAlgorithm[] {
  const algorithms = proofAlgorithmsOf(isFapi2(client));
  return client.authAlg === null ? algorithms : algorithms.filter((one) => one === client.authAlg);
}

/** An issuer, the token endpoint, or the endpoint that is asked (RFC 7523 §3), also as the metadata of a database name it. */
function isForUs({ kernel: { baseUrl }, database, request }: OAuthContext, aud: unknown): boolean {
  const issuers = [baseUrl, agentsResource(baseUrl, database.name)];
  const ours: unknown[] = [...issuers, baseUrl + PATHS.token, baseUrl + (request.url ?? "").split("?", 1)[0]];
  const audiences: unknown[] = Array.isArray(aud) ? aud : [aud];
  return audiences.some((one) => ours.includes(typeof one === "string" ? one.split("?database=", 1)[0] : one));
}

/** For each kernel, key sets by address. They are fetched when first needed, and when a key is unknown. */
const remote = new WeakMap<Kernel, LRUCache<string, JWTVerifyGetKey>>();

function keysOf(kernel: Kernel, client: Client): JWTVerifyGetKey {
  const { jwks, jwksUri: url } = client;
  if (url === null) return createLocalJWKSet(jwks ?? { keys: [] });
  const sets = remote.get(kernel) ?? new LRUCache<string, JWTVerifyGetKey>({ max: 1000 });
  remote.set(kernel, sets);
  const name = `${client.origin} ${url}`;
  const known = sets.get(name);
  if (known) return known;
  const maxBytes = client.origin === "administrator" ? MAX_KEY_SET_BYTES : undefined;
  const privateHosts = privateHostsOf(client, url, kernel.config);
  const keys = createRemoteJWKSet(new URL(url), {
    cooldownDuration: 5000, // a client that has just changed its key
    [customFetch]: async () => {
      const { status, text } = await fetchPublic({ url, privateHosts, ...(maxBytes !== undefined && { maxBytes }) });
      return new Response(text, { status });
    },
  });
  sets.set(name, keys);
  return keys;
}

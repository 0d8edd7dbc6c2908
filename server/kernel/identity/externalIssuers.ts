/** Tokens of issuers that a team has already: verified under their published keys, mapped to an account here. */
import { createRemoteJWKSet, customFetch, decodeJwt, errors, jwtVerify, type JWTPayload } from "jose";
import type { ExternalIssuer } from "../config/accounts.ts";
import { GatewayError } from "../../ground/errors.ts";
import { currentSpan, during } from "../tracing/trace.ts";
import { invalidToken } from "./tokens.ts";

/** Signatures by public keys only: with HS256 who verifies could also sign. */
const ALGORITHMS = ["ES256", "ES384", "ES512", "EdDSA", "RS256", "RS384", "RS512", "PS256", "PS384", "PS512"];

/** RFC 9068 §2.1, and issuers from before; an ID token or a logout token (`logout+jwt`) gives no access. */
const ACCESS_TOKEN_TYPE = /^(application\/)?(at\+)?jwt$/i;

/** Claims that only an ID token (OpenID Connect Core §3.3.2.11) or a logout token (Back-Channel Logout §2.4) has. */
const OF_OTHER_TOKENS = ["at_hash", "c_hash", "events"];

export interface ExternalClaims {
  readonly claims: JWTPayload;
  /** The account, as the configured claim names it. */
  readonly account: string;
  /** The database that the configuration, else the token, names; undefined when neither does. */
  readonly database: string | undefined;
  /** The audiences of the configuration, of which the token has one. */
  readonly audience: readonly string[];
}

export type OutsideClaims = Omit<ExternalClaims, "account"> & {
  /** The account that the configured claim names; undefined where it names none. */
  readonly account: string | undefined;
};

/** Verifies tokens of the configured issuers; keys are fetched when they are first needed, and when one is unknown. */
export class ExternalIssuers {
  readonly #issuers: ReadonlyMap<string, ExternalIssuer & { readonly keys: ReturnType<typeof createRemoteJWKSet> }>;

  constructor(issuers: readonly ExternalIssuer[]) {
    this.#issuers = new Map(issuers.map((issuer) => [issuer.issuer, { ...issuer, keys: remoteKeys(issuer) }]));
  }

  /** Undefined for a token of another issuer. Throws `UNAUTHENTICATED`, and `UNAVAILABLE` without their keys. */
  async verify(token: string): Promise<ExternalClaims | undefined> {
    const read = await this.read(token);
    if (!read) return undefined;
    const { account, ...others } = read;
    if (account === undefined) throw invalidToken();
    return { ...others, account };
  }

  /** The same for a token whose subject may be linked to an account, so that no claim must name one. */
  async read(token: string): Promise<OutsideClaims | undefined> {
    const issuer = this.#issuers.size === 0 ? undefined : this.#issuers.get(issuerClaim(token) ?? "");
    if (!issuer) return undefined;
    const claims = await verifyWith(token, issuer);
    const account = claims[issuer.account];
    const named = claims["database"];
    return {
      claims,
      account: typeof account === "string" && account !== "" ? account.toLowerCase() : undefined,
      database: issuer.database ?? (typeof named === "string" ? named : undefined),
      audience: issuer.audience,
    };
  }
}

/** Fetches the issuer's keys, with the trace context of the request that needs them. */
function remoteKeys({ jwksUri }: ExternalIssuer): ReturnType<typeof createRemoteJWKSet> {
  return createRemoteJWKSet(new URL(jwksUri), {
    [customFetch]: (url, options) => {
      const span = currentSpan()?.child("keys of the issuer");
      if (span) options.headers.set("traceparent", span.traceparent);
      return during(span, () => fetch(url, options));
    },
  });
}

async function verifyWith(
  token: string,
  { issuer, audience, keys }: ExternalIssuer & { readonly keys: ReturnType<typeof createRemoteJWKSet> },
): Promise<JWTPayload> {
  try {
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      algorithms: ALGORITHMS,
      issuer,
      audience: [...audience],
      requiredClaims: ["exp"],
    });
    if (
      !ACCESS_TOKEN_TYPE.test(protectedHeader.typ ?? "JWT") ||
      OF_OTHER_TOKENS.some((claim) => payload[claim] !== undefined)
    )
      throw new errors.JWTInvalid("not an access token");
    return payload;
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw invalidToken("The access token has expired", error);
    // what their server did wrong is not the caller's fault
    if (
      !(error instanceof errors.JOSEError) ||
      error instanceof errors.JWKSTimeout ||
      error.code === "ERR_JOSE_GENERIC"
    )
      throw new GatewayError("UNAVAILABLE", "The keys of the token's issuer cannot be read", { cause: error });
    throw invalidToken(undefined, error);
  }
}

function issuerClaim(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

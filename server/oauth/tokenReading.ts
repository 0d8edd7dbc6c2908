/** Reads an access or refresh token of our own, for revocation and introspection. */
import type { JWTPayload } from "jose";
import { GatewayError } from "../ground/errors.ts";
import { verifyToken, type TokenType } from "../kernel/identity/tokens.ts";
import type { OAuthContext } from "./context.ts";

export interface ReadToken {
  readonly type: TokenType;
  readonly claims: JWTPayload;
}

/** The claims of a token that this database gave and that has not expired, or undefined. */
export async function readToken({ database, kernel }: OAuthContext, token: string): Promise<ReadToken | undefined> {
  const source = { keys: kernel.identifier.keysOf(database), database: database.name, issuer: kernel.baseUrl };
  for (const type of ["at+jwt", "rt+jwt"] as const)
    try {
      const claims = await verifyToken(token, type, source);
      return { type, claims };
    } catch (error) {
      if (!(error instanceof GatewayError && error.code === "UNAUTHENTICATED")) throw error;
    }
  return undefined;
}

/**
 * @node-oauth/oauth2-server: checks whether the client may use this grant, chooses the file that runs it, and makes the
 * code of /auth.
 */
import OAuth2Server from "@node-oauth/oauth2-server";
import type { Account } from "../kernel/identity/tokens.ts";
import type { OAuthContext } from "./context.ts";
import { GRANT_TYPES, namesOf } from "./grants/all.ts";
import { makeCode } from "./secrets.ts";
import type { Token } from "./tokenAnswer.ts";

const FORM = { "content-type": "application/x-www-form-urlencoded", "content-length": "1" };

/** Runs the grant that the request names. Throws the errors of RFC 6749 §5.2. */
export async function grantTokens(context: OAuthContext): Promise<Token> {
  const { parameters, client } = context;
  const request = new OAuth2Server.Request({
    method: "POST",
    headers: FORM, // the library knows no JSON; the body has been read
    query: {},
    // the client has authenticated already; the library requires a secret
    body: { grant_type: parameters["grant_type"], client_id: client.id, client_secret: "verified" },
    context,
  });
  const token = await serverFor(context).token(request, new OAuth2Server.Response({ headers: {} }), {
    accessTokenLifetime: client.accessTokenLifetimeSeconds,
    refreshTokenLifetime: client.refreshTokenLifetimeSeconds,
    extendedGrantTypes: GRANT_TYPES as unknown as Record<string, typeof OAuth2Server.AbstractGrantType>,
  });
  return token as Token; // the tokens of the grant
}

/** Makes the code that /auth redirects with; `save` keeps it. Throws the errors of RFC 6749 §4.1.2.1. */
export async function makeAuthorizationCode(
  context: OAuthContext,
  account: Account,
  save: (code: string) => Promise<void>,
): Promise<string> {
  const { database, parameters, client } = context;
  const request = new OAuth2Server.Request({
    method: "GET",
    headers: {},
    // `state` goes back as it came; the library would refuse letters beyond ASCII
    query: { ...parameters, state: undefined } as unknown as Record<string, string>,
  });
  const model: OAuth2Server.AuthorizationCodeModel = {
    ...modelOf(context),
    generateAuthorizationCode: () => Promise.resolve(makeCode(database.name)),
    async saveAuthorizationCode(code) {
      await save(code.authorizationCode);
      return { ...code, client: libraryClient(context), user: account };
    },
    getAuthorizationCode: notUsed,
    revokeAuthorizationCode: notUsed,
  };
  const code = await new OAuth2Server({ model }).authorize(request, new OAuth2Server.Response({ headers: {} }), {
    authenticateHandler: { handle: () => account },
    allowEmptyState: true,
    authorizationCodeLifetime: client.codeLifetimeSeconds,
  });
  return code.authorizationCode;
}

function serverFor(context: OAuthContext): OAuth2Server {
  return new OAuth2Server({ model: modelOf(context) });
}

/** Our grants decide in the database. The library needs only the client from the model. */
function modelOf(context: OAuthContext): OAuth2Server.ExtensionModel {
  return {
    getClient: () => Promise.resolve(libraryClient(context)),
    saveToken: notUsed,
    getAccessToken: notUsed,
  };
}

function libraryClient({ client, redirectUri }: OAuthContext): OAuth2Server.Client {
  const redirectUris = redirectUri === undefined ? [...client.redirectUris] : [redirectUri]; // the redirect URI was checked
  return { id: client.id, redirectUris, grants: client.grants.flatMap(namesOf) };
}

function notUsed(): never {
  throw new Error("our grants do not use this part of the model");
}

import { audit } from "../../kernel/identity/audit.ts";
import { noteGuess, refuseIfLocked } from "../../kernel/identity/signIn.ts";
import { isSecretOf, type AuthMethod } from "../clients.ts";
import { oauthError } from "../errors.ts";
import type { OAuthContext, Step } from "../context.ts";
import { findOrReadClient } from "../registration/documents.ts";

/** The client by its id, and by its secret where it has one: in the body or by HTTP Basic (RFC 6749 §2.3.1). */
export const authenticateClient: Step = async (context) => {
  const { database, address } = context;
  const { id, secret, method } = credentialsOf(context);
  if (id === undefined) throw oauthError("invalid_client", "The client does not say who it is; 'client_id' is missing");
  const client = CLIENT_ID.test(id) ? await findOrReadClient(context, id) : undefined;
  if (!client) throw oauthError("invalid_client", "There is no such client");
  if (client.disabled) throw oauthError("invalid_client", "The client is disabled");
  context.client = client;
  if (client.public) return;
  if (secret === undefined) throw oauthError("invalid_client", "The client must authenticate with its secret");
  if (client.authMethod !== null && client.authMethod !== method)
    throw oauthError("invalid_client", `The client has registered '${client.authMethod}'`);
  const guess = { kind: "client", subject: id, address } as const;
  await refuseIfLocked(database, guess);
  const right = isSecretOf(client, secret);
  await noteGuess(database, guess, right);
  if (right) return;
  await audit(database, { event: "client.refused", clientId: id, address });
  throw oauthError("invalid_client", "The secret of the client is not right");
};

/** The forms of a client's id; Basic can carry characters that PostgreSQL's text cannot hold. */
const CLIENT_ID = /^([A-Za-z0-9._~:@-]{1,100}|https:\/\/[\x21-\x7e]{1,490})$/;

function credentialsOf({ request, parameters }: OAuthContext): {
  id?: string | undefined;
  secret?: string | undefined;
  method: AuthMethod;
} {
  const { client_id: id, client_secret: secret } = parameters;
  const { authorization } = request.headers;
  if (authorization === undefined) return { id, secret, method: "client_secret_post" };
  const basic = basicCredentials(authorization);
  if (!basic) throw oauthError("invalid_client", "The Authorization header must be Basic with id and secret");
  if (secret !== undefined) throw oauthError("invalid_request", "The client must use one way to authenticate, not two"); // RFC 6749 §2.3
  if (id !== undefined && id !== basic.id)
    throw oauthError("invalid_request", "'client_id' and the Authorization header name two clients");
  return { ...basic, method: "client_secret_basic" };
}

/** Both halves are form-encoded before they are joined (RFC 6749 §2.3.1). */
function basicCredentials(authorization: string): { id: string; secret?: string } | undefined {
  const [, encoded] = /^basic +([A-Za-z0-9+/_=-]+) *$/i.exec(authorization) ?? [];
  if (encoded === undefined) return undefined;
  const [id = "", ...rest] = Buffer.from(encoded, "base64").toString("utf8").split(":");
  const secret = rest.join(":");
  return { id: decodeForm(id), ...(secret !== "" && { secret: decodeForm(secret) }) };
}

function decodeForm(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text; // of a client that does not encode
  }
}

import { audit } from "../../kernel/identity/audit.ts";
import { noteGuess, refuseIfLocked } from "../../kernel/identity/signIn.ts";
import { isSecretOf, type AuthMethod, type Client } from "../clients.ts";
import { oauthError } from "../errors.ts";
import type { OAuthContext, Step } from "../context.ts";
import { count } from "../metrics.ts";
import { findOrReadClient } from "../registration/documents.ts";
import { ASSERTION_TYPE, subjectOfAssertion, whyNotAsserted } from "./clientAssertion.ts";

/**
 * The client by its id, and, where it is confidential, by its secret in the body or by HTTP Basic (RFC 6749 §2.3.1), or by an
 * assertion (RFC 7523).
 */
export const authenticateClient: Step = async (context) => {
  const { database, address } = context;
  const credentials = credentialsOf(context);
  const { id } = credentials;
  if (id === undefined) throw oauthError("invalid_client", "The client does not say who it is; 'client_id' is missing");
  const client = CLIENT_ID.test(id) ? await findOrReadClient(context, id) : undefined;
  if (!client) throw oauthError("invalid_client", "There is no such client");
  if (client.disabled) throw oauthError("invalid_client", "The client is disabled");
  context.client = client;
  if (client.public && credentials.method !== "private_key_jwt") return;
  checkMethod(client, credentials);
  const guess = { kind: "client", subject: id, address } as const;
  // a secret costs nothing to compare; the note that follows refuses a wrong one
  if (credentials.method === "private_key_jwt") await refuseIfLocked(database, guess);
  const wrong = await whyRefused(context, client, credentials);
  count(context.kernel, "clients", {
    method: credentials.method,
    outcome: wrong === undefined ? "accepted" : "refused",
  });
  await noteGuess(database, guess, wrong === undefined);
  if (wrong === undefined) return;
  await audit(database, { event: "client.refused", clientId: id, address });
  throw oauthError("invalid_client", wrong);
};

interface Credentials {
  readonly id?: string | undefined;
  /** The secret, or the assertion. */
  readonly secret?: string | undefined;
  readonly method: AuthMethod;
}

function checkMethod(client: Client, { method, secret }: Credentials): void {
  const isKey = method === "private_key_jwt";
  const registered = client.public ? "none" : client.authMethod;
  if (registered === null ? isKey : secret !== undefined && registered !== method)
    throw oauthError("invalid_client", `The client has registered '${registered ?? "client_secret_basic"}'`);
  if (secret !== undefined) return;
  const how = client.authMethod === "private_key_jwt" ? "with an assertion" : "with its secret";
  throw oauthError("invalid_client", `The client must authenticate ${how}`);
}

async function whyRefused(
  context: OAuthContext,
  client: Client,
  { method, secret = "" }: Credentials,
): Promise<string | undefined> {
  if (method === "private_key_jwt") return whyNotAsserted(context, client, secret);
  return isSecretOf(client, secret) ? undefined : "The secret of the client is not right";
}

/** The forms of a client's id; Basic can carry characters that PostgreSQL's text cannot hold. */
const CLIENT_ID = /^([A-Za-z0-9._~:@-]{1,100}|https:\/\/[\x21-\x7e]{1,490})$/;

function credentialsOf({ request, parameters }: OAuthContext): Credentials {
  const { client_id: id, client_secret: secret, client_assertion: assertion } = parameters;
  const { authorization } = request.headers;
  const basic = authorization === undefined ? undefined : basicCredentials(authorization);
  if (authorization !== undefined && !basic)
    throw oauthError("invalid_client", "The Authorization header must be Basic with id and secret");
  if ([basic, secret, assertion].filter((one) => one !== undefined).length > 1)
    throw oauthError("invalid_request", "The client must use one way to authenticate, not two"); // RFC 6749 §2.3
  if (basic && id !== undefined && id !== basic.id)
    throw oauthError("invalid_request", "'client_id' and the Authorization header name two clients");
  if (basic) return { ...basic, method: "client_secret_basic" };
  if (assertion === undefined) return { id, secret, method: "client_secret_post" };
  if (parameters["client_assertion_type"] !== ASSERTION_TYPE)
    throw oauthError("invalid_client", `'client_assertion_type' must be ${ASSERTION_TYPE}`);
  const subject = subjectOfAssertion(assertion);
  if (id !== undefined && id !== subject)
    throw oauthError("invalid_client", "'client_id' and the assertion name two clients"); // RFC 7521 §4.2
  return { id: subject, secret: assertion, method: "private_key_jwt" };
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
    return text; // from a client that does not encode
  }
}

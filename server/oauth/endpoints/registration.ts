/** `/api/v4/oauth/register`: a client registers itself (RFC 7591), and reads, changes and removes its registration (RFC 7592). */
import { randomUUID, timingSafeEqual } from "node:crypto";
import { SQLSTATE, sqlstateOf } from "../../ground/errors.ts";
import { readText } from "../../kernel/http/body.ts";
import { networkOf } from "../../kernel/http/clientAddress.ts";
import { sendNothing } from "../../kernel/http/answer.ts";
import { hashOf } from "../../kernel/identity/hash.ts";
import { tooManyFailures } from "../../kernel/identity/signIn.ts";
import { findClient, isSecretOf } from "../clients.ts";
import { count } from "../metrics.ts";
import { sendJson, type OAuthContext, type Step } from "../context.ts";
import { oauthError } from "../errors.ts";
import { imposedMetadata, readMetadata, type ClientMetadata } from "../registration/metadata.ts";
import { checkSector } from "../registration/sector.ts";
import { databaseOfCode, makeCode } from "../secrets.ts";
import { databaseOfQuery } from "../steps/chooseDatabase.ts";
import { MAX_BODY_BYTES, isOf } from "../steps/readBody.ts";
import { PATHS } from "./metadata.ts";

const checkIsOn: Step = ({ kernel }) => {
  if (kernel.config.registration === "off")
    throw oauthError("access_denied", "Clients do not register themselves here; an administrator registers them");
};

/** The token of the Authorization header, which names its database. */
function tokenOf({ request }: OAuthContext): string | undefined {
  return /^bearer +([A-Za-z0-9._~+/=-]+) *$/i.exec(request.headers.authorization ?? "")?.[1];
}

/** Takes the database of the token, or the one that `database` names in the query. */
const chooseDatabase: Step = async (context) => {
  const { kernel } = context;
  const token = tokenOf(context);
  const named = databaseOfQuery(context);
  const name = token === undefined ? named : databaseOfCode(token);
  const database = await kernel.directory.find(name);
  if (database) context.database = database;
  else if (token !== undefined) throw oauthError("invalid_token", "The token is not valid");
  else if (named !== undefined) throw oauthError("invalid_request", "There is no such database");
  else throw oauthError("invalid_request", "This service has several databases; say which with '?database='");
};

async function readJson({ request }: OAuthContext): Promise<unknown> {
  if (!isOf(request, "application/json")) throw oauthError("invalid_request", "The body must be application/json");
  const body = await readText(request, MAX_BODY_BYTES);
  if (/\\u0000/.test(body)) throw oauthError("invalid_client_metadata", "A member has a NUL in it");
  try {
    return JSON.parse(body) as unknown;
  } catch {
    throw oauthError("invalid_request", "The body is not valid JSON");
  }
}

const register: Step = async (context) => {
  const { database, kernel, response, address } = context;
  const initial = tokenOf(context);
  if (initial === undefined && (kernel.config.registration === "token" || context.request.headers.authorization))
    throw oauthError("invalid_token", "To register, a client needs a token of an administrator");
  const { members, metadata } = readMetadata(await readJson(context), "client_secret_basic");
  await checkSector(metadata, kernel.config.privateClientHosts);
  const id = randomUUID();
  const registration = makeCode(database.name);
  const { outcome, secret } = await asMetadata(() =>
    database.db.one<{ outcome: string; secret: string | null }>(
      "select * from portolan.register_client($1, $2, $3, $4, $5, $6)",
      [
        id,
        members,
        metadata,
        initial === undefined ? null : hashOf(initial),
        hashOf(registration),
        networkOf(address ?? ""),
      ],
    ),
  );
  if (outcome === "token")
    throw oauthError("invalid_token", "The token is not valid, or it has registered all of its clients");
  if (outcome === "flood") throw tooManyFailures(3600);
  count(context.kernel, "registrations", { token: initial === undefined ? "no" : "yes" });
  sendJson(response, 201, {
    ...(await shown(context, id, metadata)),
    ...(secret !== null && { client_secret: secret, client_secret_expires_at: 0 }),
    registration_access_token: registration,
  });
};

/** RFC 7592 §2: checks the registration token, whether or not the client exists. */
const checkToken: Step = async (context) => {
  const { database, path } = context;
  const token = tokenOf(context);
  const client = await findClient(database, path["client"] ?? "");
  const row = client
    ? await database.db.oneOrNone<{ hash: string | null }>(
        "select registration_hash as hash from portolan.clients where id = $1 and origin = 'registration'",
        [client.id],
      )
    : null;
  const isRight =
    token !== undefined &&
    row?.hash &&
    timingSafeEqual(Buffer.from(row.hash, "hex"), Buffer.from(hashOf(token), "hex"));
  if (!client || !isRight) throw oauthError("invalid_token", "The token is not valid for this client");
  context.client = client;
};

const answer: Step = async (context) => {
  const { database, client, request, response, kernel } = context;
  if (request.method === "DELETE") {
    await database.db.func("portolan.end_registration", [client.id]);
    return sendNothing(response, 204, { "Cache-Control": "no-store" });
  }
  if (request.method === "PUT") {
    const given = await readJson(context);
    const { members, metadata } = readMetadata(given, "client_secret_basic");
    checkIsSame(context, given as Record<string, unknown>, members["public"] === true);
    await checkSector(metadata, kernel.config.privateClientHosts);
    const { token_endpoint_auth_method: method = null, name = client.id } = members;
    const all = { ...members, token_endpoint_auth_method: method, name };
    await asMetadata(() => database.db.func("portolan.change_registration", [client.id, all, metadata]));
  }
  const { metadata } = await database.db.one<{ metadata: ClientMetadata }>(
    "select metadata from portolan.clients where id = $1",
    [client.id],
  );
  sendJson(response, 200, {
    ...(await shown(context, client.id, metadata)),
    registration_access_token: tokenOf(context),
  });
};

/** RFC 7592 §2.2: the request names the client, and its present secret if it has one. A client with a secret keeps one. */
function checkIsSame({ client }: OAuthContext, given: Record<string, unknown>, isPublic: boolean): void {
  const { client_id: id, client_secret: secret } = given;
  if (id !== client.id) throw oauthError("invalid_request", "'client_id' must be the client's own");
  if (secret !== undefined && !(typeof secret === "string" && isSecretOf(client, secret)))
    throw oauthError("invalid_request", "'client_secret' is not the client's secret");
  for (const member of [
    "registration_access_token",
    "registration_client_uri",
    "client_secret_expires_at",
    "client_id_issued_at",
  ])
    // oxfmt-ignore
    if (given[member] !== undefined) throw oauthError("invalid_request", `'${member}' cannot be changed`);
  if (client.public !== isPublic)
    throw oauthError(
      "invalid_client_metadata",
      "A client with a secret must keep one, and a client without one cannot get one",
    );
}

interface Kept {
  /** When it was registered, in seconds since 1970. */
  readonly at: number;
  readonly requirePkce: boolean;
  /** Members that an administrator or the registration token has given it. */
  readonly imposed: Readonly<Record<string, unknown>>;
}

async function shown({ database, kernel }: OAuthContext, id: string, metadata: ClientMetadata): Promise<object> {
  const { at, requirePkce, imposed } = await database.db.one<Kept>(
    `
select floor(extract(epoch from created_at))::float8 as at, require_pkce as "requirePkce", imposed
from portolan.clients where id = $1`,
    [id],
  );
  return {
    client_id: id,
    client_id_issued_at: at,
    ...metadata,
    ...imposedMetadata(imposed),
    ...(!requirePkce && { require_pkce: false }),
    registration_client_uri: `${kernel.baseUrl}${PATHS.registration}/${id}`,
  };
}

/** Turns an error of PostgreSQL about a client into an error of the client's metadata. */
async function asMetadata<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const state = sqlstateOf(error);
    if (state !== "PX400" && state !== SQLSTATE.checkViolation) throw error;
    const text = state === "PX400" ? (error as Error).message : "A member of the metadata has a bad value";
    throw oauthError(/redirect URI/.test(text) ? "invalid_redirect_uri" : "invalid_client_metadata", text);
  }
}

export const registration: readonly Step[] = [checkIsOn, chooseDatabase, register];

export const registeredClient: readonly Step[] = [checkIsOn, chooseDatabase, checkToken, answer];

/**
 * Clients whose id is the address of a document that describes them (draft-ietf-oauth-client-id-metadata-document-02).
 * The document is read when such a client starts a request. Its row exists as long as the client is used.
 */
import { LRUCache } from "lru-cache";
import { countAddress, countKey } from "../../kernel/http/rateLimit.ts";
import { FetchRefused, fetchPublic } from "../../kernel/http/publicFetch.ts";
import type { Kernel } from "../../kernel.ts";
import { findClient, type Client } from "../clients.ts";
import type { OAuthContext } from "../context.ts";
import { oauthError } from "../errors.ts";
import { readMetadata, type Described } from "./metadata.ts";
import { checkSector } from "./sector.ts";

const MAX_CACHED = 1000;
/** A document may say how long it is kept, between these. */
const MIN_AGE_SECONDS = 60;
const MAX_AGE_SECONDS = 86_400;
const DEFAULT_AGE_SECONDS = 600;
/** A failure is not stored as a document (§5.3), but the address is not asked again so soon. */
const MISSED_MS = 10_000;
/**
 * How many documents are read in a minute for one network, and from one host, so that nobody can flood a host through
 * this service.
 */
const READS_PER_MINUTE = 60;

/** For each kernel, the documents that it read lately or is reading. */
const known = new WeakMap<Kernel, LRUCache<string, Promise<Described>>>();

/**
 * The client of that id, for a request that begins something. Where the option is off, a document describes no client.
 * Throws `invalid_client` for a bad document.
 */
export async function findOrReadClient(context: OAuthContext, id: string): Promise<Client | undefined> {
  const { database, kernel } = context;
  if (!kernel.config.clientMetadataDocuments || !isDocumentId(id)) {
    const client = await findClient(database, id);
    return client?.origin === "document" && !kernel.config.clientMetadataDocuments ? undefined : client;
  }
  const described = await readDocument(context, id);
  return (await findClient(database, id)) ? keepClient(context, id, described) : clientOf(id, described);
}

/** Stores a client that a document describes, so that codes, consents and tokens can belong to it. */
export async function keepDocumentClient(context: OAuthContext): Promise<void> {
  const { client, kernel } = context;
  if (client.origin !== "document" || !kernel.config.clientMetadataDocuments) return;
  context.client = await keepClient(context, client.id, await readDocument(context, client.id));
}

async function keepClient({ database }: OAuthContext, id: string, described: Described): Promise<Client> {
  const { members, metadata } = described;
  await database.db.func("portolan.change_registration", [id, members, metadata, true]);
  const client = await findClient(database, id);
  if (!client) throw oauthError("invalid_client", "There is no such client");
  return client;
}

/** §3: https, with a path, and without any part that programs may read differently. */
export function isDocumentId(id: string): boolean {
  const url = URL.parse(id);
  return (
    url !== null &&
    url.protocol === "https:" &&
    url.href === id &&
    id.length <= 498 &&
    url.pathname !== "/" &&
    url.username === "" &&
    url.password === "" &&
    !/[#,<>"\\\s]/.test(id) &&
    !/\/(\.|%2e){1,2}(\/|$)/i.test(id.split("?")[0] ?? "")
  );
}

async function readDocument({ kernel, address }: OAuthContext, id: string): Promise<Described> {
  const documents = known.get(kernel) ?? new LRUCache<string, Promise<Described>>({ max: MAX_CACHED });
  known.set(kernel, documents);
  if (!documents.has(id)) {
    await countAddress(kernel.host, { what: "documents for", address, perMinute: READS_PER_MINUTE });
    await countKey(kernel.host, `documents from ${new URL(id).hostname}`, READS_PER_MINUTE);
  }
  const kept = documents.get(id);
  if (kept) return kept;
  const reading = fetchDocument(kernel, id).then(({ described, ageSeconds }) => {
    documents.set(id, reading, { ttl: ageSeconds * 1000 });
    return described;
  });
  documents.set(id, reading, { ttl: 30_000 });
  reading.catch(() => documents.set(id, reading, { ttl: MISSED_MS })); // the caller gets the error
  return reading;
}

async function fetchDocument(
  { config }: Kernel,
  id: string,
): Promise<{ readonly described: Described; readonly ageSeconds: number }> {
  try {
    const { status, headers, text } = await fetchPublic({ url: id, privateHosts: config.privateClientHosts });
    if (status !== 200) throw new FetchRefused(`${id} answers with ${status}`);
    if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(headers["content-type"] ?? ""))
      throw new FetchRefused(`${id} is not a JSON document`);
    const described = readClientDocument(id, text);
    await checkSector(described.metadata, config.privateClientHosts);
    return { described, ageSeconds: ageOf(headers["cache-control"]) };
  } catch (error) {
    if (error instanceof FetchRefused)
      throw oauthError("invalid_client", `The client has no document. ${error.message}`);
    throw error;
  }
}

function readClientDocument(id: string, text: string): Described {
  const document = parse(text);
  if (document["client_id"] !== id) throw new FetchRefused(`${id} says that it is the document of another client`);
  // §4.1: everybody can read the document, so it cannot hold a secret
  for (const member of ["client_secret", "client_secret_expires_at"])
    if (document[member] !== undefined) throw new FetchRefused(`${id} has a secret in it`);
  const method = document["token_endpoint_auth_method"];
  if (typeof method === "string" && method.startsWith("client_secret_"))
    throw new FetchRefused(`${id} asks for authentication by a secret`);
  return readMetadata(document, "none");
}

function parse(text: string): Record<string, unknown> {
  try {
    const value = JSON.parse(text) as unknown;
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // reported below
  }
  throw new FetchRefused("It is not a JSON object");
}

/** RFC 9111 §5.2.2.1. */
function ageOf(cacheControl = ""): number {
  if (/\bno-(store|cache)\b/i.test(cacheControl)) return MIN_AGE_SECONDS;
  const [, seconds] = /\bmax-age=(\d{1,9})/i.exec(cacheControl) ?? [];
  const age = seconds === undefined ? DEFAULT_AGE_SECONDS : Number(seconds);
  return Math.min(Math.max(age, MIN_AGE_SECONDS), MAX_AGE_SECONDS);
}

/** A client whose row is made when a person first allows it something. */
function clientOf(id: string, { members, metadata }: Described): Client {
  return {
    id,
    name: String(members["name"] ?? new URL(id).host),
    redirectUris: members["redirect_uri"] as string[],
    homepage: members["homepage"] as string | null,
    policyUri: metadata.policy_uri ?? null,
    termsUri: metadata.tos_uri ?? null,
    logoUri: metadata.logo_uri ?? null,
    description: null,
    public: members["public"] as boolean,
    confirm: true,
    grants: members["grants"] as Client["grants"],
    account: null,
    secretHash: null,
    accessTokenLifetimeSeconds: 3600,
    refreshTokenLifetimeSeconds: 86_400,
    codeLifetimeSeconds: 120,
    deviceCodeLifetimeSeconds: 1800,
    devicePollIntervalSeconds: 5,
    idTokenAlg: members["id_token_signed_response_alg"] as Client["idTokenAlg"],
    subjectType: members["subject_type"] as Client["subjectType"],
    sectorIdentifierUri: members["sector_identifier_uri"] as string | null,
    postLogoutRedirectUris: members["post_logout_redirect_uris"] as string[],
    backchannelLogoutUri: members["backchannel_logout_uri"] as string | null,
    disabled: false,
    requirePkce: true,
    authMethod: (members["token_endpoint_auth_method"] ?? null) as Client["authMethod"],
    origin: "document",
    authAlg: (members["token_endpoint_auth_signing_alg"] ?? null) as Client["authAlg"],
    jwks: members["jwks"] as Client["jwks"],
    jwksUri: members["jwks_uri"] as string | null,
    requirePar: members["require_par"] as boolean,
    defaultMaxAge: metadata.default_max_age ?? null,
    defaultAcrValues: metadata.default_acr_values ?? null,
    userinfoAlg: metadata.userinfo_signed_response_alg ?? null,
    dpopBound: members["dpop_bound_access_tokens"] as boolean,
  };
}

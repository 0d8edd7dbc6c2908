/** Metadata from which clients configure themselves: RFC 8414, RFC 9728, RFC 7517. */
import type { ServerResponse } from "node:http";
import { sendText } from "../../kernel/http/answer.ts";
import { ACR_MFA, GatewayError } from "../../ground/errors.ts";
import { agentsResource } from "../../kernel/identity/resources.ts";
import { SIGNING_ALGORITHMS } from "../../kernel/identity/tokens.ts";
import type { Kernel } from "../../kernel.ts";
import type { Step } from "../context.ts";
import { PROOF_ALGORITHMS } from "../../kernel/identity/proofAlgorithms.ts";
import { GRANT_TYPES } from "../grants/all.ts";
import { CLAIMS, OPENID_SCOPES } from "../openid/claims.ts";
import { ACR_PASSWORD } from "../openid/acr.ts";
import { AGENTS_WRITE } from "../scopes.ts";
import { databaseOfQuery } from "../steps/chooseDatabase.ts";

export const PATHS = {
  authorization: "/auth",
  token: "/api/v4/oauth",
  deviceAuthorization: "/api/v4/oauth/device",
  pushedAuthorization: "/api/v4/oauth/par",
  guest: "/api/v4/oauth/guest",
  revocation: "/api/v4/oauth/revoke",
  introspection: "/api/v4/oauth/introspect",
  userinfo: "/api/v4/oauth/userinfo",
  registration: "/api/v4/oauth/register",
  device: "/device",
  account: "/account",
  password: "/password",
  forgotten: "/forgotten",
  signup: "/signup",
  verify: "/verify",
  signin: "/signin",
  signout: "/signout",
  consoleToken: "/console/session/token",
  jwks: "/.well-known/jwks.json",
  serverMetadata: "/.well-known/oauth-authorization-server",
  openidMetadata: "/.well-known/openid-configuration",
  resourceMetadata: "/.well-known/oauth-protected-resource",
  agentsMetadata: "/.well-known/oauth-protected-resource/mcp/{database}",
  agentsServer: "/.well-known/oauth-authorization-server/mcp/{database}",
} as const;

/**
 * RFC 8414 §3.2, and OpenID Connect Discovery 1.0 §3. With `?database=` every endpoint names that database, so that a
 * client of a service with several databases needs no other setting.
 */
export const serverMetadata: Step = async (context) => {
  const { kernel, response } = context;
  const { baseUrl, config } = kernel;
  const named = databaseOfQuery(context);
  if (named !== undefined && !(await kernel.directory.find(named))) throw new GatewayError("NOT_FOUND");
  const at = endpointsOf(baseUrl, named);
  send(response, 300, {
    issuer: baseUrl,
    authorization_endpoint: at(PATHS.authorization),
    ...serverMembers(kernel, at),
    userinfo_endpoint: baseUrl + PATHS.userinfo,
    scopes_supported: [...OPENID_SCOPES, AGENTS_WRITE],
    subject_types_supported: ["public", "pairwise"],
    id_token_signing_alg_values_supported: SIGNING_ALGORITHMS,
    userinfo_signing_alg_values_supported: SIGNING_ALGORITHMS,
    acr_values_supported: config.mfa === "off" ? [ACR_PASSWORD] : [ACR_PASSWORD, ACR_MFA],
    prompt_values_supported: ["none", "login", "consent", "select_account"],
    claims_supported: ["sub", "auth_time", "acr", "amr", "nonce", "sid", ...CLAIMS],
    claim_types_supported: ["normal"],
    claims_parameter_supported: true,
    end_session_endpoint: at(PATHS.signout),
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    request_parameter_supported: false,
    request_uri_parameter_supported: false, // OpenID Connect Discovery §3: the default would be true
  });
};

/**
 * The authorization server for the agents' door of a database, where there are several. A client that knows the door alone
 * cannot name the database in a query, so this issuer has a path (RFC 8414 §3.1). The answers of `/auth` name the issuer
 * that the client knows (RFC 9207).
 */
export const agentsServer: Step = async ({ kernel, path, response }) => {
  const { baseUrl, directory } = kernel;
  const database = await directory.find(path["database"]);
  if (!database) throw new GatewayError("NOT_FOUND");
  const at = endpointsOf(baseUrl, database.name);
  const issuer = agentsResource(baseUrl, database.name);
  send(response, 300, {
    issuer,
    authorization_endpoint: `${at(PATHS.authorization)}&${new URLSearchParams({ issuer })}`,
    ...serverMembers(kernel, at),
    scopes_supported: [AGENTS_WRITE, "offline_access"],
  });
};

/** The address of an endpoint, which may name the database. */
function endpointsOf(baseUrl: string, database: string | undefined): (path: string) => string {
  const query = database === undefined ? "" : `?${new URLSearchParams({ database })}`;
  return (path) => baseUrl + path + query;
}

/** The members of RFC 8414 and its extensions. */
function serverMembers({ config }: Kernel, at: (path: string) => string): object {
  return {
    token_endpoint: at(PATHS.token),
    device_authorization_endpoint: at(PATHS.deviceAuthorization),
    pushed_authorization_request_endpoint: at(PATHS.pushedAuthorization),
    revocation_endpoint: at(PATHS.revocation),
    introspection_endpoint: at(PATHS.introspection),
    ...(config.registration !== "off" && { registration_endpoint: at(PATHS.registration) }),
    ...(config.clientMetadataDocuments && { client_id_metadata_document_supported: true }),
    jwks_uri: at(PATHS.jwks),
    response_types_supported: ["code"],
    dpop_signing_alg_values_supported: PROOF_ALGORITHMS,
    response_modes_supported: ["query", "form_post"],
    grant_types_supported: Object.keys(GRANT_TYPES),
    code_challenge_methods_supported: ["S256"],
    ...Object.fromEntries(
      ["token", "revocation", "introspection"].flatMap((endpoint) => [
        [`${endpoint}_endpoint_auth_methods_supported`, AUTHENTICATION_METHODS],
        [`${endpoint}_endpoint_auth_signing_alg_values_supported`, PROOF_ALGORITHMS],
      ]),
    ),
    authorization_response_iss_parameter_supported: true,
  };
}

const AUTHENTICATION_METHODS = ["none", "client_secret_basic", "client_secret_post", "private_key_jwt"];

/** RFC 9728 §3.2. */
export const resourceMetadata: Step = ({ kernel: { baseUrl }, response }) => {
  send(response, 300, {
    resource: baseUrl,
    resource_name: "Portolan",
    authorization_servers: [baseUrl],
    jwks_uri: baseUrl + PATHS.jwks,
    bearer_methods_supported: ["header"],
    dpop_signing_alg_values_supported: PROOF_ALGORITHMS,
  });
};

/** The same for the agents' door of a database. */
export const agentsMetadata: Step = async ({ kernel, path, response }) => {
  const { baseUrl, directory } = kernel;
  const database = await directory.find(path["database"]);
  if (!database) throw new GatewayError("NOT_FOUND");
  send(response, 300, {
    resource: agentsResource(baseUrl, database.name),
    resource_name: `Portolan, for agents: ${database.name}`,
    authorization_servers: [directory.names.length === 1 ? baseUrl : agentsResource(baseUrl, database.name)],
    jwks_uri: baseUrl + PATHS.jwks,
    scopes_supported: [AGENTS_WRITE],
    bearer_methods_supported: ["header"],
    dpop_signing_alg_values_supported: PROOF_ALGORITHMS,
  });
};

/**
 * The public keys of all open databases. Naming a sleeping one (`?database=`) wakes it. Clients may keep them only for
 * seconds, because a new key signs 5 s after it appears here.
 */
export const jwks: Step = async ({ kernel, request, response }) => {
  const name = databaseOfQuery({ request });
  if (name !== undefined) await kernel.directory.find(name);
  send(response, 4, { keys: await publicKeys(kernel) });
};

async function publicKeys(kernel: Kernel) {
  return (
    await Promise.all([...kernel.databases.values()].map((database) => kernel.identifier.keysOf(database).jwks()))
  ).flat();
}

function send(response: ServerResponse, maxAgeSeconds: number, body: object): void {
  sendText(response, JSON.stringify(body), { headers: { "Cache-Control": `public, max-age=${maxAgeSeconds}` } });
}

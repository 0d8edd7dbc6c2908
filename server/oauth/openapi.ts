/** The OpenAPI document about the endpoints for programs. The routes of `router.ts` name them, one for each method. */
import { json, plain, problems, ref, type Json } from "../kernel/rest/openapi.ts";
import { PARAMETERS } from "./endpoints/authorization.ts";
import { describedGrants } from "./grants/all.ts";
import { CLAIMS, OPENID_SCOPES } from "./openid/claims.ts";
import { CLIENT_METADATA } from "./registration/metadata.ts";
import { AGENTS_WRITE } from "./scopes.ts";
import { ASSERTION_TYPE } from "./steps/clientAssertion.ts";
import { FORM } from "./steps/readBody.ts";

/** An operation without its summary, which is the route's. It is called when the document is first asked for. */
export type Description = () => Json;

const text: Json = { type: "string" };
const uri: Json = { type: "string", format: "uri" };
const seconds: Json = { type: "integer", description: "Seconds" };

const texts = (described: Readonly<Record<string, string>>): Json =>
  Object.fromEntries(Object.entries(described).map(([name, description]) => [name, { ...text, description }]));

const inQuery = (described: Readonly<Record<string, string>>, required: readonly string[] = []): readonly Json[] =>
  Object.entries(described).map(([name, description]) => ({
    name,
    in: "query",
    required: required.includes(name),
    description,
    schema: text,
  }));

const DATABASE = { database: "The database, where there are several and the request does not tell otherwise" };

/** RFC 6749 §2.3, RFC 7523 §2.2; beside them HTTP Basic. */
const CLIENT: Readonly<Record<string, string>> = {
  client_id: "The client, unless HTTP Basic names it",
  client_secret: "Of a confidential client that authenticates by the body",
  client_assertion: "Of a client that authenticates with its key (private_key_jwt)",
  client_assertion_type: ASSERTION_TYPE,
};

/** Security of the endpoints at which a client may authenticate. */
const AS_CLIENT = [{ client: [] }, {}];

/** A form, or a JSON object of strings. */
function bodyOf(schema: Json): Json {
  return { required: true, content: { [FORM]: { schema }, "application/json": { schema } } };
}

const parametersOf = (described: Readonly<Record<string, string>>, required: readonly string[] = []): Json => ({
  type: "object",
  ...(required.length > 0 && { required }),
  properties: texts({ ...described, ...CLIENT, ...DATABASE }),
});

const FAILURES = {
  400: "The request is refused: `error` says why",
  401: "The client, or the token, is not valid",
  403: "The scope of the token is too small",
  404: "There is no such database",
  429: "Too many requests, or too many failures",
  503: "The database does not answer",
} as const;

/** Errors in the form of RFC 6749 §5.2. */
function failures(...statuses: readonly (keyof typeof FAILURES)[]): Json {
  const all = [...statuses, 429, 503] as const;
  return Object.fromEntries(
    all.map((status) => [status, { description: FAILURES[status], ...json(ref("OAuthError")) }]),
  );
}

const page = (description: string): Json => ({ description, content: { "text/html": { schema: text } } });
const redirect = (description: string): Json => ({
  description,
  headers: { Location: { description: "The address of the client", schema: uri } },
});

const proof: Json = {
  name: "DPoP",
  in: "header",
  description: "A proof of the key that the tokens are to be bound to (RFC 9449)",
  schema: text,
};

/** What an operation has in common with all of this door. */
function operation(id: string, members: Json): Json {
  return { operationId: id, tags: ["oauth"], security: [], ...members };
}

const authorize = (method: "get" | "post"): Json =>
  operation(`${method}_authorize`, {
    description:
      "A client sends the browser here. The person signs in, agrees, and comes back to `redirect_uri` with a code, or with an error.",
    ...(method === "get"
      ? { parameters: inQuery(PARAMETERS, ["client_id"]) }
      : {
          requestBody: {
            required: true,
            content: { [FORM]: { schema: { type: "object", required: ["client_id"], properties: texts(PARAMETERS) } } },
          },
        }),
    responses: {
      200: page("A page for the person; with `response_mode=form_post` also the one that sends the answer"),
      302: redirect("With `code`, `state` and `iss`, or with `error` and `error_description`"),
      303: redirect("The same after a form"),
      400: page("The client or `redirect_uri` is not valid, so the person does not go back"),
      429: page("Too many requests"),
    },
  });

export const getAuthorization: Description = () => authorize("get");
export const postAuthorization: Description = () => authorize("post");

/** OpenID Connect RP-Initiated Logout 1.0 §2, and what our own pages use. */
const LOGOUT = {
  id_token_hint: "An ID token of the session",
  client_id: "The client",
  post_logout_redirect_uri: "Where the person goes then: an address that the client has registered",
  state: "Comes back unchanged",
  ...DATABASE,
};

const endSession = (method: "get" | "post"): Json =>
  operation(`${method}_end_session`, {
    description: "A client sends the browser here. A person whose session it may not be is asked.",
    ...(method === "get"
      ? { parameters: inQuery(LOGOUT) }
      : { requestBody: { content: { [FORM]: { schema: { type: "object", properties: texts(LOGOUT) } } } } }),
    responses: {
      200: page("The session is ended, or a question"),
      302: redirect("To `post_logout_redirect_uri`, with `state`"),
      303: redirect("The same after a form"),
      400: page("The person is still signed in"),
      403: page("Only a page that a person opens signs out"),
    },
  });

export const getEndSession: Description = () => endSession("get");
export const postEndSession: Description = () => endSession("post");

export const token: Description = () =>
  operation("token", {
    description: "Each grant has its own parameters. A client uses the grants that are listed for it.",
    security: AS_CLIENT,
    parameters: [proof],
    requestBody: bodyOf({
      oneOf: describedGrants().map(({ names, required = {}, optional = {} }) => {
        const { properties, ...rest } = parametersOf({ ...required, ...optional }, [
          "grant_type",
          ...Object.keys(required),
        ]);
        return { title: names[0], ...rest, properties: { grant_type: { enum: names }, ...(properties as Json) } };
      }),
    }),
    responses: { 200: { description: "Tokens", ...json(ref("TokenResponse")) }, ...failures(400, 401) },
  });

export const pushedAuthorization: Description = () => {
  const { request_uri: _, ...pushed } = PARAMETERS;
  return operation("push_authorization", {
    description: "Takes the parameters of the authorization endpoint, which the browser then need not carry.",
    security: AS_CLIENT,
    parameters: [proof],
    requestBody: bodyOf(parametersOf(pushed, ["response_type", "redirect_uri"])),
    responses: {
      201: {
        description: "For `/auth`",
        ...json({
          type: "object",
          required: ["request_uri", "expires_in"],
          properties: { request_uri: uri, expires_in: seconds },
        }),
      },
      ...failures(400, 401),
    },
  });
};

export const deviceAuthorization: Description = () =>
  operation("authorize_device", {
    security: AS_CLIENT,
    requestBody: bodyOf(parametersOf({ scope: PARAMETERS["scope"]!, resource: PARAMETERS["resource"]! })),
    responses: {
      200: {
        description: "The device shows the code, and asks at the token endpoint every `interval` seconds",
        ...json({
          type: "object",
          required: ["device_code", "user_code", "verification_uri", "expires_in"],
          properties: {
            device_code: text,
            user_code: text,
            verification_uri: uri,
            verification_uri_complete: uri,
            expires_in: seconds,
            interval: seconds,
          },
        }),
      },
      ...failures(400, 401),
    },
  });

export const guest: Description = () =>
  operation("guest_token", {
    description: "Needs a default user. There is no refresh token.",
    security: AS_CLIENT,
    parameters: [proof],
    requestBody: bodyOf(parametersOf({})),
    responses: { 200: { description: "A token", ...json(ref("TokenResponse")) }, ...failures(400, 401) },
  });

/** RFC 7009 §2.1, RFC 7662 §2.1: the kind of a token shows in the token itself. */
const TOKEN = { token: "An access token or a refresh token", token_type_hint: "Has no effect" };

export const revocation: Description = () =>
  operation("revoke_token", {
    description: "Its whole authorization ends with it; of a guest only the token.",
    security: AS_CLIENT,
    requestBody: bodyOf(parametersOf(TOKEN, ["token"])),
    responses: {
      200: { description: "The token is not valid any more", ...json({ type: "object" }) },
      ...failures(400, 401),
    },
  });

export const introspection: Description = () =>
  operation("introspect_token", {
    description: "A public client learns only of its own tokens.",
    security: AS_CLIENT,
    requestBody: bodyOf(parametersOf(TOKEN, ["token"])),
    responses: {
      200: {
        description: "The token, or only that it is not active",
        ...json({
          type: "object",
          required: ["active"],
          properties: {
            active: { type: "boolean" },
            scope: text,
            client_id: text,
            username: text,
            token_type: { enum: ["Bearer", "DPoP", "refresh_token"] },
            cnf: { type: "object", properties: { jkt: text } },
            exp: { type: "integer" },
            iat: { type: "integer" },
            sub: text,
            aud: text,
            iss: uri,
            jti: text,
            database: text,
          },
        }),
      },
      ...failures(400, 401),
    },
  });

const asksUserinfo = (method: "get" | "post"): Json => {
  const claims = {
    type: "object",
    required: ["sub"],
    properties: Object.fromEntries(["sub", ...CLAIMS].map((claim) => [claim, CLAIM_TYPES[claim] ?? text])),
  };
  return operation(`${method}_userinfo`, {
    description: "For access tokens with the scope `openid`. The scopes of the token decide which claims there are.",
    security: [{ bearer: [] }, { openid: ["openid"] }, { oauth2: ["openid"] }],
    ...(method === "post" && {
      requestBody: {
        content: { [FORM]: { schema: { type: "object", properties: { access_token: text } } } },
      },
    }),
    responses: {
      200: {
        description: "Claims; signed where the client has a userinfo_signed_response_alg",
        content: { "application/json": { schema: claims }, "application/jwt": { schema: text } },
      },
      ...failures(401, 403),
    },
  });
};

const CLAIM_TYPES: Readonly<Record<string, Json>> = {
  email_verified: { type: "boolean" },
  updated_at: { type: "integer" },
  groups: { type: "array", items: text },
};

export const getUserinfo: Description = () => asksUserinfo("get");
export const postUserinfo: Description = () => asksUserinfo("post");

const metadata = json(ref("ClientMetadata"));
const registered = (description: string): Json => ({ description, ...json(ref("RegisteredClient")) });
const onlyWhere = "Where the option registration is on.";

export const registration: Description = () =>
  operation("register_client", {
    description: `${onlyWhere} With \`registration: "token"\` a client needs a token of an administrator.`,
    security: [{ registration: [] }, {}],
    parameters: inQuery(DATABASE),
    requestBody: { required: true, ...metadata },
    responses: { 201: registered("The client, and its secret, which is shown once"), ...failures(400, 401) },
  });

const ownRegistration = (id: string, members: Json): Json =>
  operation(id, {
    description: `${onlyWhere} Only with the client's registration_access_token.`,
    security: [{ registration: [] }],
    parameters: [{ name: "client", in: "path", required: true, description: "Its client_id", schema: text }],
    ...members,
  });

export const readRegistration: Description = () =>
  ownRegistration("get_registration", { responses: { 200: registered("The client"), ...failures(400, 401) } });

export const changeRegistration: Description = () =>
  ownRegistration("change_registration", {
    requestBody: {
      required: true,
      ...json({
        allOf: [
          ref("ClientMetadata"),
          { type: "object", required: ["client_id"], properties: { client_id: text, client_secret: text } },
        ],
      }),
    },
    responses: { 200: registered("The client. A member that is not given is removed"), ...failures(400, 401) },
  });

export const endRegistration: Description = () =>
  ownRegistration("remove_registration", { responses: { 204: { description: "Removed" }, ...failures(400, 401) } });

function document(id: string, description: string, required: readonly string[], members: Json = {}): Json {
  return operation(id, {
    responses: {
      200: {
        description,
        ...json({ type: "object", required, properties: Object.fromEntries(required.map((name) => [name, {}])) }),
      },
      ...failures(404),
    },
    ...members,
  });
}

const SERVER = ["issuer", "authorization_endpoint", "token_endpoint", "jwks_uri", "response_types_supported"];
const ofDatabase = { parameters: inQuery({ database: "Every endpoint of the answer then names this database" }) };

export const openidMetadata: Description = () =>
  document("get_openid_configuration", "The provider", [...SERVER, "userinfo_endpoint"], ofDatabase);

export const serverMetadata: Description = () =>
  document("get_authorization_server", "The authorization server", SERVER, ofDatabase);

const RESOURCE = ["resource", "authorization_servers"];

export const resourceMetadata: Description = () => document("get_protected_resource", "The service", RESOURCE);

const inPath = { parameters: [{ name: "database", in: "path", required: true, schema: text }] };

export const agentsMetadata: Description = () =>
  document("get_agents_resource", "The agents' door of the database", RESOURCE, inPath);

export const agentsServer: Description = () =>
  document("get_agents_server", "Every endpoint of it names the database", SERVER, inPath);

export const jwks: Description = () =>
  document("get_jwks", "Those of all open databases", ["keys"], {
    parameters: inQuery({ database: "A database that sleeps; it is woken" }),
  });

export const consoleToken: Description = () =>
  operation("console_token", {
    description: "The browser sends the console's cookie, and only from pages of this service.",
    parameters: inQuery({ database: "Default: that of the latest sign-in" }),
    responses: { 200: { description: "A token for 300 s", ...json(ref("TokenResponse")) }, ...problems() },
  });

/** The components that the operations refer to. */
export function oauthSchemas(): Readonly<Record<string, Json>> {
  const client = plain(CLIENT_METADATA);
  return {
    OAuthError: {
      description: "RFC 6749 §5.2",
      type: "object",
      required: ["error", "error_description"],
      properties: { error: text, error_description: text },
    },
    TokenResponse: {
      description: "RFC 6749 §5.1",
      type: "object",
      required: ["access_token", "token_type", "expires_in"],
      properties: {
        access_token: text,
        token_type: { enum: ["Bearer", "DPoP"] },
        expires_in: seconds,
        refresh_token: text,
        id_token: text,
        scope: text,
        issued_token_type: text,
      },
    },
    ClientMetadata: { description: "RFC 7591 §2. Members that are not known have no effect", ...client },
    RegisteredClient: {
      allOf: [
        ref("ClientMetadata"),
        {
          type: "object",
          required: ["client_id", "client_id_issued_at", "registration_access_token", "registration_client_uri"],
          properties: {
            client_id: text,
            client_id_issued_at: { type: "integer" },
            client_secret: text,
            client_secret_expires_at: { type: "integer" },
            registration_access_token: text,
            registration_client_uri: uri,
          },
        },
      ],
    },
  };
}

/** `at`: the addresses of the endpoints. */
export function oauthSecurity(at: Readonly<Record<"authorization" | "token", string>>): Readonly<Record<string, Json>> {
  const scopes = Object.fromEntries([...OPENID_SCOPES, AGENTS_WRITE].map((scope) => [scope, ""]));
  return {
    oauth2: {
      type: "oauth2",
      description: "By the grants that are listed for the client",
      flows: {
        authorizationCode: {
          authorizationUrl: at.authorization,
          tokenUrl: at.token,
          refreshUrl: at.token,
          scopes,
        },
        clientCredentials: { tokenUrl: at.token, scopes: {} },
      },
    },
    client: { type: "http", scheme: "basic", description: "client_id and secret of a confidential client" },
    registration: { type: "http", scheme: "bearer", description: "Of an administrator, or the client's own" },
  };
}

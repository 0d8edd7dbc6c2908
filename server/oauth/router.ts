/** OAuth 2.0: every endpoint with its steps. */
import type { Door } from "../kernel/door.ts";
import { prefixOf, type Method, type Route } from "../kernel/http/routes.ts";
import type { Json, OpenapiPart } from "../kernel/rest/openapi.ts";
import type { Kernel } from "../kernel.ts";
import { startClearing } from "./clearing.ts";
import { authorization, renderAuthorizationError } from "./endpoints/authorization.ts";
import { account } from "./endpoints/account.ts";
import { consoleToken } from "./endpoints/consoleToken.ts";
import { device } from "./endpoints/device.ts";
import { deviceAuthorization } from "./endpoints/deviceAuthorization.ts";
import { forgotten } from "./endpoints/forgotten.ts";
import { guest } from "./endpoints/guest.ts";
import { introspection } from "./endpoints/introspection.ts";
import { PATHS, agentsMetadata, agentsServer, jwks, resourceMetadata, serverMetadata } from "./endpoints/metadata.ts";
import { password } from "./endpoints/password.ts";
import { provider } from "./endpoints/provider.ts";
import { pushedAuthorization } from "./endpoints/pushedAuthorization.ts";
import { registeredClient, registration } from "./endpoints/registration.ts";
import { revocation } from "./endpoints/revocation.ts";
import { signin } from "./endpoints/signin.ts";
import { signup } from "./endpoints/signup.ts";
import { signout } from "./endpoints/signout.ts";
import { token } from "./endpoints/token.ts";
import { verify } from "./endpoints/verify.ts";
import { renderUserinfoError, userinfo } from "./endpoints/userinfo.ts";
import { renderOAuthError } from "./errors.ts";
import { createCounters } from "./metrics.ts";
import * as described from "./openapi.ts";
import { endLogouts, sendLogouts } from "./openid/logouts.ts";
import { MAX_BODY_BYTES } from "./steps/readBody.ts";
import { endpoint, newContext, type ErrorRenderer, type Step } from "./context.ts";
import { renderPageError } from "./pages/message.ts";

interface Endpoint {
  readonly path: string;
  readonly summary: string;
  /** What the OpenAPI document says of each. A page for people is not in it. */
  readonly methods: Readonly<Partial<Record<Method, described.Description | "page">>>;
  readonly steps: readonly Step[];
  /** False where a GET hands out a code, because a HEAD would use it up without showing it. */
  readonly head?: boolean;
  /** Default: a problem (RFC 9457). */
  readonly renderError?: ErrorRenderer;
}

const ENDPOINTS: readonly Endpoint[] = [
  {
    path: PATHS.authorization,
    summary: "Authorization endpoint (RFC 6749)",
    methods: { GET: described.getAuthorization, POST: described.postAuthorization },
    steps: authorization,
    renderError: renderAuthorizationError,
  },
  {
    path: PATHS.device,
    summary: "Where a person enters the code of a device",
    methods: { GET: "page", POST: "page" },
    steps: device,
    renderError: renderPageError,
  },
  {
    path: PATHS.account,
    summary: "Where a person sees and changes how the account signs in",
    methods: { GET: "page", POST: "page" },
    steps: account,
    renderError: renderPageError,
  },
  {
    path: PATHS.password,
    summary: "A new password, by a link that counts once",
    methods: { GET: "page", POST: "page" },
    steps: password,
    renderError: renderPageError,
  },
  {
    path: PATHS.forgotten,
    summary: "Sends a link for a forgotten password by mail",
    methods: { GET: "page", POST: "page" },
    steps: forgotten,
    renderError: renderPageError,
  },
  {
    path: PATHS.signup,
    summary: "Asks for an account; a link from a mail makes it",
    methods: { GET: "page", POST: "page" },
    steps: signup,
    renderError: renderPageError,
  },
  {
    path: PATHS.verify,
    summary: "Verifies an e-mail address, by a link that counts once",
    methods: { GET: "page", POST: "page" },
    steps: verify,
    renderError: renderPageError,
  },
  {
    path: PATHS.signin,
    summary: "Signs in in this browser, for the pages of this service",
    methods: { GET: "page", POST: "page" },
    steps: signin,
    renderError: renderPageError,
  },
  {
    path: `${PATHS.signin}/{provider}`,
    summary: "Where people come back who have signed in at another OpenID provider",
    methods: { GET: "page" },
    steps: provider,
    renderError: renderPageError,
  },
  {
    path: PATHS.signout,
    summary: "Ends the session of this browser",
    methods: { GET: described.getEndSession, POST: described.postEndSession },
    steps: signout,
    renderError: renderPageError,
  },
  {
    path: PATHS.consoleToken,
    summary: "A token for the pages of this service, for the account that is signed in in this browser",
    methods: { POST: described.consoleToken },
    steps: consoleToken,
  },
  {
    path: PATHS.token,
    summary: "Token endpoint (RFC 6749)",
    methods: { POST: described.token },
    steps: token,
    renderError: renderOAuthError,
  },
  {
    path: PATHS.pushedAuthorization,
    summary: "Pushed authorization request endpoint (RFC 9126)",
    methods: { POST: described.pushedAuthorization },
    steps: pushedAuthorization,
    renderError: renderOAuthError,
  },
  {
    path: PATHS.deviceAuthorization,
    summary: "Device authorization endpoint (RFC 8628)",
    methods: { POST: described.deviceAuthorization },
    steps: deviceAuthorization,
    renderError: renderOAuthError,
  },
  {
    path: PATHS.guest,
    summary: "An access token of the database's default user",
    methods: { POST: described.guest },
    steps: guest,
    renderError: renderOAuthError,
  },
  {
    path: PATHS.revocation,
    summary: "Revokes a token (RFC 7009)",
    methods: { POST: described.revocation },
    steps: revocation,
    renderError: renderOAuthError,
  },
  {
    path: PATHS.introspection,
    summary: "What a token says (RFC 7662)",
    methods: { POST: described.introspection },
    steps: introspection,
    renderError: renderOAuthError,
  },
  {
    path: PATHS.userinfo,
    summary: "What a client may know of the account of its token (OpenID Connect Core)",
    methods: { GET: described.getUserinfo, POST: described.postUserinfo },
    steps: userinfo,
    renderError: renderUserinfoError,
  },
  {
    path: PATHS.registration,
    summary: "Registers a client (RFC 7591)",
    methods: { POST: described.registration },
    steps: registration,
    renderError: renderOAuthError,
  },
  {
    path: `${PATHS.registration}/{client}`,
    summary: "A client's own registration (RFC 7592)",
    methods: { GET: described.readRegistration, PUT: described.changeRegistration, DELETE: described.endRegistration },
    steps: registeredClient,
    renderError: renderOAuthError,
  },
  {
    path: PATHS.openidMetadata,
    summary: "Metadata of the OpenID provider (OpenID Connect Discovery)",
    methods: { GET: described.openidMetadata },
    head: true,
    steps: [serverMetadata],
    renderError: renderOAuthError,
  },
  {
    path: PATHS.serverMetadata,
    summary: "Metadata of the authorization server (RFC 8414)",
    methods: { GET: described.serverMetadata },
    head: true,
    steps: [serverMetadata],
    renderError: renderOAuthError,
  },
  {
    path: PATHS.resourceMetadata,
    summary: "Metadata of the protected resource (RFC 9728)",
    methods: { GET: described.resourceMetadata },
    head: true,
    steps: [resourceMetadata],
    renderError: renderOAuthError,
  },
  {
    path: PATHS.agentsMetadata,
    summary: "Metadata of the agents' door of a database (RFC 9728)",
    methods: { GET: described.agentsMetadata },
    head: true,
    steps: [agentsMetadata],
    renderError: renderOAuthError,
  },
  {
    path: PATHS.agentsServer,
    summary: "Metadata of the authorization server for agents of a database (RFC 8414)",
    methods: { GET: described.agentsServer },
    head: true,
    steps: [agentsServer],
    renderError: renderOAuthError,
  },
  {
    path: PATHS.jwks,
    summary: "Public keys (RFC 7517)",
    methods: { GET: described.jwks },
    head: true,
    steps: [jwks],
    renderError: renderOAuthError,
  },
];

export function installOauth(kernel: Kernel): Door {
  const { databases, config, log } = kernel;
  createCounters(kernel);
  let stopClearing: (() => Promise<void>) | undefined;
  return {
    routes: oauthRoutes(kernel),
    // then it has a connection that the first look has opened, and that knows the catalogue
    async start() {
      stopClearing = startClearing({
        databases,
        auditRetentionDays: config.auditRetentionDays,
        log,
        then: (database) => sendLogouts(kernel, database),
      });
    },
    async close() {
      await stopClearing?.();
      await endLogouts(kernel);
    },
  };
}

function oauthRoutes(kernel: Kernel): readonly Route[] {
  // RFC 8414 §3.1, RFC 9728 §3.1: of an address with a path the metadata are at the well-known place before that path
  const base = prefixOf(kernel.baseUrl);
  return ENDPOINTS.flatMap(({ path, summary, methods, head = false, steps, renderError }) => {
    const handler = endpoint(kernel, steps, renderError ?? rethrow);
    const route: Route = {
      path,
      summary,
      head,
      maxBodyBytes: MAX_BODY_BYTES,
      handlers: Object.fromEntries(Object.keys(methods).map((method) => [method, handler])),
      ...(renderError && {
        renderError: (thrown, request, response) => renderError(newContext(kernel, request, response), thrown),
      }),
    };
    const wellKnown = base !== "" && path.startsWith("/.well-known/oauth-");
    return wellKnown ? [route, { ...route, path: withBase(path, base) }] : [route];
  });
}

/** The part of the OpenAPI document about the endpoints for programs. */
export function oauthOpenapi(baseUrl: string): OpenapiPart {
  const items = ENDPOINTS.map(({ path, summary, methods }): [path: string, item: Json] => {
    const operations = Object.entries(methods).flatMap(([method, description]) =>
      description === "page" ? [] : [[method.toLowerCase(), { summary, ...description() }]],
    );
    return [path, Object.fromEntries(operations)];
  });
  return {
    paths: Object.fromEntries(items.filter(([, item]) => Object.keys(item).length > 0)),
    schemas: described.oauthSchemas(),
    securitySchemes: described.oauthSecurity({
      authorization: baseUrl + PATHS.authorization,
      token: baseUrl + PATHS.token,
    }),
  };
}

/** The last handler of errors renders a problem. */
const rethrow: ErrorRenderer = (_context, thrown) => {
  throw thrown;
};

/** The path of the address stands between the well-known place and the path of the resource. */
function withBase(path: string, base: string): string {
  return path.replace(/^\/\.well-known\/[^/]+/, (place) => place + base);
}

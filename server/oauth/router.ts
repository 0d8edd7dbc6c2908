/** OAuth 2.0: every endpoint with its steps. */
import { Router, type ErrorRequestHandler } from "express";
import { GatewayError } from "../kernel/errors.ts";
import { authorization, renderAuthorizationError } from "./endpoints/authorization.ts";
import { device } from "./endpoints/device.ts";
import { deviceAuthorization } from "./endpoints/deviceAuthorization.ts";
import { introspection } from "./endpoints/introspection.ts";
import { PATHS, jwks, resourceMetadata, serverMetadata } from "./endpoints/metadata.ts";
import { password } from "./endpoints/password.ts";
import { revocation } from "./endpoints/revocation.ts";
import { signout } from "./endpoints/signout.ts";
import { token } from "./endpoints/token.ts";
import { logServerFault, renderOAuthError, toOAuthError } from "./errors.ts";
import { endpoint, newExchange, type Door, type ErrorRenderer, type Step } from "./exchange.ts";
import { messagePage } from "./pages/message.ts";

type Method = "GET" | "HEAD" | "POST";

interface Route {
  readonly path: string;
  readonly methods: readonly Method[];
  readonly steps: readonly Step[];
  readonly renderError: ErrorRenderer;
}

/** An error of an endpoint for browsers. */
const renderPageError: ErrorRenderer = (exchange, thrown) => {
  const { status, headers, body } = toOAuthError(thrown);
  logServerFault(exchange, thrown);
  for (const [name, value] of Object.entries(headers)) if (value !== "") exchange.response.set(name, value);
  messagePage(exchange, status, "This does not work", `${body.error_description}.`);
};

const ROUTES: readonly Route[] = [
  { path: PATHS.authorization, methods: ["GET", "POST"], steps: authorization, renderError: renderAuthorizationError },
  { path: PATHS.device, methods: ["GET", "POST"], steps: device, renderError: renderPageError },
  { path: PATHS.password, methods: ["GET", "POST"], steps: password, renderError: renderPageError },
  { path: PATHS.signout, methods: ["GET"], steps: signout, renderError: renderPageError },
  { path: PATHS.token, methods: ["POST"], steps: token, renderError: renderOAuthError },
  { path: PATHS.deviceAuthorization, methods: ["POST"], steps: deviceAuthorization, renderError: renderOAuthError },
  { path: PATHS.revocation, methods: ["POST"], steps: revocation, renderError: renderOAuthError },
  { path: PATHS.introspection, methods: ["POST"], steps: introspection, renderError: renderOAuthError },
  { path: PATHS.serverMetadata, methods: ["GET", "HEAD"], steps: [serverMetadata], renderError: renderOAuthError },
  { path: PATHS.resourceMetadata, methods: ["GET", "HEAD"], steps: [resourceMetadata], renderError: renderOAuthError },
  { path: PATHS.jwks, methods: ["GET", "HEAD"], steps: [jwks], renderError: renderOAuthError },
];

export function oauthRouter(door: Door): Router {
  const router = Router();
  // RFC 8414 §3.1, RFC 9728 §3.1: of an address with a path the metadata are at the well-known place before that path
  const base = new URL(door.baseUrl).pathname.replace(/\/$/, "");
  for (const { path, methods, steps, renderError } of ROUTES) {
    const paths = base !== "" && path.startsWith("/.well-known/oauth-") ? [path, path + base] : [path];
    router.all(paths, endpoint(door, [allowOnly(methods), ...steps], renderError));
  }
  return router;
}

/** What went wrong before a request came to its endpoint, in the shape of that endpoint; the rest is not ours. */
export function oauthErrors(door: Door): ErrorRequestHandler {
  return async (thrown, request, response, next) => {
    const route = ROUTES.find(({ path }) => path === request.path.replace(/\/$/, ""));
    if (route && !response.headersSent) await route.renderError(newExchange(door, request, response), thrown);
    else next(thrown);
  };
}

/** A code is handed out once: where a GET does that, HEAD is no GET that nobody reads. */
function allowOnly(methods: readonly Method[]): Step {
  const allow = methods.join(", ");
  return ({ request, response }) => {
    if ((methods as readonly string[]).includes(request.method)) return;
    if (request.method === "OPTIONS") response.status(204).set("Allow", `${allow}, OPTIONS`).end();
    else throw new GatewayError("METHOD_NOT_ALLOWED", `${request.path} takes ${allow}`, { headers: { Allow: allow } });
  };
}

/** The one form of a route, for every door, and how a request finds its own. */
import type { IncomingMessage, ServerResponse } from "node:http";
import findMyWay, { type HTTPMethod } from "find-my-way";
import { GatewayError } from "../../ground/errors.ts";

/** The prefix of all paths where the service has an address with a path: that path without its last slash. */
export function prefixOf(baseUrl: string): string {
  return new URL(baseUrl).pathname.replace(/\/$/, "");
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** The values of the template's placeholders, percent-decoded; the value of `*` is at `*`. */
export type PathParameters = Readonly<Record<string, string>>;

/** Answers a request. The route's `renderError` renders an error that it throws. */
export type Handler = (
  request: IncomingMessage,
  response: ServerResponse,
  parameters: PathParameters,
) => Promise<void> | void;

/** Renders an error, also one from before the request came to its handler. */
export type ErrorRenderer = (
  thrown: unknown,
  request: IncomingMessage,
  response: ServerResponse,
) => Promise<void> | void;

export interface Route {
  /** From the root of the service, as OpenAPI writes it: `/api/v4/users/{names}`. A `*` at the end takes all that follows. */
  readonly path: string;
  /** One sentence, for `portolan routes`. */
  readonly summary: string;
  readonly handlers: Readonly<Partial<Record<Method, Handler>>>;
  /**
   * Answers OPTIONS, and methods without a handler, where the allowed methods depend on the caller. Default: by `handlers`.
   */
  readonly others?: Handler;
  /** Whether HEAD is answered like GET, without the body. Default true; false where a GET gives something out once. */
  readonly head?: boolean;
  /** Bytes that the body of a request may have; without it there is no body. */
  readonly maxBodyBytes?: number;
  /** A health check or the monitoring: neither limited nor kept among the requests of a database. */
  readonly isOperation?: boolean;
  /** Whether it is a file that our pages load. Such requests are not kept for a database. */
  readonly isAsset?: boolean;
  /** Default: a problem (RFC 9457). */
  readonly renderError?: ErrorRenderer;
}

/** A route, and what of it answers a request. */
export interface Target {
  readonly route: Route;
  readonly parameters: PathParameters;
  /** Undefined for OPTIONS, and for a method that the route does not have. */
  readonly handler: Handler | undefined;
}

/** No name in a path is longer than the head of a request may be. */
const LONGEST_PARAMETER = 65_536;

/** Finds the route of a request: whatever the letters' case, with or without a slash at the end. */
export class RouteTable {
  readonly routes: readonly Route[];
  readonly #router;

  constructor(routes: readonly Route[]) {
    this.routes = routes;
    this.#router = findMyWay({
      ignoreTrailingSlash: true,
      caseSensitive: false,
      maxParamLength: LONGEST_PARAMETER,
      onBadUrl: () => undefined,
    });
    for (const route of routes)
      this.#router.on("GET", route.path.replaceAll(/\{(\w+)\}/g, ":$1"), () => undefined, route);
  }

  /** Undefined where nothing is. Throws `BAD_USER_INPUT` for a path that is no percent-encoded UTF-8. */
  find(request: IncomingMessage): Target | undefined {
    const found = this.#router.find("GET" satisfies HTTPMethod, pathOf(request.url ?? ""));
    if (!found) return undefined;
    if (found.store === null || found.store === undefined)
      throw new GatewayError("BAD_USER_INPUT", "The path is not percent-encoded UTF-8");
    const route = found.store as Route;
    const { method = "" } = request;
    const asked = method === "HEAD" && route.head !== false ? "GET" : method;
    return { route, parameters: found.params as PathParameters, handler: route.handlers[asked as Method] };
  }
}

/** A request to a proxy names the server too (RFC 9112 §3.2.2). */
function pathOf(url: string): string {
  if (!url.startsWith("/")) return URL.parse(url)?.pathname ?? "";
  const end = url.search(/[?#]/);
  return end < 0 ? url : url.slice(0, end);
}

/** The query. Throws `INVALID_PARAMETER` for percent-encoded bytes that are no UTF-8. */
export function queryOf({ url = "" }: IncomingMessage): URLSearchParams {
  const [before] = url.split("#", 1);
  const start = before!.indexOf("?");
  const text = start < 0 ? "" : withPlus(before!.slice(start + 1));
  const query = new URLSearchParams(text);
  if (BEYOND_ASCII.test(text) && hasUnreadable(query) && !UNREADABLE_ENCODED.test(text))
    throw new GatewayError("INVALID_PARAMETER", "The query is not percent-encoded UTF-8");
  return query;
}

/**
 * A + is a space in forms, and itself in addresses (RFC 3986). A client that writes spaces as %20, as QGIS and the address
 * bars of browsers do, means a plus: `filter=(size%20+%201)%20=%205`.
 */
function withPlus(text: string): string {
  if (!text.includes("+")) return text;
  const parts = text.split("&").map((part) => (part.includes("%20") ? part.replaceAll("+", "%2B") : part));
  return parts.join("&");
}

const BEYOND_ASCII = /%[89a-f]/i;
/** The sign for what cannot be read (U+FFFD), where a client has sent it. */
const UNREADABLE_ENCODED = /%ef%bf%bd/i;

function hasUnreadable(query: URLSearchParams): boolean {
  return [...query].some(([name, value]) => `${name}${value}`.includes("\uFFFD"));
}

/**
 * Runs the handler; OPTIONS is answered here, unless the route has `others`. Throws `METHOD_NOT_ALLOWED` with `Allow` for a method that the route does
 * not have (RFC 9110 §15.5.6).
 */
export function answer(target: Target, request: IncomingMessage, response: ServerResponse): Promise<void> | void {
  const { route, handler, parameters } = target;
  if (handler) return handler(request, response, parameters);
  if (route.others) return route.others(request, response, parameters);
  const allow = [...methodsOf(route), "OPTIONS"].join(", ");
  if (request.method !== "OPTIONS")
    throw new GatewayError("METHOD_NOT_ALLOWED", `${pathOf(request.url ?? "")} takes ${allow}`, {
      headers: { Allow: allow },
    });
  response.writeHead(204, { Allow: allow }).end();
}

/** The methods that a route answers, HEAD among them, without OPTIONS. */
export function methodsOf({ handlers, head = true }: Route): readonly string[] {
  return Object.keys(handlers).flatMap((method) => (method === "GET" && head ? ["GET", "HEAD"] : [method]));
}

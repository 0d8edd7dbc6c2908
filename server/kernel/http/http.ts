/** The steps of every request before its route, and the last error handler after it. */
import { randomUUID } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import cors from "cors";
import helmet from "helmet";
import Negotiator from "negotiator";
import { beginFailure, HTML_TYPE, sendText } from "./answer.ts";
import { clientAddress } from "./clientAddress.ts";
import type { Config } from "../config.ts";
import { toBlockList } from "../config/addresses.ts";
import { LSN_HEADER, parsePosition, ReadPoint } from "../database/database.ts";
import { checkHost } from "./hostHeader.ts";
import { CommonHeaders } from "./listedHeaders.ts";
import { GatewayError, toProblem } from "../../ground/errors.ts";
import type { Log } from "../../ground/log.ts";
import { pagePolicy } from "./html.ts";
import { problemPage, type ForPeople } from "./problemPage.ts";
import type { RateLimiter } from "./rateLimit.ts";
import type { Tracing } from "../tracing/trace.ts";
import type { Middleware } from "./assets.ts";
import { answer, prefixOf, type ErrorRenderer, type Route, type RouteTable } from "./routes.ts";

declare module "http" {
  interface IncomingMessage {
    /** Received and returned as `X-Request-Id`, and part of every log line of the request. */
    requestId?: string;
    /** The caller's address, behind trusted proxies too. */
    address?: string;
    /** The route that answers it; none before it is found, and where there is none. */
    answeredBy?: Route;
    /** The answer; none where the connection becomes a WebSocket. */
    response?: ServerResponse;
    /** For a traced request: part of its log line. */
    traceId?: string;
    /** The requested operation, where the path does not tell: an operation of GraphQL, or stored methods. */
    operation?: string;
    /** The account, as soon as it is known, with the claims of its token. */
    asker?: {
      readonly database: string;
      readonly name: string;
      readonly claims?: Readonly<Record<string, unknown>>;
    };
    /** The sign-in or token that it came with, where the log keeps that. */
    session?: string;
    /** The writes that its reads must see, where standbys may serve them. */
    point?: ReadPoint;
  }
}

const EXPOSED_HEADERS = [
  "Location",
  "Link",
  "ETag",
  "X-Request-Id",
  "Retry-After",
  "WWW-Authenticate",
  "DPoP-Nonce",
  "Allow",
  "Accept-Post",
  "Accept-Patch",
  "Preference-Applied",
  "traceresponse",
  LSN_HEADER,
  "Portolan-Truncated",
];

/** The steps before a door. */
interface RequestMiddleware {
  /** Gives the request its id, measures and logs it, and sets the headers that every answer has. */
  introduce(request: IncomingMessage, response: ServerResponse): void;
  /** Throws `BAD_USER_INPUT` for two hosts and where the caller's address cannot be known, and `RATE_LIMITED`. */
  admit(request: IncomingMessage): Promise<void> | undefined;
}

interface MiddlewareOptions {
  readonly config: Config;
  readonly log: Log;
  /** Measures a request, from now to the end of its answer. */
  readonly measure: (request: IncomingMessage, response: ServerResponse) => void;
  readonly limiter: RateLimiter;
}

function createMiddleware(
  { config, log, measure, limiter }: MiddlewareOptions,
  { ofAll }: Pick<Origins, "ofAll">,
): RequestMiddleware {
  const trusted = toBlockList(config.trustedProxies);
  const security = securityHeaders(config);
  const headers = new CommonHeaders([...security, ...ofAll]);
  const headersOfOptions = new CommonHeaders(security);
  const readsStandbys = [...config.databases, ...config.patterns].some(({ replicaUrls }) => replicaUrls);
  return {
    introduce(request, response) {
      measure(request, response);
      request.response = response;
      const given = request.headers["x-request-id"];
      request.requestId = typeof given === "string" && /^[\w.:/+=-]{1,128}$/.test(given) ? given : randomUUID();
      (request.method === "OPTIONS" ? headersOfOptions : headers).set(response);
      response.setHeader("X-Request-Id", request.requestId);
      logWhenAnswered(log, request, response);
    },
    admit(request) {
      checkHost(request);
      request.address = clientAddress(request, trusted);
      if (readsStandbys) request.point = readPointOf(request);
      return limiter.limits && !request.answeredBy?.isOperation ? limiter.countAddress(request.address) : undefined;
    },
  };
}

/** Throws `BAD_USER_INPUT` for a header that is no position. */
function readPointOf({ headers, response }: IncomingMessage): ReadPoint {
  const given = headers[LSN_HEADER.toLowerCase()];
  const position = given === undefined ? undefined : parsePosition(String(given));
  return new ReadPoint(position, (written) => {
    if (response?.headersSent === false) response.setHeader(LSN_HEADER, written);
  });
}

/** The path, never the query string. */
function logWhenAnswered(log: Log, request: IncomingMessage, response: ServerResponse): void {
  if (!log.isLevelEnabled("info")) return;
  const started = performance.now();
  const { method, url = "" } = request;
  response.on("close", () => {
    log.info(
      {
        requestId: request.requestId,
        traceId: request.traceId,
        address: request.address,
        method,
        path: url.split("?", 1)[0],
        status: response.writableFinished ? response.statusCode : 499,
        ms: Math.round((performance.now() - started) * 10) / 10,
      },
      "request",
    );
  });
}

/** No page may load, run or be framed by anything; a page that needs more says so for itself. */
const STRICT_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

type SetsHeaders = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** The headers that a package sets on an answer, where these are the same for all. */
function headersOf(set: SetsHeaders, request: Partial<IncomingMessage> = {}): readonly [string, string][] {
  const headers = new Map<string, string>();
  const response = {
    setHeader: (name: string, value: string) => headers.set(name, value),
    removeHeader: (name: string) => headers.delete(name),
  };
  set(request as IncomingMessage, response as unknown as ServerResponse, () => undefined);
  return [...headers];
}

/** The headers that helmet sets on every answer. */
function securityHeaders({ baseUrl }: Config): readonly [string, string][] {
  const set = helmet({
    contentSecurityPolicy: false,
    crossOriginResourcePolicy: { policy: "cross-origin" },
    strictTransportSecurity: baseUrl?.startsWith("https:") ?? false,
  });
  return [...headersOf(set), ["Content-Security-Policy", STRICT_POLICY]];
}

/** The rule for requests from pages of other origins. */
interface Origins {
  /** The headers of every answer but that to OPTIONS. */
  readonly ofAll: readonly [string, string][];
  /** Sets what else an answer has. Gives back false where that was all: a preflight request, which is answered. */
  allow(request: IncomingMessage, response: ServerResponse): boolean;
}

function originsOf({ corsOrigins }: Pick<Config, "corsOrigins">, exposed: readonly string[]): Origins {
  if (corsOrigins.length === 0) return { ofAll: [], allow: () => true };
  const options: cors.CorsOptions = {
    origin: corsOrigins.includes("*") ? "*" : [...corsOrigins],
    methods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
    exposedHeaders: [...EXPOSED_HEADERS, ...exposed],
    maxAge: 86_400,
  };
  const [allow, allowAndGoOn] = [cors(options), cors({ ...options, preflightContinue: true })];
  const isOpen = options.origin === "*";
  const doAllow: Origins["allow"] = (request, response) => {
    if (isOpen && request.method !== "OPTIONS") return true;
    const { origin, "access-control-request-method": asked } = request.headers;
    if (request.method === "OPTIONS" && origin === undefined) return true;
    // a preflight request names a method; any other OPTIONS asks for the methods of the resource (RFC 9110 §9.3.7)
    const isPreflight = request.method === "OPTIONS" && asked !== undefined;
    let goesOn = false;
    (isPreflight ? allow : allowAndGoOn)(request, response, () => (goesOn = true)); // at once: the origins are known
    return goesOn;
  };
  return { ofAll: isOpen ? headersOf(cors(options), { method: "GET", headers: {} }) : [], allow: doAllow };
}

export interface ServiceOptions extends MiddlewareOptions {
  readonly table: RouteTable;
  /** Addresses that people visit with a browser: an error there is a page. Default none. */
  readonly forPeople?: readonly ForPeople[];
  /** Headers that pages of other origins may read, beside those that every answer may have. Default none. */
  readonly exposedHeaders?: readonly string[];
  /** Undefined where nothing is traced. */
  readonly tracing?: Tracing | undefined;
}

/** The service: every request passes the same steps and goes to its route. */
export function createListener(options: ServiceOptions): RequestListener {
  const { table, config, log, tracing, forPeople = [], exposedHeaders = [] } = options;
  const origins = originsOf(config, exposedHeaders);
  const middleware = createMiddleware(options, origins);
  const prefix = config.baseUrl === undefined ? "" : prefixOf(config.baseUrl);
  const renderProblem: ErrorRenderer = (thrown, request, response) =>
    sendProblem({ log, prefix, forPeople }, thrown, request, response);
  const serve: RequestListener = (request, response) => {
    let renderError = renderProblem;
    const run = async (): Promise<void> => {
      middleware.introduce(request, response);
      const target = table.find(request);
      if (target) request.answeredBy = target.route;
      renderError = target?.route.renderError ?? renderProblem;
      if (!origins.allow(request, response)) return;
      const admitted = middleware.admit(request);
      if (admitted) await admitted;
      if (!target) throw new GatewayError("NOT_FOUND", `Nothing is at ${(request.url ?? "").split("?", 1)[0]}`);
      await answer(target, request, response);
    };
    void run().catch(async (thrown: unknown) => {
      try {
        if (response.headersSent) throw thrown;
        await renderError(thrown, request, response);
      } catch (error) {
        sendProblem({ log, prefix, forPeople }, error, request, response);
      }
    });
  };
  if (!tracing) return serve;
  return (request, response) =>
    tracing.serve({
      request,
      response,
      routeOf: () => routeOf(table, request)?.path,
      run: () => serve(request, response),
    });
}

/** The same for a team's own Express or Connect application, which handles requests without a route here. */
export function toMiddleware(listener: RequestListener, table: RouteTable): Middleware {
  return (request, response, next) => {
    if (routeOf(table, request)) listener(request, response);
    else next();
  };
}

function routeOf(table: RouteTable, request: IncomingMessage): Route | undefined {
  try {
    return table.find(request)?.route;
  } catch {
    return undefined; // a path that cannot be read is nobody's
  }
}

/** Addresses that people visit with a browser: pages of a door, and unknown addresses. */
function wantsPage({ code }: GatewayError, request: IncomingMessage, forPeople: readonly ForPeople[]): boolean {
  const url = request.url ?? "";
  const isOfDoor = forPeople.some(({ below }) => url.toLowerCase().startsWith(below));
  const isForPeople = isOfDoor || (code === "NOT_FOUND" && !/^\/api\//i.test(url));
  const format = /[?&]f=([^&]*)/.exec(url)?.[1] ?? "html";
  if (!isForPeople || format !== "html") return false;
  return new Negotiator(request).mediaType(["application/json", "text/html"]) === "text/html";
}

const isRead = ({ method = "GET" }: IncomingMessage): boolean => ["GET", "HEAD", "OPTIONS"].includes(method);

const LONGEST_REASON = 200;

/** RFC 9112 §4: text for people. QGIS shows nothing else of an answer that refuses a write. */
function reasonPhrase(detail: string): string {
  return detail.replace(/[^\x20-\x7e]+/g, "?").slice(0, LONGEST_REASON);
}

interface ProblemOptions {
  readonly log: Log;
  readonly prefix: string;
  readonly forPeople: readonly ForPeople[];
}

/** The one place where an error becomes a problem (RFC 9457), or a page for a browser. */
function sendProblem(
  { log, prefix, forPeople }: ProblemOptions,
  thrown: unknown,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const error = beginFailure(log, thrown, { request, response });
  if (!error) return;
  const problem = toProblem(error);
  const isPage = wantsPage(error, request, forPeople);
  if (error.status < 500 && !isRead(request)) response.statusMessage = reasonPhrase(problem.detail);
  sendText(
    response,
    isPage ? problemPage(problem, request.url ?? "", { prefix, forPeople }) : JSON.stringify(problem),
    {
      status: error.status,
      type: isPage ? HTML_TYPE : "application/problem+json; charset=utf-8",
      headers: { "Cache-Control": "no-store", ...(isPage && { "Content-Security-Policy": pagePolicy() }) },
    },
  );
}

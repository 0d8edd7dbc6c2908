/** What every request passes before it meets its door, and the last resort after it. */
import { randomUUID } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import cors from "cors";
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
} from "express";
import helmet from "helmet";
import { clientAddress } from "./clientAddress.ts";
import { toBlockList, type Config } from "../config.ts";
import { GatewayError, toGatewayError, toProblem } from "../errors.ts";
import { logFailure, type Log } from "../log.ts";
import type { RateLimiter } from "./rateLimit.ts";

declare module "http" {
  interface IncomingMessage {
    /** Comes in and goes out as `X-Request-Id`, and stands in every log line of the request. */
    requestId?: string;
    /** The caller's address, behind trusted proxies too. */
    address?: string;
  }
}

const EXPOSED_HEADERS = [
  "Location",
  "Link",
  "ETag",
  "Content-Crs",
  "Content-Bbox",
  "Content-Datetime",
  "X-Request-Id",
  "Retry-After",
  "WWW-Authenticate",
];

/** What a request meets before its door. */
export interface Threshold {
  /**
   * Gives the request its id and address, measures and logs it, and sets the headers that every answer has.
   * Throws `BAD_USER_INPUT` where the address cannot be known.
   */
  introduce(request: IncomingMessage, response: ServerResponse): void;
  /** Throws `RATE_LIMITED`. */
  admit(request: IncomingMessage): Promise<void> | undefined;
}

export interface ThresholdOptions {
  readonly config: Config;
  readonly log: Log;
  /** Measures a request, from now to the end of its answer. */
  readonly measure: (request: IncomingMessage, response: ServerResponse) => void;
  readonly limiter: RateLimiter;
}

export function createThreshold({ config, log, measure, limiter }: ThresholdOptions): Threshold {
  const trusted = toBlockList(config.trustedProxies);
  const headers = securityHeaders(config);
  return {
    introduce(request, response) {
      measure(request, response);
      const given = request.headers["x-request-id"];
      request.requestId = typeof given === "string" && /^[\w.:/+=-]{1,128}$/.test(given) ? given : randomUUID();
      response.setHeader("X-Request-Id", request.requestId);
      for (const [name, value] of headers) response.setHeader(name, value);
      logWhenAnswered(log, request, response);
      request.address = clientAddress(request, trusted);
    },
    admit: (request) =>
      limiter.limits && !UNCOUNTED.test(request.url ?? "") ? limiter.count(`address ${request.address}`) : undefined,
  };
}

/** Health checks and the monitoring. */
const UNCOUNTED = /^\/(ping|livez|readyz|metrics)($|\?)/;

/** The path, never the query string. */
function logWhenAnswered(log: Log, request: IncomingMessage, response: ServerResponse): void {
  const started = performance.now();
  const { method, url = "" } = request;
  response.once("close", () => {
    log.info(
      {
        requestId: request.requestId,
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

/** What helmet sets on every answer: made once, since they are the same for all. */
function securityHeaders({ baseUrl }: Config): readonly [string, string][] {
  const headers = new Map<string, string>();
  const response = {
    setHeader: (name: string, value: string) => headers.set(name, value),
    removeHeader: (name: string) => headers.delete(name),
  };
  helmet({
    contentSecurityPolicy: false,
    crossOriginResourcePolicy: { policy: "cross-origin" },
    strictTransportSecurity: baseUrl?.startsWith("https:") ?? false,
  })({} as IncomingMessage, response as unknown as ServerResponse, () => undefined);
  return [...headers, ["Content-Security-Policy", STRICT_POLICY]];
}

/** Lets pages of other origins in, and answers their preflight requests. */
export function allowOrigins({ corsOrigins }: Config): RequestHandler {
  if (corsOrigins.length === 0) return (_request, _response, next) => next();
  const allow = cors({
    origin: corsOrigins.includes("*") ? "*" : [...corsOrigins],
    methods: ["GET", "HEAD", "POST", "PATCH", "DELETE", "OPTIONS"],
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: 86_400,
  });
  return (request, response, next) => {
    // a preflight request has an origin; any other OPTIONS asks what the resource takes (RFC 9110 §9.3.7)
    const asksResource = request.method === "OPTIONS" && request.headers.origin === undefined;
    if (asksResource) next();
    else allow(request, response, next);
  };
}

/** An Express application with what all doors share, in the order in which a request meets it. */
export function createExpress(config: Config, threshold: Threshold): Express {
  const app = express();
  app.disable("x-powered-by");
  app.set("etag", false); // a door that has validators sets them itself
  app.set("query parser", "simple");
  app.use((request, response, next) => {
    threshold.introduce(request, response);
    next();
  });
  app.use(allowOrigins(config));
  app.use(async (request, _response, next) => {
    await threshold.admit(request);
    next();
  });
  return app;
}

/** After all doors: what is not here, and what went wrong, as `application/problem+json`. */
export function finishExpress(app: Express, log: Log): void {
  app.use((request) => {
    throw new GatewayError("NOT_FOUND", `Nothing is at ${request.path}`);
  });
  const last: ErrorRequestHandler = (thrown, request, response, _next) => sendProblem(log, thrown, request, response);
  app.use(last);
}

/** A door's answer to a request that it takes before Express, or undefined for what Express is to route. */
export type HotRoute = (
  request: IncomingMessage,
) => ((request: IncomingMessage, response: ServerResponse) => Promise<void>) | undefined;

/** The whole service: the most frequent requests go straight to their door, past Express but through the same steps. */
export function withHotRoute(
  app: Express,
  hotRoutes: readonly HotRoute[],
  threshold: Threshold,
  config: Config,
  log: Log,
): RequestListener {
  const allow = allowOrigins(config);
  return (request, response) => {
    const answer = findAnswer(hotRoutes, request);
    if (!answer) {
      app(request, response);
      return;
    }
    const run = async (): Promise<void> => {
      threshold.introduce(request, response);
      await new Promise<void>((resolve) => allow(request as Request, response as Response, () => resolve()));
      await threshold.admit(request);
      await answer(request, response);
    };
    void run().catch((error: unknown) => sendProblem(log, error, request, response));
  };
}

function findAnswer(routes: readonly HotRoute[], request: IncomingMessage): ReturnType<HotRoute> {
  for (const route of routes) {
    const answer = route(request);
    if (answer) return answer;
  }
  return undefined;
}

export function setHeaders(
  response: ServerResponse,
  headers: Readonly<Record<string, string | readonly string[]>>,
): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

/** The one place where an error becomes a problem (RFC 9457). */
export function sendProblem(log: Log, thrown: unknown, request: IncomingMessage, response: ServerResponse): void {
  const error = toGatewayError(thrown);
  logFailure(log, error, request.requestId);
  if (response.headersSent) {
    response.destroy(); // a half answer must not look whole
    return;
  }
  if (error.code === "UNAVAILABLE") response.setHeader("Retry-After", "1");
  setHeaders(response, error.headers);
  response.setHeader("Cache-Control", "no-store");
  response.setHeader("Content-Type", "application/problem+json; charset=utf-8");
  response.statusCode = error.status;
  const text = JSON.stringify(toProblem(error));
  response.setHeader("Content-Length", Buffer.byteLength(text));
  response.end(request.method === "HEAD" ? undefined : text);
}

/** A signal that fires when the client goes away before its answer is complete. */
export function whileConnected(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

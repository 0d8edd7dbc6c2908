/** What every request passes before it meets its door, and the last resort after it. */
import { randomUUID } from "node:crypto";
import cors from "cors";
import express, { type ErrorRequestHandler, type Express, type RequestHandler, type Response } from "express";
import helmet from "helmet";
import { clientAddress } from "./clientAddress.ts";
import { toBlockList, type Config } from "./config.ts";
import { GatewayError, isServerFault, toGatewayError, toProblem } from "./errors.ts";
import type { Log } from "./log.ts";
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

/** An Express application with what all doors share, in the order in which a request meets it. */
export function createExpress(config: Config, log: Log, metrics: RequestHandler, limiter: RateLimiter): Express {
  const app = express();
  app.disable("x-powered-by");
  app.set("etag", false); // a door that has validators sets them itself
  app.set("query parser", "simple");
  app.use(metrics);
  app.use(introduce(config, log));
  app.use(
    helmet({
      contentSecurityPolicy: false,
      crossOriginResourcePolicy: { policy: "cross-origin" },
      strictTransportSecurity: config.baseUrl?.startsWith("https:") ?? false,
    }),
  );
  app.use(strictPolicy);
  if (config.corsOrigins.length > 0)
    app.use(
      cors({
        origin: config.corsOrigins.includes("*") ? "*" : [...config.corsOrigins],
        methods: ["GET", "HEAD", "POST", "PATCH", "DELETE", "OPTIONS"],
        exposedHeaders: EXPOSED_HEADERS,
        maxAge: 86_400,
      }),
    );
  app.use(limitByAddress(limiter));
  return app;
}

/** After all doors: what is not here, and what went wrong, as `application/problem+json`. */
export function finishExpress(app: Express, log: Log): void {
  app.use((request) => {
    throw new GatewayError("NOT_FOUND", `Nothing is at ${request.path}`);
  });
  app.use(renderProblem(log));
}

/** Gives the request its id and address, and logs it when it is answered: the path, never the query string. */
function introduce(config: Config, log: Log): RequestHandler {
  const trusted = toBlockList(config.trustedProxies);
  return (request, response, next) => {
    const given = request.headers["x-request-id"];
    request.requestId = typeof given === "string" && /^[\w.:/+=-]{1,128}$/.test(given) ? given : randomUUID();
    request.address = clientAddress(request, trusted);
    response.set("X-Request-Id", request.requestId);
    const started = performance.now();
    response.once("close", () => {
      log.info(
        {
          requestId: request.requestId,
          address: request.address,
          method: request.method,
          path: request.path,
          status: response.writableFinished ? response.statusCode : 499,
          ms: Math.round((performance.now() - started) * 10) / 10,
        },
        "request",
      );
    });
    next();
  };
}

/** No page may load, run or be framed by anything; a page that needs more says so for itself. */
const strictPolicy: RequestHandler = (_request, response, next) => {
  response.set(
    "Content-Security-Policy",
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  );
  next();
};

/** Health checks and the monitoring are not counted. */
function limitByAddress(limiter: RateLimiter): RequestHandler {
  return async (request, _response, next) => {
    if (!/^\/(ping|livez|readyz|metrics)$/.test(request.path)) await limiter.count(`address ${request.address}`);
    next();
  };
}

/** The one place where an error becomes a problem (RFC 9457). */
export function renderProblem(log: Log): ErrorRequestHandler {
  return (thrown: unknown, request, response, _next) => {
    const error = toGatewayError(thrown);
    logFailure(log, error, request.requestId);
    if (response.headersSent) {
      response.destroy(); // a half answer must not look whole
      return;
    }
    if (error.code === "UNAVAILABLE") response.set("Retry-After", "1");
    response
      .status(error.status)
      .set(error.headers)
      .set("Cache-Control", "no-store")
      .type("application/problem+json")
      .send(JSON.stringify(toProblem(error)));
  };
}

/** Failures of ours with their causes; those of callers are in the request's own line. */
export function logFailure(log: Log, error: GatewayError, requestId: string | undefined): void {
  if (isServerFault(error))
    log.error(
      { requestId, code: error.code, detail: error.detail, ...error.members, err: error.cause ?? error },
      "failure",
    );
}

/** A signal that fires when the client goes away before its answer is complete. */
export function whileConnected(response: Response): AbortSignal {
  const controller = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

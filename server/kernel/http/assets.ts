/** Files that pages load, by the package `serve-static`. */
import type { IncomingMessage, ServerResponse } from "node:http";
import compression from "compression";
import serveStatic from "serve-static";
import { GatewayError } from "../../ground/errors.ts";
import type { Route } from "./routes.ts";

/** A middleware of Connect or Express. */
export type Middleware = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => unknown;

const compress = compression() as Middleware;

/** The files below `folder`, compressed where the browser takes that, which keeps them for an hour. `path` ends in `*`. */
export function assets(path: string, summary: string, folder: string): Route {
  const serve = serveStatic(folder, { maxAge: "1h", index: false, redirect: false }) as Middleware;
  return {
    path,
    summary,
    isAsset: true,
    handlers: {
      GET: (request, response, { "*": file = "" }) => {
        request.url = `/${encodeURI(file)}`;
        return passOn(
          (_, __, next) =>
            compress(request, response, (error) => (error ? next(error) : serve(request, response, next))),
          request,
          response,
        );
      },
    },
  };
}

/** One file, which a browser keeps for an hour. */
export function asset(path: string, summary: string, folder: string, file: string): Route {
  const { handlers } = assets(path, summary, folder);
  return {
    path,
    summary,
    isAsset: true,
    handlers: { GET: (request, response) => handlers.GET?.(request, response, { "*": file }) },
  };
}

/** Lets a middleware answer. A request that it does not answer is `NOT_FOUND`. */
export function passOn(middleware: Middleware, request: IncomingMessage, response: ServerResponse): Promise<void> {
  return new Promise((resolve, reject) => {
    response.once("close", resolve);
    middleware(request, response, (error) => {
      const path = (request.url ?? "").split("?", 1)[0];
      reject(error === undefined ? new GatewayError("NOT_FOUND", `Nothing is at ${path}`) : (error as Error));
    });
  });
}

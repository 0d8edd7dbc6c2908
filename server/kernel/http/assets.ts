/** Files that pages load, by the package `serve-static`; those of text from memory. */
import { readFile, stat } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import Negotiator from "negotiator";
import serveStatic from "serve-static";
import { GatewayError } from "../../ground/errors.ts";
import type { Route } from "./routes.ts";

/** A middleware of Connect or Express. */
export type Middleware = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => unknown;

const SECONDS = 3600;

/** The files below `folder`, compressed where the browser takes that, which keeps them for an hour. `path` ends in `*`. */
export function assets(path: string, summary: string, folder: string): Route {
  const serve = serveStatic(folder, { maxAge: SECONDS * 1000, index: false, redirect: false }) as Middleware;
  return {
    path,
    summary,
    isAsset: true,
    handlers: {
      async GET(request, response, { "*": file = "" }) {
        if (await serveCompressed(request, response, folder, file)) return;
        response.setHeader("Vary", "Accept-Encoding");
        request.url = `/${encodeURI(file)}`;
        await passOn(serve, request, response);
      },
    },
  };
}

const TEXTS: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
};
/** In bytes: a shorter file fits into the first packets of a server, and one that is longer would fill the memory. */
const [SHORTEST, LONGEST] = [1024, 4 * 1024 ** 2];
/** Without a part that begins with a dot. */
const PLAIN_PATH = /^\w[\w.-]*(?:\/\w[\w.-]*)*$/;

const ENCODERS = {
  br: (text: Buffer) =>
    promisify(brotliCompress)(text, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: text.length },
    }),
  gzip: (text: Buffer) => promisify(gzip)(text, { level: 9 }),
};
type Encoding = keyof typeof ENCODERS;

interface Compressed {
  readonly modified: number;
  readonly body: Promise<Buffer>;
}
/** By encoding and file, as it was when it was read. */
const compressed = new Map<string, Compressed>();

/** Answers with a file of text that is compressed once. False where `serve-static` has to answer: parts, 304, HEAD, 404. */
async function serveCompressed(
  request: IncomingMessage,
  response: ServerResponse,
  folder: string,
  name: string,
): Promise<boolean> {
  const { method, headers } = request;
  const type = TEXTS[extname(name)];
  const isPartial = ["range", "if-none-match", "if-modified-since"].some((header) => headers[header] !== undefined);
  if (method !== "GET" || type === undefined || isPartial || !PLAIN_PATH.test(name)) return false;
  const taken = new Negotiator(request).encodings(["br", "gzip"]);
  const encoding = (["br", "gzip"] as const).find((each) => taken.includes(each));
  if (encoding === undefined) return false;
  const file = join(folder, name);
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile() || found.size < SHORTEST || found.size > LONGEST) return false;
  const body = await compressedOnce(file, found.mtimeMs, encoding);
  response.writeHead(200, {
    "Accept-Ranges": "bytes",
    "Cache-Control": `public, max-age=${SECONDS}`,
    "Content-Encoding": encoding,
    "Content-Length": body.length,
    "Content-Type": type,
    ETag: `W/"${found.size.toString(16)}-${found.mtime.getTime().toString(16)}"`, // as the package has it
    "Last-Modified": found.mtime.toUTCString(),
    Vary: "Accept-Encoding",
  });
  response.end(body);
  return true;
}

async function compressedOnce(file: string, modified: number, encoding: Encoding): Promise<Buffer> {
  const key = `${encoding} ${file}`;
  const known = compressed.get(key);
  if (known?.modified === modified) return known.body;
  const body = readFile(file).then(ENCODERS[encoding]);
  compressed.set(key, { modified, body });
  body.catch(() => compressed.delete(key));
  return body;
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

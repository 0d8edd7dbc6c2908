/** Answers that are smaller on their way. */
import { brotliCompressSync, constants, deflateSync, gzipSync } from "node:zlib";
import type { IncomingMessage, ServerResponse } from "node:http";
import compression from "compression";
import Negotiator from "negotiator";
import { ListedAnswer, type Compression } from "./listedHeaders.ts";

/** At levels that cost little processor time. */
const LEVEL = 5;
const BROTLI = { [constants.BROTLI_PARAM_QUALITY]: 4 };
/** In bytes: a shorter answer is not compressed. */
const SHORTEST = 1024;
/**
 * In bytes: a body of up to this length that is known as a whole is compressed at once, in less than 0.1 ms. A stream for it takes
 * twice as long, and what it leaves behind waits for a collection of the whole heap.
 */
const LONGEST_WHOLE = 16_384;

/** The encodings that the package knows, the preferred ones first. */
const ENCODINGS: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  br: (body) => brotliCompressSync(body, { params: BROTLI }),
  gzip: (body) => gzipSync(body, { level: LEVEL }),
  deflate: (body) => deflateSync(body, { level: LEVEL }),
};

const compress = compression({ level: LEVEL, brotli: { params: BROTLI }, threshold: SHORTEST });

/** Compresses everything that is written from now on if the client accepts that (RFC 9110 §12.5.3). Call it once for an answer. */
export function compressAnswer(request: IncomingMessage, response: ServerResponse): void {
  const vary = response.getHeader("Vary");
  response.setHeader("Vary", vary === undefined ? "Accept-Encoding" : `${String(vary)}, Accept-Encoding`);
  if (request.headers["accept-encoding"] === undefined) return;
  if (response instanceof ListedAnswer) response.compression = BODIES;
  else compressStream(request, response);
}

function compressStream(request: IncomingMessage, response: ServerResponse): void {
  tagEncoding(response);
  compress(request as never, response as never, () => undefined);
}

/** The types of the package lack the option: the encodings to prefer among those that the client likes equally. */
interface EncodingNegotiator {
  encoding(available: readonly string[], options: { readonly preferred: readonly string[] }): string | undefined;
}

const BODIES: Compression = {
  mostBytes: LONGEST_WHOLE,
  whole(answer, body) {
    const { req: request } = answer;
    const isLeft =
      body.length < SHORTEST ||
      request.method === "HEAD" ||
      answer.hasHeader("Content-Encoding") ||
      /(?:^|,)\s*no-transform\s*(?:,|$)/i.test(String(answer.getHeader("Cache-Control") ?? "")) ||
      !compression.filter(request as never, answer as never);
    if (isLeft) return undefined;
    const names = Object.keys(ENCODINGS);
    const negotiator = new Negotiator(request) as unknown as EncodingNegotiator;
    const encoding = negotiator.encoding([...names, "identity"], { preferred: names }) ?? "identity";
    const smaller = ENCODINGS[encoding]?.(body);
    if (!smaller) return undefined;
    answer.setHeader("Content-Encoding", encoding);
    answer.setHeader("Content-Length", smaller.length);
    addEncodingToTag(answer);
    return smaller;
  },
  stream: (answer) => compressStream(answer.req, answer),
};

/** RFC 9110 §8.8.3.3: a strong tag is of one encoding. */
function addEncodingToTag(response: ServerResponse): void {
  const [tag, encoding] = [response.getHeader("ETag"), response.getHeader("Content-Encoding")];
  if (typeof tag === "string" && tag.startsWith('"') && typeof encoding === "string")
    response.setHeader("ETag", `${tag.slice(0, -1)};${encoding}"`);
}

/** To be called before the package, which decides when headers are written. */
function tagEncoding(response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response) as (...given: unknown[]) => ServerResponse;
  const tagged = (...given: unknown[]): ServerResponse => {
    addEncodingToTag(response);
    return writeHead(...given);
  };
  response.writeHead = tagged as typeof response.writeHead;
}

/** A tag without what says that it is weak or how its answer was encoded. */
export function bareTag(tag: string): string {
  return tag.replace(/^W\//, "").replace(/;[a-z]+"$/, '"');
}

/** Answers that are smaller on their way. */
import { constants } from "node:zlib";
import type { IncomingMessage, ServerResponse } from "node:http";
import compression from "compression";

/** At levels that cost little processor time: 5 of gzip, 4 of brotli. An answer shorter than 1 kB is not compressed. */
const compress = compression({
  level: 5,
  brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  threshold: 1024,
});

/** Compresses everything that is written from now on if the client accepts that (RFC 9110 §12.5.3). Call it once for an answer. */
export function compressAnswer(request: IncomingMessage, response: ServerResponse): void {
  if (request.headers["accept-encoding"] !== undefined) {
    tagEncoding(response);
    compress(request as never, response as never, () => undefined);
  } else {
    const vary = response.getHeader("Vary");
    response.setHeader("Vary", vary === undefined ? "Accept-Encoding" : `${String(vary)}, Accept-Encoding`);
  }
}

/** RFC 9110 §8.8.3.3: a strong tag is of one encoding. To be called before the package, which decides when headers are written. */
function tagEncoding(response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response) as (...given: unknown[]) => ServerResponse;
  const tagged = (...given: unknown[]): ServerResponse => {
    const [tag, encoding] = [response.getHeader("ETag"), response.getHeader("Content-Encoding")];
    if (typeof tag === "string" && tag.startsWith('"') && typeof encoding === "string")
      response.setHeader("ETag", `${tag.slice(0, -1)};${encoding}"`);
    return writeHead(...given);
  };
  response.writeHead = tagged as typeof response.writeHead;
}

/** A tag without what says that it is weak or how its answer was encoded. */
export function bareTag(tag: string): string {
  return tag.replace(/^W\//, "").replace(/;[a-z]+"$/, '"');
}

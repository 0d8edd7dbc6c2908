/** The body of a request. */
import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { GatewayError } from "../errors.ts";

const DECODERS: Readonly<Record<string, (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>>> = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

/**
 * The body of a request as text, decompressed. Throws `TOO_LARGE` over `maxBytes`, `UNSUPPORTED_MEDIA_TYPE` for an
 * encoding that is not known, `BAD_USER_INPUT` for a body that is not of its encoding, `CLIENT_GONE`.
 */
export async function readText(request: IncomingMessage, maxBytes: number): Promise<string> {
  const tooLarge = () => new GatewayError("TOO_LARGE", `The request body is over ${maxBytes} bytes`);
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) throw tooLarge();
  const body = await readBytes(request, maxBytes, tooLarge);
  const encoding = request.headers["content-encoding"]?.toLowerCase() ?? "identity";
  if (encoding === "identity") return body.toString("utf8");
  const decode = DECODERS[encoding];
  if (!decode) throw new GatewayError("UNSUPPORTED_MEDIA_TYPE", `The content encoding ${encoding} is not supported`);
  try {
    return (await decode(body, { maxOutputLength: maxBytes })).toString("utf8");
  } catch (error) {
    if ((error as { code?: unknown }).code === "ERR_BUFFER_TOO_LARGE") throw tooLarge();
    throw new GatewayError("BAD_USER_INPUT", `The request body is not ${encoding}`, { cause: error });
  }
}

/**
 * Throws `UNSUPPORTED_MEDIA_TYPE` unless the body is of one of the media types, in UTF-8, which is the only one that JSON has
 * (RFC 8259 §8.1).
 */
export function checkContentType(
  { headers }: IncomingMessage,
  mediaTypes: readonly string[] = ["application/json"],
): void {
  const [type = "", ...parameters] = (headers["content-type"] ?? "")
    .split(";")
    .map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith("charset="))?.slice("charset=".length);
  if (!mediaTypes.includes(type) || (charset !== undefined && !/^"?utf-?8"?$/.test(charset)))
    throw new GatewayError("UNSUPPORTED_MEDIA_TYPE", `The request body must be ${mediaTypes[0]} in UTF-8`);
}

/** With listeners, which cost a small request less than an iterator. */
function readBytes(request: IncomingMessage, maxBytes: number, tooLarge: () => GatewayError): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxBytes) {
        request.pause();
        reject(tooLarge());
      } else chunks.push(chunk);
    });
    request.once("end", () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    request.once("error", reject);
    request.once("close", () => {
      if (!request.complete) reject(new GatewayError("CLIENT_GONE"));
    });
  });
}

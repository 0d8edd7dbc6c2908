/** Answers with a tile: sets its validator and caching, and sends no content for an empty tile. */
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { setHeaders } from "../../server/kernel/http/answer.ts";
import type { Collection } from "../collections/collections.ts";
import { isKnown, type Exchange } from "../exchange/exchange.ts";
import { MVT } from "../exchange/formats.ts";
import { contentDatetime } from "../exchange/parameters/datetime.ts";
import type { Tile } from "./tiles.ts";

export function toTile(body: Buffer, truncated = false): Tile {
  const digest = createHash("sha256").update(body).digest("base64url").slice(0, 27);
  return { body, truncated, etag: `"${digest}"` };
}

const compress = promisify(gzip);
/** The smallest tile in bytes that is compressed. */
const WORTH_COMPRESSING = 1400;

/** Sets which caches may keep the answer. Only an answer that every caller gets is public. */
export function setTileHeaders({ request, response, config, identity }: Exchange): void {
  const { authorization, cookie } = request.headers;
  const isPublic = identity.name === "anonymous" && authorization === undefined && cookie === undefined;
  if (isPublic) response.removeHeader("Expires");
  setHeaders(response, {
    "Cache-Control": isPublic ? `public, max-age=${config.tileMaxAge}` : "private, no-cache",
    Vary: `Authorization, Accept, Accept-Encoding${cookie === undefined ? "" : ", Cookie"}`,
  });
}

/** Answers 200, 204 for an empty vector tile, or 304 where the client has it already (RFC 9110 §13.1.2). */
export async function sendTile(exchange: Exchange, tile: Tile, collections: readonly Collection[]): Promise<void> {
  const { request, response, format } = exchange;
  setTileHeaders(exchange);
  setHeaders(response, {
    ETag: `W/${tile.etag}`, // the compressed answer has the same tag
    ...contentDatetime(collections),
    ...(tile.truncated && { "Portolan-Truncated": "true" }),
  });
  if (isKnown(request.headers["if-none-match"], tile.etag)) {
    response.statusCode = 304;
    response.end();
    return;
  }
  if (tile.body.length === 0) {
    response.statusCode = 204;
    response.end();
    return;
  }
  response.setHeader("Content-Type", format.mediaType);
  let { body } = tile;
  if (format === MVT && body.length > WORTH_COMPRESSING && takesGzip(request.headers["accept-encoding"])) {
    body = await (tile.gzip ??= compress(body, { level: 4 }));
    response.setHeader("Content-Encoding", "gzip");
  }
  response.setHeader("Content-Length", body.length);
  response.end(body); // Node omits the body of an answer to HEAD
}

function takesGzip(accepted: string | string[] | undefined): boolean {
  return /(^|,)\s*gzip\s*(;\s*q=(0\.0*[1-9]|1)[0-9]*\s*)?(,|$)/i.test(String(accepted ?? ""));
}

/** Keeps capabilities. While nothing changes, they are the same for all callers who see the same layers. */
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { LRUCache } from "lru-cache";
import { setHeaders } from "../../server/kernel/http/answer.ts";
import type { Extent } from "../collections/bounds.ts";
import type { Collection, CollectionMap } from "../collections/collections.ts";
import { isKnown } from "../exchange/exchange.ts";
import type { OwsExchange } from "./exchange.ts";

/** The number of documents kept for a catalogue: one for each set of rights, service, version and address. */
const KEPT = 100;
const documents = new WeakMap<CollectionMap, LRUCache<string, Kept>>();

/**
 * A placeholder in a document for the present, which is the end of the interval of a layer with history: `since/{now}`.
 */
export const NOW = "{now}";
const MINUTE_MS = 60_000;
/** The compression level. Compressing a document of many layers takes longer than the rest of the answer. */
const LEVEL = 5;

interface Kept {
  /** The extents that it was made with. They are the same objects as long as nothing has changed. */
  readonly extents: readonly (Extent | undefined)[];
  readonly text: string;
  sent: Sent | undefined;
}

/** The bytes for clients. A document that names the present is valid for a minute. */
interface Sent {
  readonly minute: number;
  readonly body: Buffer;
  readonly etag: string;
  gzip: Promise<Buffer> | undefined;
}

/** The content of a document. */
export interface Content {
  readonly seen: readonly Collection[];
  /** The extents of the layers. */
  readonly extents: readonly (Extent | undefined)[];
  readonly mediaType: string;
  /** Whatever else the content depends on, such as rights to write. */
  readonly variant?: string;
}

/**
 * Sends the document that was last made for the same layers, if nothing has changed since; otherwise the result of
 * `make`.
 */
export async function sendKept(
  exchange: OwsExchange,
  content: Content,
  make: () => string | Promise<string>,
): Promise<void> {
  const { request, response } = exchange;
  const { mediaType } = content;
  const sent = sentOf(await keptFor(exchange, content, make), mediaType);
  response.setHeader("ETag", `W/${sent.etag}`); // the compressed answer has the same tag
  if (isKnown(request.headers["if-none-match"], sent.etag)) {
    response.statusCode = 304;
    response.end();
    return;
  }
  const takesGzip = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(String(request.headers["accept-encoding"] ?? ""));
  const body = takesGzip ? await (sent.gzip ??= compress(sent.body, { level: LEVEL })) : sent.body;
  setHeaders(response, {
    "Content-Type": mediaType.startsWith("text/") ? `${mediaType}; charset=utf-8` : mediaType,
    ...(takesGzip && { "Content-Encoding": "gzip" }),
    "Content-Length": String(body.length),
  });
  response.end(body); // Node omits the body of an answer to HEAD
}

const compress = promisify(gzip);

async function keptFor(
  { collections, service, version, address }: OwsExchange,
  { seen, extents, variant = "" }: Content,
  make: () => string | Promise<string>,
): Promise<Kept> {
  const kept = documents.get(collections) ?? new LRUCache<string, Kept>({ max: KEPT });
  documents.set(collections, kept);
  const key = `${service} ${version} ${address} ${seen.map(({ id }) => id).join()} ${variant}`;
  const known = kept.get(key);
  if (known?.extents.length === extents.length && known.extents.every((extent, i) => extent === extents[i]))
    return known;
  const made: Kept = { extents, text: await make(), sent: undefined };
  kept.set(key, made);
  return made;
}

function sentOf(kept: Kept, mediaType: string): Sent {
  const { text, sent } = kept;
  const isOfPresent = text.includes(NOW);
  const minute = isOfPresent ? Math.floor(Date.now() / MINUTE_MS) : 0;
  if (sent?.minute === minute) return sent;
  const body = Buffer.from(isOfPresent ? atMinute(text, minute) : text);
  const etag = `"${createHash("sha256").update(mediaType).update(body).digest("base64url").slice(0, 27)}"`;
  kept.sent = { minute, body, etag, gzip: undefined };
  return kept.sent;
}

/** The text with the minute in it. A history that has just begun does not end before it begins. */
function atMinute(text: string, minute: number): string {
  const now = new Date(minute * MINUTE_MS).toISOString();
  return text.replaceAll(
    /(?<![0-9TZ:.-])([0-9TZ:.-]+)\/\{now\}/g,
    (_, since: string) => `${since}/${since > now ? since : now}`,
  );
}

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

/** The most memory for the documents that are kept for a catalogue, in bytes. The one that was used longest ago goes first. */
const KEPT_BYTES = 64_000_000;
/** The bytes for a character of a document: the text itself, its bytes, and those compressed. */
const PER_CHARACTER = 3;
const documents = new WeakMap<CollectionMap, LRUCache<string, Kept>>();

/**
 * A placeholder in a document for the present, which is the end of the interval of a layer with history: `since/{now}`.
 */
export const NOW = "{now}";
const MINUTE_MS = 60_000;
/** The compression level. Compressing a document of many layers takes longer than the rest of the answer. */
const LEVEL = 5;

interface Kept {
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

async function keptFor(exchange: OwsExchange, content: Content, make: () => string | Promise<string>): Promise<Kept> {
  const { collections } = exchange;
  const kept =
    documents.get(collections) ??
    new LRUCache<string, Kept>({ maxSize: KEPT_BYTES, sizeCalculation: ({ text }) => text.length * PER_CHARACTER });
  documents.set(collections, kept);
  const key = keyOf(exchange, content);
  const known = kept.get(key);
  if (known) return known;
  const made: Kept = { text: await make(), sent: undefined };
  kept.set(key, made);
  return made;
}

/** A text that is the same for the same document. Where policies choose rows, callers may see layers in other extents. */
function keyOf({ service, version, address }: OwsExchange, { seen, extents, variant = "" }: Content): string {
  const hash = createHash("sha256").update(`${service} ${version} ${address} ${variant}`);
  for (const [index, { id }] of seen.entries()) hash.update(`\n${id} ${textOf(extents[index])}`);
  return hash.digest("base64url");
}

function textOf(extent: Extent | undefined): string {
  if (!extent) return "";
  let text = texts.get(extent);
  if (text === undefined) texts.set(extent, (text = JSON.stringify(extent)));
  return text;
}

/** The texts of extents, which are the same objects as long as nothing has changed. */
const texts = new WeakMap<Extent, string>();

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

/** Capabilities that were made before: as long as nothing has changed, they are the same for callers who see the same layers. */
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { LRUCache } from "lru-cache";
import { setHeaders } from "../../server/kernel/http/answer.ts";
import type { Extent } from "../collections/bounds.ts";
import type { Collection, CollectionMap } from "../collections/collections.ts";
import { isKnown } from "../exchange/exchange.ts";
import type { OwsExchange } from "./exchange.ts";

/** Documents of a catalogue: a caller's rights, a service, a version and an address have one each. */
const KEPT = 100;
const documents = new WeakMap<CollectionMap, LRUCache<string, Kept>>();

/** Stands in a document for the present, until which a layer with history can be asked for: `since/{now}`. */
export const NOW = "{now}";
const MINUTE_MS = 60_000;
/** A document of many layers takes longer to compress than all else of an answer. */
const LEVEL = 5;

interface Kept {
  /** The extents that it was made of: the same objects as long as nothing has changed. */
  readonly extents: readonly (Extent | undefined)[];
  readonly text: string;
  sent: Sent | undefined;
}

/** As it goes to clients, for as long as its minute lasts where it names the present. */
interface Sent {
  readonly minute: number;
  readonly body: Buffer;
  readonly etag: string;
  gzip: Promise<Buffer> | undefined;
}

/** What a document shows. */
export interface Content {
  readonly seen: readonly Collection[];
  /** Of each of them. */
  readonly extents: readonly (Extent | undefined)[];
  readonly mediaType: string;
}

/** Sends it as it was made for the same layers the last time, where nothing has changed since; else what `make` makes. */
export async function sendKept(
  exchange: OwsExchange,
  content: Content,
  make: () => string | Promise<string>,
): Promise<void> {
  const { request, response } = exchange;
  const { mediaType } = content;
  const sent = sentOf(await keptFor(exchange, content, make), mediaType);
  response.setHeader("ETag", `W/${sent.etag}`); // a compressed answer has the same
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
  response.end(body); // Node leaves the body of an answer to HEAD out
}

const compress = promisify(gzip);

async function keptFor(
  { collections, service, version, address }: OwsExchange,
  { seen, extents }: Content,
  make: () => string | Promise<string>,
): Promise<Kept> {
  const kept = documents.get(collections) ?? new LRUCache<string, Kept>({ max: KEPT });
  documents.set(collections, kept);
  const key = `${service} ${version} ${address} ${seen.map(({ id }) => id).join()}`;
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

/** History that has just begun ends no earlier than it began. */
function atMinute(text: string, minute: number): string {
  const now = new Date(minute * MINUTE_MS).toISOString();
  return text.replaceAll(/([0-9TZ:.-]+)\/\{now\}/g, (_, since: string) => `${since}/${since > now ? since : now}`);
}

/**
 * The logo of a client that describes itself (`logo_uri`, RFC 7591 §2). The service fetches it and puts it into the
 * page, so that the browser of the person who gives consent sends no request to another host.
 */
import { LRUCache } from "lru-cache";
import { FetchRefused, fetchPublic } from "../../kernel/http/publicFetch.ts";
import { privateHostsOf } from "../clients.ts";
import type { OAuthContext } from "../context.ts";

/** With a logo of this size a sign-in page stays below 100 kB. */
const MAX_BYTES = 32_000;
const MAX_CACHED = 200;
const KEPT_MS = 3_600_000;
/** How long a failed logo is not fetched again. */
const MISSED_MS = 60_000;
/** The page waits this long; a later page may have the logo. */
const WAIT_MS = 1000;

/** Image types by the first bytes of a file. SVG is not accepted: it is a document, which may have scripts. */
const TYPES: readonly (readonly [type: string, begin: RegExp])[] = [
  ["image/png", /^\x89PNG\r\n\x1a\n/],
  ["image/jpeg", /^\xff\xd8\xff/],
  ["image/gif", /^GIF8[79]a/],
  ["image/webp", /^RIFF[^]{4}WEBP/],
];

/** Logos by address, read lately or being read. `null`: the address has no logo. */
const logos = new LRUCache<string, { readonly image: Promise<string | null> }>({ max: MAX_CACHED });

/** The logo of the client as a `data:` address; undefined where it has none that can be shown. */
export async function logoOf({ client, kernel }: OAuthContext): Promise<string | undefined> {
  const { logoUri: url } = client;
  if (url === null) return undefined;
  const waited = new Promise<null>((resolve) => {
    setTimeout(resolve, WAIT_MS, null).unref();
  });
  const image = await Promise.race([imageAt(url, privateHostsOf(client, url, kernel.config)), waited]);
  return image ?? undefined;
}

function imageAt(url: string, privateHosts: readonly string[]): Promise<string | null> {
  const kept = logos.get(url);
  if (kept) return kept.image;
  const image = readImage(url, privateHosts);
  const entry = { image };
  logos.set(url, entry, { ttl: KEPT_MS });
  image.then(
    (read) => {
      if (read === null && logos.get(url) === entry) logos.set(url, entry, { ttl: MISSED_MS });
    },
    () => logos.delete(url), // the page gets the error
  );
  return image;
}

async function readImage(url: string, privateHosts: readonly string[]): Promise<string | null> {
  try {
    const { status, bytes } = await fetchPublic({ url, privateHosts, accept: "image/*", maxBytes: MAX_BYTES });
    const begin = bytes.toString("latin1", 0, 16);
    const type = status === 200 ? TYPES.find(([, pattern]) => pattern.test(begin))?.[0] : undefined;
    return type === undefined ? null : `data:${type};base64,${bytes.toString("base64")}`;
  } catch (error) {
    if (error instanceof FetchRefused) return null;
    throw error;
  }
}

/** One request and its answer, as the handlers of routes see them. */
import { hash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { OgcConfig } from "../../server/kernel/config/ogc.ts";
import type { Database, Identity, RequestContext } from "../../server/kernel/database/database.ts";
import { setHeaders } from "../../server/kernel/http/answer.ts";
import { bareTag } from "../../server/kernel/http/compress.ts";
import type { Admission } from "../collections/access.ts";
import type { Collection, CollectionMap } from "../collections/collections.ts";
import type { Counts } from "../features/page/counts.ts";
import type { Extents } from "../collections/extent.ts";
import type { Format } from "./formats.ts";
import type { Maps } from "../maps/maps.ts";
import type { Tiles } from "../tiles/tiles.ts";
import type { Downloads } from "../downloads/downloads.ts";
import { linkHeaders, type Addresses, type Link } from "./links.ts";
import type { Parameters } from "./parameters/read.ts";
import type { RouteDescription } from "./route.ts";

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The path parameters, decoded: `featureId`. */
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly database: Database;
  readonly identity: Identity;
  /** How statements of this request run; its signal fires when the client leaves. */
  readonly context: RequestContext & { readonly signal: AbortSignal };
  readonly config: OgcConfig;
  readonly addresses: Addresses;
  /** Address of the classic services of the database; undefined: there are none. */
  readonly classicAddress: string | undefined;
  /** All collections of the database: `access.ts` says which of them the caller may see. */
  readonly collections: CollectionMap;
  readonly extents: Extents;
  readonly counts: Counts;
  /** Throws `UNAUTHENTICATED`, `FORBIDDEN`, `COLLECTION_NOT_FOUND` where the caller may not read one of `collections`. */
  admit(collections: readonly Collection[]): Promise<Admission>;
  readonly route: RouteDescription;
  /** The routes that the OpenAPI document describes. */
  readonly routes: readonly RouteDescription[];
  readonly parameters: Parameters;
  /** Undefined where there is no MapServer. */
  readonly maps: Maps | undefined;
  readonly tiles: Tiles;
  readonly downloads: Downloads;
  readonly format: Format;
}

/** A request for a collection that the caller may read; it has the columns that the caller may read. */
export interface CollectionExchange extends Exchange {
  readonly collection: Collection;
  /** For a route that confirms rights separately. Throws `RightsChanged`. */
  confirm(): Promise<void>;
}

/** `self` and `alternate`s of a resource at `href`, which has no `f` in its query. */
export function selfLinks({ format, route }: Pick<Exchange, "format" | "route">, href: string, title: string): Link[] {
  return route.formats.map((each): Link => ({
    rel: each === format ? "self" : "alternate",
    type: each.mediaType,
    title: each === format ? title : `${title} as ${each.title}`,
    href: withFormat(href, each),
  }));
}

/** The address of a resource in one format, whatever the header Accept of who follows it. */
export function withFormat(href: string, { name }: Format): string {
  return `${href}${href.includes("?") ? "&" : "?"}f=${name}`;
}

/** Sends a JSON resource with its links as headers, or 304. */
export function sendJson(exchange: Exchange, body: object, links: readonly Link[]): void {
  sendText(exchange, { mediaType: exchange.format.mediaType, text: JSON.stringify(body), links });
}

interface Text {
  readonly mediaType: string;
  readonly text: string | Buffer;
  readonly links: readonly Link[];
  /** Of the row that it shows: the validator begins with it. */
  readonly version?: string | undefined;
}

/**
 * Sends a text with a validator; 304 when the client has it already (RFC 9110 §13.1.2).
 */
export function sendText(
  { request, response }: Pick<Exchange, "request" | "response">,
  { mediaType, text, links, version }: Text,
): void {
  setHeaders(response, linkHeaders(links));
  const digest = hash(
    "sha256",
    typeof text === "string" ? mediaType + text : Buffer.concat([Buffer.from(mediaType), text]),
    "base64url",
  ).slice(0, 27);
  const etag = version === undefined ? `"${digest}"` : `"${versionTag(version)}.${digest}"`;
  // one that comes back in If-Match is strong: it is never met by a weak one
  response.setHeader("ETag", version === undefined ? `W/${etag}` : etag);
  const asked = request.headers["if-none-match"];
  if (isKnown(asked, etag)) {
    if (version !== undefined) response.setHeader("ETag", strongTagOf(asked, etag));
    response.statusCode = 304;
    response.end();
    return;
  }
  const hasCharset = mediaType.startsWith("text/") || mediaType === "application/json";
  response.setHeader("Content-Type", hasCharset ? `${mediaType}; charset=utf-8` : mediaType);
  response.end(text);
}

/** The tag that the client has, which also says how its answer was encoded; `etag` where it has a weak one, or any. */
function strongTagOf(ifNoneMatch = "", etag: string): string {
  const tags = ifNoneMatch.split(",").map((tag) => tag.trim());
  return tags.find((tag) => tag.startsWith('"') && bareTag(tag) === etag) ?? etag;
}

/** The version of a row as the part of a validator before the point: its own characters would not all be taken there. */
export function versionTag(version: string): string {
  return Buffer.from(version).toString("base64url");
}

/** Whether the client has this version already (RFC 9110 §13.1.2). Validators are compared weakly. */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.trim() === "*" || ifNoneMatch.split(",").some((each) => bareTag(each.trim()) === etag);
}

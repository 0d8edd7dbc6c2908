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
import { linkHeaders, linksFrom, type Addresses, type Link, type Links } from "./links.ts";
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
  /** The context of this request's statements. Its signal fires when the client leaves. */
  readonly context: RequestContext & { readonly signal: AbortSignal };
  readonly config: OgcConfig;
  readonly addresses: Addresses;
  /** Address of the classic services of the database; undefined where there are none. */
  readonly classicAddress: string | undefined;
  /** All collections of the database. `access.ts` decides which of them the caller may see. */
  readonly collections: CollectionMap;
  /** Reads the collections again after this request has changed them, so that the next request finds the change. Never rejects. */
  reread(): Promise<void>;
  readonly extents: Extents;
  readonly counts: Counts;
  /**
   * Checks the rights. Throws `UNAUTHENTICATED`, `FORBIDDEN`, and `COLLECTION_NOT_FOUND` where the caller may not read
   * one of `collections`.
   */
  admit(collections: readonly Collection[]): Admission | Promise<Admission>;
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

/** A request for a collection that the caller may read, reduced to the columns that the caller may read. */
export interface CollectionExchange extends Exchange {
  readonly collection: Collection;
  /** Confirms the rights, for a route that does so separately. Throws `RightsChanged`. */
  confirm(): Promise<void>;
}

/** `self` and `alternate`s of a resource at `href`, whose query has no `f`. */
export function selfLinks(exchange: Pick<Exchange, "format" | "route">, href: string, title: string): Link[] {
  return formatLinks(exchange, addressOfFormats(href), title);
}

const addressOfFormats = (href: string): string => `${href}${href.includes("?") ? "&" : "?"}f=`;

function formatLinks({ format, route }: Pick<Exchange, "format" | "route">, address: string, title: string): Link[] {
  return route.formats.map((each): Link => ({
    rel: each === format ? "self" : "alternate",
    type: each.mediaType,
    title: each === format ? title : `${title} as ${each.title}`,
    href: address + each.name,
  }));
}

/** The same for many resources of one title. `href` has no character that JSON escapes. */
export function selfLinksOfMany(exchange: Pick<Exchange, "format" | "route">, href: string, title: string): Links {
  const { format, route } = exchange;
  let kept = keptLinks.get(route.formats);
  if (!kept) keptLinks.set(route.formats, (kept = new Map()));
  const key = `${format.name} ${title}`;
  let from = kept.get(key);
  if (!from) kept.set(key, (from = linksFrom((address) => formatLinks({ format, route }, address, title))));
  return from(addressOfFormats(href));
}

const keptLinks = new WeakMap<readonly Format[], Map<string, ReturnType<typeof linksFrom>>>();

/** The address of a resource in one format, whatever Accept header the client sends. */
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
  /** The version of the row that it shows. The validator begins with it. */
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
  // a tag that comes back in If-Match must be strong, because a weak one never matches
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

/**
 * The client's own tag, which also tells how its answer was encoded; `etag` where the client has a weak one, or `*`.
 */
function strongTagOf(ifNoneMatch = "", etag: string): string {
  const tags = ifNoneMatch.split(",").map((tag) => tag.trim());
  return tags.find((tag) => tag.startsWith('"') && bareTag(tag) === etag) ?? etag;
}

/**
 * The version of a row as the first part of a validator, encoded because a tag does not allow all of its characters.
 */
export function versionTag(version: string): string {
  return Buffer.from(version).toString("base64url");
}

/** Whether the client has this version already (RFC 9110 §13.1.2). The comparison is weak. */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.trim() === "*" || ifNoneMatch.split(",").some((each) => bareTag(each.trim()) === etag);
}

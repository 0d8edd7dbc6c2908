/** Bodies of writing requests: GeoJSON (RFC 7946), and merge patches of it (RFC 7396). */
import type { IncomingMessage } from "node:http";
import { badInput, GatewayError } from "../../server/ground/errors.ts";
import { checkContentType, readText } from "../../server/kernel/http/body.ts";
import { isObject, type JsonObject } from "../../server/types/json.ts";
import { at, quote, show } from "../../server/types/show.ts";
import type { Collection, CollectionColumn } from "../collections/collections.ts";
import { CRS84, crsNamed, takenIn, whyNotTaken, type Crs } from "../crs/crs.ts";
import { parseBody, type Body } from "./json.ts";
import { geometryText, textOf } from "./values.ts";

export interface ReadBodyOptions {
  readonly mediaTypes: readonly string[];
  readonly maxBytes: number;
}

/** Reads the body. Throws `UNSUPPORTED_MEDIA_TYPE`, `TOO_LARGE` and `BAD_USER_INPUT`. */
export async function readBody(request: IncomingMessage, { mediaTypes, maxBytes }: ReadBodyOptions): Promise<Body> {
  checkContentType(request, mediaTypes);
  return parseBody(await readText(request, maxBytes));
}

/** The system that `Content-Crs` names, with angle brackets or without. Throws `INVALID_CRS`. */
export function readContentCrs({ headers }: IncomingMessage, { crs }: Collection): Crs {
  const text = headers["content-crs"];
  if (text === undefined) return CRS84;
  const name = String(text)
    .trim()
    .replace(/^<(.*)>$/, "$1");
  const found =
    crsNamed(name, crs, true) ??
    refuseCrs(
      `Content-Crs: ${quote(name)} is not one of ${takenIn(crs)
        .map(({ uri }) => uri)
        .join(", ")}`,
    );
  return found.againstRegistry ? refuseCrs(whyNotTaken("Content-Crs", found)) : found;
}

function refuseCrs(message: string): never {
  throw new GatewayError("INVALID_CRS", message);
}

/** The values of one feature in a body, by column, each as PostgreSQL's text; without read-only members. */
export interface Change {
  readonly texts: Map<CollectionColumn, string | null>;
  /** The JSON from which the text of a column was made. */
  json(column: CollectionColumn): unknown;
}

export interface ReadOptions {
  readonly collection: Collection;
  readonly crs: Crs;
  isReadOnly(column: CollectionColumn): boolean;
}

/**
 * The features of a body: one feature, or those of a collection (`isList`). Each is read when it is needed, so that the
 * objects of the one before can be garbage-collected. Throws `BAD_USER_INPUT`, also while reading.
 */
export function readFeatures(
  body: Body,
  options: ReadOptions,
): { readonly changes: Iterable<Change>; readonly isList: boolean } {
  const { json } = body;
  if (!isObject(json)) return badInput(`The request body must be a GeoJSON feature, not ${show(json)}`);
  if (json["type"] !== "FeatureCollection") return { changes: [readFeature(body, "", options)], isList: false };
  refuseOtherCrs(json, "", options.crs);
  const changes = Iterator.from(body.features ?? listed(body)).map((feature, index) =>
    readFeature(feature, at("features", index), options),
  );
  return { changes, isList: true };
}

/** The features of a collection that was parsed as a whole. */
function listed({ json, exact }: Body): Iterable<Body> {
  const { features } = json as JsonObject;
  if (!Array.isArray(features)) return badInput("features: must be a list");
  const exacts = (exact as { readonly features: readonly unknown[] }).features;
  return features.values().map((feature: unknown, index) => ({ json: feature, exact: exacts[index] }));
}

/** Reads a whole feature. */
export function readFeature({ json, exact }: Body, path: string, options: ReadOptions): Change {
  const prefix = path === "" ? "" : `${path}.`;
  const where = path === "" ? "The request body" : `${path}:`;
  if (!isObject(json) || json["type"] !== "Feature")
    return badInput(`${where} must be a GeoJSON feature, with "type": "Feature"`);
  const { geometry, properties } = json;
  if (geometry === undefined) return badInput(`${where} has no member geometry, which may be null`);
  if (properties === undefined || (properties !== null && !isObject(properties)))
    return badInput(`${prefix}properties: must be an object or null`);
  refuseOtherCrs(json, prefix, options.crs);
  const exactProperties = (exact as JsonObject)["properties"] as JsonObject | null;
  return readMembers({ geometry, properties: exactProperties ?? {} }, prefix, options);
}

/** Reads a merge patch: of GeoJSON, or of the flat object that the collection's schema describes. */
export function readPatch({ json, exact }: Body, options: ReadOptions): Change {
  if (!isObject(json) || !isObject(exact)) return badInput(`The request body must be an object, not ${show(json)}`);
  const { collection, crs } = options;
  refuseOtherCrs(json, "", crs);
  if (!["type", "geometry", "properties", "id"].some((name) => Object.hasOwn(json, name))) {
    const { geometry, properties } = flatMembers(json, collection);
    const exacts = Object.fromEntries(Object.keys(properties).map((name) => [name, exact[name]]));
    return readMembers({ geometry, properties: exacts }, "", { ...options, isFlat: true });
  }
  if (json["type"] !== undefined && json["type"] !== "Feature") return badInput(`type: must be "Feature"`);
  const { geometry } = json;
  const { properties = {} } = exact;
  for (const { name } of collection.columns)
    if (Object.hasOwn(json, name) && !FEATURE_MEMBERS.has(name))
      badInput(`${quote(name)} is not a member of a GeoJSON feature: put it into properties`);
  if (properties !== null && !isObject(properties)) return badInput("properties: must be an object");
  return readMembers({ geometry, properties: properties ?? {} }, "", options);
}

/** Separates the geometry's column from the others. */
function flatMembers(json: JsonObject, { geometry: column }: Collection): Members {
  if (!column) return { geometry: undefined, properties: json };
  const { [column.name]: geometry, ...properties } = json;
  return { geometry, properties };
}

const FEATURE_MEMBERS = new Set(["type", "id", "geometry", "properties", "bbox", "links", "crs"]);

interface Members {
  /** Undefined where the body does not mention it. */
  readonly geometry: unknown;
  readonly properties: JsonObject;
}

function readMembers(
  { geometry, properties }: Members,
  prefix: string,
  { collection, crs, isReadOnly, isFlat = false }: ReadOptions & { readonly isFlat?: boolean },
): Change {
  const { geometry: place } = collection;
  if (!place && geometry !== undefined && geometry !== null)
    badInput(`${prefix}geometry: ${collection.id} has no geometry, so it must be null`);
  const texts = new Map<CollectionColumn, string | null>();
  let known = 0;
  for (const column of collection.columns) {
    const { name, number } = column;
    if (place && number === place.number) {
      if (geometry === undefined || isReadOnly(column)) continue;
      const path = prefix + (isFlat ? name : "geometry");
      texts.set(column, geometryText(place, geometry, path, crs));
    } else if (Object.hasOwn(properties, name)) {
      known++;
      if (isReadOnly(column)) continue;
      texts.set(column, textOf(column, properties[name], isFlat ? name : prefix + pathOf(column)));
    }
  }
  if (known < Object.keys(properties).length) refuseUnknown(properties, prefix, collection);
  const json = ({ name, number }: CollectionColumn): unknown =>
    number === collection.geometry?.number ? geometry : properties[name];
  return { texts, json };
}

/** The path of a property in a feature. It is the same for every feature of a body, so it is made once. */
function pathOf(column: CollectionColumn): string {
  let path = paths.get(column);
  if (path === undefined) paths.set(column, (path = at("properties", column.name)));
  return path;
}

const paths = new WeakMap<CollectionColumn, string>();

function refuseUnknown(properties: JsonObject, prefix: string, { id, columns, geometry }: Collection): never {
  const names = columns.filter(({ number }) => number !== geometry?.number).map(({ name }) => name);
  const name = Object.keys(properties).find((each) => !names.includes(each)) ?? "";
  return badInput(`${prefix}properties: ${id} has no property ${quote(name)}`);
}

/**
 * Refuses a system in the GeoJSON (which GeoJSON of 2008 allows) that differs from that of the request: the geometries
 * would be elsewhere.
 */
function refuseOtherCrs(json: JsonObject, prefix: string, crs: Crs): void {
  const named = json["crs"];
  if (named === undefined || named === null) return;
  const name = isObject(named) && isObject(named["properties"]) ? named["properties"]["name"] : undefined;
  const [, authority, code] = /(EPSG|OGC)(?:::?|\/0\/|:[\d.]+:|\/1\.3\/)(\w+)$/i.exec(String(name)) ?? [];
  const isSame = authority?.toUpperCase() === "OGC" ? crs === CRS84 : String(crs.srid) === code;
  if (!isSame) badInput(`${prefix}crs: is another system than the request's: name it in the header Content-Crs`);
}

/** PUT and DELETE of `/collections/{collectionId}/styles/{styleId}`: styles from other programs, under the rights of `set_style`. */
import type { IncomingMessage } from "node:http";
import { GatewayError } from "../../server/ground/errors.ts";
import { checkContentType, readText } from "../../server/kernel/http/body.ts";
import { sendJson, type CollectionExchange } from "../exchange/exchange.ts";
import { JSON_FORMAT, MAPBOX_STYLE, QML, SLD } from "../exchange/formats.ts";
import { guessFormat, readStyleDocument, type StyleFormat } from "./in/document.ts";

/** The largest body in bytes, more than any real style has. */
const MAX_BYTES = 4_000_000;

const XML_TYPES = ["application/xml", "text/xml"];

/** The media types of a body. The document describes the first. */
export const STYLE_TYPES: readonly string[] = [
  MAPBOX_STYLE.mediaType,
  SLD.mediaType,
  ...(SLD.also ?? []),
  QML.mediaType,
  ...XML_TYPES,
  "application/json",
];

/** The format by the media type. For general XML and JSON, the content decides. */
function formatOf({ headers }: IncomingMessage, text: string): StyleFormat {
  const type = (headers["content-type"] ?? "").split(";")[0]!.trim().toLowerCase();
  if (type === MAPBOX_STYLE.mediaType) return "mbs";
  if (type === QML.mediaType) return "qml";
  return [SLD.mediaType, ...(SLD.also ?? [])].includes(type) ? "sld" : guessFormat(text);
}

/**
 * Stores a style. Answers 200 `{notes}`: the parts of the style that are left out, each with its place. Throws
 * `FORBIDDEN`, `BAD_USER_INPUT`.
 */
export async function putStyle(exchange: CollectionExchange): Promise<void> {
  const { request, collections, collection, format } = exchange;
  refuseOthers(exchange);
  checkContentType(request, STYLE_TYPES);
  const text = await bodyOf(request);
  const whole = collections.get(collection.id) ?? collection;
  const kind = format === QML ? "qml" : formatOf(request, text);
  const { classes, title, notes } = readStyleDocument(text, kind, whole);
  await run(exchange, "select portolan.set_style($1::oid::regclass, $2::jsonb, $3, $4)", [
    collection.oid,
    JSON.stringify(classes),
    nameOf(exchange),
    title ?? null,
  ]);
  sendJson({ ...exchange, format: JSON_FORMAT }, { notes }, []);
}

/** Deletes a style. Answers 204. Throws `NOT_FOUND`. */
export async function deleteStyle(exchange: CollectionExchange): Promise<void> {
  const { response, collection } = exchange;
  refuseOthers(exchange);
  await run(exchange, "select portolan.set_style($1::oid::regclass, null, $2)", [collection.oid, nameOf(exchange)]);
  response.statusCode = 204;
  response.end();
}

/** The bodies by request, so that each is read once even if the request runs again. */
const bodies = new WeakMap<IncomingMessage, Promise<string>>();

function bodyOf(request: IncomingMessage): Promise<string> {
  const known = bodies.get(request) ?? readText(request, MAX_BYTES);
  bodies.set(request, known);
  return known;
}

const nameOf = ({ pathParameters }: CollectionExchange): string => pathParameters["styleId"] ?? "";

function refuseOthers({ collection }: CollectionExchange): void {
  if (collection.raster || collection.routine)
    throw new GatewayError("INVALID_PARAMETER", `${collection.id} is a ${collection.raster ? "raster" : "function"}, which has no styles of its own`); // oxfmt-ignore
}

/** Changes the styles, and answers once a request for them finds the change. */
async function run(exchange: CollectionExchange, text: string, values: unknown[]): Promise<void> {
  const { database, identity, context } = exchange;
  await database.withIdentity(identity, { ...context, basis: undefined, readOnly: false }, (transaction) =>
    transaction.query({ text, values }),
  );
  await exchange.reread();
}

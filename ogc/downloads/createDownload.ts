/** `POST /collections/{collectionId}/downloads`: a file of all selected features, made in the background. */
import type { IncomingMessage } from "node:http";
import { badInput } from "../../server/ground/errors.ts";
import { checkContentType, readText } from "../../server/kernel/http/body.ts";
import { sendText } from "../../server/kernel/http/answer.ts";
import { isObject } from "../../server/types/json.ts";
import { quote } from "../../server/types/show.ts";
import type { CollectionExchange } from "../exchange/exchange.ts";
import { FILE_FORMATS, formatNamed, type Format } from "../exchange/formats.ts";
import { readParameters } from "../exchange/parameters/read.ts";
import { filterOf } from "../features/filter.ts";
import { documentOf } from "../features/formats/all.ts";
import { withIsoIntervals } from "../features/page/readPage.ts";
import { writeFile } from "./makeFile.ts";
import { scopeOf } from "../features/page/items.ts";

const MOST_BYTES = 1024 * 1024;
/** The members of a body that have the meaning of the parameters of the same name. The format is read separately. */
const MEMBERS = ["filter", "filter-lang", "filter-crs", "properties", "bbox", "bbox-crs", "crs", "datetime"] as const;

/** The bodies by request, so that each is read once even if the request runs again. */
const bodies = new WeakMap<IncomingMessage, Promise<string>>();

export async function createDownload(exchange: CollectionExchange): Promise<void> {
  const { request, response, database, identity, context, addresses, collection, routes, config, downloads } = exchange;
  if (collection.routine) badInput("A function has no downloads: request its items");
  checkContentType(request);
  const text = bodies.get(request) ?? readText(request, MOST_BYTES);
  bodies.set(request, text);
  const { format, query } = readWanted(await text);
  const route = routes.find(({ id }) => id === "getFeatures")!;
  const parameters = readParameters(query, { route, crs: collection.crs, properties: [], config });
  const asked: CollectionExchange = { ...exchange, format, query, parameters };
  const selection = { ...parameters, condition: await filterOf(asked, collection) };
  const document = documentOf(format.name, scopeOf(asked));
  const { id, job } = await downloads.begin({
    ...{ database, identity, collection, format: format.name, seconds: config.downloadSeconds },
    context: withIsoIntervals(context, collection),
    make: (transaction, write, onFeatures) => writeFile(transaction, asked, { document, selection, onFeatures }, write),
    close: () => document.close?.(),
  });
  const href = addresses.of(["downloads", id]);
  sendText(response, JSON.stringify({ id, job, state: "running", href }), { status: 202, headers: { Location: href } });
}

/** Reads the body. Throws `BAD_USER_INPUT`. */
function readWanted(text: string): { readonly format: Format; readonly query: URLSearchParams } {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    badInput("The body is not JSON");
  }
  if (!isObject(body)) badInput("The body must be an object");
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(body)) {
    if (name === "format") continue;
    if (!(MEMBERS as readonly string[]).includes(name))
      badInput(`${quote(name)} is not one of format, ${MEMBERS.join(", ")}`);
    query.set(name, textOf(name, value));
    if (name === "filter" && isObject(value)) query.set("filter-lang", "cql2-json");
  }
  const { format } = body as { readonly format?: unknown };
  const names = FILE_FORMATS.map(({ name }) => name).join(", ");
  const found = typeof format === "string" ? formatNamed(format, FILE_FORMATS) : undefined;
  return { format: found ?? badInput(`format: must be one of ${names}`), query };
}

/** The text of a member, as the parameter would have it. */
function textOf(name: string, value: unknown): string {
  if (typeof value === "string") return value;
  if (name === "bbox" && Array.isArray(value) && value.every(Number.isFinite)) return value.join(",");
  if (name === "properties" && Array.isArray(value) && value.every((each) => typeof each === "string"))
    return value.map((each) => (/[",]/.test(each) ? `"${each.replaceAll('"', '""')}"` : each)).join(",");
  if (name === "filter" && isObject(value)) return JSON.stringify(value);
  return badInput(`${name}: must be a text${name === "bbox" ? ", or a list of numbers" : ""}`);
}

/** `/ows/{database}` and `/ows/{database}/{schema}`: the classic services, on the steps of the OGC API. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Config } from "../../server/kernel/config.ts";
import { GatewayError } from "../../server/ground/errors.ts";
import { CHALLENGES } from "../../server/kernel/identity/identity.ts";
import type { Log } from "../../server/ground/log.ts";
import { isSecure } from "../../server/kernel/identity/browserSession.ts";
import { queryOf, type PathParameters, type Route as HttpRoute } from "../../server/kernel/http/routes.ts";
import { compressAnswer } from "../../server/kernel/http/compress.ts";
import { isSpatial } from "../collections/collections.ts";
import type { Door, PendingExchange, Step, Steps } from "../door/pendingExchange.ts";
import { newPendingExchange } from "../door/pendingExchange.ts";
import { ROUTES, type Route } from "../door/routes.ts";
import { findDatabase, setCacheHeaders } from "../door/steps.ts";
import { classicAddress } from "../exchange/links.ts";
import { exception, sendException, type Dialect } from "./exception.ts";
import type { OwsExchange } from "./exchange.ts";
import { readKvp, type Kvp } from "./kvp.ts";
import { dialectOf, operationOf, type Operation } from "./operations.ts";
import { readOwsParameters } from "./parameters.ts";
import { kvpOf, readPosted } from "./post.ts";
import { TransactionReader } from "./wfs/transactionReader.ts";

export interface OwsOptions {
  readonly config: Pick<Config, "ows">;
  readonly log: Log;
  readonly door: Door;
  serve(exchange: PendingExchange, steps: Steps): Promise<void>;
}

/** The routes; an empty list where `ows` is false. */
export function owsRoutes(options: OwsOptions): readonly HttpRoute[] {
  if (!options.config.ows) return [];
  return ["{database}", "{database}/{schema}"].flatMap((path): HttpRoute[] => {
    const of = path.includes("schema") ? "a schema" : "a database";
    return [
      {
        path: `/ows/${path}`,
        summary: `WMS, WMTS and WFS of ${of}`,
        handlers: {
          GET: (request, response, parameters) => answer(options, { request, response }, parameters),
          POST: (request, response, parameters) => answerPosted(options, { request, response }, parameters),
        },
        maxBodyBytes: options.door.config.ogc.maxBodyBytes,
        renderError: (thrown, request, response) =>
          sendException(options.log, posted.get(request) ?? dialectOf(readable(request)), thrown, {
            request,
            response,
          }),
      },
      {
        path: `/ows/${path}/wmts/1.0.0/WMTSCapabilities.xml`,
        summary: `The map tiles of ${of}, for WMTS`,
        handlers: {
          GET: (request, response, parameters) => answer(options, { request, response }, parameters, WMTS_CAPABILITIES),
        },
        renderError: (thrown, request, response) =>
          sendException(options.log, { service: "WMTS", version: "1.0.0" }, thrown, { request, response }),
      },
    ];
  });
}

/** The query that the address of the capabilities stands for (OGC 07-057r7 §10.1). */
const WMTS_CAPABILITIES: Kvp = new Map([
  ["service", "WMTS"],
  ["request", "GetCapabilities"],
]);

/** The readable part of the query. */
function readable(request: IncomingMessage): URLSearchParams {
  try {
    return queryOf(request);
  } catch {
    return new URLSearchParams();
  }
}

/** The route of the OGC API with the same answer. Rights are confirmed in the same way. */
const LIKE = ROUTES.find(({ id }) => id === "map.dataset.getMap")!;
/** The same for writing requests. */
const WRITE = ROUTES.find(({ id }) => id === "createFeature")!;

type Pending = PendingExchange & { -readonly [Member in keyof OwsExchange]: OwsExchange[Member] };

interface Http {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

async function answer(options: OwsOptions, http: Http, pathParameters: PathParameters, fixed?: Kvp): Promise<void> {
  const exchange = newExchange(options, http, pathParameters);
  const kvp = fixed ?? readKvp(exchange.query);
  const asked = operationOf(kvp);
  if (asked.operation.posted)
    throw exception("OperationNotSupported", "Features can only be written by posted XML", "request");
  begin(exchange, asked);
  await options.serve(exchange, {
    opening: openingOf(options),
    attempt: attemptOf(asked.operation, kvp),
  });
}

/** The service and version for the errors of posted requests, as far as they are known. */
const posted = new WeakMap<IncomingMessage, Dialect>();

/** The largest body of an anonymous request. Without an account nobody can write, and a filter is never that long. */
const MOST_OF_ANYBODY = 1_000_000;

/** Answers a posted request. The caller is identified before the body is read. */
async function answerPosted(options: OwsOptions, http: Http, pathParameters: PathParameters): Promise<void> {
  const { request } = http;
  const exchange = newExchange(options, http, pathParameters);
  posted.set(request, { service: "WFS", version: "2.0.0" });
  const attempt: Step[] = [];
  const readBody: Step = async () => {
    const isAnybody = exchange.identity.name === "anonymous";
    const { maxBodyBytes } = exchange.config;
    exchange.body = await readPosted(request, {
      maxBytes: isAnybody ? Math.min(maxBodyBytes, MOST_OF_ANYBODY) : maxBodyBytes,
      begin(root) {
        const kvp = kvpOf(root);
        posted.set(request, dialectOf(new URLSearchParams([...kvp])));
        const { operation } = operationOf(kvp);
        if (operation.service !== "WFS")
          throw exception("OperationNotSupported", `${operation.request}: must be requested by GET`, "request");
        if (!operation.posted) return undefined;
        if (isAnybody)
          throw new GatewayError("UNAUTHENTICATED", "Writing needs an account: sign in", {
            headers: { "WWW-Authenticate": CHALLENGES },
          });
        const reader = new TransactionReader();
        exchange.actions = reader.actions;
        return (element, around) => reader.take(element, around);
      },
    });
    const kvp = kvpOf(exchange.body);
    const asked = operationOf(kvp);
    begin(exchange, asked);
    attempt.push(...attemptOf(asked.operation, kvp));
  };
  await options.serve(exchange, { opening: [...openingOf(options), readBody], attempt });
}

function newExchange({ door }: OwsOptions, http: Http, pathParameters: PathParameters): Pending {
  const exchange = newPendingExchange(door, LIKE, { ...http, pathParameters }) as Pending;
  const { database = "", schema } = pathParameters;
  exchange.schema = schema;
  exchange.namespace = classicAddress(door.baseUrl, [database]);
  exchange.address = classicAddress(door.baseUrl, schema === undefined ? [database] : [database, schema]);
  exchange.parameters = { equalities: new Map() };
  return exchange;
}

function begin(exchange: Pending, { operation, version }: ReturnType<typeof operationOf>): void {
  exchange.context = { ...exchange.context, service: operation.part };
  exchange.service = operation.service;
  exchange.version = version;
  if (!operation.posted) return;
  (exchange as { route: Route }).route = WRITE;
  const { point } = exchange.request;
  if (point) point.isOnPrimary = true; // a write must find its rows on the server where it changes them
}

function openingOf({ config, door }: OwsOptions): readonly Step[] {
  return [refuseOpenBasic(config, door.baseUrl), findDatabase, identify, setCacheHeaders];
}

function attemptOf(operation: Operation, kvp: Kvp): readonly Step[] {
  return [
    findCollections,
    readParameters(operation, kvp),
    compressText,
    (exchange) => operation.run(exchange as Pending),
  ];
}

/** Refuses a password that could be read on the network, before checking it. */
function refuseOpenBasic({ ows }: Pick<Config, "ows">, baseUrl: string): Step {
  return ({ request }) => {
    if (!/^basic /i.test(request.headers.authorization ?? "")) return;
    const isOn = ows !== false && ows.basic;
    if (isOn && (isSecure(baseUrl) || isLoopback(request.address))) return;
    throw new GatewayError(
      "UNAUTHENTICATED",
      isOn
        ? "A name and password are accepted over TLS only"
        : "Names and passwords are not accepted here: send a token",
      { headers: { "WWW-Authenticate": 'Bearer realm="Portolan"' } },
    );
  };
}

function isLoopback(address = ""): boolean {
  return address === "::1" || address.startsWith("127.");
}

const identify: Step = async (exchange) => {
  exchange.identity = await exchange.door.identify(exchange.request, exchange.database);
};

/** Finds the collections of the address. Throws `NOT_FOUND` for a schema that offers no collection. */
const findCollections: Step = (pending) => {
  const exchange = pending as Pending;
  const { schema } = exchange;
  const all = [...exchange.collections.values()];
  const relations = all.filter(({ routine }) => !routine); // functions are left out: a classic request has no place for arguments
  const taken = exchange.service === "WFS" ? relations : relations.filter(isSpatial);
  exchange.offered = schema === undefined ? taken : taken.filter((collection) => collection.schema === schema);
};

function readParameters({ takes, needs }: Operation, kvp: Kvp): Step {
  return (pending) => {
    const exchange = pending as Pending;
    exchange.given = readOwsParameters(kvp, { version: exchange.version, takes, needs });
  };
}

/** Compresses the answer, once. Pictures gain nothing by it; the package recognizes them by their type. */
const compressText: Step = (exchange) => {
  const { request, response, isCompressed } = exchange;
  exchange.isCompressed = true;
  if (!isCompressed) compressAnswer(request, response);
};

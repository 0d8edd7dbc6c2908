/** An exchange that the steps of the router complete, and the common part of all exchanges. */
import type { IncomingMessage } from "node:http";
import type { Relation } from "../../server/kernel/catalogue/access.ts";
import type { Config } from "../../server/kernel/config.ts";
import type { Log } from "../../server/ground/log.ts";
import type { Database, Identity, Service } from "../../server/kernel/database/database.ts";
import { whileConnected } from "../../server/kernel/http/answer.ts";
import { queryOf } from "../../server/kernel/http/routes.ts";
import type { Admission, Rights } from "../collections/access.ts";
import type { Collections } from "../collections/catalogue.ts";
import type { Collection } from "../collections/collections.ts";
import type { CollectionExchange } from "../exchange/exchange.ts";
import type { Extents } from "../collections/extent.ts";
import type { Counts } from "../features/page/counts.ts";
import type { Maps } from "../maps/maps.ts";
import type { RasterOptions } from "../collections/rasterCollections.ts";
import type { Downloads } from "../downloads/downloads.ts";
import type { Tiles } from "../tiles/tiles.ts";
import { isWrite, partOf } from "../exchange/route.ts";
import { ROUTES, ROUTES_WITHOUT_MAPS, type Route } from "./routes.ts";

export interface OgcOptions {
  readonly config: Pick<Config, "ogc" | "ows">;
  readonly log: Log;
  /** Address of the service as clients see it. */
  readonly baseUrl: string;
  /** The open databases. */
  readonly databases: ReadonlyMap<string, Database>;
  readonly directory: { find(name: string): Promise<Database | undefined> };
  /** Identifies the caller. Throws `UNAUTHENTICATED`. */
  identify(request: IncomingMessage, database: Database): Promise<Identity>;
  /** The schemas that a database exposes. */
  schemasOf(database: string): readonly string[];
  /** Undefined where there is no MapServer. */
  readonly maps: Maps | undefined;
  readonly rasters: RasterOptions;
  readonly tiles: Tiles;
  readonly downloads: Downloads;
  /** Checks the catalogue again, because PostgreSQL has said that it changed. */
  lookNow(database: Database): Promise<void>;
  /** Reads the catalogue again for a request that named something unknown. */
  lookFor(database: Database, relation: Relation): Promise<void>;
}

/** The parts that all requests share. */
export interface Door extends OgcOptions {
  readonly catalogue: Collections;
  readonly extents: Extents;
  readonly counts: Counts;
  readonly rights: Rights;
  /** Of each open database, where its resources are. */
  readonly places: WeakMap<Database, Pick<CollectionExchange, "addresses" | "classicAddress">>;
}

/** A request in progress. A step reads the results of earlier steps, and adds its own. */
export type PendingExchange = { -readonly [Member in keyof CollectionExchange]: CollectionExchange[Member] } & {
  readonly door: Door;
  readonly route: Route;
  /** 1 at first; more after the catalogue or the rights have changed. */
  attempt: number;
  /** The rights that this attempt has asked for. */
  admissions: Admission[];
  isCompressed: boolean;
};

export type Step = (exchange: PendingExchange) => void | Promise<void>;

/** The steps of a request: those that run once, and those of each attempt. */
export interface Steps {
  readonly opening: readonly Step[];
  readonly attempt: readonly Step[];
}

interface NewExchange extends Pick<PendingExchange, "request" | "response" | "pathParameters"> {
  /** The interface that rules and policies see. Default: by the route, pictures, features, or both. */
  readonly service?: Service;
}

/** Reads the collections again. After a failure the next request does, since what this one has written is written. */
async function reread({ catalogue, log }: Door, database: Database): Promise<void> {
  try {
    await catalogue.refresh(database);
  } catch (err) {
    log.warn({ err, database: database.name }, "the collections cannot be read again after a change");
  }
}

/** An exchange before its first step. */
export function newPendingExchange(
  door: Door,
  route: Route,
  { request, response, pathParameters, service = partOf(route) }: NewExchange,
): PendingExchange {
  const { address, point } = request;
  if (point && isWrite(route)) point.isOnPrimary = true; // a write must find its rows on the server where it changes them
  const exchange = {
    door,
    route,
    request,
    response,
    pathParameters,
    query: queryOf(request),
    context: { service, address, point, readOnly: true, signal: whileConnected(response) },
    config: door.config.ogc,
    reread: () => reread(door, exchange.database),
    extents: door.extents,
    counts: door.counts,
    maps: door.maps,
    tiles: door.tiles,
    downloads: door.downloads,
    routes: routesOf(door),
    admit: (asked: readonly Collection[]) => admit(exchange, asked),
    attempt: 1,
    admissions: [],
    isCompressed: false,
  } as unknown as PendingExchange; // the steps add the other members
  return exchange;
}

/** The available routes, by what is installed and configured. */
function routesOf({ maps, config }: Door): readonly Route[] {
  const routes = maps ? ROUTES : ROUTES_WITHOUT_MAPS;
  return config.ogc.downloads ? routes : routes.filter(({ tag }) => tag !== "Downloads");
}

function admit(exchange: PendingExchange, asked: readonly Collection[]): Admission | Promise<Admission> {
  const { door, route, attempt, admissions } = exchange;
  const note = (admission: Admission): Admission => {
    admissions.push(admission);
    return admission;
  };
  const confirms = attempt === 1 ? route.confirms : undefined;
  const known = confirms && door.rights.known(exchange, asked, confirms);
  return known ? note(known) : door.rights.of(exchange, asked, confirms).then(note);
}

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
  /** Those that are open. */
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
  /** PostgreSQL has said that the catalogue is another one: looks at it. */
  lookNow(database: Database): Promise<void>;
  /** A request named something unknown: reads the catalogue again for it. */
  lookFor(database: Database, relation: Relation): Promise<void>;
}

/** Shared by all requests. */
export interface Door extends OgcOptions {
  readonly catalogue: Collections;
  readonly extents: Extents;
  readonly counts: Counts;
  readonly rights: Rights;
}

/** A request in progress. A step reads the results of earlier steps, and adds its own. */
export type PendingExchange = { -readonly [Member in keyof CollectionExchange]: CollectionExchange[Member] } & {
  readonly door: Door;
  readonly route: Route;
  /** 1, and more after the catalogue or the rights had changed. */
  attempt: number;
  /** The rights that this attempt asked for. */
  admissions: Admission[];
  isCompressed: boolean;
};

export type Step = (exchange: PendingExchange) => void | Promise<void>;

/** The steps of a request: once, and in each attempt. */
export interface Steps {
  readonly opening: readonly Step[];
  readonly attempt: readonly Step[];
}

interface NewExchange extends Pick<PendingExchange, "request" | "response" | "pathParameters"> {
  /** The interface that rules and policies see. Default: pictures, features, or what describes both. */
  readonly service?: Service;
}

/** One that no step has seen yet. */
export function newPendingExchange(
  door: Door,
  route: Route,
  { request, response, pathParameters, service = partOf(route) }: NewExchange,
): PendingExchange {
  const { address, point } = request;
  if (point && isWrite(route)) point.isOnPrimary = true; // what it finds must be what it then changes
  const exchange = {
    door,
    route,
    request,
    response,
    pathParameters,
    query: queryOf(request),
    context: { service, address, point, readOnly: true, signal: whileConnected(response) },
    config: door.config.ogc,
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
  } as unknown as PendingExchange; // the steps put the rest
  return exchange;
}

/** The routes that there are, by what is installed and switched on. */
function routesOf({ maps, config }: Door): readonly Route[] {
  const routes = maps ? ROUTES : ROUTES_WITHOUT_MAPS;
  return config.ogc.downloads ? routes : routes.filter(({ tag }) => tag !== "Downloads");
}

async function admit(exchange: PendingExchange, asked: readonly Collection[]): Promise<Admission> {
  const { door, route, attempt, admissions } = exchange;
  const admission = await door.rights.of(exchange, asked, attempt === 1 ? route.confirms : undefined);
  admissions.push(admission);
  return admission;
}

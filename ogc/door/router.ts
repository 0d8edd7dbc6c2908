/** OGC API Features and Maps: the steps of a request, and the remedies where the catalogue has changed. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Database } from "../../server/kernel/database/database.ts";
import { GatewayError, SQLSTATE, sqlstateOf, toGatewayError } from "../../server/ground/errors.ts";
import type { PathParameters, Route as HttpRoute } from "../../server/kernel/http/routes.ts";
import { withRetries } from "../../server/ground/retry.ts";
import { CollectionNotFound, readable, refusal, Rights, type Admission, type Asker } from "../collections/access.ts";
import { Collections, relationOf } from "../collections/catalogue.ts";
import { Extents } from "../collections/extent.ts";
import { Counts } from "../features/page/counts.ts";
import { owsRoutes } from "../ows/door.ts";
import { assetRoutes } from "../pages/assets.ts";
import {
  newPendingExchange,
  type Door,
  type OgcOptions,
  type PendingExchange,
  type Step,
  type Steps,
} from "./pendingExchange.ts";
import { Seeder } from "../tiles/pyramids/seeder.ts";
import { isWrite } from "../exchange/route.ts";
import { askInside, type InsideAnswer, type InsideRequest } from "./inside.ts";
import { ROUTES, type Route } from "./routes.ts";
import {
  checkRights,
  chooseFormat,
  compressText,
  findDatabase,
  identify,
  readQuery,
  refuseFeaturesOfRaster,
  refuseWithoutGeometry,
  refuseWrites,
  runHandler,
  setCacheHeaders,
} from "./steps.ts";

/** The part of the path before the name of a database. */
export const ROOT = "/api/v4/ogc/database/";

export interface OgcDoor {
  /** Makes pyramids of tiles. */
  readonly seeder: Seeder;
  readonly routes: readonly HttpRoute[];
  /** The catalogue of a database has changed. */
  refresh(database: Database): Promise<void>;
  /** Which of the ids name collections that the caller may read now. */
  readableIds(asker: Asker, ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Answers a request from inside the process. Throws what the route throws, and `LIMIT_EXCEEDED`. */
  ask(asked: InsideRequest): Promise<InsideAnswer>;
}

export function createOgc(options: OgcOptions): OgcDoor {
  const { schemasOf, config, rasters } = options;
  const { crs, axisOrder, transactions, tables } = config.ogc;
  const catalogue = new Collections({ schemasOf, crs, axisOrder, transactions, tables, rasters });
  const door: Door = {
    ...{ ...options, catalogue, extents: new Extents(), counts: new Counts(), rights: new Rights() },
    places: new WeakMap(),
  };
  const { pyramids, metrics } = options.tiles;
  const seeder = new Seeder(options.databases, {
    ...{ catalogue, pyramids, metrics, config: config.ogc, baseUrl: options.baseUrl, log: options.log },
    lookNow: (database) => options.lookNow(database),
  });
  return {
    seeder,
    routes: [
      ...assetRoutes(config.ogc),
      ...[...Map.groupBy(ROUTES, ({ path }) => path)].map(([path, routes]) => httpRoute(door, path, routes)),
      ...owsRoutes({ config, log: options.log, door, serve }),
    ],
    async refresh(database) {
      await catalogue.refresh(database);
      seeder.refresh(database);
    },
    async readableIds(asker, ids) {
      const all = await catalogue.of(asker.database);
      const seen = await readable(
        asker,
        ids.flatMap((id) => all.get(id) ?? []),
      );
      return new Set(seen.map(({ id }) => id));
    },
    ask: (asked) =>
      askInside(asked, ({ request, response }) => {
        const route = ROUTES.find(({ id }) => id === asked.operation)!;
        const { pathParameters, service } = asked;
        const inside = { ...door, identify: () => Promise.resolve(asked.identity) };
        return serve(newPendingExchange(inside, route, { request, response, pathParameters, service }));
      }),
  };
}

/** The handlers of one path. */
function httpRoute(door: Door, path: string, routes: readonly Route[]): HttpRoute {
  const handlers = Object.fromEntries(
    routes.map((route) => [
      route.method ?? "GET",
      (request: IncomingMessage, response: ServerResponse, pathParameters: PathParameters) =>
        serve(newPendingExchange(door, route, { request, response, pathParameters })),
    ]),
  );
  const { OPTIONS: others, ...own } = handlers;
  const { maxBodyBytes } = door.config.ogc;
  const hasBody = others !== undefined || own.POST !== undefined;
  return {
    path: `${ROOT}{database}${path.replace(/\/$/, "")}`,
    summary: routes[0]!.summary,
    handlers: own,
    ...(others && { others }),
    ...(hasBody && { maxBodyBytes }),
  };
}

/** The steps that run once for a request. */
const OPENING: readonly Step[] = [findDatabase, identify, setCacheHeaders];

/** The steps of an attempt. They run again if the catalogue or the caller's rights had changed. */
const ATTEMPT: readonly Step[] = [
  refuseWrites,
  checkRights,
  refuseFeaturesOfRaster,
  refuseWithoutGeometry,
  readQuery,
  chooseFormat,
  compressText,
  runHandler,
];

/** Runs the steps in order. It awaits only steps that return a promise, which most do not. */
async function run(steps: readonly Step[], exchange: PendingExchange): Promise<void> {
  for (const step of steps) {
    const running = step(exchange);
    if (running) await running;
  }
}

async function serve(
  exchange: PendingExchange,
  { opening, attempt: steps }: Steps = { opening: OPENING, attempt: ATTEMPT },
): Promise<void> {
  await run(opening, exchange);
  const { response } = exchange;
  const hasBegun = (): boolean => response.headersSent;
  try {
    await withRetries(
      (number) => attempt(exchange, steps, number),
      {
        changed: () => true, // the next attempt asks PostgreSQL first
        connection: () => true,
        plan: () => true,
        rights: () => !isWrite(exchange.route), // the rights may have been revoked between the check and the statement
        ddl: (error) => lookAgain(exchange, error),
      },
      { hasBegun },
    );
  } catch (error) {
    throw hasBegun() ? error : asAnswered(exchange, error);
  }
}

/**
 * Reads the catalogue again in case it is outdated. False where the request cannot mean anything that exists, and where it was
 * read again already and has not changed since.
 */
async function lookAgain(exchange: PendingExchange, error: unknown): Promise<boolean> {
  const { door, database, pathParameters, attempt: number, collections } = exchange;
  if (sqlstateOf(error) !== undefined) await door.lookNow(database);
  else {
    const id = error instanceof CollectionNotFound ? error.collectionId : (pathParameters.collectionId ?? "");
    const relation = relationOf(id);
    if (!relation) return false;
    await door.lookFor(database, relation);
  }
  return number === 1 || (await door.catalogue.of(database)) !== collections;
}

async function attempt(exchange: PendingExchange, steps: readonly Step[], number: number): Promise<void> {
  exchange.attempt = number;
  exchange.collections = await exchange.door.catalogue.of(exchange.database);
  exchange.admissions = [];
  try {
    await run(steps, exchange);
  } catch (thrown) {
    if (exchange.response.headersSent) throw thrown;
    throw (await firstRefusal(exchange.admissions)) ?? thrown;
  }
}

/** The error that ends the request, as its client sees it. */
function asAnswered({ pathParameters, identity, route }: PendingExchange, error: unknown): unknown {
  if (isWrite(route)) return error;
  const { collectionId } = pathParameters;
  if (collectionId && sqlstateOf(error) === SQLSTATE.insufficientPrivilege)
    return refusal(identity, collectionId, error);
  return asParameter(error);
}

/** The refusal for a caller who may not see a collection. It comes before any other fault of the request. */
async function firstRefusal(admissions: readonly Admission[]): Promise<unknown> {
  for (const admission of admissions)
    try {
      await admission.confirm();
    } catch (error) {
      return error;
    }
  return undefined;
}

/**
 * Turns PostgreSQL's error about a value into one about a parameter: the only values of a request are its parameters.
 */
function asParameter(error: unknown): unknown {
  const known = toGatewayError(error);
  return known.code === "BAD_USER_INPUT"
    ? new GatewayError("INVALID_PARAMETER", known.message, { cause: error, sqlstate: known.sqlstate })
    : error;
}

/** OGC API Features and Maps: a request, step by step, and what is done where a step finds that the world has changed. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Database } from "../server/kernel/database/database.ts";
import { GatewayError, SQLSTATE, sqlstateOf, toGatewayError } from "../server/kernel/errors.ts";
import type { PathParameters, Route as HttpRoute } from "../server/kernel/http/routes.ts";
import { refusal, Rights, RightsChanged, type Admission } from "./access.ts";
import { Collections } from "./catalogue.ts";
import { Extents } from "./extent.ts";
import { Counts } from "./features/counts.ts";
import { assetRoutes } from "./pages/assets.ts";
import { newPassage, type Door, type OgcOptions, type Passage, type Step } from "./passage.ts";
import { ROUTES } from "./routes.ts";
import {
  checkRights,
  chooseFormat,
  compressText,
  findDatabase,
  identify,
  readQuery,
  refuseFeaturesOfRaster,
  runHandler,
  setCacheHeaders,
} from "./steps.ts";

const ROOT = "/api/v4/ogc/database/";

export interface OgcDoor {
  readonly routes: readonly HttpRoute[];
  /** The catalogue of a database has changed. */
  refresh(database: Database): Promise<void>;
}

export function createOgc(options: OgcOptions): OgcDoor {
  const { schemasOf, config, rasters } = options;
  const catalogue = new Collections({ schemasOf, crs: config.ogc.crs, rasters });
  const door: Door = { ...options, catalogue, extents: new Extents(), counts: new Counts(), rights: new Rights() };
  return {
    routes: [
      ...assetRoutes,
      ...ROUTES.map((route) => ({
        path: `${ROOT}{database}${route.path.replace(/\/$/, "")}`,
        summary: route.summary,
        handlers: {
          GET: (request: IncomingMessage, response: ServerResponse, place: PathParameters) =>
            serve(newPassage(door, route, { request, response, place })),
        },
      })),
    ],
    refresh: (database) => catalogue.refresh(database),
  };
}

/** Once for a request. */
const OPENING: readonly Step[] = [findDatabase, identify, setCacheHeaders];

/** Once more where the catalogue or the caller's rights were other ones than was known. */
const ATTEMPT: readonly Step[] = [
  checkRights,
  refuseFeaturesOfRaster,
  readQuery,
  chooseFormat,
  compressText,
  runHandler,
];

async function serve(passage: Passage): Promise<void> {
  for (const step of OPENING) await step(passage);
  for (; ; passage.attempt++) {
    passage.collections = await passage.door.catalogue.of(passage.database);
    passage.admissions = [];
    try {
      for (const step of ATTEMPT) await step(passage);
      return;
    } catch (error) {
      await prepareAnotherAttempt(passage, error);
    }
  }
}

/** Throws what ends the request. Resolves where rights or the catalogue are read anew, and the steps may do better then. */
async function prepareAnotherAttempt(passage: Passage, thrown: unknown): Promise<void> {
  const { door, response, place, database, identity, admissions, attempt } = passage;
  if (response.headersSent) throw thrown;
  const error = (await firstRefusal(admissions)) ?? thrown;
  if (error instanceof RightsChanged) return; // the next attempt asks before it does anything
  if (place["collectionId"] && sqlstateOf(error) === SQLSTATE.insufficientPrivilege)
    throw refusal(identity, place["collectionId"], error);
  if (attempt > 1 || !isStale(error)) throw asParameter(error);
  await door.onStale(database, sqlstateOf(error) !== undefined);
}

/** Who may not see a collection is told so, and not what else is wrong with the request. */
async function firstRefusal(admissions: readonly Admission[]): Promise<unknown> {
  for (const admission of admissions)
    try {
      await admission.confirm();
    } catch (error) {
      return error;
    }
  return undefined;
}

/** What PostgreSQL says of a value that does not fit is said of a parameter: nothing else of a request is a value. */
function asParameter(error: unknown): unknown {
  const known = toGatewayError(error);
  return known.code === "BAD_USER_INPUT"
    ? new GatewayError("INVALID_PARAMETER", known.message, { cause: error, sqlstate: known.sqlstate })
    : error;
}

/** A table may have come, and a column or a table may be gone, since the catalogue was looked at. */
function isStale(error: unknown): boolean {
  if (error instanceof GatewayError && error.code === "COLLECTION_NOT_FOUND") return true;
  const state = sqlstateOf(error);
  return state === SQLSTATE.undefinedColumn || state === SQLSTATE.undefinedTable;
}

/** POST, PUT, PATCH and DELETE of features (OGC 20-002r1): each in one transaction, as the caller's role. */
import type { IncomingMessage } from "node:http";
import { isDeepStrictEqual } from "node:util";
import type { SQL } from "postgraphile/pg-sql2";
import type { Transaction } from "../../server/kernel/database/database.ts";
import { GatewayError } from "../../server/ground/errors.ts";
import { setHeaders } from "../../server/kernel/http/answer.ts";
import type { Method } from "../../server/kernel/http/routes.ts";
import { collectionLink } from "../about/collection.ts";
import type { CollectionColumn } from "../collections/collections.ts";
import { contentCrs, type Crs } from "../crs/crs.ts";
import { selfLinks, versionTag, type CollectionExchange } from "../exchange/exchange.ts";
import { idJson, type Features } from "../features/feature.ts";
import { featureNotFound, findFeature, textWithLinks } from "../features/item.ts";
import { withIsoIntervals } from "../features/page/readPage.ts";
import { linkHeaders } from "../exchange/links.ts";
import { allowedMethods, PATCH_TYPES, POST_TYPES } from "./allow.ts";
import { dropAbsent, insertAll, isKey, keysOf, refuseColumn, rowsOf } from "./inTransaction.ts";
import { readBody, readContentCrs, readFeature, readFeatures, readPatch, type Change } from "./featureBody.ts";
import type { Body } from "./json.ts";
import { preconditionFailed, readIfMatch, versionCondition } from "./preconditions.ts";
import { writeFailure } from "./writeFailure.ts";
import { writeRights, type WriteRights } from "./writeRights.ts";
import {
  deleteRow,
  findRow,
  groupRows,
  mergedSql,
  TARGET,
  updateRow,
  valueSql,
  type Assignments,
  type Attempted,
} from "./writeSql.ts";

/** Asks whether the caller may use the method at all, before the body is read. */
async function checkRights(exchange: CollectionExchange, method: Method): Promise<WriteRights> {
  const rights = await writeRights(exchange, exchange.collection);
  rights.check(method, rights.allows(method) ? [] : await allowedMethods(exchange));
  return rights;
}

/** The bodies by request, so that each is read once even if the request runs again. */
const bodies = new WeakMap<IncomingMessage, Promise<Body>>();

function bodyOf({ request, config }: CollectionExchange, mediaTypes: readonly string[]): Promise<Body> {
  const known = bodies.get(request) ?? readBody(request, { mediaTypes, maxBytes: config.maxBodyBytes });
  bodies.set(request, known);
  return known;
}

/** Runs a write. Throws PostgreSQL's errors, also those at the commit, in terms of the body. */
async function write<T>(
  exchange: CollectionExchange,
  attempted: Attempted,
  run: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const { database, identity, context, collection } = exchange;
  try {
    return await database.withIdentity(
      identity,
      { ...withIsoIntervals(context, collection), basis: undefined, readOnly: false },
      run,
    );
  } catch (error) {
    throw await writeFailure(error, exchange, attempted);
  }
}

function wantsRepresentation({ request }: CollectionExchange): boolean {
  return /(^|[,;\s])return\s*=\s*"?representation\b/i.test(String(request.headers["prefer"] ?? ""));
}

/** Reads the written feature: completely where the client wants to see it, else only its version. */
function readWritten(
  transaction: Transaction,
  exchange: CollectionExchange,
  featureId: string,
  crs: Crs,
): Promise<Features | undefined> {
  const bare = wantsRepresentation(exchange) ? {} : { skipGeometry: true, given: [] };
  return findFeature(transaction, exchange.collection, featureId, { crs, tolerant: true, ...bare });
}

interface Written {
  readonly status: 200 | 201;
  readonly featureId: string;
  /** Undefined where the caller may not see the written feature. */
  readonly feature: Features | undefined;
  readonly crs: Crs;
}

function sendWritten(exchange: CollectionExchange, { status, featureId, feature, crs }: Written): void {
  const { response, addresses, collection, route } = exchange;
  const address = addresses.of(["collections", collection.id, "items", featureId]);
  setHeaders(response, {
    ...(feature?.version !== undefined && { ETag: `"${versionTag(feature.version)}"` }),
    ...(status === 201 && { Location: address }),
  });
  if (!feature || !wantsRepresentation(exchange)) {
    response.statusCode = status === 201 ? 201 : 204;
    if (status === 201) response.setHeader("Content-Length", 0);
    response.end();
    return;
  }
  const links = [...selfLinks(exchange, address, `Feature ${featureId}`), collectionLink(exchange, collection)];
  setHeaders(response, {
    "Content-Type": route.formats[0]!.mediaType,
    "Content-Crs": contentCrs(crs),
    "Preference-Applied": "return=representation",
    ...linkHeaders(links),
  });
  response.statusCode = status;
  response.end(textWithLinks(feature, links));
}

// POST --------------------------------------------------------------------------------------------

export async function createFeatures(exchange: CollectionExchange): Promise<void> {
  const { collection } = exchange;
  const rights = await checkRights(exchange, "POST");
  const crs = readContentCrs(exchange.request, collection);
  const isReadOnly = (column: CollectionColumn): boolean => rights.isReadOnly(column);
  const { changes, isList } = readFeatures(await bodyOf(exchange, POST_TYPES), { collection, crs, isReadOnly });
  const rows = groupRows(changes, ({ texts }) => dropAbsent(texts, collection, rights));
  const attempted: Attempted = { collection, crs, rows, isList };
  let ids: readonly string[] = [];
  const feature = await write(exchange, attempted, async (transaction) => {
    ids = await insertAll(transaction, attempted);
    return isList ? undefined : readWritten(transaction, exchange, ids[0]!, crs);
  });
  if (isList) sendIds(exchange, ids);
  else sendWritten(exchange, { status: 201, featureId: ids[0]!, feature, crs });
}

function sendIds({ response, addresses, collection }: CollectionExchange, ids: readonly string[]): void {
  const items = JSON.stringify(addresses.of(["collections", collection.id, "items"])).slice(0, -1);
  // a percent-encoded id has no character that JSON escapes
  const features = ids.map((id) => `{"id":${idJson(collection, id)},"href":${items}/${encodeURIComponent(id)}"}`);
  setHeaders(response, { "Content-Type": "application/json" });
  response.statusCode = 201;
  response.end(`{"features":[${features.join(",")}]}`);
}

// PUT and PATCH -----------------------------------------------------------------------------------

export async function replaceFeature(exchange: CollectionExchange): Promise<void> {
  const { collection } = exchange;
  const rights = await checkRights(exchange, "PUT");
  const crs = readContentCrs(exchange.request, collection);
  const isReadOnly = (column: CollectionColumn): boolean => rights.isReadOnly(column) || isKey(collection, column);
  const change = readFeature(await bodyOf(exchange, POST_TYPES), "", { collection, crs, isReadOnly });
  const assignments = new Map(
    collection.columns
      .filter((column) => !isReadOnly(column) && rights.mayUpdate(column))
      .map((column) => {
        const text = change.texts.get(column);
        return [column, text === undefined ? undefined : valueSql(collection, column, text, crs)] as const;
      }),
  );
  await changeRow(exchange, {
    change,
    assignments,
    crs,
    kept: [...change.texts.keys()].filter((c) => !rights.mayUpdate(c)),
  });
}

export async function updateFeature(exchange: CollectionExchange): Promise<void> {
  const { collection } = exchange;
  const rights = await checkRights(exchange, "PATCH");
  const crs = readContentCrs(exchange.request, collection);
  const isReadOnly = (column: CollectionColumn): boolean => rights.isReadOnly(column) && !isKey(collection, column);
  const change = readPatch(await bodyOf(exchange, PATCH_TYPES), { collection, crs, isReadOnly });
  const given = [...change.texts.keys()].filter((column) => !isKey(collection, column));
  const assignments = new Map(
    given
      .filter((column) => rights.mayUpdate(column))
      .map((column) => [column, mergedSql(collection, column, change, crs)] as const),
  );
  await changeRow(exchange, { change, assignments, crs, kept: given.filter((column) => !rights.mayUpdate(column)) });
}

interface RowChange {
  readonly change: Change;
  readonly assignments: Assignments;
  readonly crs: Crs;
  /** Columns in the body that the caller may not change. Their values must equal the present ones. */
  readonly kept: readonly CollectionColumn[];
}

async function changeRow(exchange: CollectionExchange, { change, assignments, crs, kept }: RowChange): Promise<void> {
  const { collection } = exchange;
  const featureId = featureIdIn(exchange);
  const attempted: Attempted = { collection, crs, rows: groupRows([change]), isList: false };
  const [id, feature] = await write(exchange, attempted, async (transaction) => {
    await checkRow(transaction, exchange, { change, crs });
    if (kept.length > 0) await checkKept(transaction, exchange, { change, crs, kept });
    const [key = featureId] =
      assignments.size === 0
        ? []
        : await writeRow(transaction, exchange, (condition) =>
            updateRow(collection, featureId, assignments, condition),
          );
    return [key, await readWritten(transaction, exchange, key, crs)] as const;
  });
  sendWritten(exchange, { status: 200, featureId: id, feature, crs });
}

function featureIdIn({ pathParameters }: CollectionExchange): string {
  return pathParameters["featureId"] ?? "";
}

function conditionOf(exchange: CollectionExchange): SQL | undefined {
  const { request, config, collection } = exchange;
  return versionCondition(readIfMatch(request, config.requireIfMatch), collection, TARGET);
}

/**
 * Checks the row. Throws `FEATURE_NOT_FOUND`, `PRECONDITION_FAILED`, and `BAD_USER_INPUT` where the body has another
 * key.
 */
async function checkRow(
  transaction: Transaction,
  exchange: CollectionExchange,
  { change, crs }: Partial<Pick<RowChange, "change" | "crs">> = {},
): Promise<void> {
  const { collection, request } = exchange;
  const featureId = featureIdIn(exchange);
  const keyValues = collection.key.flatMap((column) => {
    const text = change?.texts.get(column);
    return text === undefined || !crs ? [] : [[column, valueSql(collection, column, text, crs)] as const];
  });
  const query = findRow(collection, featureId, conditionOf(exchange), keyValues);
  const [row] = await rowsOf<{ holds: boolean | null; keepsKey: boolean }>(transaction, query);
  if (!row && request.headers["if-match"] !== undefined) preconditionFailed();
  if (!row) featureNotFound(collection, featureId);
  if (row.holds !== true) preconditionFailed();
  if (!row.keepsKey) throw new GatewayError("BAD_USER_INPUT", "The key of a feature cannot be changed");
}

async function checkKept(
  transaction: Transaction,
  { collection, pathParameters }: CollectionExchange,
  { change, crs, kept }: Pick<RowChange, "change" | "crs" | "kept">,
): Promise<void> {
  const feature = await findFeature(transaction, collection, pathParameters["featureId"] ?? "", {
    crs,
    tolerant: true,
  });
  const { geometry, properties } = JSON.parse(feature?.text.toString() ?? "{}") as {
    geometry?: unknown;
    properties?: Record<string, unknown>;
  };
  for (const column of kept) {
    const now = column.number === collection.geometry?.number ? geometry : properties?.[column.name];
    const said: unknown = JSON.parse(JSON.stringify(change.json(column) ?? null)); // numbers as JavaScript has them
    if (!isDeepStrictEqual(said, now ?? null)) refuseColumn(column);
  }
}

/** Writes the row, which existed a moment ago. Throws `PRECONDITION_FAILED`, `FEATURE_NOT_FOUND` and `FORBIDDEN`. */
async function writeRow(
  transaction: Transaction,
  exchange: CollectionExchange,
  statement: (condition: SQL | undefined) => SQL,
): Promise<string[]> {
  const keys = await keysOf(transaction, statement(conditionOf(exchange)));
  if (keys.length > 0) return keys;
  await checkRow(transaction, exchange); // another request has changed or deleted it
  throw new GatewayError("FORBIDDEN", "The account may not write this feature");
}

// DELETE ------------------------------------------------------------------------------------------

export async function deleteFeature(exchange: CollectionExchange): Promise<void> {
  const { collection, response } = exchange;
  await checkRights(exchange, "DELETE");
  const featureId = featureIdIn(exchange);
  conditionOf(exchange); // 428 comes before any question to the database
  const attempted: Attempted = { collection, crs: collection.crs[0]!, rows: [], isList: false };
  await write(exchange, attempted, async (transaction) => {
    await checkRow(transaction, exchange);
    await writeRow(transaction, exchange, (condition) => deleteRow(collection, featureId, condition));
  });
  response.statusCode = 204;
  response.end();
}

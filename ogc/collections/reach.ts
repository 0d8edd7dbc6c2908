/** The reach of statements about collections, which determines whose code they can run. */
import { CATALOGUE, type Reached, type RequestContext } from "../../server/kernel/database/database.ts";
import type { Method } from "../../server/kernel/http/routes.ts";
import type { Collection, Readable } from "./collections.ts";

/** The context of a statement that reads only catalogues: rights, reference systems, snapshots. */
export function ofCatalogue<Context extends RequestContext>(context: Context): Context {
  return { ...context, reach: CATALOGUE };
}

/**
 * The context of statements that read a collection. `isFiltered`: with a filter, which may join the tables that foreign
 * keys lead to.
 */
export function reading<Context extends RequestContext>(
  context: Context,
  collection: Collection,
  isFiltered: boolean,
): Context {
  return { ...context, reach: isFiltered ? joinedOf(collection) : selfOf(collection) };
}

/** The context of statements that write to a collection with `method`. They read it too. */
export function writing<Context extends RequestContext>(
  context: Context,
  collection: Collection,
  method: Method,
): Context {
  const request = REQUESTS[method];
  const read = accessOf(collection, "select");
  return { ...context, reach: request ? [accessOf(collection, request), read] : [read] };
}

const REQUESTS: Readonly<Partial<Record<Method, Reached["request"]>>> = {
  POST: "insert",
  PUT: "update",
  PATCH: "update",
  DELETE: "delete",
};

const selves = new WeakMap<Collection, readonly Reached[]>();

function selfOf(collection: Collection): readonly Reached[] {
  let reach = selves.get(collection);
  if (!reach) selves.set(collection, (reach = [accessOf(collection, "select")]));
  return reach;
}

const joined = new WeakMap<Collection, readonly Reached[]>();

function joinedOf(collection: Collection): readonly Reached[] {
  let reach = joined.get(collection);
  if (!reach) {
    const found = new Map<number, Readable>();
    addJoined(collection, found);
    reach = [...found.values()].map((each) => accessOf(each, "select"));
    joined.set(collection, reach);
  }
  return reach;
}

function addJoined(table: Readable, found: Map<number, Readable>): void {
  if (found.has(table.oid)) return;
  found.set(table.oid, table);
  for (const { target } of table.related.values()) addJoined(target, found);
}

function accessOf({ schema, relation, oid }: Readable, request: Reached["request"]): Reached {
  return { schema, name: relation, request: oid < 0 ? "call" : request };
}

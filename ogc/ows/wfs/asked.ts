/**
 * A query that is ready to be read: its collection under the caller's rights, its system, condition, order and columns.
 */
import type { Filter } from "../../../server/filter/tree.ts";
import { orderOf } from "../../features/page/sorting.ts";
import type { Selection } from "../../features/page/featureSql.ts";
import type { EncodingScope, FeatureEncoding } from "../../features/encoding.ts";
import { givenColumns } from "../../features/propertySelection.ts";
import type { KeysetTerm } from "../../../server/filter/keyset.ts";
import type { Collection, CollectionColumn } from "../../collections/collections.ts";
import type { Crs } from "../../crs/crs.ts";
import { exception } from "../exception.ts";
import type { OwsExchange } from "../exchange.ts";
import { layersNamed } from "../layers.ts";
import { conditionOf } from "./filter.ts";
import { queriesOf, type Query } from "./query.ts";
import { boxOf, crsNamedIn } from "./systems.ts";

export interface Asked {
  readonly collection: Collection;
  readonly crs: Crs;
  readonly selection: Selection;
  readonly order: readonly KeysetTerm[];
  readonly encoding: FeatureEncoding;
}

/** The form in which the features of a query are returned. */
export interface Form {
  /** Whether x or longitude is first in every system. */
  readonly xFirst?: boolean;
  /** The columns to return. Default: those that the query names, else all. */
  given?(collection: Collection): readonly CollectionColumn[];
  /** A condition besides those of the query. */
  condition?(collection: Collection): Filter | undefined;
  encoding(scope: EncodingScope): FeatureEncoding;
}

/**
 * The queries of a request. Throws exceptions for types that the caller may not see, and for every fault of a query.
 */
export async function askedOf(exchange: OwsExchange, form: Form): Promise<readonly Asked[]> {
  return askedBy(exchange, await queriesOf(exchange), form);
}

export async function askedBy(exchange: OwsExchange, queries: readonly Query[], form: Form): Promise<readonly Asked[]> {
  const { collections, confirm } = await layersNamed(
    exchange,
    queries.map(({ type }) => type),
  );
  const raster = collections.find((collection) => collection.raster);
  if (raster)
    throw exception("InvalidParameterValue", `TYPENAMES: ${raster.id} is a raster, which has no features`, "typenames");
  const byId = new Map(collections.map((collection) => [collection.id, collection]));
  const all: Asked[] = [];
  for (const query of queries) {
    // a type may be named with its schema and without it, also in one request
    const collection = byId.get(query.type) ?? byId.get(`${exchange.schema}.${query.type}`)!;
    all.push(await askedOne(exchange, collection, query, form));
  }
  await confirm();
  return all;
}

async function askedOne(exchange: OwsExchange, collection: Collection, query: Query, form: Form): Promise<Asked> {
  const named = crsNamedIn(query.srsName ?? exchange.given.srsname, collection, "srsname");
  const crs = form.xFirst ? { ...named, flipped: false } : named;
  const properties = query.properties?.filter((name) => name !== collection.geometry?.name && name !== "boundedBy");
  const given = form.given?.(collection) ?? givenColumns(collection, properties ? { properties } : {});
  const own = await conditionOf(exchange, collection, query);
  const conditions = [own, form.condition?.(collection)].filter((each) => each !== undefined);
  const [only, ...more] = conditions;
  const condition: Filter | undefined = more.length === 0 ? only : { kind: "and", filters: conditions };
  return {
    collection,
    crs,
    selection: { bbox: boxOf(query.bbox, collection), equalities: new Map(), condition },
    order: orderOf(collection, query.sortBy),
    encoding: form.encoding({
      collection,
      crs,
      given,
      isSorted: query.sortBy !== undefined,
      config: exchange.config,
    }),
  };
}

/** `…/tiles/{tileMatrixSetId}/{tileMatrix}/{tileRow}/{tileCol}`: a vector tile, made by PostGIS under the caller's own rights. */
import { LRUCache } from "lru-cache";
import type { RowStatement } from "../../server/kernel/database/database.ts";
import { GatewayError, sqlstateOf } from "../../server/ground/errors.ts";
import type { Filter } from "../../server/filter/tree.ts";
import { refuseChanged } from "../collections/access.ts";
import type { Bounds } from "../collections/bounds.ts";
import { spatial, type Collection, type CollectionColumn } from "../collections/collections.ts";
import type { CollectionExchange, Exchange } from "../exchange/exchange.ts";
import { GEOMETRY_ERROR } from "../crs/geometryJson.ts";
import { givenColumns } from "../features/propertySelection.ts";
import { withIsoIntervals } from "../features/page/readPage.ts";
import { filterOf, isOfOwnRows } from "../features/filter.ts";
import { tileCollections } from "./tileCollections.ts";
import { tileMatrixSetOf, tileOf } from "./tileMatrixSets.ts";
import type { TileAddress, TileMatrixSet } from "./tileMatrixSet.ts";
import { tileStyleFor } from "../styles/styles.ts";
import { inDraftStyle } from "../maps/draftStyle.ts";
import { inStyleAsked, styleOfSeveral } from "../maps/styleOf.ts";
import { DEFAULT_STYLE } from "../exchange/parameters/table.ts";
import { reading } from "../collections/reach.ts";
import { tileOfPyramid } from "./pyramids/serve.ts";
import { plainColumns, selectLayer, type LayerQuery } from "./tileSql.ts";
import { sendTile, toTile } from "./sendTile.ts";
import { tileTagOf } from "./tileTag.ts";
import { stateOfRoutine, stateWhenMade, type AskedState, type Tile, type Tiles } from "./tiles.ts";
import { isWithinLimits } from "./tilesetLimits.ts";

export async function collectionTile(exchange: CollectionExchange): Promise<void> {
  return answer(exchange, [await inDraftStyle(exchange, inStyleAsked(exchange, exchange.collection))]);
}

export async function datasetTile(exchange: Exchange): Promise<void> {
  styleOfSeveral(exchange.parameters.style ?? DEFAULT_STYLE);
  return answer(exchange, await tileCollections(exchange));
}

/** The parsed request for a vector tile. */
interface Wanted {
  readonly set: TileMatrixSet;
  readonly address: TileAddress;
  readonly bounds: Bounds;
  readonly layers: readonly WantedLayer[];
}

interface WantedLayer {
  readonly collection: Collection;
  readonly condition: Filter | undefined;
  readonly given: readonly CollectionColumn[];
  readonly styled: LayerQuery["styled"];
}

async function answer(exchange: Exchange, collections: readonly Collection[]): Promise<void> {
  const { tiles, identity, context, database } = exchange;
  const set = await tileMatrixSetOf(exchange);
  const place = tileOf(exchange, set);
  const { style, "style-definition": draft } = exchange.parameters;
  const isStyled = style !== undefined || draft !== undefined;
  const layers = await Promise.all(
    collections.map(async (collection) => ({
      collection,
      condition: await filterOf(exchange, collection),
      given: givenTo(collection, exchange),
      styled: isStyled ? tileStyleFor(exchange, collection)?.needs : undefined,
    })),
  );
  const wanted: Wanted = { set, ...place, layers };
  const resource = resourceOf(exchange, wanted);
  const isKept = layers.every(({ condition }) => isOfOwnRows(condition));
  // asking in advance is only useful for a resource with kept tiles, since the statement that makes a tile asks the
  // same
  const seen =
    isKept && tiles.mayHave(resource)
      ? await tiles.seen({ database, identity, context }, exchange.collections, collections)
      : undefined;
  const kept = tiles.get(seen, resource);
  if (kept) {
    tiles.metrics.served("vector", "kept");
    return sendTile(exchange, kept, collections);
  }
  const [only, ...others] = layers;
  if (only && others.length === 0 && !only.styled && exchange.parameters.filter === undefined) {
    const seeded = await tileOfPyramid(exchange, { ...only, set, address: place.address });
    if (seeded) {
      if ("confirm" in exchange) await (exchange as CollectionExchange).confirm();
      tiles.metrics.served("vector", "seeded");
      return sendTile(exchange, seeded, collections);
    }
  }
  const { tile, seen: made } = await makeTile(exchange, wanted);
  if (isKept && made !== undefined) tiles.keep(made, resource, tile);
  tiles.metrics.served("vector", made === undefined ? "unkept" : "made");
  return sendTile(exchange, tile, collections);
}

/** Everything that a tile depends on, except the rows of its tables and the rights to see them. */
function resourceOf({ database, tiles, collections, parameters, format }: Exchange, wanted: Wanted): string {
  const { set, address, layers } = wanted;
  const { filter, "filter-lang": language, "filter-crs": crs } = parameters;
  return JSON.stringify([
    database.name,
    layers.map(({ collection, given, styled }) => [
      tiles.numberOf(collections.get(collection.id) ?? collection),
      collection.instant,
      collection.key.map(({ number }) => number),
      given.map(({ number }) => number),
      styled === undefined ? null : (collection.draftStyle ?? collection.styleName ?? ""), // a stored style's content is part of the catalogue
    ]),
    [filter, language, crs?.uri],
    [set.id, set.crs.srid, address.matrix, address.row, address.column],
    format.name,
  ]);
}

/** The attributes: those that the request names, else those of `@tile`, else all columns that a tile can hold. */
function givenTo(collection: Collection, { parameters, tiles }: Exchange): readonly CollectionColumn[] {
  const chosen = givenColumns(collection, parameters);
  if (parameters.properties) return chosen;
  const usual = tileTagOf(collection, tiles.log).columns ?? plainColumns(collection);
  return usual.filter((column) => chosen.includes(column));
}

/**
 * Makes the tile. `seen`: as `Tiles.seen`, for the rows that the tile was made from. Throws `NOT_FOUND` outside the
 * limits of the tileset, and
 * `RightsChanged`.
 */
async function makeTile(exchange: Exchange, wanted: Wanted): Promise<{ tile: Tile; seen: string | undefined }> {
  const { tiles } = exchange;
  const { set, address, layers } = wanted;
  const made: Layer[] = [];
  for (const layer of layers) made.push(await makeLayer(exchange, wanted, layer));
  const collections = layers.map(({ collection }) => collection);
  refuseChanged(
    made.map(({ state }) => state.rights),
    exchange.collections,
    collections,
  );
  if (!made.some(({ inside }) => inside) && !(await isWithinLimits(exchange, set, address, collections)))
    throw new GatewayError("NOT_FOUND", "There are no features near this tile");
  const body = Buffer.concat(made.map(({ tile }) => tile));
  const tile = toTile(
    body,
    made.some(({ truncated }) => truncated),
  );
  return { tile, seen: await tiles.seenBy(exchange, collections, made) };
}

interface Layer {
  readonly tile: Buffer;
  readonly truncated: boolean;
  readonly inside: boolean;
  readonly known: ReturnType<Tiles["knownStamp"]>;
  readonly state: AskedState;
}

type LayerRow = AskedState & { readonly tile: Buffer | null; readonly count: number; readonly inside: boolean };

/** Results of `withState` by the layer's text. Each has some kilobytes, so it is not assembled for every tile. */
const statements = new LRUCache<string, Pick<RowStatement, "text" | "name">>({ max: 1000 });

/**
 * The statement of a layer and of the state of its table. It has two more parameters: the table's oid and its known
 * stamp.
 */
function withState({ text, name, values = [] }: RowStatement, isCall: boolean): Pick<RowStatement, "text" | "name"> {
  const known = name === undefined ? undefined : statements.get(text);
  if (known) return known;
  const statement = {
    text: `select l.*, t.* from (${text}) l left join lateral (${stateFrom(values.length, isCall)}) t on true`,
    name: name && `${name} now`,
  };
  if (name !== undefined) statements.set(text, statement);
  return statement;
}

/** The state of a table, by parameters after the first `count`: its oid and its known stamp. */
function stateFrom(count: number, isCall: boolean): string {
  const oid = `$${count + 1}::oid`;
  const stamp = `$${count + 2}::text`;
  return isCall ? `${stateOfRoutine(oid)} and ${stamp} is null` : stateWhenMade(oid, stamp);
}

/**
 * Makes a layer. If there are too many features, it has only the most important ones. Geometries that PostGIS refuses
 * are left out.
 */
async function makeLayer(
  { database, identity, context, tiles, config }: Exchange,
  { set, bounds }: Wanted,
  { collection, condition, given, styled }: WantedLayer,
): Promise<Layer> {
  const limit = config.tileFeatureLimit;
  const { order } = tileTagOf(collection, tiles.log);
  const known = tiles.knownStamp(database, collection);
  const isCall = collection.routine !== undefined;
  // each attempt has its own transaction, because PostgreSQL accepts no statement after an error
  const read = async (ranked: boolean, tolerant: boolean): Promise<LayerRow> => {
    const query = { crs: set.crs, bounds, given, styled, condition, limit, order, ranked, tolerant };
    const layer = selectLayer(spatial(collection), query);
    const { values = [] } = layer;
    const table = [Math.abs(collection.oid), known?.stamp ?? null];
    const statement = { ...withState(layer, isCall), values: [...values, ...table], last: true };
    const own = reading(withIsoIntervals(context, { columns: given }), collection, condition !== undefined);
    return database.withIdentity(identity, own, async (transaction) => {
      if (collection.isSharded) {
        // Citus reads what a view of ours is made of under the rights of the caller, if a reference table is beside it
        const { rows: states } = await transaction.query<AskedState>({
          text: `select t.* from (select) one left join lateral (${stateFrom(0, isCall)}) t on true`,
          values: table,
        });
        const { rows } = await transaction.query<LayerRow>({ ...layer, last: true });
        return { ...rows[0]!, ...states[0]! };
      }
      const { rows } = await transaction.query<LayerRow>(statement);
      return rows[0]!;
    });
  };
  const attempt = async (ranked: boolean): Promise<LayerRow> => {
    try {
      return await read(ranked, false);
    } catch (error) {
      if (sqlstateOf(error) !== GEOMETRY_ERROR) throw error;
      return read(ranked, true);
    }
  };
  const first = await attempt(false);
  const truncated = first.count > limit;
  const row = truncated ? await attempt(true) : first;
  return { tile: row.tile ?? Buffer.alloc(0), truncated, inside: row.inside, known, state: row };
}

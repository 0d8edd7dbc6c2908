/** `/tileMatrixSets`: the registered and the configured sets, and the set that a request names. */
import { swap } from "../../server/types/axes.ts";
import type { Database } from "../../server/kernel/database/database.ts";
import { GatewayError } from "../../server/ground/errors.ts";
import { epsg, type Crs, type Srs } from "../crs/crs.ts";
import { readSrs } from "../crs/srs.ts";
import { selfLinks, sendJson, withFormat, type Exchange } from "../exchange/exchange.ts";
import { HTML, JSON_FORMAT } from "../exchange/formats.ts";
import { tileMatrixSetPage, tileMatrixSetsPage } from "../pages/tileMatrixSetsPage.ts";
import { boundsOf, REGISTERED, toJson, type TileAddress, type TileMatrixSet } from "./tileMatrixSet.ts";

export const TILING_SCHEME_REL = "http://www.opengis.net/def/rel/ogc/1.0/tiling-scheme";
export const TILING_SCHEMES_REL = "http://www.opengis.net/def/rel/ogc/1.0/tiling-schemes";

type Asked = Pick<Exchange, "config" | "database" | "addresses" | "collections">;

/** The sets by id, the registered ones first. */
export async function tileMatrixSetsOf(exchange: Asked): Promise<readonly TileMatrixSet[]> {
  const own = await Promise.all(
    Object.entries(exchange.config.tileMatrixSets).map(([id, set]) => configured(exchange, id, set)),
  );
  return [...REGISTERED, ...own.filter((set) => set !== undefined)];
}

/** The set in the request's path. Throws `NOT_FOUND`. */
export async function tileMatrixSetOf(exchange: Asked & Pick<Exchange, "pathParameters">): Promise<TileMatrixSet> {
  const { tileMatrixSetId = "" } = exchange.pathParameters;
  const registered = REGISTERED.find(({ id }) => id === tileMatrixSetId);
  const own = Object.hasOwn(exchange.config.tileMatrixSets, tileMatrixSetId)
    ? await configured(exchange, tileMatrixSetId, exchange.config.tileMatrixSets[tileMatrixSetId]!)
    : undefined;
  const set = registered ?? own;
  if (set) return set;
  const named = JSON.stringify(tileMatrixSetId.slice(0, 100));
  throw new GatewayError("NOT_FOUND", `There is no tile matrix set ${named}${whyLeftOut(exchange, tileMatrixSetId)}`);
}

/** The message about a configured set that cannot be used. */
function whyLeftOut({ config }: Asked, id: string): string {
  const set = Object.hasOwn(config.tileMatrixSets, id) ? config.tileMatrixSets[id] : undefined;
  return set
    ? `: its system, EPSG:${set.crs}, is unknown, or its registry has north before east and ogc.axisOrder is not "authority"`
    : "";
}

type ConfiguredSet = Asked["config"]["tileMatrixSets"][string];

/** A configured set. Undefined where PostGIS does not know its system, or clients would read its axes differently. */
async function configured(exchange: Asked, id: string, set: ConfiguredSet): Promise<TileMatrixSet | undefined> {
  const srs = await srsOf(exchange, set.crs);
  if (!srs) return undefined;
  const [minx, miny, maxx, maxy] = set.bounds;
  const side = Math.max(maxx - minx, maxy - miny);
  const crs = epsg(set.crs, srs, exchange.config.axisOrder);
  if (!crs || crs.againstRegistry) return undefined;
  return {
    id,
    title: set.title ?? id,
    uri: exchange.addresses.of(["tileMatrixSets", id]),
    crs,
    orderedAxes: orderedAxes(crs),
    origin: [minx, maxy],
    cellSize: side / set.tileSize,
    tileSize: set.tileSize,
    columns: 1,
    rows: 1,
    levels: set.levels,
  };
}

function orderedAxes(crs: Crs): readonly [string, string] {
  return crs.geographic ? swap(crs, "Lon", "Lat") : swap(crs, "E", "N");
}

const known = new WeakMap<Database, Map<number, Promise<Srs | undefined>>>();

function srsOf({ database, collections }: Asked, srid: number): Promise<Srs | undefined> {
  const all = known.get(database) ?? new Map<number, Promise<Srs | undefined>>();
  known.set(database, all);
  const found = all.get(srid);
  if (found) return found;
  const postgis = [...collections.values()][0]?.postgis;
  if (postgis === undefined) return Promise.resolve(undefined);
  const asked = readSrs(database, postgis, [srid]).then((rows) => rows.get(srid));
  all.set(srid, asked);
  asked.catch(() => all.delete(srid)); // the caller gets the error
  return asked;
}

const WHOLE = /^(0|[1-9][0-9]{0,8})$/;

/**
 * The tile that the request's path names, with its rectangle. Throws `NOT_FOUND` for a tile that the set does not have.
 */
export function tileOf({ pathParameters }: Pick<Exchange, "pathParameters">, set: TileMatrixSet) {
  const { tileMatrix = "", tileRow = "", tileCol = "" } = pathParameters;
  const isTile = [tileMatrix, tileRow, tileCol].every((text) => WHOLE.test(text));
  const address: TileAddress = { matrix: Number(tileMatrix), row: Number(tileRow), column: Number(tileCol) };
  const bounds = isTile ? boundsOf(set, address) : undefined;
  if (bounds) return { address, bounds };
  const named = [tileMatrix, tileRow, tileCol].map((text) => text.slice(0, 20)).join("/");
  throw new GatewayError("NOT_FOUND", `${set.id} has no tile ${named}`);
}

export async function listTileMatrixSets(exchange: Exchange): Promise<void> {
  const { addresses } = exchange;
  const sets = await tileMatrixSetsOf(exchange);
  const links = selfLinks(exchange, addresses.of(["tileMatrixSets"]), "Tile matrix sets");
  if (exchange.format === HTML) return tileMatrixSetsPage(exchange, sets, links);
  const listed = sets.map(({ id, title, uri, crs }) => ({
    id,
    title,
    uri,
    crs: crs.uri,
    links: [
      {
        rel: "self",
        type: JSON_FORMAT.mediaType,
        title,
        href: withFormat(addresses.of(["tileMatrixSets", id]), JSON_FORMAT),
      },
    ],
  }));
  sendJson(exchange, { tileMatrixSets: listed, links }, links);
}

export async function describeTileMatrixSet(exchange: Exchange): Promise<void> {
  const set = await tileMatrixSetOf(exchange);
  const links = selfLinks(exchange, exchange.addresses.of(["tileMatrixSets", set.id]), set.title);
  if (exchange.format === HTML) tileMatrixSetPage(exchange, set, links);
  else sendJson(exchange, { ...toJson(set), links }, links);
}

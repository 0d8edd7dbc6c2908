/** `…/styles` and `…/styles/default`: the styles of collections, for clients that draw vector tiles themselves. */
import type { SQL } from "postgraphile/pg-sql2";
import { GatewayError } from "../../server/ground/errors.ts";
import type { Bounds } from "../collections/bounds.ts";
import { spatial, type Collection, type CollectionColumn } from "../collections/collections.ts";
import { selfLinks, sendJson, sendText, withFormat, type Exchange } from "../exchange/exchange.ts";
import { HTML, MAPBOX_STYLE, SLD, TILEJSON } from "../exchange/formats.ts";
import type { Addresses, Link } from "../exchange/links.ts";
import { styledMapLinks } from "../maps/mapLinks.ts";
import { columnsOf } from "../maps/style.ts";
import { namedStyleOf, styleFor, styleOfSeveral, wholeOf } from "../maps/styleOf.ts";
import { stylePage, stylesPage } from "../pages/stylesPage.ts";
import { DEFAULT_STYLE } from "../exchange/parameters/table.ts";
import { degreesAround } from "../tiles/tilesetLimits.ts";
import type { TileSource } from "../tiles/tileSource.ts";
import { REGISTERED } from "../tiles/tileMatrixSet.ts";
import { sldOf } from "./sld.ts";
import type { Pattern } from "./pattern.ts";
import { SOURCE, tileStyle, type TileStyle } from "./mapLibreStyle.ts";

/** OGC 20-009 (draft): the relation of a resource's styles. */
const STYLES_REL = "http://www.opengis.net/def/rel/ogc/1.0/styles";

interface StyledCollection {
  readonly style: TileStyle;
  /** Values that it needs in tiles; undefined where attributes suffice. */
  readonly needs: { readonly values: readonly SQL[]; readonly columns: readonly CollectionColumn[] } | undefined;
}

const known = new WeakMap<Collection, StyledCollection>();

/**
 * The style of a collection for vector tiles. Undefined where the request does not name the collection and its style
 * needs a column that the caller may not read. Throws `UNAUTHENTICATED`, `FORBIDDEN` where the request names it.
 */
export function tileStyleFor(
  exchange: Pick<Exchange, "identity" | "collections" | "tiles" | "route" | "parameters">,
  collection: Collection,
): StyledCollection | undefined {
  const { collections, tiles, route, parameters } = exchange;
  try {
    const style = styleFor(exchange, collection, tiles.log);
    const whole = wholeOf(collections, collection);
    const { draftStyle, colour } = collection;
    const key = draftStyle === undefined && colour === undefined ? whole : collection; // the style of a request is for it alone
    const drawn = colour === undefined ? whole : { ...whole, colour };
    const found = known.get(key) ?? styled(whole, tileStyle(drawn, style), style ? columnsOf(style) : new Set());
    known.set(key, found);
    return found;
  } catch (error) {
    const isNamed = route.of === "collection" || parameters.collections !== undefined;
    if (isNamed || !(error instanceof GatewayError)) throw error;
    return undefined;
  }
}

function styled({ columns }: Collection, style: TileStyle, names: ReadonlySet<string>): StyledCollection {
  const { values } = style;
  const needs = values.length > 0 ? { values, columns: columns.filter(({ name }) => names.has(name)) } : undefined;
  return { style, needs };
}

/** The link to the styles of a collection, or of the dataset. */
export function stylesLink(addresses: Addresses, path: readonly string[], title: string): Link {
  return { rel: STYLES_REL, type: "application/json", title, href: addresses.of([...path, "styles"]) };
}

/** The path below the landing page. */
const pathOf = ({ path }: TileSource): readonly string[] => [...path.slice(0, -1), "styles"];

export function sendStyles(exchange: Exchange, source: TileSource): void {
  const { addresses } = exchange;
  const path = pathOf(source);
  const title = `Styles of ${source.title}`;
  const links = selfLinks(exchange, addresses.of(path), title);
  if (exchange.format === HTML) return stylesPage(exchange, { title, source, path, links }, stylesOf(exchange, source));
  const formats = exchange.route.of === "collection" ? [MAPBOX_STYLE, SLD] : [MAPBOX_STYLE];
  const all = stylesOf(exchange, source);
  const styles = all.map(({ name, title: named }) => {
    const sheets = formats.map((format): Link => ({
      rel: "stylesheet",
      type: format.mediaType,
      title: `${named} ${format === SLD ? "as SLD" : "for MapLibre"}`,
      href: withFormat(addresses.of([...path, name]), format),
    }));
    return { id: name, title: named, links: [...sheets, ...styledMapLinks(exchange, [...path, name], named)] };
  });
  sendJson(exchange, { default: all[0]!.name, styles, links }, links);
}

/** The styles of a collection, the default one first. Several collections have only a common one. */
export function stylesOf(
  { route }: Pick<Exchange, "route">,
  { title, collections }: Pick<TileSource, "title" | "collections">,
): readonly { readonly name: string; readonly title: string }[] {
  if (route.of !== "collection") return [{ name: DEFAULT_STYLE, title }];
  return collections[0]!.styles.map((style) => ({ name: style.name, title: style.title ?? title }));
}

export async function sendStyle(exchange: Exchange, source: TileSource): Promise<void> {
  const { addresses } = exchange;
  const path = [...pathOf(source), styleOfSource(exchange)];
  const query = { ...source.query, color: exchange.query.get("color") ?? undefined };
  const links = selfLinks(exchange, addresses.of(path, query), `Style of ${source.title}`);
  if (exchange.format === SLD) return sendSld(exchange, source, links);
  const sprite = addresses.of([...path, "sprite"], source.query);
  const style = mapLibreStyle(exchange, source, {
    degrees: await degreesAround(exchange, source.collections),
    ...(patternsOf(exchange, source).size > 0 && { sprite }),
  });
  if (exchange.format === HTML) return stylePage(exchange, { title: source.title, source, path, links, style });
  sendJson(exchange, style, links);
}

/** Sends the SLD of a single collection. */
function sendSld(exchange: Exchange, { collections }: TileSource, links: readonly Link[]): void {
  const collection = spatial(collections[0]!);
  const text = sldOf(collection, styleFor(exchange, collection, exchange.tiles.log));
  sendText(exchange, { mediaType: SLD.mediaType, text, links });
}

/** The layers of a style, and the query with which tiles contain everything that they need. */
export function layersOf(exchange: Exchange, { collections }: Pick<TileSource, "collections">) {
  const styles = collections.flatMap((collection) => tileStyleFor(exchange, collection) ?? []);
  return {
    layers: [...styles.flatMap(({ style }) => style.layers), ...styles.flatMap(({ style }) => style.labels)],
    query: queryFor(
      exchange,
      collections,
      styles.some(({ needs }) => needs !== undefined),
    ),
  };
}

/** The parameters of tiles for a style that `needs` more than their attributes, and for one that does not. */
function queryFor(
  exchange: Exchange,
  collections: readonly Collection[],
  needs: boolean,
): Readonly<Record<string, string | undefined>> {
  const draftStyle = collections[0]?.draftStyle;
  if (draftStyle !== undefined) return { "style-definition": needs ? draftStyle : undefined };
  return needs ? { style: nameOf(exchange, collections) } : {};
}

/** The patterns of a style, by their names. */
export function patternsOf(
  exchange: Exchange,
  { collections }: Pick<TileSource, "collections">,
): ReadonlyMap<string, Pattern> {
  return new Map(collections.flatMap((each) => [...(tileStyleFor(exchange, each)?.style.patterns ?? [])]));
}

/** Throws `NOT_FOUND` for a style of several collections that is not their common one. */
export function styleOfSource({ pathParameters: { styleId = "" }, route }: Exchange): string {
  if (route.of === "database") styleOfSeveral(styleId);
  return styleId;
}

/** The name of the style in the addresses of tiles. */
function nameOf({ route }: Pick<Exchange, "route">, [first]: readonly Collection[]): string {
  return (route.of === "collection" && first && namedStyleOf(first)?.name) || DEFAULT_STYLE;
}

/** The style by the MapLibre style specification, version 8. */
function mapLibreStyle(
  exchange: Exchange,
  source: TileSource,
  { degrees, sprite }: { readonly degrees: Bounds | undefined; readonly sprite?: string },
): object {
  const { addresses } = exchange;
  const { layers, query } = layersOf(exchange, source);
  const tileset = addresses.of([...source.path, REGISTERED[0]!.id], { ...source.query, ...query });
  return {
    version: 8,
    name: source.title,
    ...(degrees && viewOf(degrees)),
    // the client fills in the braces
    ...(sprite !== undefined && { sprite }),
    glyphs: `${addresses.of(["glyphs"])}/{fontstack}/{range}.pbf`,
    sources: { [SOURCE]: { type: "vector", url: withFormat(tileset, TILEJSON) } },
    layers,
  };
}

/** The initial view of a map, which shows everything on about 500 pixels. */
function viewOf([minx, miny, maxx, maxy]: Bounds): object {
  const side = Math.max(maxx - minx, (maxy - miny) * 2, 360 / 2 ** 14);
  return { center: [(minx + maxx) / 2, (miny + maxy) / 2], zoom: Math.max(0, Math.log2(360 / side)) };
}

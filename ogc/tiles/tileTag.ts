/**
 * The tag `@tile [a,b,…] [order by c desc] [cache]` of a table: the attributes of its vector tiles, and the order of
 * features.
 */
import type { Log } from "../../server/ground/log.ts";
import type { Collection, CollectionColumn } from "../collections/collections.ts";

export interface TileTag {
  /** The columns that are attributes of features; undefined for all that a tile can hold well. */
  readonly columns: readonly CollectionColumn[] | undefined;
  /** The order that decides which features a full tile shows. */
  readonly order: { readonly column: CollectionColumn; readonly descending: boolean } | undefined;
  /** Whether the authors allow tiles to be kept although their own policies choose the rows. */
  readonly cache: boolean;
}

const NONE: TileTag = { columns: undefined, order: undefined, cache: false };
const NAME = String.raw`(?:"(?:[^"]|"")+"|[^\s",]+)`;
const TAG = new RegExp(
  String.raw`^(?<names>(?!order\s+by\s|cache$)${NAME}(?:\s*,\s*${NAME})*)?\s*` +
    String.raw`(?:order\s+by\s+(?<by>${NAME})(?:\s+(?<direction>asc|desc))?)?\s*(?<cache>cache)?$`,
  "i",
);

const tags = new WeakMap<Collection, TileTag>();

/** The tag in the comment, as far as the caller may read its columns. An invalid tag is ignored and logged. */
export function tileTagOf(collection: Collection, log: Log | undefined): TileTag {
  const known = tags.get(collection);
  if (known) return known;
  const tag = readTileTag(collection) ?? NONE;
  if (tag === NONE && collection.tile !== undefined)
    log?.warn({ collection: collection.id, detail: collection.tile }, "the comment @tile is wrong and is ignored");
  tags.set(collection, tag);
  return tag;
}

function readTileTag({ tile, columns, geometry }: Collection): TileTag | undefined {
  if (tile === undefined) return NONE;
  const { names, by, direction, cache } = TAG.exec(tile.trim())?.groups ?? {};
  if ([names, by, cache].every((part) => part === undefined)) return undefined;
  const named = (name: string): CollectionColumn | undefined =>
    columns.find((column) => column.name === unquoted(name) && column.number !== geometry?.number);
  const shown = names?.match(new RegExp(NAME, "g"))?.map(named);
  const order = by === undefined ? undefined : named(by);
  return {
    // a column that the caller may not read is left out
    columns: shown?.filter((column) => column !== undefined),
    order: order && { column: order, descending: direction?.toLowerCase() === "desc" },
    cache: cache !== undefined,
  };
}

function unquoted(name: string): string {
  return name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name;
}

/** The sources of tiles, and their addresses. */
import type { Collection } from "../collections/collections.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Format } from "../exchange/formats.ts";
import { queryString } from "../exchange/links.ts";
import type { TileMatrixSet } from "./tileMatrixSet.ts";

export type TileKind = "vector" | "map";

export interface TileSource {
  readonly kind: TileKind;
  readonly title: string;
  /** The path below the landing page. The matrix set follows it. */
  readonly path: readonly string[];
  readonly collections: readonly Collection[];
  /** The query, in the form of the request. */
  readonly query: Readonly<Record<string, string | undefined>>;
}

/** The address template of tiles, with the names of its variables in braces. */
export function tileTemplate(
  { addresses }: Pick<Exchange, "addresses">,
  { path, query }: Pick<TileSource, "path" | "query">,
  set: TileMatrixSet,
  format: Format,
): string {
  return `${addresses.of([...path, set.id])}/{tileMatrix}/{tileRow}/{tileCol}?${queryString({ ...query, f: format.name })}`;
}

/**
 * The features at a place of a map. They are requested from the service, which has all of them with their rows; the
 * drawn ones say little.
 */
import type { ShownLayer } from "./layerStack.ts";
import { collectionPathOf, type MapSource } from "./mapSource.ts";

export interface PickedPlace {
  /** The place in degrees. */
  readonly lonLat: readonly [number, number];
  readonly degreesInPixel: number;
}

/** What a layer has at a place, or the error of the search in it. */
export interface Found {
  readonly collection: string;
  readonly error: Error | null;
  readonly features: readonly {
    readonly id: string;
    readonly properties: Readonly<Record<string, unknown>>;
    /** A GeoJSON geometry. */
    readonly geometry: object | null;
  }[];
}

/** The most features of a layer that are shown. */
export const MOST_AT = 10;
/** The largest distance of a click from a feature, in pixels. */
const REACH = 6;

export async function featuresAt(
  source: MapSource,
  {
    picked,
    layers,
    at,
  }: { readonly picked: PickedPlace; readonly layers: readonly ShownLayer[]; readonly at: string | undefined },
  signal: AbortSignal,
): Promise<readonly Found[]> {
  const found = await Promise.all(
    layers.toReversed().map((layer) =>
      featuresOf(source, { picked, layer, at }, signal).catch((error: unknown): Found => {
        if (signal.aborted) throw error;
        return { collection: layer.collection!, error: error as Error, features: [] };
      }),
    ),
  );
  return found.filter(({ error, features }) => error !== null || features.length > 0);
}

async function featuresOf(
  source: MapSource,
  { picked, layer, at }: { readonly picked: PickedPlace; readonly layer: ShownLayer; readonly at: string | undefined },
  signal: AbortSignal,
): Promise<Found> {
  const [lon, lat] = picked.lonLat;
  const reach = picked.degreesInPixel * REACH;
  const down = reach * Math.cos((lat * Math.PI) / 180); // Web Mercator stretches both directions alike
  const box = [
    Math.max(-180, lon - reach),
    Math.max(-90, lat - down),
    Math.min(180, lon + reach),
    Math.min(90, lat + down),
  ];
  const query = new URLSearchParams({
    f: "json",
    bbox: box.join(","),
    limit: String(MOST_AT + 1),
    ...(layer.filter && { filter: layer.filter }),
    ...(at !== undefined && { datetime: at }),
  });
  const collection = layer.collection!;
  const response = await source.ask(`${collectionPathOf(source, collection)}/items?${query}`, { signal });
  const { features } = (await response.json()) as { readonly features: Found["features"] };
  return { collection, error: null, features: features.map((each) => ({ ...each, id: String(each.id) })) };
}

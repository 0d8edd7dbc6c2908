/**
 * The layers of a saved map on an OpenLayers map. New ones are made; existing ones are moved, faded or hidden in place.
 */
import type { Extent } from "ol/extent.js";
import type BaseLayer from "ol/layer/Base.js";
import type OlMap from "ol/Map.js";
import type { MapLayer, OwnStyle, Style } from "../../../service/maps.ts";
import { onThemeChange } from "../../theme.ts";
import { landLayer } from "../land.ts";
import { makeBasemap } from "./basemapLayer.ts";
import { makeCollectionLayer, type Drawn } from "./collectionLayers.ts";
import type { Collection, MapSource } from "./mapSource.ts";
import { LastingError, Retries } from "./retries.ts";
import { t } from "../../../words/words.ts";

/** A layer with state that only this window has. */
export interface ShownLayer extends MapLayer {
  /** Distinguishes it from other layers, also of the same collection. */
  readonly id: string;
  /** An unsaved style. */
  readonly draft?: Style | undefined;
  /** Changes when its style has been saved. */
  readonly styled?: number | undefined;
  /** Changes when its rows have changed. */
  readonly written?: number | undefined;
  /** Whether something else draws it at present, such as the editor. */
  readonly isReplaced?: boolean | undefined;
}

/** The style of a layer on the map: the unsaved one, where it has classes. */
export function shownStyleOf({ draft, style }: ShownLayer): MapLayer["style"] {
  return draft && draft.length > 0 ? (draft as OwnStyle) : style;
}

export interface Stacked {
  /** The layers, the lowest first. */
  readonly layers: readonly ShownLayer[];
  /** The instant for tables with history; undefined for now. */
  readonly at: string | undefined;
}

/** The parts of a layer whose change requires loading it again. */
function identityOf(layer: ShownLayer, at: string | undefined, collection: Collection | undefined): string {
  const { collection: id, basemap, show, filter, style, color, draft, styled } = layer;
  return JSON.stringify([
    id,
    basemap,
    show,
    filter,
    style,
    color,
    draft,
    styled,
    collection?.since === undefined ? undefined : at,
  ]);
}

interface Held {
  readonly identity: string;
  readonly layer: BaseLayer;
  readonly refresh: () => void;
  readonly drawsIn?: Drawn["drawsIn"];
  readonly written: number | undefined;
}

export class LayerStack {
  readonly #map: OlMap;
  readonly #source: MapSource;
  readonly #onError: (id: string, error: Error | null) => void;
  readonly #held = new Map<string, Held>();
  readonly #stopFollowing: () => void;
  readonly #retries = new Retries((id) => this.#held.get(id)?.refresh());

  /** `onError`: called with null once the layer has loaded again. */
  constructor(map: OlMap, source: MapSource, onError: (id: string, error: Error | null) => void) {
    this.#map = map;
    this.#source = source;
    this.#onError = onError;
    this.#stopFollowing = onThemeChange(() => {
      for (const { layer } of this.#held.values()) layer.changed();
    });
  }

  show({ layers, at }: Stacked, collections: ReadonlyMap<string, Collection>): void {
    const wanted = new Set(layers.map(({ id }) => id));
    for (const [id, { layer }] of this.#held) if (!wanted.has(id)) this.#remove(id, layer);
    layers.forEach((each, index) => {
      const collection = each.collection === undefined ? undefined : collections.get(each.collection);
      const identity = identityOf(each, at, collection);
      let held = this.#held.get(each.id);
      if (held && held.identity !== identity) {
        this.#remove(each.id, held.layer);
        held = undefined;
      }
      if (!held) {
        const drawn = this.#make(each, collection, at);
        if (!drawn) return;
        held = { ...drawn, identity, written: each.written };
        this.#map.addLayer(drawn.layer);
      } else if (held.written !== each.written) {
        held.refresh();
        held = { ...held, written: each.written };
      }
      this.#held.set(each.id, held);
      held.layer.setZIndex(index);
      held.layer.setOpacity(each.opacity ?? 1);
      held.layer.setVisible((each.visible ?? true) && each.isReplaced !== true);
    });
  }

  /** Whether none of the visible layers draws anything in the extent. */
  isEmptyIn(extent: Extent, resolution: number): boolean {
    const shown = [...this.#held.values()].filter(({ layer }) => layer.getVisible() && layer.getOpacity() > 0);
    const own = shown.filter(({ drawsIn }) => drawsIn);
    return own.length > 0 && !own.some(({ drawsIn }) => drawsIn!(extent, resolution));
  }

  close(): void {
    this.#stopFollowing();
    this.#retries.close();
    for (const [id, { layer }] of this.#held) this.#remove(id, layer);
  }

  #remove(id: string, layer: BaseLayer): void {
    this.#map.removeLayer(layer);
    layer.dispose();
    this.#held.delete(id);
    this.#retries.forget(id);
    this.#onError(id, null);
  }

  #make(layer: ShownLayer, collection: Collection | undefined, at: string | undefined): Drawn | undefined {
    const onError = (error: Error | null): void => {
      this.#retries.tell(layer.id, error);
      this.#onError(layer.id, error);
    };
    if (layer.land) return { layer: landLayer(this.#map.getTargetElement()!, true), refresh: () => undefined };
    if (layer.basemap !== undefined) {
      const basemap = this.#source.basemaps[layer.basemap];
      if (!basemap) onError(new LastingError(t("The administrator offers no such basemap.")));
      return basemap && makeBasemap(basemap, onError);
    }
    if (!collection) {
      onError(
        new LastingError(
          layer.collection === undefined
            ? t("There is no such collection, or you may not see it.")
            : t("There is no {table}, or you may not see it.", { table: layer.collection }),
        ),
      );
      return undefined;
    }
    const { show, filter, style, color, draft } = layer;
    return makeCollectionLayer(this.#source, collection, {
      show: collection.isRaster || draft ? "map" : (show ?? "tiles"),
      filter: filter ?? undefined,
      draft,
      own: style ?? undefined,
      color,
      at: collection.since === undefined ? undefined : at,
      onError,
    });
  }
}

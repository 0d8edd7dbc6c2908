/** The map, its legend and the features at a click. All requests are anonymous, even if the browser is signed in. */
import { useQuery } from "@tanstack/react-query";
import type OlMap from "ol/Map.js";
import { useCallback, useEffect, useMemo, useState } from "react";
import { basemaps, publicDatabase, publicMapText } from "../../service/http/address.ts";
import { askAsNobody } from "../../service/http/askAsNobody.ts";
import type { SavedMap } from "../../service/maps.ts";
import { show as showValue } from "../../service/rows/values.ts";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import type { EmptyView } from "../../ui/map/layers/emptiness.ts";
import { EmptyMap } from "../../ui/map/layers/EmptyMap.tsx";
import { featuresAt, MOST_AT, type Found as FoundOfLayer, type PickedPlace } from "../../ui/map/layers/featuresAt.ts";
import { LayeredMap } from "../../ui/map/layers/LayeredMap.tsx";
import type { ShownLayer } from "../../ui/map/layers/layerStack.ts";
import { Legend, LegendSymbol } from "../../ui/map/layers/Legend.tsx";
import { collectionsOf, titleOf, type Collection, type MapSource } from "../../ui/map/layers/mapSource.ts";
import { MapTime } from "../../ui/map/layers/MapTime.tsx";
import { coloured } from "../../ui/map/layers/palette.ts";
import { readPlace } from "../../ui/map/layers/place.ts";
import { useFound } from "../../ui/map/layers/useFound.ts";
import { t } from "../../words/words.ts";

const source: MapSource = { database: publicDatabase!, caller: "", ask: askAsNobody, basemaps };
const map = JSON.parse(publicMapText!) as Pick<SavedMap, "name" | "title" | "view" | "layers">;

export function PublicMap() {
  const [layers, setLayers] = useState<readonly ShownLayer[]>(() =>
    coloured(map.layers).map((layer, index) => ({ ...layer, id: String(index) })),
  );
  const [errors, setErrors] = useState<ReadonlyMap<string, Error>>(new Map());
  const [picked, setPicked] = useState<PickedPlace>();
  const [empty, setEmpty] = useState<EmptyView>();
  const [olMap, setOlMap] = useState<OlMap | null>(null);
  const { showOn, show } = useFound();
  const address = useMemo(() => new URLSearchParams(location.search), []);
  const place = useMemo(() => readPlace(address.get("view") ?? undefined) ?? map.view ?? undefined, [address]);
  const [at, setAt] = useState(address.get("at") ?? map.view?.time ?? undefined);
  const collections = useQuery(collectionsOf(source)).data;
  const title = map.title ?? map.name;
  const pick = useCallback(
    (lonLat: PickedPlace["lonLat"], degreesInPixel: number) => setPicked({ lonLat, degreesInPixel }),
    [],
  );
  /** Shows an instant, also after a reload. */
  const go = useCallback((instant: string | undefined) => {
    setAt(instant);
    const next = new URL(location.href);
    if (instant === undefined) next.searchParams.delete("at");
    else next.searchParams.set("at", instant);
    history.replaceState(null, "", next);
  }, []);
  const hold = useCallback(
    (held: OlMap | null) => {
      showOn(held);
      setOlMap(held);
    },
    [showOn],
  );
  return (
    <main className="public-map">
      <h1>{title}</h1>
      <div className="work">
        <div className="map-view">
          <MapTime layers={layers} collections={collections} at={at} onChange={go} />
          <LayeredMap
            label={t("Map {title}", { title })}
            source={source}
            layers={layers}
            at={at}
            place={place}
            onErrors={setErrors}
            onEmpty={setEmpty}
            onPick={pick}
            onMap={hold}
          />
          <EmptyMap
            {...{ source, layers, collections, errors, at }}
            map={olMap}
            view={empty}
            onChange={setLayers}
            onNow={() => go(undefined)}
          />
        </div>
        <Panel
          {...{ layers, collections, errors, picked, at }}
          onChange={setLayers}
          onFound={show}
          onClose={() => {
            setPicked(undefined);
            show([]);
          }}
        />
      </div>
    </main>
  );
}

interface PanelProps extends Pick<FoundProps, "at" | "onFound" | "onClose"> {
  readonly layers: readonly ShownLayer[];
  readonly collections: ReadonlyMap<string, Collection> | undefined;
  readonly errors: ReadonlyMap<string, Error>;
  readonly picked: PickedPlace | undefined;
  readonly onChange: (layers: readonly ShownLayer[]) => void;
}

/** The features under the last click, and the layers with their legend. */
function Panel({ layers, collections, errors, picked, onChange, ...found }: PanelProps) {
  const withFeatures = layers.filter(({ collection }) => collections?.get(collection ?? "")?.isRaster === false);
  return (
    <section className="left-panel" aria-label={t("Layers")}>
      {picked && <Found picked={picked} layers={withFeatures} {...found} />}
      <h2>{t("Layers")}</h2>
      <ErrorNote error={errors.get("") ?? null} />
      {layers.toReversed().map((layer) => (
        <PublicLayer
          key={layer.id}
          layer={layer}
          title={titleOf(layer, source, collections)}
          error={errors.get(layer.id)}
          onPut={(next) => onChange(layers.map((each) => (each.id === next.id ? next : each)))}
        />
      ))}
    </section>
  );
}

interface PublicLayerProps {
  readonly layer: ShownLayer;
  readonly title: string;
  readonly error: Error | undefined;
  readonly onPut: (layer: ShownLayer) => void;
}

function PublicLayer({ layer, title, error, onPut }: PublicLayerProps) {
  const { visible = true, collection } = layer;
  return (
    <div className="layer">
      <label>
        <input
          type="checkbox"
          checked={visible}
          onChange={({ target }) => onPut({ ...layer, visible: target.checked })}
        />
        {collection !== undefined && (
          <LegendSymbol source={source} collection={collection} own={layer.style} color={layer.color} />
        )}
        <span>{title}</span>
      </label>
      <ErrorNote error={error ?? null} />
      {visible && collection !== undefined && (
        <Legend source={source} collection={collection} own={layer.style} color={layer.color} />
      )}
    </div>
  );
}

interface FoundProps {
  readonly picked: PickedPlace;
  readonly layers: readonly ShownLayer[];
  readonly at: string | undefined;
  /** The features that are shown. */
  readonly onFound: (found: readonly FoundOfLayer[]) => void;
  readonly onClose: () => void;
}

function Found({ picked, layers, at, onFound, onClose }: FoundProps) {
  const asked = layers.filter(({ collection, visible = true }) => collection !== undefined && visible);
  const { data, error } = useQuery({
    queryKey: ["features at", picked, at, asked.map(({ id }) => id)],
    queryFn: ({ signal }) => featuresAt(source, { picked, layers: asked, at }, signal),
    gcTime: 0,
  });
  useEffect(() => {
    if (data) onFound(data);
  }, [data, onFound]);
  return (
    <section aria-label={t("Features here")} aria-live="polite">
      <div className="head">
        <h2>{t("Features here")}</h2>
        <button type="button" className="plain" onClick={onClose}>
          {t("Close")}
        </button>
      </div>
      <ErrorNote error={error} />
      {data?.length === 0 && <p className="quiet">{t("There is nothing here.")}</p>}
      {data?.flatMap(({ collection, features }) =>
        features.slice(0, MOST_AT).map(({ id, properties }) => (
          <dl key={`${collection} ${id}`} className="found">
            {Object.entries(properties).map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value === null ? "" : showValue(value)}</dd>
              </div>
            ))}
          </dl>
        )),
      )}
    </section>
  );
}

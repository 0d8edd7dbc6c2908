/** Says on a map that shows nothing of its layers why that is so, with the way out. */
import { useQuery } from "@tanstack/react-query";
import type OlMap from "ol/Map.js";
import { useState, type ReactNode } from "react";
import { mayLoadBasemaps } from "../../../service/http/address.ts";
import { useSettled } from "../../hooks/useSettled.ts";
import { reasonOf, type EmptyView, type Reason } from "./emptiness.ts";
import { fitTo } from "./LayeredMap.tsx";
import type { ShownLayer } from "./layerStack.ts";
import { titleOf, type Collection, type MapSource } from "./mapSource.ts";
import { toMetres } from "./mercator.ts";
import { COARSEST } from "./tileStyle.ts";
import { t } from "../../../words/words.ts";

export interface EmptyMapProps {
  readonly source: MapSource;
  readonly map: OlMap | null;
  readonly layers: readonly ShownLayer[];
  readonly collections: ReadonlyMap<string, Collection> | undefined;
  readonly errors: ReadonlyMap<string, Error>;
  readonly at: string | undefined;
  /** The view, as long as nothing is drawn in it. */
  readonly view: EmptyView | undefined;
  readonly onChange: (layers: readonly ShownLayer[]) => void;
  readonly onNow: () => void;
  /** What leads to the rows of a table, where somebody may write them. */
  readonly rowsOf?: (collection: string) => ReactNode;
}

/** The pause after the map has become empty, in ms: one that moves on is not explained. */
const PAUSE = 400;
const MOST_LAYERS = 3;

export function EmptyMap(props: EmptyMapProps) {
  const { layers, collections, errors, view, onChange } = props;
  const settled = useSettled(view, PAUSE);
  const own = layers.filter(({ collection, isReplaced }) => !isReplaced && collections?.has(collection ?? ""));
  const others = layers.filter(({ basemap }) => basemap !== undefined && mayLoadBasemaps);
  const shown = own.filter(isShown);
  if (own.length > 0 && shown.length === 0 && !others.some(isShown))
    return (
      <div className="empty-map" role="status">
        <p>
          {t("All layers are off.")}{" "}
          <button type="button" onClick={() => onChange(layers.map(turnedOn))}>
            {t("Show all layers")}
          </button>
        </p>
      </div>
    );
  const asked = shown.filter(({ collection }) => collections?.get(collection!)?.isRaster === false);
  if (!view || view !== settled || asked.length === 0 || asked.some(({ id }) => errors.has(id))) return null;
  return (
    <div className="empty-map" role="status">
      {asked.slice(0, MOST_LAYERS).map((layer) => (
        <WhyEmpty key={layer.id} {...props} layer={layer} view={view} isAlone={asked.length === 1} />
      ))}
    </div>
  );
}

function isShown({ visible = true, opacity = 1 }: ShownLayer): boolean {
  return visible && opacity > 0;
}

function turnedOn(layer: ShownLayer): ShownLayer {
  if (isShown(layer)) return layer;
  return { ...layer, visible: true, ...(layer.opacity === 0 && { opacity: 1 }) };
}

interface WhyEmptyProps extends EmptyMapProps {
  readonly layer: ShownLayer;
  readonly view: EmptyView;
  readonly isAlone: boolean;
}

function WhyEmpty({ source, map, layers, layer, collections, at, view, isAlone, ...props }: WhyEmptyProps) {
  const collection = collections!.get(layer.collection!)!;
  const { id: _id, visible: _visible, opacity: _opacity, title: _title, ...look } = layer;
  const { data } = useQuery({
    queryKey: ["why empty", source.database, source.caller, look, view, at],
    queryFn: ({ signal }) => reasonOf(source, { layer, collection, view, at }, signal),
    retry: false,
    gcTime: 0,
  });
  const [isGone, setIsGone] = useState(false);
  if (!data || isGone) return null;
  const without = (): void =>
    props.onChange(layers.map((each) => (each.id === layer.id ? { ...each, filter: null } : each)));
  const go = (): void => {
    setIsGone(true);
    if (data.kind === "elsewhere" && map) fitTo(map, toMetres(data.box));
    if (data.kind === "scale") map?.getView().setResolution(COARSEST / 2 ** data.zoom);
    if (data.kind === "filter") without();
    if (data.kind === "time") props.onNow();
  };
  const way = wayOf(data, view);
  return (
    <p>
      {!isAlone && <strong>{titleOf(layer, source, collections)}: </strong>}
      {SENTENCES[data.kind]}{" "}
      {way !== undefined && (
        <button type="button" onClick={go}>
          {way}
        </button>
      )}
      {data.kind === "none" && props.rowsOf?.(layer.collection!)}
    </p>
  );
}

const SENTENCES: Readonly<Record<Reason["kind"], string>> = {
  scale: t("Its style draws nothing at this scale."),
  class: t("No class of its style draws the rows that are here."),
  elsewhere: t("There is nothing in this view."),
  filter: t("No row matches its filter."),
  time: t("It had no rows then."),
  none: t("There is no row with a geometry that you may see."),
};

/** The text of the button; undefined where no press of one helps. */
function wayOf(reason: Reason, view: EmptyView): string | undefined {
  if (reason.kind === "elsewhere") return t("Zoom to its rows");
  if (reason.kind === "scale") return reason.zoom > view.zoom ? t("Zoom in") : t("Zoom out");
  if (reason.kind === "filter") return t("Remove the filter");
  return reason.kind === "time" ? t("Show it now") : undefined;
}

/** The map with its layers, and the selection. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type OlMap from "ol/Map.js";
import { lazy, Suspense, useCallback, useMemo, useState } from "react";
import { mayLoadBasemaps } from "../../service/http/address.ts";
import { tableOfCollection } from "../../service/maps.ts";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import type { EmptyView } from "../../ui/map/layers/emptiness.ts";
import { EmptyMap } from "../../ui/map/layers/EmptyMap.tsx";
import type { Found, PickedPlace } from "../../ui/map/layers/featuresAt.ts";
import { LayeredMap } from "../../ui/map/layers/LayeredMap.tsx";
import type { ShownLayer } from "../../ui/map/layers/layerStack.ts";
import { collectionsOf, titleOf, type Collection, type MapSource } from "../../ui/map/layers/mapSource.ts";
import { MapTime } from "../../ui/map/layers/MapTime.tsx";
import { useFound } from "../../ui/map/layers/useFound.ts";
import { EditButton, LayerEditor } from "./edit/LayerEditor.tsx";
import { FeaturePanel } from "./FeaturePanel.tsx";
import { FollowWrites } from "./FollowWrites.tsx";
import { LayerDetails } from "./LayerDetails.tsx";
import { hasCollection } from "./layerList.ts";
import { LayerPanel } from "./LayerPanel.tsx";
import { SavedMaps } from "./SavedMaps.tsx";
import { SaveTools } from "./SaveTools.tsx";
import { TableList } from "./TableList.tsx";
import { useSelection } from "./useSelection.ts";
import { useOpenMap, type OpenedMap } from "./useOpenMap.ts";
import { useHiddenFromVisitors } from "./visitors.ts";
import { t } from "../../words/words.ts";

const LayerStyle = lazy(async () => ({ default: (await import("./LayerStyle.tsx")).LayerStyle }));

export interface WorkspacePageProps extends OpenedMap {
  readonly source: MapSource;
  /** Of the last reading of the map, which stays as it is. */
  readonly error: Error | null;
  /** Whether the style of the first layer is open. */
  readonly hasStyleOpen: boolean;
}

export function WorkspacePage({ source, error, hasStyleOpen, ...given }: WorkspacePageProps) {
  const { saved } = given;
  const open = useOpenMap(given);
  const { layers, setLayers, at, setAt, opened, put, rest } = open;
  const [errors, setErrors] = useState<ReadonlyMap<string, Error>>(new Map());
  const [map, setMap] = useState<OlMap | null>(null);
  const [empty, setEmpty] = useState<EmptyView>();
  const { showOn, show } = useFound();
  const collections = useQuery(collectionsOf(source)).data;
  const isHidden = useHiddenFromVisitors(source, saved);
  const { chosen, picked, edited, isEditing, setChosen, edit, pick, close } = useSelection(layers, hasStyleOpen);
  const [writes, redraw] = useWrites();
  const shown = useMemo(() => shownOf(layers, edited, writes), [layers, edited, writes]);
  const hold = (held: OlMap | null): void => {
    showOn(held);
    setMap(held);
  };
  return (
    <section className="workspace" aria-label={t("Maps")}>
      <Head source={source} saved={saved} open={open} />
      <ErrorNote error={error} />
      <FollowWrites layers={layers} collections={collections} at={at} onWritten={redraw} />
      <div className="work">
        <div className="left-panel">
          <LayerPanel
            {...{ source, collections, layers, errors, isHidden, chosen, edited }}
            onChoose={isEditing ? () => undefined : setChosen}
            onChange={setLayers}
          />
          {!layers.some(hasCollection) && <TableList />}
          <SavedMaps open={saved?.name} hasTable={given.first !== undefined} />
        </div>
        <div className="map-view">
          <MapTime layers={layers} collections={collections} at={at} onChange={setAt} />
          <LayeredMap
            label={saved ? t("Map {title}", { title: saved.title ?? saved.name }) : t("Map")}
            source={source}
            layers={shown}
            at={at}
            place={opened}
            onErrors={setErrors}
            onEmpty={setEmpty}
            onMove={rest}
            {...(!isEditing && { onPick: pick })}
            onMap={hold}
          />
          <EmptyMap
            {...{ source, map, collections, errors, at }}
            layers={shown}
            view={empty}
            onChange={(next) => setLayers(layers.map((each) => changed(each, next)))}
            onNow={() => setAt(undefined)}
            rowsOf={rowsOf}
          />
        </div>
        <SidePanel
          source={source}
          collections={collections}
          layers={layers}
          chosen={chosen}
          picked={picked}
          at={at}
          map={map}
          isEditing={isEditing}
          hasStyleOpen={hasStyleOpen}
          onEdit={edit}
          onPut={put}
          onFound={show}
          onClose={() => {
            close();
            show([]);
          }}
        />
      </div>
    </section>
  );
}

/** The layer as the map has it now, without what it has for the map alone. */
function changed(layer: ShownLayer, next: readonly ShownLayer[]): ShownLayer {
  const { visible, opacity, filter } = next.find(({ id }) => id === layer.id) ?? layer;
  return {
    ...layer,
    ...(visible !== undefined && { visible }),
    ...(opacity !== undefined && { opacity }),
    ...(filter !== undefined && { filter }),
  };
}

function rowsOf(collection: string) {
  const [schema, table] = tableOfCollection(collection);
  return (
    <Link to="/data/$schema/$table" params={{ schema, table }}>
      {t("Rows")}
    </Link>
  );
}

interface HeadProps extends Pick<WorkspacePageProps, "source" | "saved"> {
  readonly open: ReturnType<typeof useOpenMap>;
}

function Head({ source, saved, open }: HeadProps) {
  return (
    <div className="head">
      <h1>{saved ? (saved.title ?? saved.name) : t("New map")}</h1>
      <SaveTools
        source={source}
        saved={saved}
        version={open.version}
        isChanged={open.isChanged}
        draft={open.draft}
        at={open.at}
        onVersion={open.setVersion}
        onSaved={open.setSaved}
        onDiscard={open.discard}
      />
    </div>
  );
}

/** How often each table has been written since the map was opened, by its collection. */
function useWrites() {
  const [writes, setWrites] = useState<ReadonlyMap<string, number>>(new Map());
  const redraw = useCallback(
    (id: string) => setWrites((before) => new Map(before).set(id, (before.get(id) ?? 0) + 1)),
    [],
  );
  return [writes, redraw] as const;
}

interface SidePanelProps {
  readonly source: MapSource;
  readonly collections: ReadonlyMap<string, Collection> | undefined;
  readonly layers: readonly ShownLayer[];
  /** The id of the chosen layer. */
  readonly chosen: string | undefined;
  readonly picked: PickedPlace | undefined;
  readonly at: string | undefined;
  readonly map: OlMap | null;
  readonly isEditing: boolean;
  readonly hasStyleOpen: boolean;
  readonly onEdit: () => void;
  readonly onPut: (layer: ShownLayer) => void;
  readonly onFound: (found: readonly Found[]) => void;
  readonly onClose: () => void;
}

/** The selection: a layer, or the features at a place. */
function SidePanel(props: SidePanelProps) {
  const { source, collections, layers, chosen, picked, at, map, isEditing } = props;
  const { hasStyleOpen, onEdit, onPut, onFound, onClose } = props;
  const layer = layers.find(({ id }) => id === chosen);
  if (layer && isEditing && map)
    return (
      <LayerEditor
        collection={layer.collection!}
        map={map}
        onSaved={() => onPut({ ...layer, written: (layer.written ?? 0) + 1 })}
        onClose={onClose}
      />
    );
  if (layer)
    return (
      <LayerDetails
        source={source}
        layer={layer}
        title={titleOf(layer, source, collections)}
        collection={layer.collection === undefined ? undefined : collections?.get(layer.collection)}
        onPut={onPut}
        onClose={onClose}
      >
        {layer.collection !== undefined && (
          <Suspense>
            <LayerStyle key={layer.id} source={source} layer={layer} isOpen={hasStyleOpen} onPut={onPut} />
          </Suspense>
        )}
        {layer.collection !== undefined && <EditButton collection={layer.collection} at={at} onEdit={onEdit} />}
      </LayerDetails>
    );
  if (!picked) return null;
  return (
    <FeaturePanel
      source={source}
      picked={picked}
      layers={layers.filter((each) => collections?.get(each.collection ?? "")?.isRaster === false)}
      at={at}
      onClose={onClose}
      onFound={onFound}
    />
  );
}

/**
 * The layers without those that this page may not load. The edited layer is marked as replaced, since it is drawn by
 * the editor.
 */
function shownOf(
  layers: readonly ShownLayer[],
  edited: string | undefined,
  writes: ReadonlyMap<string, number>,
): readonly ShownLayer[] {
  return layers
    .filter(({ basemap }) => mayLoadBasemaps || basemap === undefined)
    .map((layer) => ({ ...layer, written: (layer.written ?? 0) + (writes.get(layer.collection ?? "") ?? 0) }))
    .map((layer) => (layer.id === edited ? { ...layer, isReplaced: true } : layer));
}

/** The choices for a layer: collections that the account may read, the administrator's basemaps, and the land. */
import { useState } from "react";
import type { MapLayer } from "../../service/maps.ts";
import { Dialog } from "../../ui/forms/Dialog.tsx";
import type { Collection, MapSource } from "../../ui/map/layers/mapSource.ts";
import { t } from "../../words/words.ts";

export interface AddLayerDialogProps {
  readonly source: MapSource;
  readonly collections: ReadonlyMap<string, Collection> | undefined;
  readonly onAdd: (layer: MapLayer) => void;
  readonly onClose: () => void;
}

/** The most results in the list. Further ones are only counted. */
const MOST_SHOWN = 200;

export function AddLayerDialog({ source, collections, onAdd, onClose }: AddLayerDialogProps) {
  const [search, setSearch] = useState("");
  const wanted = search.toLowerCase();
  const found = [...(collections?.values() ?? [])].filter(({ id, title }) =>
    [id, title].some((text) => text.toLowerCase().includes(wanted)),
  );
  const grounds: readonly (readonly [title: string, layer: MapLayer])[] = [
    [t("Land"), { land: true }] as const,
    ...Object.entries(source.basemaps).map(([name, { title = name }]) => [title, { basemap: name }] as const),
  ].filter(([title]) => title.toLowerCase().includes(wanted));
  const add = (layer: MapLayer): void => {
    onAdd(layer);
    onClose();
  };
  return (
    <Dialog title={t("Add a layer")} onClose={onClose}>
      <input
        type="search"
        className="wide"
        aria-label={t("Find a layer")}
        placeholder={t("Find a layer")}
        value={search}
        autoFocus
        onChange={({ target }) => setSearch(target.value)}
      />
      {found.length === 0 && grounds.length === 0 && (
        <p className="quiet">{t("No table with a geometry has that name, or you may not see one.")}</p>
      )}
      <ul className="choices">
        {found.slice(0, MOST_SHOWN).map(({ id, title, isRaster }) => (
          <li key={id}>
            <button type="button" className="plain" onClick={() => add({ collection: id })}>
              {title === id ? id : `${title} (${id})`}
            </button>
            {isRaster && <span className="quiet"> {t("raster")}</span>}
          </li>
        ))}
      </ul>
      {found.length > MOST_SHOWN && (
        <p className="quiet">{t("{count} more: type a part of the name.", { count: found.length - MOST_SHOWN })}</p>
      )}
      {grounds.length > 0 && (
        <>
          <h3>{t("Basemaps")}</h3>
          <ul className="choices">
            {grounds.map(([title, layer]) => (
              <li key={layer.basemap ?? ""}>
                <button type="button" className="plain" onClick={() => add(layer)}>
                  {title}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      <div className="tools">
        <button type="button" className="plain" onClick={onClose}>
          {t("Cancel")}
        </button>
      </div>
    </Dialog>
  );
}

/** The layers of the map, the front one first: order, visibility, opacity and legend. */
import { ArrowDown, ArrowUp, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { Icon } from "../../ui/Icon.tsx";
import { shownStyleOf, type ShownLayer } from "../../ui/map/layers/layerStack.ts";
import { Legend, LegendSymbol } from "../../ui/map/layers/Legend.tsx";
import { coloured } from "../../ui/map/layers/palette.ts";
import { titleOf, type Collection, type MapSource } from "../../ui/map/layers/mapSource.ts";
import { AddLayerDialog } from "./AddLayerDialog.tsx";
import { moved, withAdded, withId } from "./layerList.ts";
import type { IsHidden } from "./visitors.ts";
import { t } from "../../words/words.ts";

export interface LayerPanelProps {
  readonly source: MapSource;
  readonly collections: ReadonlyMap<string, Collection> | undefined;
  /** The layers, the lowest first. */
  readonly layers: readonly ShownLayer[];
  readonly errors: ReadonlyMap<string, Error>;
  /** Whether visitors of the public page do not see a layer. */
  readonly isHidden: IsHidden;
  readonly chosen: string | undefined;
  /** The layer that is edited; it cannot be removed. */
  readonly edited: string | undefined;
  readonly onChoose: (id: string | undefined) => void;
  readonly onChange: (layers: readonly ShownLayer[]) => void;
}

export function LayerPanel(props: LayerPanelProps) {
  const { source, collections, layers, errors, isHidden, chosen, edited, onChoose, onChange } = props;
  const [isAdding, setIsAdding] = useState(false);
  const put = (next: ShownLayer): void => onChange(layers.map((each) => (each.id === next.id ? next : each)));
  return (
    <section className="layer-panel" aria-label={t("Layers")}>
      <div className="head">
        <h2>{t("Layers")}</h2>
        <span className="tools">
          <button type="button" onClick={() => setIsAdding(true)}>
            <Icon of={Plus} size={16} />
            {t("Add a layer")}
          </button>
        </span>
      </div>
      <ErrorNote error={errors.get("") ?? null} />
      {layers.length === 0 && <p className="quiet">{t("The map is empty. Add a layer to begin.")}</p>}
      <ol className="layers">
        {layers.toReversed().map((layer) => (
          <LayerItem
            key={layer.id}
            source={source}
            layer={layer}
            title={titleOf(layer, source, collections)}
            error={errors.get(layer.id)}
            isHidden={isHidden(layer)}
            isChosen={layer.id === chosen}
            isEdited={layer.id === edited}
            onChoose={() => onChoose(layer.id === chosen ? undefined : layer.id)}
            onPut={put}
            onMove={(by) => onChange(moved(layers, layer.id, by))}
            onRemove={() => onChange(layers.filter(({ id }) => id !== layer.id))}
          />
        ))}
      </ol>
      {isAdding && (
        <AddLayerDialog
          source={source}
          collections={collections}
          onAdd={(layer) => {
            const added = withId(layer);
            onChange(coloured(withAdded(layers, added)));
            onChoose(added.id);
          }}
          onClose={() => setIsAdding(false)}
        />
      )}
    </section>
  );
}

interface LayerItemProps {
  readonly source: MapSource;
  readonly layer: ShownLayer;
  readonly title: string;
  readonly error: Error | undefined;
  readonly isHidden: boolean;
  readonly isChosen: boolean;
  readonly isEdited: boolean;
  readonly onChoose: () => void;
  readonly onPut: (layer: ShownLayer) => void;
  readonly onMove: (by: 1 | -1) => void;
  readonly onRemove: () => void;
}

function LayerItem(props: LayerItemProps) {
  const { source, layer, title, error, isHidden, isChosen, isEdited, onChoose, onPut, onMove, onRemove } = props;
  const { visible = true, opacity = 1, collection } = layer;
  const style = shownStyleOf(layer);
  return (
    <li className={isChosen ? "layer chosen" : "layer"}>
      <div className="layer-head">
        <input
          type="checkbox"
          aria-label={t("Show {title}", { title })}
          checked={visible}
          onChange={({ target }) => onPut({ ...layer, visible: target.checked })}
        />
        {collection !== undefined && (
          <LegendSymbol source={source} collection={collection} own={style} color={layer.color} />
        )}
        <button type="button" className="plain layer-title" aria-pressed={isChosen} onClick={onChoose}>
          {title}
        </button>
        <button
          type="button"
          className="plain"
          aria-label={t("Move {title} to the front", { title })}
          onClick={() => onMove(1)}
        >
          <Icon of={ArrowUp} size={14} />
        </button>
        <button
          type="button"
          className="plain"
          aria-label={t("Move {title} to the back", { title })}
          onClick={() => onMove(-1)}
        >
          <Icon of={ArrowDown} size={14} />
        </button>
        <button
          type="button"
          className="plain"
          aria-label={t("Remove {title}", { title })}
          aria-disabled={isEdited}
          onClick={onRemove}
        >
          <Icon of={Trash2} size={14} />
        </button>
      </div>
      <input
        type="range"
        aria-label={t("Opacity of {title}", { title })}
        aria-valuetext={`${Math.round(opacity * 100)} %`}
        min={0}
        max={1}
        step={0.05}
        value={opacity}
        onChange={({ target }) => onPut({ ...layer, opacity: Number(target.value) })}
      />
      {isHidden && <p className="quiet">{t("Not shown to visitors")}</p>}
      <ErrorNote error={error ?? null} />
      {visible && collection !== undefined && (
        <Legend source={source} collection={collection} own={style} color={layer.color} />
      )}
    </li>
  );
}

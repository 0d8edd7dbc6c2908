/** Settings of the chosen layer: how it is loaded, which features it shows, and its name on the map. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useState, type ReactNode } from "react";
import { service } from "../../service/http/address.ts";
import { MakeFileButton } from "../../ui/files/DownloadDialog.tsx";
import { Field } from "../../ui/forms/Field.tsx";
import { needsTiles } from "../../ui/map/layers/collectionLayers.ts";
import { shownStyleOf, type ShownLayer } from "../../ui/map/layers/layerStack.ts";
import { styleLayersOf } from "../../ui/map/layers/Legend.tsx";
import { collectionPathOf, type Collection, type MapSource } from "../../ui/map/layers/mapSource.ts";
import { t } from "../../words/words.ts";

export interface LayerDetailsProps {
  readonly source: MapSource;
  readonly layer: ShownLayer;
  readonly title: string;
  readonly collection: Collection | undefined;
  readonly onPut: (layer: ShownLayer) => void;
  readonly onClose: () => void;
  /** Tools of the layer, such as editing. */
  readonly children?: ReactNode;
}

const SHOWN = [
  ["tiles", t("Vector tiles: any number of rows")],
  ["features", t("Features: up to 5,000 in view")],
  ["map", t("Pictures, drawn by the service")],
] as const;

export function LayerDetails({ source, layer, title, collection, onPut, onClose, children }: LayerDetailsProps) {
  const [schema = "", ...rest] = (layer.collection ?? "").split(".");
  return (
    <section className="side-panel" aria-label={t("Layer {title}", { title })}>
      <div className="head">
        <h2>{title}</h2>
        <span className="tools">
          <button type="button" className="plain" onClick={onClose}>
            {t("Close")}
          </button>
        </span>
      </div>
      <div className="fields">
        <Field label={t("Name on the map")}>
          <input
            value={layer.title ?? ""}
            maxLength={200}
            placeholder={title}
            onChange={({ target }) => onPut({ ...layer, title: target.value === "" ? null : target.value })}
          />
        </Field>
        {collection && !collection.isRaster && (
          <>
            <Field label={t("Loaded as")}>
              <select
                value={layer.show ?? "tiles"}
                onChange={({ target }) => onPut({ ...layer, show: target.value as "tiles" })}
              >
                {SHOWN.map(([value, text]) => (
                  <option key={value} value={value}>
                    {text}
                  </option>
                ))}
              </select>
            </Field>
            {layer.show === "features" && <TilesNote source={source} layer={layer} />}
            <FilterField key={layer.id} layer={layer} onPut={onPut} />
          </>
        )}
      </div>
      {children}
      {collection && !collection.isRaster && (
        <div className="tools">
          <MakeFileButton collection={collection.id} title={title} filter={layer.filter ?? undefined} />
        </div>
      )}
      {collection && (
        <p className="quiet">
          <Link to="/data/$schema/$table" params={{ schema, table: rest.join(".") }}>
            {t("Rows")}
          </Link>
          {" · "}
          <a href={`${service}${collectionPathOf(source, collection.id)}`}>{t("As a collection")}</a>
          {collection.description !== undefined && ` · ${collection.description}`}
        </p>
      )}
    </section>
  );
}

/** Says that the style cannot be drawn from features alone. */
function TilesNote({ source, layer }: Pick<LayerDetailsProps, "source" | "layer">) {
  const { data } = useQuery(styleLayersOf(source, layer.collection!, { own: shownStyleOf(layer), color: layer.color }));
  if (!data || !needsTiles(data)) return null;
  return (
    <p className="quiet">
      {t("Its style has labels, sizes or classes that the database computes. The map draws it by vector tiles.")}
    </p>
  );
}

/** The filter of a layer. It is applied on leaving the field or pressing Enter, since half a condition is an error. */
function FilterField({ layer, onPut }: Pick<LayerDetailsProps, "layer" | "onPut">) {
  const [text, setText] = useState(layer.filter ?? "");
  useEffect(() => setText(layer.filter ?? ""), [layer.filter]);
  const apply = (): void => onPut({ ...layer, filter: text.trim() === "" ? null : text.trim() });
  return (
    <Field label={t("Only where")} hint={t("A condition in CQL2, such as population > 100000 AND name LIKE 'B%'")}>
      <input
        value={text}
        maxLength={10_000}
        spellCheck={false}
        onChange={({ target }) => setText(target.value)}
        onBlur={apply}
        onKeyDown={({ key }) => key === "Enter" && apply()}
      />
    </Field>
  );
}

/** The choice of a layer's style: that of its collection, another one of the collection, or one of the layer itself. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import type { OwnStyle, Style } from "../../service/maps.ts";
import { Field } from "../../ui/forms/Field.tsx";
import type { ShownLayer } from "../../ui/map/layers/layerStack.ts";
import { collectionPathOf, type MapSource } from "../../ui/map/layers/mapSource.ts";
import { t } from "../../words/words.ts";

interface NamedStyles {
  readonly default: string;
  readonly styles: readonly { readonly id: string; readonly title: string }[];
}

const namedStylesOf = (source: MapSource, collection: string) =>
  queryOptions({
    queryKey: ["styles of a collection", source.database, source.caller, collection],
    queryFn: async ({ signal }) => {
      const response = await source.ask(`${collectionPathOf(source, collection)}/styles?f=json`, { signal });
      return (await response.json()) as NamedStyles;
    },
  });

export interface StyleChoiceProps {
  readonly source: MapSource;
  readonly layer: ShownLayer;
  /** The classes with which a style of the layer itself begins; undefined while they load. */
  readonly first: Style | undefined;
  readonly onPut: (layer: ShownLayer) => void;
}

/** The values of the choice that are no names of styles. */
const [COLLECTION, OWN] = ["", " own"];

export function StyleChoice({ source, layer, first, onPut }: StyleChoiceProps) {
  const { data } = useQuery(namedStylesOf(source, layer.collection!));
  const { style } = layer;
  const value = typeof style === "string" ? style : style ? OWN : COLLECTION;
  const names = data?.styles.filter(({ id }) => id !== data.default) ?? [];
  const isGone = typeof style === "string" && data !== undefined && !names.some(({ id }) => id === style);
  return (
    <Field label={t("Drawn with")}>
      <select
        value={value}
        onChange={({ target: { value: chosen } }) => {
          const { style: _style, ...others } = layer;
          onPut({
            ...others,
            draft: undefined,
            ...(chosen !== COLLECTION && { style: chosen === OWN ? (first as OwnStyle) : chosen }),
          });
        }}
      >
        <option value={COLLECTION}>{t("the style of the table")}</option>
        {names.map(({ id, title }) => (
          <option key={id} value={id}>
            {title} ({id})
          </option>
        ))}
        {isGone && <option value={style}>{style}</option>}
        <option value={OWN} disabled={first === undefined}>
          {t("a style of this layer alone")}
        </option>
      </select>
    </Field>
  );
}

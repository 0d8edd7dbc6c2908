/**
 * The style of a layer, next to the map: that of its collection, which super users change here, one of the collection's
 * others, or one of the layer itself, which is saved with the map. The map shows changes at once.
 */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useRef } from "react";
import { shapeOf, styleOf, type Style } from "../../service/maps.ts";
import { tablesOf } from "../../service/tables/tables.ts";
import { useAccount } from "../../ui/hooks/useAccount.ts";
import { readStyle } from "../../ui/map/layers/collectionLayers.ts";
import type { ShownLayer } from "../../ui/map/layers/layerStack.ts";
import { styleLayersOf } from "../../ui/map/layers/Legend.tsx";
import type { MapSource } from "../../ui/map/layers/mapSource.ts";
import { wholeOf } from "../../ui/map/style/StyleClasses.tsx";
import { StyleEditor } from "../../ui/map/style/StyleEditor.tsx";
import { OwnStyleEditor } from "./OwnStyleEditor.tsx";
import { StyleChoice } from "./StyleChoice.tsx";
import { t } from "../../words/words.ts";

/** The number of checks for the new style, and the pause between them in ms. */
const [TRIES, PAUSE_MS] = [20, 250];

export interface LayerStyleProps {
  readonly source: MapSource;
  readonly layer: ShownLayer;
  readonly isOpen: boolean;
  readonly onPut: (layer: ShownLayer) => void;
}

export function LayerStyle({ source, layer, isOpen, onPut }: LayerStyleProps) {
  const client = useQueryClient();
  const { data: account } = useAccount();
  const isSuper = account?.superUser ?? false;
  const [schema = "", ...rest] = (layer.collection ?? "").split(".");
  const name = rest.join(".");
  const table = useQuery(tablesOf(schema)).data?.find((each) => each.name === name);
  const shape = table && shapeOf(table);
  const { data: stored, isLoading } = useQuery({
    ...styleOf(schema, name),
    enabled: isSuper && shape !== undefined,
  });
  const waits = useRef(false);
  const latest = useRef({ layer, onPut });
  latest.current = { layer, onPut };
  const draw = useCallback((draft: Style | undefined) => {
    const { layer: now, onPut: put } = latest.current;
    if (draft === undefined && waits.current) return; // the saved style stays a draft here until the service draws it
    if (now.draft !== draft) put({ ...now, draft });
  }, []);
  if (!table || !shape) return null;

  /** Waits for the service, which notices a new style within seconds. */
  async function saved(): Promise<void> {
    const { queryKey } = styleLayersOf(source, layer.collection!);
    const before = JSON.stringify(client.getQueryData(queryKey));
    waits.current = true;
    for (let tries = 0; tries < TRIES; tries++) {
      const after = await readStyle(source, layer.collection!).catch(() => undefined);
      if (after && JSON.stringify(after) !== before) break;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    waits.current = false;
    await client.invalidateQueries({ queryKey });
    const { layer: now, onPut: put } = latest.current;
    put({ ...now, draft: undefined, styled: (now.styled ?? 0) + 1 });
  }

  return (
    <details className="layer-style" open={isOpen}>
      <summary>{t("Style")}</summary>
      <StyleChoice
        {...{ source, layer, onPut }}
        first={isLoading ? undefined : stored?.length ? stored : [wholeOf(shape)]}
      />
      {typeof layer.style === "object" && layer.style ? (
        <OwnStyleEditor {...{ schema, table, shape, layer, onPut }} />
      ) : (
        stored &&
        !layer.style && (
          <StyleEditor
            schema={schema}
            table={table}
            shape={shape}
            stored={stored}
            onDraft={draw}
            onSaved={() => void saved()}
          />
        )
      )}
    </details>
  );
}

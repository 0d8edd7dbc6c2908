/** The classes of a layer's own style. Saving the map saves them. */
import { useEffect, useRef, useState } from "react";
import type { OwnStyle, Shape, Style } from "../../service/maps.ts";
import type { Table } from "../../service/rows/relations.ts";
import { useSettled } from "../../ui/hooks/useSettled.ts";
import { useUndo } from "../../ui/hooks/useUndo.ts";
import type { ShownLayer } from "../../ui/map/layers/layerStack.ts";
import { StyleClasses } from "../../ui/map/style/StyleClasses.tsx";
import { t } from "../../words/words.ts";

export interface OwnStyleEditorProps {
  readonly schema: string;
  readonly table: Table;
  readonly shape: Shape;
  readonly layer: ShownLayer;
  readonly onPut: (layer: ShownLayer) => void;
}

/** The pause after a change before the map is drawn again, in ms. */
const PAUSE = 200;

export function OwnStyleEditor({ schema, table, shape, layer, onPut }: OwnStyleEditorProps) {
  const { value: style, change, undo } = useUndo(layer.style as Style);
  const settled = useSettled(style, PAUSE);
  /** Incremented when the fields are replaced as a whole. */
  const [round, setRound] = useState(0);
  const latest = useRef({ layer, onPut });
  latest.current = { layer, onPut };
  useEffect(() => {
    const { layer: now, onPut: put } = latest.current;
    if (settled.length > 0 && now.style !== settled) put({ ...now, style: settled as OwnStyle });
  }, [settled]);

  return (
    <div className="style-editor">
      <div className="tools">
        <button
          type="button"
          aria-disabled={!undo}
          onClick={() => {
            undo?.();
            setRound(round + 1);
          }}
        >
          {t("Undo")}
        </button>
        <span className="quiet">{t("It is saved with the map.")}</span>
      </div>
      <StyleClasses
        {...{ schema, table, shape, style, round }}
        onChange={change}
        onReplace={(next) => {
          if (next.length === 0) return; // a style has a class at least
          change(next);
          setRound(round + 1);
        }}
      />
    </div>
  );
}

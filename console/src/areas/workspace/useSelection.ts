/** The chosen layer or place of the map, and the layer that is edited. */
import { useState } from "react";
import type { PickedPlace } from "../../ui/map/layers/featuresAt.ts";
import type { ShownLayer } from "../../ui/map/layers/layerStack.ts";
import { hasKeptEdits } from "./edit/keptEdits.ts";
import { hasCollection } from "./layerList.ts";

/** A layer with unsaved edits is open again. `hasFirst`: otherwise the first layer with a table is chosen. */
export function useSelection(layers: readonly ShownLayer[], hasFirst: boolean) {
  const [unsaved] = useState(() =>
    layers.find(({ collection }) => collection !== undefined && hasKeptEdits(collection)),
  );
  const [chosen, setChosen] = useState(() => (unsaved ?? (hasFirst ? layers.find(hasCollection) : undefined))?.id);
  const [picked, setPicked] = useState<PickedPlace>();
  const [edited, setEdited] = useState(unsaved?.id);
  return {
    /** The id of the chosen layer. */
    chosen,
    picked,
    /** The id of the edited layer. */
    edited,
    isEditing: layers.some(({ id }) => id === edited),
    setChosen,
    edit: (): void => setEdited(chosen),
    pick(lonLat: PickedPlace["lonLat"], degreesInPixel: number): void {
      setChosen(undefined);
      setPicked({ lonLat, degreesInPixel });
    },
    close(): void {
      setEdited(undefined);
      setChosen(undefined);
      setPicked(undefined);
    },
  };
}

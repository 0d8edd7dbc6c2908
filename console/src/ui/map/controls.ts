/** The buttons and keys of every map, in the person's language. */
import type Control from "ol/control/Control.js";
import { defaults } from "ol/control/defaults.js";
import type Collection from "ol/Collection.js";
import { t } from "../../words/words.ts";

export function mapControls(): Collection<Control> {
  return defaults({
    rotate: false,
    zoomOptions: { zoomInTipLabel: t("Zoom in"), zoomOutTipLabel: t("Zoom out") },
  });
}

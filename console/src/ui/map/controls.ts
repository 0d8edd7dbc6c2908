/** The buttons and keys of every map, in the person's language. */
import type Control from "ol/control/Control.js";
import { defaults } from "ol/control/defaults.js";
import type Collection from "ol/Collection.js";
import { t } from "../../words/words.ts";

/** `attributions`: how they are shown. */
export function mapControls(attributions?: { readonly collapsible: boolean }): Collection<Control> {
  return defaults({
    rotate: false,
    ...(attributions && { attributionOptions: attributions }),
    zoomOptions: { zoomInTipLabel: t("Zoom in"), zoomOutTipLabel: t("Zoom out") },
  });
}

/** Marks the found features on the map. */
import Feature from "ol/Feature.js";
import VectorLayer from "ol/layer/Vector.js";
import type OlMap from "ol/Map.js";
import VectorSource from "ol/source/Vector.js";
import { useMemo, useRef } from "react";
import { geojson } from "../land.ts";
import type { Found } from "./featuresAt.ts";
import { shapeStyle } from "../VectorMap.tsx";

/** The z-index above all layers of the map. */
const FRONT = 1000;

export function useFound() {
  const [source] = [useRef(new VectorSource({ wrapX: false })).current];
  const marks = useRef<VectorLayer>(null);
  return useMemo(
    () => ({
      /** The map to mark them on; null when it is gone. */
      showOn(map: OlMap | null): void {
        marks.current?.dispose();
        marks.current = null;
        const element = map?.getTargetElement();
        if (!map || !element) return;
        marks.current = new VectorLayer({ source, zIndex: FRONT, style: () => shapeStyle(element, true) });
        map.addLayer(marks.current);
      },
      show(found: readonly Found[]): void {
        source.clear();
        for (const { geometry } of found.flatMap(({ features }) => features))
          if (geometry)
            source.addFeature(
              new Feature(geojson.readGeometry(geometry, { featureProjection: "EPSG:3857" }) ?? undefined),
            );
      },
    }),
    [source],
  );
}

/** Draws a geometry on the map, or changes one by its points. GeoJSON can also be typed. */
import type Geometry from "ol/geom/Geometry.js";
import type { Type } from "ol/geom/Geometry.js";
import Feature from "ol/Feature.js";
import Draw from "ol/interaction/Draw.js";
import Modify from "ol/interaction/Modify.js";
import VectorLayer from "ol/layer/Vector.js";
import Map from "ol/Map.js";
import VectorSource from "ol/source/Vector.js";
import { useEffect, useRef, useState } from "react";
import { onThemeChange } from "../theme.ts";
import { Dialog } from "../forms/Dialog.tsx";
import { mapControls } from "./controls.ts";
import { geojson, landLayer } from "./land.ts";
import { fit, isOnMap, shapeStyle, worldView } from "./VectorMap.tsx";
import { t } from "../../words/words.ts";

const TYPES = ["Point", "LineString", "Polygon", "MultiPoint", "MultiLineString", "MultiPolygon"] as const;

/** As the service writes degrees, so that a position that is not moved keeps its numbers. */
const DECIMALS = 9;

export interface DrawDialogProps {
  readonly title: string;
  /** Type of the column, in PostgreSQL's notation. */
  readonly sqlType: string;
  /** GeoJSON, or the beginning of it. */
  readonly text: string;
  readonly onDone: (text: string) => void;
  readonly onClose: () => void;
}

/** The types that can be drawn: only one where the column has a fixed type. */
function typesOf(sqlType: string): readonly Type[] {
  const one = TYPES.filter((type) => new RegExp(`\\(${type}(Z?M?)\\b`, "i").test(sqlType));
  return one.length > 0 ? one : TYPES;
}

function readGeometry(text: string): Geometry | undefined {
  try {
    return geojson.readGeometry(text) ?? undefined;
  } catch {
    return undefined; // a new geometry is drawn
  }
}

export function DrawDialog({ title, sqlType, text, onDone, onClose }: DrawDialogProps) {
  const target = useRef<HTMLDivElement>(null);
  const types = typesOf(sqlType);
  const [type, setType] = useState<Type>(types[0]!);
  const [source] = useState(() => {
    const geometry = readGeometry(text);
    return new VectorSource({ features: geometry ? [new Feature(geometry)] : [], wrapX: false });
  });
  const [isOutside] = useState(() => !source.isEmpty() && !isOnMap(source));
  /** Whether something was drawn or moved. */
  const [isChanged, setIsChanged] = useState(false);

  useEffect(() => {
    const element = target.current!;
    const layers = [landLayer(element), new VectorLayer({ source, style: () => shapeStyle(element, true) })];
    const map = new Map({
      target: element,
      pixelRatio: devicePixelRatio,
      layers,
      view: worldView(),
      keyboardEventTarget: element,
      controls: mapControls(),
    });
    const stop = onThemeChange(() => layers.forEach((layer) => layer.changed()));
    const draw = new Draw({ type, source });
    draw.on("drawstart", () => source.clear());
    const modify = new Modify({ source });
    const change = (): void => setIsChanged(true);
    source.on("addfeature", change);
    modify.on("modifyend", change);
    map.addInteraction(modify);
    map.addInteraction(draw);
    fit(map, source);
    return () => {
      stop();
      map.setTarget(undefined);
    };
  }, [type, source]);

  function done(): void {
    const geometry = source.getFeatures()[0]?.getGeometry();
    if (geometry) onDone(geojson.writeGeometry(geometry, { decimals: DECIMALS }));
    onClose();
  }

  return (
    // its keys must not reach the cell or form that has opened it
    <div onKeyDown={(event) => event.stopPropagation()} onDoubleClick={(event) => event.stopPropagation()}>
      <Dialog title={title} onClose={onClose}>
        <p className="quiet">
          {type.endsWith("Point") ? t("Click where it is.") : t("Click point by point; a double click ends it.")}{" "}
          {t("Drag a point to move it.")}
        </p>
        {types.length > 1 && (
          <select
            aria-label={t("What to draw")}
            value={type}
            onChange={({ target: { value } }) => setType(value as Type)}
          >
            {types.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        )}
        {isOutside && !isChanged && (
          <p className="note" role="status">
            {t("The shape is outside of the map. What you draw replaces it.")}
          </p>
        )}
        <div className="map-view">
          <div ref={target} className="map" role="application" aria-label={t("Map to draw on")} tabIndex={0} />
        </div>
        <div className="tools">
          <button type="button" aria-disabled={!isChanged} onClick={done}>
            {t("Apply")}
          </button>
          <button type="button" className="plain" onClick={onClose}>
            {t("Cancel")}
          </button>
        </div>
      </Dialog>
    </div>
  );
}

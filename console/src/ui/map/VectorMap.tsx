/** Geometries on a map; a click selects one. */
import { asArray } from "ol/color.js";
import { intersects } from "ol/extent.js";
import Feature from "ol/Feature.js";
import VectorLayer from "ol/layer/Vector.js";
import Map from "ol/Map.js";
import VectorSource from "ol/source/Vector.js";
import CircleStyle from "ol/style/Circle.js";
import Fill from "ol/style/Fill.js";
import Stroke from "ol/style/Stroke.js";
import Style from "ol/style/Style.js";
import View from "ol/View.js";
import "ol/ol.css";
import { useEffect, useRef } from "react";
import { colourOf } from "./colours.ts";
import { onThemeChange } from "../theme.ts";
import { mapControls } from "./controls.ts";
import { geojson, landLayer } from "./land.ts";

const FILL_OPACITY = 0.2;

/** The drawing of a shape on a map, in the colours of the map's element. */
export function shapeStyle(map: Element, isChosen: boolean): Style {
  const colour = colourOf(map, isChosen ? "--chosen" : "--shape");
  const stroke = new Stroke({ color: colour, width: 2 });
  const fill = new Fill({ color: [...asArray(colour).slice(0, 3), FILL_OPACITY] });
  return new Style({ stroke, fill, image: new CircleStyle({ radius: 5, stroke, fill }) });
}

/** With a margin, in degrees. */
const WORLD = [-190, -95, 190, 95];

/** Whether a part of a source is on the map. */
export function isOnMap(source: VectorSource): boolean {
  const extent = source.getExtent();
  return extent !== null && intersects(extent, WORLD);
}

export function worldView(): View {
  return new View({
    projection: "EPSG:4326",
    center: [0, 0],
    zoom: 1,
    extent: WORLD,
    showFullExtent: true,
  });
}

/** Fits the view to a source, if a part of it is on the map. For a single point it shows the surroundings. */
export function fit(map: Map, source: VectorSource): void {
  const extent = source.getExtent();
  if (extent?.every(Number.isFinite) && isOnMap(source))
    map.getView().fit(extent, { padding: [20, 20, 20, 20], maxZoom: 9 });
}

export interface Shape {
  readonly id: string;
  /** A GeoJSON geometry. */
  readonly geometry: object;
}

export interface VectorMapProps {
  readonly label: string;
  /** Must be the same array as long as it does not change. */
  readonly shapes: readonly Shape[];
  readonly chosen?: ReadonlySet<string>;
  readonly onChoose?: (id: string) => void;
  /** Called with the view in degrees when the map rests. */
  readonly onView?: (box: readonly number[]) => void;
}

const NONE: ReadonlySet<string> = new Set();

export function VectorMap({ label, shapes, chosen = NONE, onChoose, onView }: VectorMapProps) {
  const target = useRef<HTMLDivElement>(null);
  const map = useRef<Map>(null);
  const source = useRef(new VectorSource({ wrapX: false }));
  const hasFit = useRef(false);
  const now = useRef({ chosen, onChoose, onView });
  now.current = { chosen, onChoose, onView };

  useEffect(() => {
    const element = target.current!;
    const stylesNow = (): readonly Style[] => [shapeStyle(element, false), shapeStyle(element, true)];
    let styles = stylesNow(); // one style of each kind for all shapes, of which there may be many
    const style = (feature: { getId(): number | string | undefined }): Style =>
      styles[Number(now.current.chosen.has(String(feature.getId())))]!;
    const layers = [landLayer(element), new VectorLayer({ source: source.current, style })];
    const made = new Map({
      target: element,
      pixelRatio: devicePixelRatio,
      layers,
      view: worldView(),
      keyboardEventTarget: element,
      controls: mapControls(),
    });
    const stop = onThemeChange(() => {
      styles = stylesNow();
      for (const layer of layers) layer.changed();
    });
    made.on("singleclick", ({ pixel }) => {
      const [hit] = made.getFeaturesAtPixel(pixel, {
        hitTolerance: 6,
        layerFilter: (layer) => layer !== layers[0],
      });
      if (hit) now.current.onChoose?.(String(hit.getId()));
    });
    made.on("moveend", () => {
      const [minx = 0, miny = 0, maxx = 0, maxy = 0] = made.getView().calculateExtent(made.getSize());
      now.current.onView?.([Math.max(-180, minx), Math.max(-90, miny), Math.min(180, maxx), Math.min(90, maxy)]);
    });
    map.current = made;
    return () => {
      stop();
      made.setTarget(undefined);
    };
  }, []);

  useEffect(() => {
    const wasEmpty = source.current.isEmpty();
    source.current.clear(true);
    source.current.addFeatures(
      shapes.map(({ id, geometry }) => {
        const feature = new Feature(geojson.readGeometry(geometry) ?? undefined);
        feature.setId(id);
        return feature;
      }),
    );
    // a view that chooses the shapes is not moved by them, once it has found some
    if (wasEmpty && !(hasFit.current && now.current.onView)) fit(map.current!, source.current);
    hasFit.current ||= shapes.length > 0;
  }, [shapes]);

  useEffect(() => {
    source.current.changed();
    const [only, ...others] = chosen;
    const geometry =
      only === undefined || others.length > 0 ? undefined : source.current.getFeatureById(only)?.getGeometry();
    const view = map.current!.getView();
    if (geometry && !geometry.intersectsExtent(view.calculateExtent(map.current!.getSize())))
      view.fit(geometry.getExtent(), { maxZoom: view.getZoom() ?? 9, padding: [20, 20, 20, 20] });
  }, [chosen]);

  return (
    <div className="map-view">
      <div
        ref={target}
        className="map"
        role="application"
        aria-label={label}
        data-shapes={shapes.length}
        tabIndex={0}
      />
    </div>
  );
}

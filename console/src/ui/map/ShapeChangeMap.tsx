/** A geometry before and after a change, the one laid over the other. */
import ScaleLine from "ol/control/ScaleLine.js";
import { asArray } from "ol/color.js";
import { boundingExtent, type Extent } from "ol/extent.js";
import Feature from "ol/Feature.js";
import MultiPoint from "ol/geom/MultiPoint.js";
import { defaults as defaultInteractions } from "ol/interaction/defaults.js";
import VectorLayer from "ol/layer/Vector.js";
import OlMap from "ol/Map.js";
import Projection from "ol/proj/Projection.js";
import VectorSource from "ol/source/Vector.js";
import CircleStyle from "ol/style/Circle.js";
import Fill from "ol/style/Fill.js";
import Stroke from "ol/style/Stroke.js";
import Style from "ol/style/Style.js";
import View from "ol/View.js";
import "ol/ol.css";
import { useEffect, useRef } from "react";
import type { ChangedShape, ShapeDifference } from "../../service/shapes.ts";
import { colourOf } from "./colours.ts";
import { mapControls } from "./controls.ts";
import { geojson, landLayer } from "./land.ts";
import { onThemeChange } from "../theme.ts";
import { t } from "../../words/words.ts";

export interface ShapeChangeMapProps {
  readonly label: string;
  readonly before: ChangedShape | null;
  readonly after: ChangedShape | null;
  readonly difference: ShapeDifference;
}

/** The most positions that are marked. More are a new shape rather than a change of one. */
const MOST_MARKED = 2000;
/** The difference is hard to find where it takes less of the shape than this. */
const SMALL = 0.25;
const PADDING = [24, 24, 24, 24];
/** Around a single point, in degrees. */
const AROUND = 0.02;
/** A plane of unknown units, for coordinates without a place in the world. */
const PLANE = new Projection({ code: "plane", units: "m" });

export function ShapeChangeMap({ label, before, after, difference }: ShapeChangeMapProps) {
  const target = useRef<HTMLDivElement>(null);
  const map = useRef<OlMap>(null);
  const isPlane = (after ?? before)?.plane ?? false;
  const { isSame, gone, come } = difference;
  const changes = isSame || gone.length + come.length === 0 ? undefined : boundingExtent(mutable([...gone, ...come]));
  const isSmall =
    before?.geometry != null &&
    after?.geometry != null &&
    after.type !== "Point" &&
    gone.length + come.length <= MOST_MARKED;

  useEffect(() => {
    const element = target.current!;
    const features = [
      ...feature(isSame ? null : before, "before"),
      ...feature(after, isSame ? "same" : "after"),
      ...(isSmall ? [...marks(gone, "gone"), ...marks(come, "come")] : []),
    ];
    const source = new VectorSource({ features, wrapX: false });
    const changed = new VectorLayer({ source, style: stylesOf(element) });
    const layers = [...(isPlane ? [] : [landLayer(element)]), changed];
    const made = new OlMap({
      target: element,
      pixelRatio: devicePixelRatio,
      layers,
      view: viewFor(source.getExtent()!, isPlane),
      interactions: defaultInteractions({ onFocusOnly: true }), // the list scrolls under the pointer
      keyboardEventTarget: element,
      controls: isPlane ? mapControls() : mapControls().extend([new ScaleLine()]),
    });
    made.getView().fit(around(source.getExtent()!), { padding: PADDING });
    map.current = made;
    const stop = onThemeChange(() => {
      changed.setStyle(stylesOf(element));
      for (const layer of layers) layer.changed();
    });
    return () => {
      stop();
      made.setTarget(undefined);
      made.dispose();
      map.current = null;
    };
  }, [before, after, isSame, gone, come, isSmall, isPlane]);

  function zoomTo(extent: Extent): void {
    map.current?.getView().fit(around(extent), { padding: PADDING });
    target.current?.focus();
  }

  return (
    <>
      <div
        ref={target}
        className="map"
        role="application"
        aria-label={label}
        aria-description={t("Arrow keys move the map, plus and minus zoom.")}
        tabIndex={0}
      />
      {changes && isSmall && isHardToFind(changes, [before, after]) && (
        <button type="button" onClick={() => zoomTo(changes)}>
          {t("Zoom to the change")}
        </button>
      )}
    </>
  );
}

type Role = "before" | "after" | "same" | "gone" | "come";

function feature(shape: ChangedShape | null, role: Role): readonly Feature[] {
  if (!shape?.geometry) return [];
  const drawn = new Feature(geojson.readGeometry(shape.geometry) ?? undefined);
  drawn.set("role", role);
  return [drawn];
}

function marks(positions: ShapeDifference["gone"], role: Role): readonly Feature[] {
  return positions.length === 0 ? [] : [new Feature({ geometry: new MultiPoint(mutable(positions)), role })];
}

function mutable(positions: ShapeDifference["gone"]): number[][] {
  return positions.map((position) => [...position]);
}

/** The drawing of each role, told apart without colours too: before is dashed and hollow, after is solid and filled. */
function stylesOf(map: Element): (feature: { get(key: string): unknown }) => Style {
  const [old, now, same] = [colourOf(map, "--chosen"), colourOf(map, "--shape"), colourOf(map, "--same")];
  const paint = (colour: string, opacity: number, lineDash?: number[]): Style => {
    const stroke = new Stroke({ color: colour, width: 2.5, ...(lineDash && { lineDash }) });
    const fill = new Fill({ color: [...asArray(colour).slice(0, 3), opacity] });
    return new Style({ stroke, fill, image: new CircleStyle({ radius: 7, stroke, fill }) });
  };
  const dot = (colour: string, isFilled: boolean): Style => {
    const stroke = new Stroke({ color: colour, width: 1.5 });
    const fill = new Fill({ color: isFilled ? colour : [0, 0, 0, 0] });
    const style = new Style({ image: new CircleStyle({ radius: 3.5, stroke, fill }) });
    style.setZIndex(3);
    return style;
  };
  const styles: Record<Role, Style> = {
    before: paint(old, 0.08, [7, 5]),
    after: paint(now, 0.25),
    same: paint(same, 0.2),
    gone: dot(old, false),
    come: dot(now, true),
  };
  styles.before.setZIndex(2);
  styles.after.setZIndex(1);
  return (each) => styles[each.get("role") as Role];
}

function viewFor(extent: Extent, isPlane: boolean): View {
  if (!isPlane) return new View({ projection: "EPSG:4326", center: [0, 0], zoom: 1, maxZoom: 26 });
  const [minx = 0, miny = 0, maxx = 0, maxy = 0] = extent;
  const size = Math.max(maxx - minx, maxy - miny) || 1;
  return new View({
    projection: PLANE,
    center: [(minx + maxx) / 2, (miny + maxy) / 2],
    resolution: size / 100,
    maxResolution: size,
    minResolution: size / 1e6,
  });
}

/** An extent with an area, so that a point has surroundings. */
function around([minx = 0, miny = 0, maxx = 0, maxy = 0]: Extent): Extent {
  const margin = maxx === minx && maxy === miny ? AROUND : 0;
  return [minx - margin, miny - margin, maxx + margin, maxy + margin];
}

function isHardToFind(changes: Extent, shapes: readonly (ChangedShape | null)[]): boolean {
  const whole = new VectorSource({ features: shapes.flatMap((shape) => feature(shape, "same")) }).getExtent()!;
  const size = ([minx = 0, miny = 0, maxx = 0, maxy = 0]: Extent): number => Math.max(maxx - minx, maxy - miny);
  return size(changes) < SMALL * size(whole);
}

/** The edited layer on the map, and the user's actions on it. It knows features by their ids only, and no rows. */
import type { Coordinate } from "ol/coordinate.js";
import { containsCoordinate, type Extent } from "ol/extent.js";
import Collection from "ol/Collection.js";
import Feature from "ol/Feature.js";
import type Geometry from "ol/geom/Geometry.js";
import type { Type } from "ol/geom/Geometry.js";
import GeometryCollection from "ol/geom/GeometryCollection.js";
import MultiPoint from "ol/geom/MultiPoint.js";
import SimpleGeometry from "ol/geom/SimpleGeometry.js";
import DoubleClickZoom from "ol/interaction/DoubleClickZoom.js";
import Draw from "ol/interaction/Draw.js";
import type Interaction from "ol/interaction/Interaction.js";
import Modify from "ol/interaction/Modify.js";
import Snap from "ol/interaction/Snap.js";
import Translate from "ol/interaction/Translate.js";
import VectorLayer from "ol/layer/Vector.js";
import type OlMap from "ol/Map.js";
import type MapBrowserEvent from "ol/MapBrowserEvent.js";
import VectorSource from "ol/source/Vector.js";
import CircleStyle from "ol/style/Circle.js";
import Fill from "ol/style/Fill.js";
import Stroke from "ol/style/Stroke.js";
import Style from "ol/style/Style.js";
import { colourOf } from "../../../ui/map/colours.ts";
import { shapeStyle } from "../../../ui/map/VectorMap.tsx";

export const MODES = ["choose", "draw", "reshape", "move", "split"] as const;
export type Mode = (typeof MODES)[number];

export interface DrawingEvents {
  /** `ids`: of the shapes at a place, the nearest first. `isMore`: whether the first is added to those already chosen. */
  onChoose(ids: readonly string[], isMore: boolean): void;
  onDrawn(geometry: Geometry): void;
  onBlade(geometry: Geometry): void;
  onMoved(geometries: ReadonlyMap<string, Geometry>): void;
}

/** The z-index in front of all layers of the map. */
const FRONT = 900;
/** Whether people point with a finger. */
export const isTouched = matchMedia("(pointer: coarse)").matches;
/** The distance within which a finger or a pointer hits, in pixels. */
const REACH = isTouched ? 18 : 10;
/** The radius within which a point of a shape is held, in pixels. WCAG 2.5.5: a target of 44 by 44 for fingers. */
const HANDLE = isTouched ? 22 : REACH;
/** More points in view have no handles: they would cover the shape. Zooming in shows them. */
const MOST_HANDLES = 300;
/** How long a finger holds a point to remove it, and how far it may move meanwhile, in pixels. */
const HOLD_MS = 600;
const HOLD_REACH = 8;

export class Drawing {
  readonly #map: OlMap;
  readonly #events: DrawingEvents;
  readonly #source = new VectorSource({ wrapX: false });
  readonly #chosen = new Collection<Feature>();
  readonly #layer: VectorLayer;
  #interactions: readonly Interaction[] = [];
  #draw: Draw | undefined;
  #drawsPoints = false;
  #mode: Mode = "choose";
  #type: Type = "Point";
  #modify: Modify | undefined;
  /** A finger that holds a point: where it began, and what removes the point. */
  #hold: { readonly x: number; readonly y: number; readonly timer: ReturnType<typeof setTimeout> } | undefined;
  /** Whether the press that goes on has removed a point, so that its end chooses nothing. */
  #hasRemoved = false;

  constructor(map: OlMap, events: DrawingEvents) {
    this.#map = map;
    this.#events = events;
    const element = map.getTargetElement()!;
    const style = (feature: unknown): Style | Style[] => {
      const isChosen = this.#chosen.getArray().includes(feature as Feature);
      const shape = shapeStyle(element, isChosen);
      return isChosen && this.#mode === "reshape" ? [shape, this.#handleStyle(element)] : shape;
    };
    this.#layer = new VectorLayer({ source: this.#source, zIndex: FRONT, style: (feature) => style(feature) });
    map.addLayer(this.#layer);
    map.on("click", this.#click);
    const viewport = map.getViewport()!;
    // before the map's own listeners, which take a press on an edge as a new point
    viewport.addEventListener("pointerdown", this.#press, { capture: true });
    for (const end of ["pointermove", "pointerup", "pointercancel"] as const)
      viewport.addEventListener(end, this.#release, { capture: true });
    this.#setDoubleClick(false); // fast clicks while editing are not meant to zoom
  }

  /** Replaces the features. Those with the same geometry object stay unchanged. */
  show(shapes: ReadonlyMap<string, Geometry>, chosen: ReadonlySet<string>): void {
    for (const feature of this.#source.getFeatures())
      if (!shapes.has(String(feature.getId()))) this.#source.removeFeature(feature);
    for (const [id, geometry] of shapes) {
      const feature = this.#source.getFeatureById(id);
      if (feature) {
        if (feature.getGeometry() !== geometry) feature.setGeometry(geometry);
      } else {
        const made = new Feature(geometry);
        made.setId(id);
        this.#source.addFeature(made);
      }
    }
    const wanted = this.#source.getFeatures().filter((feature) => chosen.has(String(feature.getId())));
    const isSame =
      wanted.length === this.#chosen.getLength() &&
      wanted.every((feature) => this.#chosen.getArray().includes(feature));
    if (isSame) return;
    this.#chosen.clear();
    this.#chosen.extend(wanted);
    this.#layer.changed();
  }

  /** `type`: the type of the new shape. */
  setMode(mode: Mode, type: Type): void {
    for (const each of this.#interactions) this.#map.removeInteraction(each);
    this.#mode = mode;
    this.#type = type;
    this.#draw = undefined;
    this.#modify = undefined;
    this.#endHold();
    this.#layer.changed();
    const made = this.#made(mode, type);
    this.#interactions = mode === "choose" ? [] : [...made, new Snap({ source: this.#source, pixelTolerance: REACH })];
    for (const each of this.#interactions) this.#map.addInteraction(each);
  }

  /**
   * Handles a key: sets a point in the middle of the map, ends a shape, or undoes a point. Returns whether the key had
   * an effect.
   */
  press(key: string): boolean {
    const center = this.#map.getView().getCenter();
    if (this.#draw && center) {
      if (key === " ") this.#point(this.#draw, center);
      else if (key === "Enter") this.#draw.finishDrawing();
      else if (key === "Backspace") this.#draw.removeLastPoint();
      else if (key === "Escape") this.#draw.abortDrawing();
      else return false;
      return true;
    }
    if (key !== "Enter" || !center) return false;
    const pixel = this.#map.getPixelFromCoordinate(center);
    this.#chooseAt(pixel, false);
    return true;
  }

  /** Adds a point in the middle. A shape of type Point is then complete. */
  #point(draw: Draw, center: number[]): void {
    draw.appendCoordinates([center]);
    if (this.#drawsPoints) draw.finishDrawing();
  }

  close(): void {
    this.setMode("choose", "Point");
    this.#map.un("click", this.#click);
    const viewport = this.#map.getViewport()!;
    viewport.removeEventListener("pointerdown", this.#press, { capture: true });
    for (const end of ["pointermove", "pointerup", "pointercancel"] as const)
      viewport.removeEventListener(end, this.#release, { capture: true });
    this.#setDoubleClick(true);
    this.#map.removeLayer(this.#layer);
    this.#layer.dispose();
  }

  extent(): Extent {
    return this.#map.getView().calculateExtent(this.#map.getSize());
  }

  #setDoubleClick(isActive: boolean): void {
    for (const each of this.#map.getInteractions().getArray())
      if (each instanceof DoubleClickZoom) each.setActive(isActive);
  }

  readonly #click = ({ pixel, originalEvent }: MapBrowserEvent): void => {
    if (this.#mode === "draw" || this.#mode === "split" || this.#hasRemoved) return;
    this.#chooseAt(pixel, (originalEvent as MouseEvent).shiftKey);
  };

  #chooseAt(pixel: number[], isMore: boolean): void {
    const hits = this.#map.getFeaturesAtPixel(pixel, {
      hitTolerance: REACH,
      layerFilter: (layer) => layer === this.#layer,
    });
    this.#events.onChoose([...new Set(hits.map((hit) => String(hit.getId())))], isMore);
  }

  #made(mode: Mode, type: Type): readonly Interaction[] {
    if (mode === "reshape") {
      const modify = new Modify({ features: this.#chosen, pixelTolerance: HANDLE });
      modify.on("modifyend", () => !this.#hasRemoved && this.#events.onMoved(this.#shapesOfChosen()));
      this.#modify = modify;
      return [modify];
    }
    if (mode === "move") {
      const translate = new Translate({ features: this.#chosen, hitTolerance: REACH });
      translate.on("translateend", () => this.#events.onMoved(this.#shapesOfChosen()));
      return [translate];
    }
    if (mode === "choose") return [];
    this.#drawsPoints = mode === "draw" && type.endsWith("Point");
    const draw = new Draw({ type: mode === "split" ? "LineString" : type, snapTolerance: REACH });
    draw.on("drawend", ({ feature }) => {
      const geometry = feature.getGeometry()!;
      if (mode === "split") this.#events.onBlade(geometry);
      else this.#events.onDrawn(geometry);
    });
    this.#draw = draw;
    return [draw];
  }

  /** The points of a chosen shape that are in view, each as large as what holds it. */
  #handleStyle(element: Element): Style {
    const image = (radius: number, fill: string): CircleStyle =>
      new CircleStyle({
        radius,
        fill: new Fill({ color: fill }),
        stroke: new Stroke({ color: colourOf(element, "--chosen"), width: isTouched ? 2 : 1.5 }),
      });
    return new Style({
      image: isTouched ? image(HANDLE - 1, "rgb(255 255 255 / 45%)") : image(4, "white"),
      geometry: (feature) => {
        const extent = this.extent();
        const points = pointsOf((feature as Feature).getGeometry()).filter((point) =>
          containsCoordinate(extent, point),
        );
        return points.length > MOST_HANDLES ? undefined : new MultiPoint(points);
      },
    });
  }

  readonly #press = (event: PointerEvent): void => {
    this.#hasRemoved = false;
    this.#endHold();
    if (event.pointerType !== "touch" || !event.isPrimary || this.#mode !== "reshape") return;
    const pixel = this.#map.getEventPixel(event);
    const [nearest] = this.#chosen
      .getArray()
      .flatMap((feature) => pointsOf(feature.getGeometry()))
      .map((point) => ({ point, distance: distanceOf(this.#map.getPixelFromCoordinate(point), pixel) }))
      .sort((one, other) => one.distance - other.distance);
    if (!nearest || nearest.distance > HANDLE) return;
    const timer = setTimeout(() => this.#removePoint(nearest.point), HOLD_MS);
    this.#hold = { x: event.clientX, y: event.clientY, timer };
  };

  readonly #release = (event: PointerEvent): void => {
    const hold = this.#hold;
    const isStill =
      hold && event.type === "pointermove" && Math.hypot(event.clientX - hold.x, event.clientY - hold.y) <= HOLD_REACH;
    if (!isStill) this.#endHold();
  };

  #endHold(): void {
    clearTimeout(this.#hold?.timer);
    this.#hold = undefined;
  }

  #removePoint(point: Coordinate): void {
    this.#hasRemoved = true;
    // the last points of a line or ring stay
    if (this.#modify?.removePoint(point)) this.#events.onMoved(this.#shapesOfChosen());
    this.setMode(this.#mode, this.#type); // the finger that is still down drags nothing
  }

  /** Copies of the chosen shapes, so that the stored state does not move during dragging. */
  #shapesOfChosen(): ReadonlyMap<string, Geometry> {
    return new Map(this.#chosen.getArray().map((feature) => [String(feature.getId()), feature.getGeometry()!.clone()]));
  }
}

/** The points of a shape, the last of a ring once more. */
function pointsOf(geometry: Geometry | undefined): readonly Coordinate[] {
  if (geometry instanceof GeometryCollection) return geometry.getGeometriesArray().flatMap(pointsOf);
  if (!(geometry instanceof SimpleGeometry)) return [];
  const [flat, stride] = [geometry.getFlatCoordinates(), geometry.getStride()];
  return Array.from({ length: flat.length / stride }, (_, index) => flat.slice(index * stride, index * stride + 2));
}

function distanceOf([x = Infinity, y = Infinity]: readonly number[], [toX = 0, toY = 0]: readonly number[]): number {
  return Math.hypot(x - toX, y - toY);
}

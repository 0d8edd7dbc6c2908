/** The edited layer on the map, and the user's actions on it. It knows features by their ids only, and no rows. */
import type { Extent } from "ol/extent.js";
import Collection from "ol/Collection.js";
import Feature from "ol/Feature.js";
import type Geometry from "ol/geom/Geometry.js";
import type { Type } from "ol/geom/Geometry.js";
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
import { shapeStyle } from "../../../ui/map/VectorMap.tsx";

export const MODES = ["choose", "draw", "reshape", "move", "split"] as const;
export type Mode = (typeof MODES)[number];

export interface DrawingEvents {
  /** `isMore`: whether it is added to those already chosen. */
  onChoose(id: string | undefined, isMore: boolean): void;
  onDrawn(geometry: Geometry): void;
  onBlade(geometry: Geometry): void;
  onMoved(geometries: ReadonlyMap<string, Geometry>): void;
}

/** The z-index in front of all layers of the map. */
const FRONT = 900;
/** The distance within which a finger or a pointer hits, in pixels. */
const REACH = matchMedia("(pointer: coarse)").matches ? 18 : 10;

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

  constructor(map: OlMap, events: DrawingEvents) {
    this.#map = map;
    this.#events = events;
    const element = map.getTargetElement()!;
    const style = (feature: unknown) => shapeStyle(element, this.#chosen.getArray().includes(feature as Feature));
    this.#layer = new VectorLayer({ source: this.#source, zIndex: FRONT, style: (feature) => style(feature) });
    map.addLayer(this.#layer);
    map.on("click", this.#click);
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
    this.#draw = undefined;
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
    if (this.#mode === "draw" || this.#mode === "split") return;
    this.#chooseAt(pixel, (originalEvent as MouseEvent).shiftKey);
  };

  #chooseAt(pixel: number[], isMore: boolean): void {
    const [hit] = this.#map.getFeaturesAtPixel(pixel, {
      hitTolerance: REACH,
      layerFilter: (layer) => layer === this.#layer,
    });
    this.#events.onChoose(hit === undefined ? undefined : String(hit.getId()), isMore);
  }

  #made(mode: Mode, type: Type): readonly Interaction[] {
    if (mode === "reshape") {
      const modify = new Modify({ features: this.#chosen, pixelTolerance: REACH });
      modify.on("modifyend", () => this.#events.onMoved(this.#shapesOfChosen()));
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

  /** Copies of the chosen shapes, so that the stored state does not move during dragging. */
  #shapesOfChosen(): ReadonlyMap<string, Geometry> {
    return new Map(this.#chosen.getArray().map((feature) => [String(feature.getId()), feature.getGeometry()!.clone()]));
  }
}

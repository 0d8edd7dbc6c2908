/** The edited shapes on the map. Changed shapes are drawn there, and the user's actions are reported. */
import type Geometry from "ol/geom/Geometry.js";
import type OlMap from "ol/Map.js";
import { useEffect, useRef } from "react";
import { Drawing, type DrawingEvents, type Mode } from "./drawing.ts";
import type { Shape } from "./edits.ts";
import type { Places, ShapeType } from "./shapes.ts";

export interface Drawn {
  readonly shapes: ReadonlyMap<string, Shape>;
  readonly chosen: readonly string[];
  readonly mode: Mode;
  readonly type: ShapeType;
  readonly places: Places;
}

/**
 * `events`: must be the same object each time. Returns a function that handles a key, and returns whether the key had
 * an effect.
 */
export function useDrawing(
  map: OlMap,
  { shapes, chosen, mode, type, places }: Drawn,
  events: DrawingEvents,
): (key: string) => boolean {
  const drawing = useRef<Drawing>(null);
  const known = useRef(new Map<string, { readonly shape: Shape; readonly geometry: Geometry }>()).current;

  useEffect(() => {
    const made = new Drawing(map, events);
    drawing.current = made;
    return () => {
      made.close();
      drawing.current = null;
    };
  }, [map, events]);

  useEffect(() => {
    const geometries = new Map<string, Geometry>();
    for (const [id, shape] of shapes) {
      const before = known.get(id);
      const geometry = before?.shape === shape ? before.geometry : places.toMap(shape);
      known.set(id, { shape, geometry });
      geometries.set(id, geometry);
    }
    drawing.current?.show(geometries, new Set(chosen));
  }, [shapes, chosen, places, known]);

  useEffect(() => drawing.current?.setMode(mode, type), [mode, type, map]);

  return (key) => drawing.current?.press(key) ?? false;
}

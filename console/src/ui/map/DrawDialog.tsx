/** Draws a geometry on the map, or changes one by its points. GeoJSON can also be typed. */
import type Geometry from "ol/geom/Geometry.js";
import type { Type } from "ol/geom/Geometry.js";
import Feature from "ol/Feature.js";
import Draw from "ol/interaction/Draw.js";
import Modify from "ol/interaction/Modify.js";
import VectorLayer from "ol/layer/Vector.js";
import Map from "ol/Map.js";
import VectorSource from "ol/source/Vector.js";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState, type RefObject } from "react";
import type { Column, Relation } from "../../service/rows/relations.ts";
import type { Row } from "../../service/rows/rows.ts";
import { hasSystem, inSystem, systemToWrite, WGS84, type SystemToWrite } from "../../service/rows/systems.ts";
import { ErrorNote } from "../ErrorNote.tsx";
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
  readonly column: Column;
  /** The table; undefined where the value belongs to none, such as a parameter. */
  readonly relation: Relation | undefined;
  /** The row; undefined for a new one, and for several. */
  readonly row: Row | undefined;
  /** GeoJSON, or the beginning of it. */
  readonly text: string;
  /** `text`: GeoJSON, or EWKT where the shape is written in another reference system. `shape`: GeoJSON. */
  readonly onDone: (text: string, shape: string) => void;
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

export function DrawDialog({ title, column, relation, row, text, onDone, onClose }: DrawDialogProps) {
  const target = useRef<HTMLDivElement>(null);
  const types = typesOf(column.sqlType);
  const [type, setType] = useState<Type>(types[0]!);
  const [source] = useState(() => {
    const geometry = readGeometry(text);
    return new VectorSource({ features: geometry ? [new Feature(geometry)] : [], wrapX: false });
  });
  const [isOutside] = useState(() => !source.isEmpty() && !isOnMap(source));
  /** Whether something was drawn or moved. */
  const [isChanged, setIsChanged] = useState(false);

  useDrawing(target, { type, source, onChange: () => setIsChanged(true) });

  const { told, error, mayWrite, textOf } = useSystem({ relation, column, row });

  async function done(): Promise<void> {
    const geometry = source.getFeatures()[0]?.getGeometry();
    if (!isChanged || !mayWrite || !geometry) return;
    const shape = geojson.writeGeometry(geometry, { decimals: DECIMALS });
    const written = await textOf(shape);
    if (written === undefined) return;
    onDone(written, shape);
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
        {told !== undefined && <p className="quiet">{told}</p>}
        <ErrorNote isFrame error={error} />
        <div className="tools">
          <button type="button" aria-disabled={!isChanged || !mayWrite} onClick={() => void done()}>
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

interface Drawing {
  readonly type: Type;
  readonly source: VectorSource;
  readonly onChange: () => void;
}

/** A map in an element, on which one shape is drawn or moved. */
function useDrawing(target: RefObject<HTMLDivElement | null>, { type, source, onChange }: Drawing): void {
  const now = useRef(onChange);
  now.current = onChange;
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
    const change = (): void => now.current();
    source.on("addfeature", change);
    modify.on("modifyend", change);
    map.addInteraction(modify);
    map.addInteraction(draw);
    fit(map, source);
    return () => {
      stop();
      map.setTarget(undefined);
    };
  }, [target, type, source]);
}

/** The reference system in which the shape is written: that of the column where it has one, else that of its shapes. */
function useSystem({ relation, column, row }: Pick<DrawDialogProps, "relation" | "column" | "row">) {
  const isOpen = relation !== undefined && !hasSystem(column);
  const [problem, setProblem] = useState<Error | null>(null);
  const { data, error } = useQuery({
    queryKey: ["system to write", relation?.schema, relation?.table, column.name, row?.key],
    queryFn: () => systemToWrite(relation!, column, row),
    enabled: isOpen,
    gcTime: 0,
  });
  return {
    told: data && tell(data),
    error: problem ?? error,
    mayWrite: !isOpen || data !== undefined,
    /** What is written for GeoJSON; undefined after an error. */
    async textOf(shape: string): Promise<string | undefined> {
      try {
        return data === undefined || data.system === WGS84 ? shape : await inSystem(shape, data.system);
      } catch (failed) {
        setProblem(failed as Error);
        return undefined;
      }
    },
  };
}

/** Says in which reference system the shape is written. */
function tell({ system: code, of }: SystemToWrite): string {
  const system = String(code); // a code is not written as numbers are
  if (of === undefined) return t("It is written in EPSG:{system}; the column has no shape yet.", { system });
  if (of === "row")
    return code === 0
      ? t("It is written without a reference system (SRID 0), as the present shape.")
      : t("It is written in EPSG:{system}, as the present shape.", { system });
  return code === 0
    ? t("It is written without a reference system (SRID 0), as most shapes of the column.")
    : t("It is written in EPSG:{system}, as most shapes of the column.", { system });
}

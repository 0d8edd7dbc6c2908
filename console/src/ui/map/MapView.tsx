/** The map as MapServer draws it for the person, in a style that need not be stored. */
import ImageLayer from "ol/layer/Image.js";
import Map from "ol/Map.js";
import ImageSource from "ol/source/Image.js";
import View from "ol/View.js";
import "ol/ol.css";
import { useEffect, useRef, useState } from "react";
import { drawMap, frameOf, type Box, type Style } from "../../service/maps.ts";
import { onThemeChange } from "../theme.ts";
import { ErrorNote } from "../ErrorNote.tsx";
import { mapControls } from "./controls.ts";
import { landLayer } from "./land.ts";

/** Keeps the present picture until the next one has arrived. */
class Picture extends ImageSource {
  redraw(): void {
    this.image = null;
    this.changed();
  }
}

export interface MapViewProps {
  readonly label: string;
  /** Path of the collection, below the service. */
  readonly path: string;
  readonly extent: Box;
  /** Undefined for the stored style. */
  readonly style: Style | undefined;
  /** An instant of a table with history. Default: now. */
  readonly at?: string | undefined;
  /** Changes when the data have been written. */
  readonly written?: number;
}

export function MapView({ label, path, extent, style, at, written = 0 }: MapViewProps) {
  const target = useRef<HTMLDivElement>(null);
  const source = useRef<Picture>(null);
  const now = useRef({ style, at });
  now.current = { style, at };
  const [error, setError] = useState<Error | null>(null);
  const [isBusy, setIsBusy] = useState(true);
  const seen = useRef(written);

  useEffect(() => {
    let running = new AbortController();
    const picture = new Picture({
      projection: "EPSG:4326",
      async loader(extent, resolution, pixelRatio) {
        running.abort(); // the picture in progress is no longer needed
        running = new AbortController();
        const { signal } = running;
        setIsBusy(true);
        const frame = frameOf(extent as [number, number, number, number], resolution, pixelRatio);
        try {
          const image = await drawMap(path, frame, now.current, { signal });
          setError(null);
          setIsBusy(false);
          return { image: image ?? document.createElement("canvas"), extent, pixelRatio: frame.pixelRatio };
        } catch (thrown) {
          if (signal.aborted) return document.createElement("canvas"); // it is no longer shown
          setError(thrown as Error);
          setIsBusy(false);
          throw thrown;
        }
      },
    });
    source.current = picture;
    const element = target.current!;
    const land = landLayer(element);
    const stop = onThemeChange(() => land.changed());
    const map = new Map({
      target: element,
      pixelRatio: devicePixelRatio,
      layers: [land, new ImageLayer({ source: picture })],
      view: new View({ projection: "EPSG:4326", extent: [-180, -90, 180, 90], showFullExtent: true }),
      keyboardEventTarget: element,
      controls: mapControls(),
    });
    map.getView().fit([...extent], { padding: [20, 20, 20, 20], maxZoom: 16 });
    return () => {
      running.abort();
      stop();
      map.setTarget(undefined);
    };
  }, [path, extent]);

  const text = JSON.stringify(style);
  useEffect(() => source.current?.redraw(), [text, at]);
  useEffect(() => {
    if (isBusy || seen.current === written) return; // lets a slow picture finish, however often the table is written
    seen.current = written;
    source.current?.redraw();
  }, [isBusy, written]);

  return (
    <div className="map-view">
      <div ref={target} className="map" role="application" aria-label={label} aria-busy={isBusy} tabIndex={0} />
      <ErrorNote error={error} />
    </div>
  );
}

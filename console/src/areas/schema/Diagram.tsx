/** The tables of a schema and the foreign keys between them. */
import { shortType } from "../../service/rows/shortType.ts";
import { Link, useParams } from "@tanstack/react-router";
import { useCallback, useLayoutEffect, useMemo, useRef, useState, type RefObject } from "react";
import { useSchemaTables } from "../../service/tables/schemas.ts";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { saveAs } from "../../ui/saveAs.ts";
import { layOut, MOST_COLUMNS, WIDTH, type Box, type Layout } from "./diagramLayout.ts";
import { diagramSvg } from "./diagramSvg.ts";
import { useMouse } from "./useMouse.ts";
import { t } from "../../words/words.ts";

/** The most tables. More would take seconds to lay out, and nobody could read them. */
const MOST_TABLES = 150;
const [LEAST_ZOOM, MOST_ZOOM] = [0.05, 2];
const ZOOM_STEP = 1.25;

export function Diagram() {
  const { schema } = useParams({ from: "/schema/$schema" });
  const tables = useSchemaTables(schema);
  const shown = useMemo(
    () => (tables.data ? layOut(schema, tables.data.slice(0, MOST_TABLES)) : undefined),
    [schema, tables.data],
  );
  return (
    <section className="relation" aria-label={t("Diagram of {schema}", { schema })}>
      {shown && tables.data && shown.boxes.length > 0 ? (
        <Drawing schema={schema} layout={shown} count={tables.data.length} />
      ) : (
        <h1>{schema}</h1>
      )}
      <ErrorNote error={tables.error} />
      {tables.data?.length === 0 && (
        <p className="empty">{t("There is no table that you may see. Make one with New table.")}</p>
      )}
    </section>
  );
}

interface DrawingProps {
  readonly schema: string;
  readonly layout: Layout;
  /** The number of tables, including those that are not drawn. */
  readonly count: number;
}

function Drawing({ schema, layout, count }: DrawingProps) {
  const region = useRef<HTMLDivElement>(null);
  const { width, height } = layout;
  const fitting = useFitting(region, layout);
  const [chosen, setChosen] = useState<number>(); // undefined: all tables are in view
  const zoom = chosen ?? fitting;
  const zoomBy = useCallback(
    (steps: number) => setChosen((now) => bounded((now ?? fitting) * ZOOM_STEP ** steps)),
    [fitting],
  );
  const mouse = useMouse(region, zoomBy);
  return (
    <>
      <div className="head">
        <h1>{schema}</h1>
        <span className="quiet">
          {t("{count} tables and views", { count })}
          {count > MOST_TABLES && t(", the first {count} shown", { count: MOST_TABLES })}
        </span>
        <div className="tools">
          <button type="button" aria-label={t("Zoom out")} onClick={() => zoomBy(-1)}>
            −
          </button>
          <button type="button" aria-label={t("Zoom in")} onClick={() => zoomBy(1)}>
            +
          </button>
          <button type="button" onClick={() => setChosen(undefined)}>
            {t("Fit")}
          </button>
          <button
            type="button"
            onClick={() => saveAs(`${schema}.svg`, new Blob([diagramSvg(layout)], { type: "image/svg+xml" }))}
          >
            {t("Save as SVG")}
          </button>
        </div>
      </div>
      <div
        ref={region}
        className="scroll"
        role="region"
        aria-label={t("Tables and their foreign keys")}
        tabIndex={0}
        {...mouse}
      >
        <div className="zoomed" style={{ width: width * zoom, height: height * zoom }}>
          <div className="diagram" style={{ width, height, transform: `scale(${zoom})` }}>
            {layout.boxes.map((box) => (
              <TableBox key={box.table.name} schema={schema} {...box} />
            ))}
            <Lines {...layout} />
          </div>
        </div>
      </div>
    </>
  );
}

/** The zoom at which the whole diagram is in the region, also after the size of either has changed. */
function useFitting(region: RefObject<HTMLElement | null>, { width, height }: Layout): number {
  const [zoom, setZoom] = useState(1);
  useLayoutEffect(() => {
    const element = region.current!;
    function measure(): void {
      const { clientWidth, clientHeight } = element;
      setZoom(bounded(Math.min(1, clientWidth / width, clientHeight / height)));
    }
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [region, width, height]);
  return zoom;
}

function bounded(zoom: number): number {
  return Math.min(MOST_ZOOM, Math.max(LEAST_ZOOM, zoom));
}

function Lines({ lines, width, height }: Layout) {
  return (
    <svg width={width} height={height} aria-hidden="true">
      <defs>
        <marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">
          <path d="M 0 0 L 8 4 L 0 8" />
        </marker>
      </defs>
      {lines.map(({ id, path, title }) => (
        <path key={id} d={path} markerEnd="url(#arrow)">
          <title>{title}</title>
        </path>
      ))}
    </svg>
  );
}

function TableBox({ schema, table, x, y, height }: Box & { readonly schema: string }) {
  const { name, columns, key, foreign_keys: keys } = table;
  const references = new Set(keys.flatMap((each) => each.columns));
  return (
    <article className="box" aria-label={name} style={{ left: x, top: y, width: WIDTH, height }}>
      <h2>
        <Link to="/schema/$schema/$table" params={{ schema, table: name }}>
          {name}
        </Link>
      </h2>
      <ul>
        {columns.slice(0, MOST_COLUMNS).map((column) => (
          <li key={column.name} title={`${column.name} ${shortType(column.type)}`}>
            <span className={key.includes(column.name) ? "key" : ""}>{column.name}</span>
            {references.has(column.name) && <span aria-label={t("refers to another row")}>→</span>}
            <span className="quiet">{shortType(column.type)}</span>
          </li>
        ))}
        {columns.length > MOST_COLUMNS && (
          <li className="quiet">{t("{count} more", { count: columns.length - MOST_COLUMNS })}</li>
        )}
      </ul>
    </article>
  );
}

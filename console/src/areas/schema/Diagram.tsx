/** The tables of a schema and the foreign keys between them, laid out by dagre. */
import { graphlib, layout } from "@dagrejs/dagre";
import { Link, useParams } from "@tanstack/react-router";
import { useMemo } from "react";
import type { Table } from "../../service/relations.ts";
import { useSchemaTables } from "../../service/schemas.ts";
import { ErrorNote } from "../../ui/ErrorNote.tsx";

const WIDTH = 190;
const LINE = 18;
const HEAD = 28;
/** Of one table; the rest is told by their number. */
const MOST_COLUMNS = 12;
/** More would take seconds to lay out and nobody could read it. */
const MOST_TABLES = 150;

interface Box {
  readonly table: Table;
  readonly x: number;
  readonly y: number;
  readonly height: number;
}

interface Line {
  readonly id: string;
  readonly title: string;
  readonly path: string;
}

export function Diagram() {
  const { schema } = useParams({ from: "/schema/$schema" });
  const tables = useSchemaTables(schema);
  const shown = useMemo(
    () => (tables.data ? layOut(schema, tables.data.slice(0, MOST_TABLES)) : undefined),
    [schema, tables.data],
  );
  return (
    <section className="relation" aria-label={`Diagram of ${schema}`}>
      <div className="head">
        <h1>{schema}</h1>
        {tables.data && (
          <span className="quiet">
            {tables.data.length.toLocaleString()} tables and views
            {tables.data.length > MOST_TABLES && `, the first ${MOST_TABLES} shown`}
          </span>
        )}
      </div>
      <ErrorNote error={tables.error} />
      {tables.data?.length === 0 && (
        <p className="empty">There is no table that you may see. Make one with New table.</p>
      )}
      {shown && shown.boxes.length > 0 && (
        <div className="scroll" role="region" aria-label="Tables and their foreign keys" tabIndex={0}>
          <div className="diagram" style={{ width: shown.width, height: shown.height }}>
            <svg width={shown.width} height={shown.height} aria-hidden="true">
              <defs>
                <marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">
                  <path d="M 0 0 L 8 4 L 0 8" />
                </marker>
              </defs>
              {shown.lines.map(({ id, path, title }) => (
                <path key={id} d={path} markerEnd="url(#arrow)">
                  <title>{title}</title>
                </path>
              ))}
            </svg>
            {shown.boxes.map((box) => (
              <TableBox key={box.table.name} schema={schema} {...box} />
            ))}
          </div>
        </div>
      )}
    </section>
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
          <li key={column.name} title={column.type} className={key.includes(column.name) ? "key" : ""}>
            {column.name} {references.has(column.name) && <span aria-label="refers to another table">→</span>}
          </li>
        ))}
        {columns.length > MOST_COLUMNS && <li className="quiet">{columns.length - MOST_COLUMNS} more</li>}
      </ul>
    </article>
  );
}

function layOut(schema: string, tables: readonly Table[]) {
  const graph = new graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: "LR", nodesep: 24, ranksep: 70, marginx: 12, marginy: 12 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { name, columns } of tables)
    graph.setNode(name, {
      width: WIDTH,
      height: HEAD + LINE * (Math.min(columns.length, MOST_COLUMNS) + (columns.length > MOST_COLUMNS ? 1 : 0)) + 8,
    });
  for (const { name, foreign_keys: keys } of tables)
    for (const { schema: other, table, columns } of keys)
      // a table that refers to itself says so by the mark of its column
      if (other === schema && table !== name && graph.hasNode(table)) graph.setEdge(name, table, {}, columns.join());
  layout(graph);
  const boxes = tables.map((table): Box => {
    const { x, y, height } = graph.node(table.name) as { x: number; y: number; height: number };
    return { table, x: x - WIDTH / 2, y: y - height / 2, height };
  });
  const lines = graph.edges().map((edge): Line => {
    const { points } = graph.edge(edge) as { points: readonly { x: number; y: number }[] };
    return {
      id: `${edge.v} ${edge.w} ${edge.name}`,
      title: `${edge.v} (${edge.name}) refers to ${edge.w}`,
      path: points.map(({ x, y }, index) => `${index === 0 ? "M" : "L"} ${x} ${y}`).join(" "),
    };
  });
  const { width = 0, height = 0 } = graph.graph();
  return { boxes, lines, width, height };
}

/** The positions of a schema's tables in its diagram, and the lines between them, in pixels. */
import { graphlib, layout } from "@dagrejs/dagre";
import type { Table } from "../../service/rows/relations.ts";
import { t } from "../../words/words.ts";

export const WIDTH = 230;
export const LINE = 18;
export const HEAD = 28;
/** The most columns that a table shows. Their number determines its size. */
export const MOST_COLUMNS = 12;

const GAP = 24;
const MARGIN = 12;
/** The distance between tables that refer to each other. */
const BETWEEN = 70;
/** The distance that a line leads away from its table before it turns. */
const LEAD = 24;
/** The number of columns of tables without foreign keys. */
const ACROSS = 4;

export interface Box {
  readonly table: Table;
  readonly x: number;
  readonly y: number;
  readonly height: number;
}

export interface Line {
  readonly id: string;
  readonly title: string;
  /** The data of an SVG path. */
  readonly path: string;
}

export interface Layout {
  readonly boxes: readonly Box[];
  readonly lines: readonly Line[];
  readonly width: number;
  readonly height: number;
}

interface Reference {
  readonly from: Table;
  readonly to: Table;
  readonly columns: readonly string[];
  readonly references: readonly string[];
}

/** Places the tables with foreign keys from left to right along them, and the others below. */
export function layOut(schema: string, tables: readonly Table[]): Layout {
  const references = referencesOf(schema, tables);
  const joined = new Set(references.flatMap(({ from, to }) => [from, to]));
  const graph = graphOf([...joined], references);
  const size = graph.graph();
  const width = joined.size > 0 ? size.width! : 0;
  const height = joined.size > 0 ? size.height! : MARGIN - GAP;
  const boxes = new Map<Table, Box>();
  for (const table of joined) {
    const node = graph.node(table.name) as { x: number; y: number; height: number };
    boxes.set(table, { table, x: node.x - WIDTH / 2, y: node.y - node.height / 2, height: node.height });
  }
  for (const box of inColumns(
    tables.filter((table) => !joined.has(table)),
    height + GAP,
  ))
    boxes.set(box.table, box);
  const all = [...boxes.values()];
  const centres = new Set(all.map(({ x }) => Math.round(x + WIDTH / 2)));
  return {
    boxes: all,
    lines: references.map((reference, index) => {
      const { from, to, columns } = reference;
      const bends = from === to ? [] : bendsOf(graph, { v: from.name, w: to.name, name: String(index) }, centres);
      return {
        id: `${from.name} ${to.name} ${index}`,
        title: t("{table} ({columns}) refers to {other}", {
          table: from.name,
          columns: columns.join(),
          other: to.name,
        }),
        path: pathOf(reference, boxes.get(from)!, boxes.get(to)!, bends),
      };
    }),
    width: Math.max(width, ...all.map(({ x }) => x + WIDTH + MARGIN + LEAD)),
    height: Math.max(height, ...all.map((box) => box.y + box.height + MARGIN)),
  };
}

function heightOf({ columns }: Table): number {
  return HEAD + LINE * (Math.min(columns.length, MOST_COLUMNS) + (columns.length > MOST_COLUMNS ? 1 : 0)) + 8;
}

function referencesOf(schema: string, tables: readonly Table[]): readonly Reference[] {
  const byName = new Map(tables.map((table) => [table.name, table]));
  return tables.flatMap((from) =>
    from.foreign_keys.flatMap(({ schema: other, table, columns, references }) => {
      const to = other === schema ? byName.get(table) : undefined;
      return to ? [{ from, to, columns, references }] : [];
    }),
  );
}

function graphOf(tables: readonly Table[], references: readonly Reference[]): graphlib.Graph {
  const graph = new graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: "LR", nodesep: GAP, ranksep: BETWEEN, marginx: MARGIN, marginy: MARGIN });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const table of tables) graph.setNode(table.name, { width: WIDTH, height: heightOf(table) });
  references.forEach(({ from, to }, index) => {
    if (from !== to) graph.setEdge(from.name, to.name, {}, String(index));
  });
  layout(graph);
  return graph;
}

/** Places tables side by side, each below the shortest column so far. */
function inColumns(tables: readonly Table[], top: number): readonly Box[] {
  const ends = Array.from({ length: ACROSS }, () => top);
  return tables.map((table) => {
    const column = ends.indexOf(Math.min(...ends));
    const box = { table, x: MARGIN + column * (WIDTH + GAP), y: ends[column]!, height: heightOf(table) };
    ends[column] = box.y + box.height + GAP;
    return box;
  });
}

type Point = readonly [x: number, y: number];

/** The points where a line passes through other columns of tables. */
function bendsOf(graph: graphlib.Graph, edge: graphlib.Edge, centres: ReadonlySet<number>): readonly Point[] {
  const { points } = graph.edge(edge) as { points: readonly { x: number; y: number }[] };
  return points
    .slice(1, -1)
    .filter(({ x }) => [...centres].some((centre) => Math.abs(centre - x) < 2))
    .map(({ x, y }) => [x, y] as const);
}

/**
 * A path from the row of the column to that of the key. It curves between the columns of tables, and is straight beside
 * tables.
 */
function pathOf({ columns, references }: Reference, from: Box, to: Box, bends: readonly Point[]): string {
  const [startY, endY] = [rowY(from, columns[0]), rowY(to, references[0])];
  if (from === to) {
    const x = from.x + WIDTH;
    return `M ${x} ${startY} C ${x + LEAD} ${startY} ${x + LEAD} ${endY} ${x} ${endY}`;
  }
  const side = from.x < to.x ? 1 : -1;
  const start: Point = [side > 0 ? from.x + WIDTH : from.x, startY];
  const end: Point = [side > 0 ? to.x : to.x + WIDTH, endY];
  const passed = bends.flatMap(([x, y]): readonly Point[] => [
    [x - (side * WIDTH) / 2, y],
    [x + (side * WIDTH) / 2, y],
  ]);
  let path = `M ${start.join(" ")}`;
  let [x, y] = start;
  [...passed, end].forEach(([nextX, nextY], index) => {
    const middle = (x + nextX) / 2;
    path += index % 2 === 1 ? ` L ${nextX} ${nextY}` : ` C ${middle} ${y} ${middle} ${nextY} ${nextX} ${nextY}`;
    [x, y] = [nextX, nextY];
  });
  return path;
}

/** The middle of a column's row. A column that is not shown uses the last row. */
function rowY({ table, y }: Box, column: string | undefined): number {
  const index = table.columns.findIndex(({ name }) => name === column);
  return y + HEAD + LINE * (Math.min(index < 0 ? 0 : index, MOST_COLUMNS) + 0.5);
}

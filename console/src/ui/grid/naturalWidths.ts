/** The widths of columns by their content, where the user has not chosen one. */
import { useEffect, useState, type RefObject } from "react";
import { WIDTH } from "../../service/rows/look.ts";
import type { Column, Relation } from "../../service/rows/relations.ts";
import type { Row } from "../../service/rows/rows.ts";
import type { Rows } from "../../service/rows/useRows.ts";
import { show } from "../../service/rows/values.ts";
import { marksOf } from "./GridRow.tsx";

/** The number of first rows that are measured, fewer for a table with very many columns. */
const ROWS = 30;
const [LEAST_ROWS, MOST_CELLS] = [3, 6000];
/** The most characters of a text that are measured. */
const LONGEST = 60;
/** The least and largest width and the padding, in pixels. */
const [LEAST, MOST, PADDING] = [72, 360, 20];

/**
 * The widths, measured from the first rows that arrive. They stay the same while scrolling and filtering. Empty until
 * then. `scroller`: an element with the font of the cells.
 */
export function useNaturalWidths(
  relation: Pick<Relation, "columns" | "key">,
  rows: Rows,
  scroller: RefObject<HTMLElement | null>,
): ReadonlyMap<string, number> {
  const [widths, setWidths] = useState<ReadonlyMap<string, number>>(new Map());
  const isMeasured = widths.size > 0;
  const wanted = Math.max(LEAST_ROWS, Math.min(ROWS, Math.floor(MOST_CELLS / relation.columns.length)));
  const first = rows.there.slice(0, wanted);
  useEffect(() => {
    if (!isMeasured && first.length > 0) setWidths(measure(relation, first, scroller.current!));
  }, [isMeasured, first.length, relation, scroller]);
  return widths;
}

function measure(
  relation: Pick<Relation, "columns" | "key">,
  rows: readonly Row[],
  element: HTMLElement,
): ReadonlyMap<string, number> {
  const context = document.createElement("canvas").getContext("2d")!;
  const { fontFamily, fontSize } = getComputedStyle(element);
  const size = parseFloat(fontSize);
  const widthOf = (text: string, font: string): number => {
    context.font = font;
    return context.measureText(text.slice(0, LONGEST)).width;
  };
  const [plain, bold, small] = [
    `${size}px ${fontFamily}`,
    `600 ${size}px ${fontFamily}`,
    `${size * 0.8}px ${fontFamily}`,
  ];
  const wanted = (column: Column): number => {
    const cells = rows.map(({ values }) => widthOf(show(values[column.name]), plain));
    const least = column.reference ? WIDTH : LEAST; // the name of the referenced row is next to a foreign key
    const head = Math.max(widthOf(`${column.name} ↑`, bold), widthOf(marksOf(column, relation), small));
    return Math.ceil(Math.min(MOST, Math.max(least, head + PADDING, ...cells.map((width) => width + PADDING))));
  };
  return new Map(relation.columns.map((column) => [column.name, wanted(column)]));
}

/** The rows on a map. It begins with the first ones, and reads those in view when it is moved. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import { readPage, type From, type Row } from "../../../service/rows/rows.ts";
import { isShape } from "../../../service/rows/values.ts";
import { ErrorNote } from "../../../ui/ErrorNote.tsx";
import { VectorMap } from "../../../ui/map/VectorMap.tsx";
import { fieldsOf } from "./useView.ts";
import type { OtherViewProps } from "./viewProps.ts";
import { t } from "../../../words/words.ts";

const NONE: ReadonlySet<string> = new Set();
/** The most rows in view that are drawn. */
const MOST_IN_VIEW = 2000;
const NO_ROWS: readonly Row[] = [];

interface InView {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

/** The rows in a box of degrees, of those that the filter chooses. */
function useRowsInView({ relation, search }: OtherViewProps, column: string | undefined, box: string | undefined) {
  const { schema, type } = relation;
  return useQuery({
    queryKey: ["rows", schema, type, "in view", search.where, column, box],
    queryFn: async ({ signal }): Promise<InView> => {
      const within = { [column!]: { bbox: JSON.parse(box!) as readonly number[] } };
      const where = search.where ? { and: [search.where, within] } : within;
      const rows: Row[] = [];
      let from: From | undefined = relation.canPage ? { after: undefined } : { offset: 0 };
      while (from && rows.length < MOST_IN_VIEW) {
        const page: Awaited<ReturnType<typeof readPage>> = await readPage(
          relation,
          { where, sort: undefined },
          from,
          signal,
        );
        rows.push(...page.rows);
        from = page.next;
      }
      return { rows: rows.slice(0, MOST_IN_VIEW), hasMore: from !== undefined || rows.length > MOST_IN_VIEW };
    },
    enabled: column !== undefined && box !== undefined,
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
}

export function MapOfRows(props: OtherViewProps) {
  const { relation, rows: first, search, onOpen } = props;
  const { geometry } = fieldsOf("map", relation, search.fields);
  const [box, setBox] = useState<string>();
  const { data, error } = useRowsInView(props, geometry?.name, box);
  const rows = data?.rows ?? NO_ROWS;
  const toShapes = useCallback(
    (some: readonly Row[]) =>
      some.flatMap(({ key, values }) => {
        const shape = geometry && values[geometry.name];
        return key !== undefined && isShape(shape) ? [{ id: key, geometry: shape }] : [];
      }),
    [geometry],
  );
  const begun = useMemo(() => toShapes(first.there), [first.there, toShapes]);
  const shapes = useMemo(() => (data ? toShapes(rows) : begun), [data, rows, begun, toShapes]);
  const look = useCallback((view: readonly number[]) => setBox(JSON.stringify(view)), []);
  return (
    <div className="map-of-rows">
      <ErrorNote error={error} />
      {data?.hasMore && (
        <p className="quiet">
          {t("The first {shown} of the rows in view. Zoom in, or filter, to see the others.", {
            shown: data.rows.length,
          })}
        </p>
      )}
      <VectorMap
        label={t("Map of {table}", { table: relation.table })}
        shapes={shapes}
        chosen={NONE}
        onView={look}
        onChoose={(key) => {
          const row = rows.find((each) => each.key === key) ?? first.at(first.indexOf(key));
          if (row) onOpen(row);
        }}
      />
    </div>
  );
}

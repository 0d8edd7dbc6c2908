/** The rows of the edited layer that are in view. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type OlMap from "ol/Map.js";
import { transformExtent } from "ol/proj.js";
import { useEffect, useState } from "react";
import type { Row } from "../../../service/rows/rows.ts";
import { systemsOf } from "../../../service/rows/systems.ts";
import { unfaithful } from "../../../service/rows/unfaithful.ts";
import { rowsWithin, type EditedTable, type RowsInView } from "./editRows.ts";
import { isCollection } from "./shapes.ts";

const NO_ROWS: readonly Row[] = [];
const NO_KEYS: ReadonlySet<string> = new Set();

export function useEditedRows(table: EditedTable, map: OlMap) {
  const client = useQueryClient();
  const box = useView(map);
  const { schema, table: name } = table.relation;
  const queryKey = ["edited rows", schema, name, box];
  const { data, error } = useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<RowsInView> => {
      const found = await rowsWithin(table, box, signal);
      return { ...found, unfaithful: await unfaithful(table.relation, table.column, found.rows) };
    },
    placeholderData: (before) => before,
    gcTime: 0,
  });
  const systems = useQuery({
    queryKey: ["edited rows", schema, name, "systems"],
    queryFn: () => systemsOf(table.relation, table.column),
    gcTime: 0,
  });
  return {
    /** Undefined until they are known. */
    systems: systems.data,
    rows: data?.rows ?? NO_ROWS,
    /** The number of rows in view whose shapes have several types. */
    collections: data?.rows.filter(({ values }) => isCollection(values[table.column.name])).length ?? 0,
    hasMore: data?.hasMore ?? false,
    unfaithful: data?.unfaithful ?? NO_KEYS,
    error,
    /** Reads the present rows. */
    async readAgain(): Promise<readonly Row[]> {
      await client.invalidateQueries({ queryKey: ["edited rows"] });
      return client.getQueryData<RowsInView>(queryKey)?.rows ?? NO_ROWS;
    },
  };
}

/** The view in degrees, updated when the map rests. */
function useView(map: OlMap): readonly number[] {
  const [box, setBox] = useState(() => boxOf(map));
  useEffect(() => {
    const rest = (): void => setBox(boxOf(map));
    map.on("moveend", rest);
    return () => map.un("moveend", rest);
  }, [map]);
  return box;
}

function boxOf(map: OlMap): readonly number[] {
  const extent = map.getView().calculateExtent(map.getSize());
  const [minx = 0, miny = 0, maxx = 0, maxy = 0] = transformExtent(extent, "EPSG:3857", "EPSG:4326");
  return [Math.max(-180, minx), Math.max(-90, miny), Math.min(180, maxx), Math.min(90, maxy)];
}

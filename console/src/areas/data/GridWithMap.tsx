/** The grid with an optional map of its rows next to it. A selection in one is shown in the other. */
import { lazy, Suspense, useMemo, useState } from "react";
import type { Row } from "../../service/rows/rows.ts";
import { isGeometry } from "../../service/rows/isGeometry.ts";
import { isShape } from "../../service/rows/values.ts";
import { Grid, type GridProps } from "../../ui/grid/Grid.tsx";
import { t } from "../../words/words.ts";

/** Loaded on demand, because it includes OpenLayers. */
const VectorMap = lazy(async () => ({ default: (await import("../../ui/map/VectorMap.tsx")).VectorMap }));

export function GridWithMap({ hasMap, ...grid }: GridProps & { readonly hasMap: boolean }) {
  const { relation, rows, selected, onSelect } = grid;
  /** The row that was last chosen on the map. */
  const [found, setFound] = useState<string>();
  const column = relation.columns.find(isGeometry)?.name;
  const shapes = useMemo(
    () =>
      rows.there.flatMap(({ key, values }) => {
        const geometry = column === undefined ? undefined : values[column];
        return key !== undefined && isShape(geometry) ? [{ id: key, geometry }] : [];
      }),
    [rows, column],
  );
  const chosen = useMemo(() => new Set(selected.keys()), [selected]);

  function choose(key: string): void {
    const row = rows.at(rows.indexOf(key));
    if (!row) return;
    const next = new Map<string, Row>(selected);
    if (!next.delete(key)) next.set(key, row);
    onSelect(next);
    setFound(key);
  }

  return (
    <div className="beside">
      <Grid {...grid} found={found} />
      {hasMap && (
        <Suspense fallback={<p className="quiet">{t("One moment …")}</p>}>
          <VectorMap
            label={t("Map of {table}", { table: relation.table })}
            shapes={shapes}
            chosen={chosen}
            onChoose={choose}
          />
        </Suspense>
      )}
    </div>
  );
}

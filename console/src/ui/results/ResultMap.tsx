/** The geometries of a result on a map. */
import { useMemo } from "react";
import { isShape } from "../../service/rows/values.ts";
import { VectorMap } from "../map/VectorMap.tsx";
import { t } from "../../words/words.ts";

export interface ResultMapProps {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly column: string;
}

export function ResultMap({ rows, column }: ResultMapProps) {
  const shapes = useMemo(
    () =>
      rows.flatMap((row, index) => {
        const geometry = row[column];
        return isShape(geometry) ? [{ id: String(index), geometry }] : [];
      }),
    [rows, column],
  );
  return (
    <>
      <p className="quiet">
        {t("{shown} of {count} rows, by {column}", { shown: shapes.length, count: rows.length, column })}
      </p>
      <VectorMap label={t("Map of the result")} shapes={shapes} />
    </>
  );
}

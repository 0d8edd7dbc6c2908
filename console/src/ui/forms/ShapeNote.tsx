/** Says of a geometry that GeoJSON does not hold all of it, before somebody writes over it. */
import { useQuery } from "@tanstack/react-query";
import type { Column, Relation } from "../../service/rows/relations.ts";
import { isGeometry } from "../../service/rows/isGeometry.ts";
import type { Row } from "../../service/rows/rows.ts";
import { t } from "../../words/words.ts";

export interface ShapeNoteProps {
  readonly relation: Relation;
  readonly column: Column;
  readonly row: Row;
}

export function ShapeNote({ relation, column, row }: ShapeNoteProps) {
  const { data: isUnfaithful = false } = useQuery({
    queryKey: ["unfaithful", relation.schema, relation.table, column.name, row.key, row.version],
    queryFn: async () => {
      const { unfaithful } = await import("../../service/rows/unfaithful.ts"); // it loads the parser of SQL
      return (await unfaithful(relation, column, [row])).size > 0;
    },
    enabled: isGeometry(column) && row.key !== undefined,
  });
  if (!isUnfaithful) return null;
  return (
    <p className="note" role="status">
      {t(
        "GeoJSON does not hold all of this shape: arcs, measures, surfaces, its reference system, or coordinates that are not finite. What you save here replaces it. Change it with SQL to keep them.",
      )}
    </p>
  );
}

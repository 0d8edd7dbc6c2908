/** A table with the values that its checks list: lanes of a board and choices of a form, as the labels of an enum are. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { withChoices } from "../../../service/rows/checks.ts";
import type { Relation } from "../../../service/rows/relations.ts";
import type { Kind } from "../../../service/rows/viewSearch.ts";
import { constraintsOf, type Constraint } from "../../../service/tables/schemas.ts";

function withAllChoices(relation: Relation, constraints: readonly Constraint[] = []): Relation {
  return { ...relation, columns: relation.columns.map((column) => withChoices(column, constraints)) };
}

function isNeeded(kind: Kind | undefined): boolean {
  return kind !== undefined && kind !== "grid";
}

/** Undefined while they are read; the grid does not need them. */
export function useChoices(relation: Relation, kind: Kind | undefined): Relation | undefined {
  const { schema, table } = relation;
  const { data, isLoading } = useQuery({ ...constraintsOf(schema, table), enabled: isNeeded(kind) });
  if (isLoading) return undefined;
  return isNeeded(kind) ? withAllChoices(relation, data) : relation;
}

/** The same for a kind of view that is about to be shown. */
export function useReadChoices(relation: Relation): (kind: Kind) => Promise<Relation> {
  const client = useQueryClient();
  return async (kind) => {
    if (!isNeeded(kind)) return relation;
    const constraints = await client.ensureQueryData(constraintsOf(relation.schema, relation.table)).catch(() => []);
    return withAllChoices(relation, constraints);
  };
}

/** The rows at the other end of the foreign keys of one row, in both directions: their number, and a link to them. */
import { useQueries, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Relation, Table } from "../../service/rows/relations.ts";
import { countRows, type Row } from "../../service/rows/rows.ts";
import { tablesOf } from "../../service/tables/tables.ts";
import { rowsText } from "../../service/rows/useRows.ts";
import { CloseTools } from "../../ui/forms/CloseTools.tsx";
import { Dialog } from "../../ui/forms/Dialog.tsx";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { useAllSchemas } from "../../ui/schemas.ts";
import { t } from "../../words/words.ts";

export interface RelatedDialogProps {
  readonly relation: Relation;
  readonly row: Row;
  readonly onClose: () => void;
}

interface Related {
  readonly schema: string;
  readonly table: string;
  /** The name of its type in GraphQL. */
  readonly type: string;
  /** The columns of the foreign key. */
  readonly by: string;
  readonly where: object;
}

export function RelatedDialog({ relation, row, onClose }: RelatedDialogProps) {
  const read = useQueries({ queries: useAllSchemas().map(tablesOf) });
  const tables = read.flatMap(({ data = [] }) => data);
  const related = relatedOf(relation, row, tables);
  return (
    <Dialog title={t("Related to {table} {key}", { table: relation.table, key: row.key })} onClose={onClose}>
      <ErrorNote error={read.find(({ error }) => error)?.error ?? null} />
      {read.every(({ data }) => data) && related.length === 0 && (
        <p className="quiet">{t("No foreign key leads from it or to it that you may see.")}</p>
      )}
      <ul className="sessions" aria-label={t("Related rows")}>
        {related.map((each) => (
          <RelatedRows key={`${each.schema} ${each.table} ${each.by}`} {...each} onOpen={onClose} />
        ))}
      </ul>
      <CloseTools onClose={onClose} />
    </Dialog>
  );
}

function RelatedRows({ schema, table, type, by, where, onOpen }: Related & { readonly onOpen: () => void }) {
  const { data, error } = useQuery({
    queryKey: ["count", schema, type, where, "now"],
    queryFn: ({ signal }) => countRows(schema, { type }, { where }, signal),
    staleTime: 0,
  });
  return (
    <li>
      <span className="what">
        <Link to="/data/$schema/$table" params={{ schema, table }} search={{ where }} onClick={onOpen}>
          {table}
        </Link>{" "}
        <span className="quiet">{t("by {by}", { by })}</span>
      </span>
      <span>{data === undefined ? (error?.message ?? "…") : rowsText(data)}</span>
    </li>
  );
}

/** Foreign keys to tables that are in GraphQL. A key with a null refers to no row. */
function relatedOf(
  { schema, table: name, columns }: Relation,
  { values }: Row,
  tables: readonly Table[],
): readonly Related[] {
  const valueOf = (column: string): unknown => {
    const field = columns.find((each) => each.column === column)?.name;
    return field === undefined ? undefined : values[field];
  };
  const leads = (
    table: Table | undefined,
    by: readonly string[],
    theirs: readonly string[],
    ours: readonly string[],
  ): Related[] => {
    const fields = theirs.map((column) => table?.columns.find((each) => each.name === column)?.graphql_field);
    const found = ours.map(valueOf);
    if (!table || table.graphql_type === null || !table.rights.includes("select")) return [];
    if (
      fields.some((field) => typeof field !== "string") ||
      found.some((value) => value === null || value === undefined)
    )
      return [];
    const where = Object.fromEntries(fields.map((field, index) => [field, { eq: found[index] }]));
    return [{ schema: table.schema, table: table.name, type: table.graphql_type, by: by.join(", "), where }];
  };
  const own = tables.find((table) => table.schema === schema && table.name === name);
  return [
    ...(own?.foreign_keys ?? []).flatMap(({ columns: ours, schema: of, table, references }) =>
      leads(
        tables.find((each) => each.schema === of && each.name === table),
        ours,
        references,
        ours,
      ),
    ),
    ...tables.flatMap((table) =>
      table.foreign_keys
        .filter((key) => key.schema === schema && key.table === name)
        .flatMap(({ columns: theirs, references }) => leads(table, theirs, theirs, references)),
    ),
  ];
}

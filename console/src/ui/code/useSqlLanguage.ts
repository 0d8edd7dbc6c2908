/** SQL with the names of the tables and columns that the person may see, and the completions of `more`. */
import type { CompletionSource } from "@codemirror/autocomplete";
import { PostgreSQL, sql, type SQLNamespace } from "@codemirror/lang-sql";
import type { Extension } from "@codemirror/state";
import { useQueries } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Table } from "../../service/rows/relations.ts";
import { tablesOf } from "../../service/tables/tables.ts";
import { useAllSchemas } from "../schemas.ts";

export function useSqlLanguage(more?: CompletionSource): Extension {
  const schemas = useAllSchemas();
  const namespace = useQueries({
    queries: schemas.map(tablesOf),
    combine: (answers) =>
      Object.fromEntries(answers.flatMap(({ data }, index) => (data ? [[schemas[index]!, columnsOf(data)]] : []))),
  });
  const known = JSON.stringify(namespace);
  return useMemo(
    () => [
      sql({ dialect: PostgreSQL, schema: JSON.parse(known) as SQLNamespace }),
      more ? PostgreSQL.language.data.of({ autocomplete: more }) : [],
    ],
    [known, more],
  );
}

function columnsOf(tables: readonly Table[]): Record<string, readonly string[]> {
  return Object.fromEntries(tables.map(({ name, columns }) => [name, columns.map((column) => column.name)]));
}

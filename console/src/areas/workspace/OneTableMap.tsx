/** The earlier address of the map of one table, which leads to a new map with this layer. */
import { useQuery } from "@tanstack/react-query";
import { Navigate, useParams, useSearch } from "@tanstack/react-router";
import { findTable, tablesOf } from "../../service/tables/tables.ts";
import { t } from "../../words/words.ts";

export function OneTableMap() {
  const { schema, table } = useParams({ from: "/maps/$schema/$table" });
  const { at } = useSearch({ from: "/maps/$schema/$table" });
  const { data, isPending } = useQuery(tablesOf(schema));
  if (isPending) return <p className="empty">{t("One moment …")}</p>;
  const name = (data && findTable(data, table))?.name ?? table;
  return <Navigate to="/workspace" search={{ layer: `${schema}.${name}`, style: true, at }} replace />;
}

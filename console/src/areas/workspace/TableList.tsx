/** The tables with a geometry, for a map that has none yet. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { shapeOf } from "../../service/maps.ts";
import { tablesOf } from "../../service/tables/tables.ts";
import { SideLinks } from "../../ui/shell/SideLinks.tsx";
import { useSchemas } from "../../ui/schemas.ts";
import { t } from "../../words/words.ts";

export function TableList() {
  const schemas = useSchemas();
  const [search, setSearch] = useState("");
  return (
    <nav className="table-list" aria-label={t("Tables with a geometry")}>
      <p className="quiet">{t("Choose a table with a geometry to see and style its map.")}</p>
      <input
        type="search"
        className="wide"
        placeholder={t("Find a table")}
        aria-label={t("Find a table")}
        value={search}
        onChange={({ target }) => setSearch(target.value)}
      />
      {schemas.map((schema) => (
        <SchemaTables key={schema} schema={schema} search={search} />
      ))}
    </nav>
  );
}

function SchemaTables({ schema, search }: { readonly schema: string; readonly search: string }) {
  const found = useQuery(tablesOf(schema));
  return (
    <SideLinks
      title={schema}
      found={found}
      has={(table) => shapeOf(table) !== undefined}
      nameOf={({ name }) => name}
      search={search}
      none={t("No table with a geometry.")}
    >
      {({ name }) => (
        <Link to="/workspace" search={{ layer: `${schema}.${name}`, style: true }}>
          {name}
        </Link>
      )}
    </SideLinks>
  );
}

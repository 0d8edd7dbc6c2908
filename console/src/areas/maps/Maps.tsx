/** The tables that are maps, and the open one. */
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { shapeOf } from "../../service/maps.ts";
import { tablesOf } from "../../service/tables/tables.ts";
import { useAccount } from "../../ui/hooks/useAccount.ts";
import { SideLinks } from "../../ui/shell/SideLinks.tsx";
import { SideList } from "../../ui/shell/SideList.tsx";
import { useSchemas } from "../../ui/schemas.ts";
import { t } from "../../words/words.ts";

export function Maps() {
  const { table } = useParams({ strict: false });
  const { data: account } = useAccount();
  const schemas = useSchemas();
  return (
    <SideList
      title={t("Maps")}
      label={t("Maps")}
      noun={t("a map")}
      isChosen={table !== undefined}
      empty={t("Choose a table with a geometry to see and style its map.")}
    >
      {(search) => (
        <>
          {schemas.map((schema) => (
            <SchemaMaps key={schema} schema={schema} search={search} />
          ))}
          {account?.superUser && <Link to="/pyramids">{t("Pyramids of tiles")}</Link>}
        </>
      )}
    </SideList>
  );
}

function SchemaMaps({ schema, search }: { readonly schema: string; readonly search: string }) {
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
        <Link to="/maps/$schema/$table" params={{ schema, table: name }}>
          {name}
        </Link>
      )}
    </SideLinks>
  );
}

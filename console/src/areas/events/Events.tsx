/** The tables of all schemas, and the events of the open one. */
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { ask } from "../../service/http/ask.ts";
import { tablesOf } from "../../service/tables/tables.ts";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { SideLinks } from "../../ui/shell/SideLinks.tsx";
import { SideList } from "../../ui/shell/SideList.tsx";
import { useSchemas } from "../../ui/schemas.ts";
import { t } from "../../words/words.ts";

export function Events() {
  const { table } = useParams({ strict: false });
  const schemas = useSchemas();
  return (
    <SideList
      title={t("Events")}
      label={t("Tables")}
      noun={t("a table")}
      isChosen={table !== undefined}
      empty={t("Choose a table to see its changes as they are committed.")}
    >
      {(search) => schemas.map((schema) => <SchemaTables key={schema} schema={schema} search={search} />)}
    </SideList>
  );
}

/** The GraphQL types of the tables with events, as the account sees them. */
function useSwitchedOn(schema: string) {
  return useQuery({
    queryKey: ["events on", schema],
    queryFn: async ({ signal }) => {
      const response = await ask(`/api/graphql/schema/${encodeURIComponent(schema)}/events`, { signal });
      return new Set(((await response.json()) as readonly { readonly type: string }[]).map(({ type }) => type));
    },
  });
}

function SchemaTables({ schema, search }: { readonly schema: string; readonly search: string }) {
  const found = useQuery(tablesOf(schema));
  const on = useSwitchedOn(schema);
  return (
    <>
      <SideLinks
        title={schema}
        found={found}
        has={({ rights }) => rights.includes("select")}
        nameOf={({ name }) => name}
        search={search}
        none={t("Nothing that you may see.")}
      >
        {({ name, graphql_type: type }) => (
          <Link to="/events/$schema/$table" params={{ schema, table: name }}>
            {name} {on.data && !on.data.has(type ?? "") && <span className="quiet">{t("off")}</span>}
          </Link>
        )}
      </SideLinks>
      <ErrorNote error={on.error} />
    </>
  );
}

/** The tables of all schemas, and the events of the one that is open. */
import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useParams } from "@tanstack/react-router";
import { ask } from "../../service/ask.ts";
import { tablesOf } from "../../service/tables.ts";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { SideList } from "../../ui/SideList.tsx";
import { useSchemas } from "../../ui/schemas.ts";

export function Events() {
  const { table } = useParams({ strict: false });
  const schemas = useSchemas();
  return (
    <SideList
      label="Tables"
      noun="a table"
      isChosen={table !== undefined}
      content={
        <>
          <Outlet />
          {table === undefined && (
            <p className="empty">Choose a table to see what is written to it, as it is committed.</p>
          )}
        </>
      }
    >
      {(search) => schemas.map((schema) => <SchemaTables key={schema} schema={schema} search={search} />)}
    </SideList>
  );
}

/** GraphQL's types of the tables whose events are on, for whoever asks. */
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
  const { data, error } = useQuery(tablesOf(schema));
  const on = useSwitchedOn(schema);
  const shown = data?.filter(
    ({ name, rights }) => rights.includes("select") && name.toLowerCase().includes(search.toLowerCase()),
  );
  return (
    <section aria-labelledby={`events-${schema}`}>
      <h2 id={`events-${schema}`}>{schema}</h2>
      <ErrorNote error={error ?? on.error} />
      {shown?.length === 0 && <p className="quiet">{search ? "None of that name." : "Nothing that you may see."}</p>}
      <ul>
        {shown?.map(({ name, graphql_type: type }) => (
          <li key={name}>
            <Link to="/events/$schema/$table" params={{ schema, table: name }}>
              {name} {on.data && !on.data.has(type ?? "") && <span className="quiet">off</span>}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

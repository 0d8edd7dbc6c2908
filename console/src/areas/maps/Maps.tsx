/** The tables that are maps, and the one that is open. */
import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useParams } from "@tanstack/react-router";
import { shapeOf } from "../../service/maps.ts";
import { tablesOf } from "../../service/tables.ts";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { SideList } from "../../ui/SideList.tsx";
import { useSchemas } from "../../ui/schemas.ts";

export function Maps() {
  const { table } = useParams({ strict: false });
  const schemas = useSchemas();
  return (
    <SideList
      label="Maps"
      noun="a map"
      isChosen={table !== undefined}
      content={
        <>
          <Outlet />
          {table === undefined && <p className="empty">Choose a table with a geometry to see and style its map.</p>}
        </>
      }
    >
      {(search) => schemas.map((schema) => <SchemaMaps key={schema} schema={schema} search={search} />)}
    </SideList>
  );
}

function SchemaMaps({ schema, search }: { readonly schema: string; readonly search: string }) {
  const { data, error } = useQuery(tablesOf(schema));
  const shown = data?.filter(
    (table) => shapeOf(table) !== undefined && table.name.toLowerCase().includes(search.toLowerCase()),
  );
  return (
    <section aria-labelledby={`maps-${schema}`}>
      <h2 id={`maps-${schema}`}>{schema}</h2>
      <ErrorNote error={error} />
      {shown?.length === 0 && <p className="quiet">{search ? "None of that name." : "No table with a geometry."}</p>}
      <ul>
        {shown?.map(({ name }) => (
          <li key={name}>
            <Link to="/maps/$schema/$table" params={{ schema, table: name }}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

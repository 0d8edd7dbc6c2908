/** The relations of all schemas, and the one that is open. */
import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { schemas } from "../../service/address.ts";
import { readRelations } from "../../service/relations.ts";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { useAccount } from "../../ui/Shell.tsx";

export function useRelations(schema: string) {
  return useQuery({ queryKey: ["relations", schema], queryFn: () => readRelations(schema), staleTime: 60_000 });
}

export function Data() {
  const { data: account } = useAccount();
  const [search, setSearch] = useState("");
  const { type } = useParams({ strict: false });
  const own = schemas[account?.database ?? ""] ?? [];
  return (
    <div className="data">
      <nav aria-label="Relations" className={type === undefined ? "side" : "side chosen"}>
        <input
          type="search"
          placeholder="Find a table"
          aria-label="Find a table"
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
        {own.map((schema) => (
          <SchemaRelations key={schema} schema={schema} search={search} />
        ))}
      </nav>
      <div className="content">
        <Outlet />
        {type === undefined && <p className="empty">Choose a table to see its rows, under your own rights.</p>}
      </div>
    </div>
  );
}

function SchemaRelations({ schema, search }: { readonly schema: string; readonly search: string }) {
  const { data, error, isPending } = useRelations(schema);
  const shown = data?.filter(({ type }) => type.toLowerCase().includes(search.toLowerCase()));
  return (
    <section aria-labelledby={`schema-${schema}`}>
      <h2 id={`schema-${schema}`}>{schema}</h2>
      <ErrorNote error={error} />
      {isPending && <p className="quiet">…</p>}
      {shown?.length === 0 && <p className="quiet">{search ? "None of that name." : "Nothing that you may see."}</p>}
      <ul>
        {shown?.map(({ type }) => (
          <li key={type}>
            <Link to="/data/$schema/$type" params={{ schema, type }}>
              {type}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

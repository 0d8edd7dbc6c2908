/** The relations of all schemas beside the one that is open: how every area begins that works on one at a time. */
import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { readRelations, type Relation } from "../service/relations.ts";
import { ErrorNote } from "./ErrorNote.tsx";
import { useSchemas } from "./schemas.ts";
import { SideList } from "./SideList.tsx";

export function useRelations(schema: string) {
  return useQuery({ queryKey: ["relations", schema], queryFn: () => readRelations(schema), staleTime: 60_000 });
}

export interface RelationsAreaProps {
  /** The address of one of them. */
  readonly to: "/data/$schema/$type" | "/history/$schema/$type";
  /** Which of them; all by default. */
  readonly has?: (relation: Relation) => boolean;
  /** What a schema without any says. */
  readonly none: string;
  /** What stands where none is open. */
  readonly children: ReactNode;
}

export function RelationsArea({ to, has = () => true, none, children }: RelationsAreaProps) {
  const { type } = useParams({ strict: false });
  const schemas = useSchemas();
  return (
    <SideList
      label="Relations"
      noun="a table"
      isChosen={type !== undefined}
      content={
        <>
          <Outlet />
          {type === undefined && <div className="empty">{children}</div>}
        </>
      }
    >
      {(search) =>
        schemas.map((schema) => (
          <SchemaRelations key={schema} schema={schema} search={search} to={to} has={has} none={none} />
        ))
      }
    </SideList>
  );
}

type SchemaRelationsProps = Required<Pick<RelationsAreaProps, "to" | "has" | "none">> & {
  readonly schema: string;
  readonly search: string;
};

function SchemaRelations({ schema, search, to, has, none }: SchemaRelationsProps) {
  const { data, error, isPending } = useRelations(schema);
  const shown = data?.filter(has).filter(({ type }) => type.toLowerCase().includes(search.toLowerCase()));
  return (
    <section aria-labelledby={`schema-${schema}`}>
      <h2 id={`schema-${schema}`}>{schema}</h2>
      <ErrorNote error={error} />
      {isPending && <p className="quiet">…</p>}
      {shown?.length === 0 && <p className="quiet">{search ? "None of that name." : none}</p>}
      <ul>
        {shown?.map(({ type }) => (
          <li key={type}>
            <Link to={to} params={{ schema, type }}>
              {type}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The relation that the address names, once it is known. */
export function OpenRelation({ children }: { readonly children: (relation: Relation) => ReactNode }) {
  const { schema = "", type = "" } = useParams({ strict: false });
  const { data, isPending, error } = useRelations(schema);
  const relation = data?.find((each) => each.type === type);
  if (isPending) return <p className="empty">One moment …</p>;
  if (error) return <ErrorNote error={error} />;
  if (!relation) return <p className="empty">There is no {type}, or you may not see it.</p>;
  return children(relation);
}

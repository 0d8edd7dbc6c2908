/** The relations of all schemas beside the one that is open: how every area begins that works on one at a time. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { readRelations, type Relation } from "../service/rows/relations.ts";
import { ErrorNote } from "./ErrorNote.tsx";
import { useSchemas } from "./schemas.ts";
import { SideLinks } from "./shell/SideLinks.tsx";
import { SideList } from "./shell/SideList.tsx";
import { t } from "../words/words.ts";

export const relationsOf = (schema: string) =>
  queryOptions({ queryKey: ["relations", schema], queryFn: () => readRelations(schema), staleTime: 60_000 });

export function useRelations(schema: string) {
  return useQuery(relationsOf(schema));
}

export interface RelationsAreaProps {
  readonly title: string;
  /** The address of one of them. */
  readonly to: "/data/$schema/$table" | "/history/$schema/$table";
  /** Which of them; all by default. */
  readonly has?: ((relation: Relation) => boolean) | undefined;
  /** The text for a schema without any. */
  readonly none: string;
  /** The content where none is open. */
  readonly children: ReactNode;
}

export function RelationsArea({ title, to, has, none, children }: RelationsAreaProps) {
  const { table } = useParams({ strict: false });
  const schemas = useSchemas();
  return (
    <SideList title={title} label={t("Relations")} noun={t("a table")} isChosen={table !== undefined} empty={children}>
      {(search) =>
        schemas.map((schema) => (
          <SchemaRelations key={schema} schema={schema} search={search} to={to} has={has} none={none} />
        ))
      }
    </SideList>
  );
}

interface SchemaRelationsProps extends Pick<RelationsAreaProps, "to" | "has" | "none"> {
  readonly schema: string;
  readonly search: string;
}

function SchemaRelations({ schema, search, to, has, none }: SchemaRelationsProps) {
  const found = useRelations(schema);
  return (
    <SideLinks title={schema} found={found} has={has} nameOf={({ table }) => table} search={search} none={none}>
      {({ table }) => (
        <Link to={to} params={{ schema, table }}>
          {table}
        </Link>
      )}
    </SideLinks>
  );
}

/** The relation that the address names, as PostgreSQL or as GraphQL does, once it is known. */
export function OpenRelation({ children }: { readonly children: (relation: Relation) => ReactNode }) {
  const { schema = "", table = "" } = useParams({ strict: false });
  const { data, isPending, error } = useRelations(schema);
  const relation = data?.find((each) => each.table === table) ?? data?.find((each) => each.type === table);
  if (isPending) return <p className="empty">{t("One moment …")}</p>;
  if (error) return <ErrorNote error={error} />;
  if (!relation) return <p className="empty">{t("There is no {table}, or you may not see it.", { table })}</p>;
  return children(relation);
}

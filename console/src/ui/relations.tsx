/**
 * The relations of all schemas next to the open one: the common start of every area that works on one relation at a
 * time.
 */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { readRelations, type Relation } from "../service/rows/relations.ts";
import { ErrorNote } from "./ErrorNote.tsx";
import { NotFound } from "./NotFound.tsx";
import { useSchemas } from "./schemas.ts";
import { SideLinks } from "./shell/SideLinks.tsx";
import { SideList } from "./shell/SideList.tsx";
import { t } from "../words/words.ts";

export const relationsOf = (schema: string) =>
  queryOptions({
    queryKey: ["relations", schema],
    queryFn: () => readRelations(schema),
    staleTime: 60_000,
    refetchOnWindowFocus: true, // the user may come from psql
  });

export function useRelations(schema: string) {
  return useQuery(relationsOf(schema));
}

export interface RelationsAreaProps {
  readonly title: string;
  /** The address of a relation. */
  readonly to: "/data/$schema/$table" | "/history/$schema/$table";
  /** Selects relations. Default: all. */
  readonly has?: ((relation: Relation) => boolean) | undefined;
  /** The text for a schema without such a relation. */
  readonly none: string;
  /** The content where no relation is open. */
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

/**
 * The relation in the address, by its name in PostgreSQL or GraphQL. It renders its content once the relation is known.
 */
export function OpenRelation({ children }: { readonly children: (relation: Relation) => ReactNode }) {
  const { schema = "", table = "" } = useParams({ strict: false });
  const { data, isPending, error } = useRelations(schema);
  const relation = data?.find((each) => each.table === table) ?? data?.find((each) => each.type === table);
  if (isPending) return <p className="empty">{t("One moment …")}</p>;
  if (error && !data) return <ErrorNote error={error} />;
  if (!relation) return <NotFound what={t("There is no {table}, or you may not see it.", { table })} />;
  return (
    <>
      <ErrorNote error={error} />
      {children(relation)}
    </>
  );
}

/** The objects of schemas, and changes to them. Each change shows its SQL before it runs. */
import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Index, Constraint, Enum as EnumType, SchemaChange } from "../http/openapi.ts";
import { answer, rest, send, type Method } from "../http/rest.ts";

export type { Index, Constraint, EnumType };

/** A request that returns the SQL that it ran; with `?dry=true` it only returns the SQL. */
export interface Change {
  readonly method: Method;
  readonly path: string;
  readonly body?: unknown;
}

export function schemaPath(schema: string): string {
  return `/schemas/${encodeURIComponent(schema)}`;
}

export function useSchemaTables(schema: string) {
  return useQuery({
    queryKey: ["schema tables", schema],
    queryFn: ({ signal }) => answer(rest.GET("/schemas/{schema}/tables", { params: { path: { schema } }, signal })),
  });
}

export function useTypes(schema: string) {
  return useQuery({
    queryKey: ["types", schema],
    queryFn: ({ signal }) => answer(rest.GET("/schemas/{schema}/types", { params: { path: { schema } }, signal })),
  });
}

export function useIndices(schema: string, table: string) {
  return useQuery({
    queryKey: ["indices", schema, table],
    queryFn: ({ signal }) =>
      answer(rest.GET("/schemas/{schema}/tables/{table}/indices", { params: { path: { schema, table } }, signal })),
  });
}

export const constraintsOf = (schema: string, table: string) =>
  queryOptions({
    queryKey: ["constraints", schema, table],
    queryFn: ({ signal }) =>
      answer(rest.GET("/schemas/{schema}/tables/{table}/constraints", { params: { path: { schema, table } }, signal })),
  });

export function useConstraints(schema: string, table: string) {
  return useQuery(constraintsOf(schema, table));
}

/** The SQL of a change, requested again whenever the change differs. Undefined while there is no complete change. */
export function usePreview(change: Change | undefined) {
  return useQuery({
    queryKey: ["preview", change],
    queryFn: async ({ signal }) => {
      const { method, path, body } = change!;
      return (await send<SchemaChange>(method, `${path}?dry=true`, body, signal)).sql;
    },
    enabled: change !== undefined,
    retry: false,
    placeholderData: (before) => before,
  });
}

/** Runs a change, then reloads everything about schemas. */
export function useRunChange(): (change: Change) => Promise<void> {
  const client = useQueryClient();
  return async ({ method, path, body }) => {
    await send(method, path, body);
    await Promise.all(
      ["schema tables", "types", "indices", "constraints", "relations", "tables", "column privileges"].map((what) =>
        client.invalidateQueries({ queryKey: [what] }),
      ),
    );
  };
}

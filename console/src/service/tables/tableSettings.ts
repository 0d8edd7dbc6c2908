/** The settings of a table for super users: history, events, workflow, and required sign-in. */
import { queryOptions } from "@tanstack/react-query";
import type { Authentication, Events, Versioning, Workflow } from "../http/openapi.ts";
import { read, send, tablePath } from "../http/rest.ts";

export interface TableName {
  readonly schema: string;
  readonly table: string;
}

export interface Settings {
  readonly versioning: Versioning;
  readonly events: Events;
  readonly workflow: Workflow;
  readonly authentication: Authentication;
}

export const settingOf = <Name extends keyof Settings>(table: TableName, name: Name) =>
  queryOptions({
    queryKey: ["setting", name, table.schema, table.table],
    queryFn: ({ signal }) => read<Settings[Name]>(`${tablePath(table)}/${name}`, signal),
  });

/**
 * Changes a setting. Members that are missing in `change` stay as they are. For a large table it is a job, which
 * continues after the answer.
 */
export async function changeSetting(table: TableName, name: keyof Settings, change: object): Promise<void> {
  await send("PATCH", `${tablePath(table)}/${name}`, change);
}

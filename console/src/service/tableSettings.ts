/** What super users set for a table: whether its history is kept, its changes are told, its rows go through workflow, who must sign in. */
import { queryOptions } from "@tanstack/react-query";
import { read, send, tablePath } from "./rest.ts";
import type { WorkflowRole } from "./relations.ts";

export interface TableName {
  readonly schema: string;
  readonly table: string;
}

export interface Settings {
  readonly versioning: { readonly enabled: boolean };
  readonly events: { readonly enabled: boolean };
  readonly workflow: {
    readonly enabled: boolean;
    readonly roles: readonly { readonly subuser: string; readonly role: WorkflowRole }[];
  };
  /** None and Write: everybody may read it. */
  readonly authentication: { readonly level: "None" | "Write" | "Read/write" };
}

export const settingOf = <Name extends keyof Settings>(table: TableName, name: Name) =>
  queryOptions({
    queryKey: ["setting", name, table.schema, table.table],
    queryFn: ({ signal }) => read<Settings[Name]>(`${tablePath(table)}/${name}`, signal),
  });

/** What is left out of `change` stays. A large table is changed by a job, which goes on afterwards. */
export async function changeSetting(table: TableName, name: keyof Settings, change: object): Promise<void> {
  await send("PATCH", `${tablePath(table)}/${name}`, change);
}

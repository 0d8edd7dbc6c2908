import type { Database, Identity } from "../kernel/database/database.ts";
import type { Door } from "../kernel/door.ts";
import type { Kernel } from "../kernel.ts";
import type { Resource } from "../kernel/rest/resource.ts";
import { restRoutes } from "../kernel/rest/routes.ts";
import { removeLeftovers } from "../ground/temporaryFolder.ts";
import type { EventHub } from "../events/types.ts";
import { methodResources } from "./collection.ts";
import { parseMessage } from "./run/envelope.ts";
import { EXPORT_FOLDER } from "../formats/gpkg/write.ts";
import type { CallContext, FunctionRow } from "./method.ts";
import { createMethods, type Methods } from "./methods.ts";
import type { RowsOptions } from "./rows/readRows.ts";
import { rowResources } from "./rows/resource.ts";
import { MAX_BODY_BYTES, MEDIA_TYPES, methodRoutes } from "./router.ts";
import { parserIsReady, readStatement } from "./statement/statement.ts";

export interface StoredMethods extends Door, Pick<Methods, "list" | "agentSql" | "panel" | "callText" | "dryText"> {
  /**
   * Whether the statement of a method writes, or the method is a volatile function. Throws `BAD_USER_INPUT` for a statement
   * that cannot be parsed.
   */
  writes(method: { readonly q: string; readonly function?: Pick<FunctionRow, "volatile"> }): boolean;
  /** Methods as they are defined, and rows of tables, for the OpenAPI document. */
  readonly resources: readonly Resource[];
  /** The messages of sockets, as text. */
  call(context: CallContext, text: string): Promise<string | undefined>;
  refuseCall(context: CallContext, text: string, reason: unknown): string | undefined;
  sql(context: CallContext, text: string): Promise<string>;
}

export function installMethods(
  kernel: Kernel,
  { eventsOf, ...rows }: { readonly eventsOf: (database: Database) => EventHub } & RowsOptions,
): StoredMethods {
  const { config, databaseOf, log, schemasOf } = kernel;
  /** Follows a table for kept results: rows that the account may see. */
  const watchTable = (
    identity: Identity,
    { schema, name }: { readonly schema: string; readonly name: string },
    onChange: () => void,
  ): Promise<{ close(): void }> =>
    eventsOf(databaseOf(identity)).subscribe({
      identity,
      schema,
      relation: name,
      columns: [],
      deliver: onChange,
      gap: onChange,
      end: onChange,
    });
  removeLeftovers(EXPORT_FOLDER);
  const methods = createMethods({ ...config, databaseOf, schemasOf, watchTable, log });
  const ownResources = methodResources(methods);
  const ofRows = rowResources(rows);
  const refresh = (database: Database): void => methods.refresh(database);
  return {
    resources: [...ownResources, ...ofRows],
    routes: [
      ...methodRoutes(kernel, methods),
      // they are those that GraphQL lists, so the rules for it hold for them
      ...restRoutes(kernel, ofRows, { service: "graphql", maxBodyBytes: config.maxBodyBytes }),
      ...restRoutes(kernel, ownResources, { service: "rpc", maxBodyBytes: MAX_BODY_BYTES, mediaTypes: MEDIA_TYPES }),
    ],
    start: () => parserIsReady,
    writes: ({ q, function: called }) => (called ? called.volatile : readStatement(q).writes),
    list: (context) => methods.list(context),
    agentSql: (context, asked) => methods.agentSql(context, asked),
    panel: (identity, panel) => methods.panel(identity, panel),
    callText: (context, message) => methods.callText(context, message),
    dryText: (context, message) => methods.dryText(context, message),
    call: (context, text) => methods.callText(context, parseMessage(text)),
    refuseCall: (context, text, reason) => methods.refusalText(context, parseMessage(text), reason),
    sql: (context, text) => methods.sqlText(context, parseMessage(text)),
    subjects: { methods: () => undefined }, // each call checks whether it was made from the newest ones
    onCatalogue: refresh,
    onAccounts: refresh, // a kept result may be one that somebody may no longer read
    rest: (database) => methods.forget(database),
    close: () => methods.close(),
  };
}

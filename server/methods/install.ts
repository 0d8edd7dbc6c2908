import type { Database, Identity } from "../kernel/database/database.ts";
import type { Door } from "../kernel/door.ts";
import type { Kernel } from "../kernel/kernel.ts";
import type { EventHub } from "../events/types.ts";
import { parseMessage } from "./envelope.ts";
import type { CallContext } from "./method.ts";
import { createMethods } from "./methods.ts";
import { methodRoutes } from "./router.ts";

/** What sockets send, as text. */
export interface StoredMethods extends Door {
  call(context: CallContext, text: string): Promise<string | undefined>;
  refuseCall(context: CallContext, text: string, reason: unknown): string | undefined;
  sql(context: CallContext, text: string): Promise<string>;
}

export function installMethods(
  kernel: Kernel,
  { eventsOf }: { readonly eventsOf: (database: Database) => EventHub },
): StoredMethods {
  const { config, databaseOf, log, schemasOf } = kernel;
  /** Follows a table for what is kept of results: rows that the account may see. */
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
  const methods = createMethods({ ...config, databaseOf, schemasOf, watchTable, log });
  const refresh = (database: Database): void => methods.refresh(database);
  return {
    routes: methodRoutes({ ...kernel, methods }),
    call: (context, text) => methods.callText(context, parseMessage(text)),
    refuseCall: (context, text, reason) => methods.refusalText(context, parseMessage(text), reason),
    sql: (context, text) => methods.sqlText(context, parseMessage(text)),
    onCatalogue: refresh,
    onAccounts: refresh, // what was kept may be what somebody may no longer read
    close: () => methods.close(),
  };
}

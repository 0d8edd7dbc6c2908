/** The caller of a tool, and what the other doors do for it. */
import type { EventHub } from "../events/types.ts";
import type { Config } from "../kernel/config.ts";
import type { Database, Identity, ReadPoint, RequestContext } from "../kernel/database/database.ts";
import type { Log } from "../ground/log.ts";
import type { Who } from "./presence.ts";

/** The fields of a table in GraphQL, as the door of GraphQL says them. */
export interface TableFields {
  readonly type: string;
  readonly roots: Readonly<Partial<Record<"list" | "page" | "aggregate" | "insert" | "update" | "delete", string>>>;
  readonly columns: ReadonlyMap<string, { readonly column: string; readonly selection: string }>;
  readonly relations: ReadonlyMap<string, RelationField>;
  readonly aggregates: Readonly<Partial<Record<string, readonly string[]>>>;
}

export interface RelationField {
  readonly schema: string;
  readonly table: string;
  readonly many: boolean;
  readonly on: readonly (readonly [here: string, there: string])[];
  readonly target: () => Pick<TableFields, "columns" | "relations">;
}

/** The caller of the other doors, and its address. */
export interface CallerOfDoors {
  readonly identity: Identity;
  readonly service: "mcp";
  readonly address: string | undefined;
  readonly requestId: string | undefined;
  readonly signal: AbortSignal;
  readonly point: ReadPoint | undefined;
}

/** The same for methods and SQL, to which the rules of two interfaces apply. */
export type CallerOfMethods = CallerOfDoors & { readonly through: "mcp" };

export function callerOfMethods({ caller }: Agent): CallerOfMethods {
  return { ...caller, through: "mcp" };
}

/** The types of parameters or columns of a method, by name. */
export type MethodTypes = Readonly<
  Record<
    string,
    {
      readonly type: string;
      readonly array: boolean;
      readonly typescript: string;
      readonly optional?: boolean;
    }
  >
>;

export interface StoredMethod {
  readonly method: string;
  readonly q: string;
  /** Set for a collection that is made by a function. */
  readonly function?: { readonly volatile: boolean };
  readonly description: string | null;
  readonly maxRows?: number | undefined;
  readonly inputSchema?: MethodTypes | undefined;
  readonly outputSchema?: MethodTypes | undefined;
  readonly outputFormat: string;
}

export interface SqlRows {
  readonly columns: Readonly<Record<string, string>>;
  /** Each as JSON text. */
  readonly rows: readonly string[];
  readonly more: boolean;
}

/** The other doors' functions that tools use. */
export interface OtherDoors {
  readonly graphql: {
    tableFields(identity: Identity, schema: string): Promise<ReadonlyMap<string, TableFields>>;
    execute(
      schema: string,
      request: {
        readonly query: string;
        readonly variables?: Readonly<Record<string, unknown>>;
        readonly dry?: boolean;
      },
      caller: CallerOfDoors,
    ): Promise<{ readonly text: string }>;
  };
  readonly methods: {
    list(caller: CallerOfMethods): Promise<readonly StoredMethod[]>;
    /** Whether a method writes, or is a volatile function. */
    writes(method: StoredMethod): boolean;
    callText(caller: CallerOfMethods & { readonly readOnly?: boolean }, message: unknown): Promise<string | undefined>;
    dryText(caller: CallerOfMethods, message: unknown): Promise<string>;
    agentSql(
      caller: CallerOfMethods,
      asked: {
        readonly sql: string;
        readonly params: Readonly<Record<string, unknown>>;
        readonly offset: number;
        readonly maxRows: number;
        readonly maxBytes: number;
      },
    ): Promise<SqlRows>;
  };
  readonly ogc: {
    readonly draws: boolean;
    ask(
      asked: CallerOfDoors & {
        readonly operation: "getFeatures" | "map.collection.getMap" | "map.dataset.getMap";
        readonly pathParameters: Readonly<Record<string, string>>;
        readonly query: Readonly<Record<string, string>>;
        readonly maxBytes: number;
      },
    ): Promise<{
      readonly status: number;
      readonly mediaType: string;
      readonly body: Buffer;
      readonly headers: Readonly<Record<string, unknown>>;
    }>;
  };
  eventsOf(database: Database): EventHub;
}

/** One request of an agent. */
export interface Agent {
  readonly doors: OtherDoors;
  readonly config: Pick<Config, "mcpMaxRows" | "mcpMaxBytes">;
  readonly log: Log;
  readonly database: Database;
  /** The schemas that the database exposes. */
  readonly schemas: readonly string[];
  readonly caller: CallerOfDoors;
  /** Whether its token has the scope `mcp:write`. */
  readonly mayWrite: boolean;
  readonly who: Who;
  /**
   * Runs work when it is the turn of the account: agents together have few calls at once, so that people wait little
   * for them. Throws `ACCOUNT_BUSY`, `UNAVAILABLE`, `CLIENT_GONE`, and the errors of the work.
   */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Counts a call of a tool. */
  counted(outcome: "done" | "refused"): void;
  /** Looks at the catalogue for a table that was missed. */
  lookFor(relation: { readonly schema: string; readonly name: string }): Promise<void>;
}

/** How statements of this door's own run. */
export function contextOf({ caller }: Agent): RequestContext {
  const { service, address, signal, point } = caller;
  return { service, address, signal, point, readOnly: true };
}

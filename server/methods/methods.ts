/** The methods of all databases, for the routes and the socket. */
import type { Database, UserSqlTransaction, Identity } from "../kernel/database/database.ts";
import { isConnectionLost, sqlstateOf } from "../ground/errors.ts";
import { answerAgentSql, type AgentRows, type AgentSql } from "./run/agentSql.ts";
import { ResultCache, type WatchTable } from "./run/cache.ts";
import { answerMessage, refuseMessage, type Answer } from "./run/calls.ts";
import { declareMethods } from "./declarations.ts";
import { answerDryRun, findTypes } from "./run/dryRun.ts";
import type { CallOptions, MethodsOfDatabase } from "./run/execution.ts";
import { answerSql, openSqlStream } from "./run/sqlStatements.ts";
import { answerPanel, type PanelSql } from "./run/panel.ts";
import { PanelCache, type PanelRows } from "./run/panelCache.ts";
import { openStream, type RowStream } from "./run/stream.ts";
import type { CallContext, Found, FunctionRow, Method } from "./method.ts";
import { PreparedStatements, type Prepared } from "./statement/prepare.ts";
import { MethodStore } from "./store.ts";
import { TypeCatalogue } from "./statement/types.ts";
import { mostRecent } from "../ground/mostRecent.ts";

export interface MethodsOptions extends CallOptions {
  databaseOf(identity: Identity): Database;
  /** The schemas that a database exposes. */
  schemasOf(database: string): readonly string[];
  readonly watchTable: WatchTable;
}

export interface Methods {
  /**
   * Answers a parsed JSON-RPC request or batch, as JSON text with every digit of large numbers. Undefined: nothing is
   * to be sent (notifications). Never rejects: errors become answers.
   */
  callText(context: CallContext, message: unknown): Promise<string | undefined>;
  /** The answer to a message that is refused for `reason`; undefined where none is sent. */
  refusalText(context: CallContext, message: unknown, reason: unknown): string | undefined;
  /** The same as `callText`, with the entity tag of a result that is kept. */
  answer(context: CallContext, message: unknown): Promise<Answer>;
  /** A dry run of one request, as JSON text. Never rejects. */
  dryText(context: CallContext, message: unknown): Promise<string>;
  /** The answer of `POST /api/v4/sql` to the same body, as JSON text. Rejects with a `GatewayError`. */
  sqlText(context: CallContext, message: unknown): Promise<string>;
  /** The rows of one request as a document of their own, where its method has a format that `accepts` takes. */
  stream(
    context: CallContext,
    message: unknown,
    accepts: (mediaType: string) => boolean,
  ): Promise<RowStream | undefined>;
  /** The rows of one statement of `sqlText` as a document of their own, where it or `accepts` asks for such a format. */
  sqlStream(
    context: CallContext,
    message: unknown,
    accepts: (mediaType: string) => boolean,
  ): Promise<RowStream | undefined>;
  /** The TypeScript declarations of all methods that the caller may call. */
  interfaces(context: CallContext): Promise<string>;
  /** The functions of these names, or (null) all, that the caller may call as methods, with their types. */
  functions(context: CallContext, names: readonly string[] | null): Promise<readonly Method[]>;
  /** The methods that the caller may call, by name, with their types as far as they are known. */
  list(context: CallContext): Promise<readonly Method[]>;
  /** One statement of an agent. Rejects with a `GatewayError`. */
  agentSql(context: CallContext, asked: AgentSql): Promise<AgentRows>;
  /** A panel of a public dashboard, as anonymous, at most `panelSeconds` old. Rejects as `agentSql` does. */
  panel(identity: Identity, panel: PanelSql): Promise<PanelRows>;
  /** Drops the descriptions of a database's statements, and kept results: DDL may have changed them. */
  refresh(database: Database): void;
  /** The database falls asleep: drops everything that is kept for it. */
  forget(database: Database): void;
  close(): void;
}

export function createMethods(options: MethodsOptions): Methods {
  const all = new Map<Database, MethodsOfDatabase>();

  const at = ({ identity }: CallContext): MethodsOfDatabase => of(options.databaseOf(identity));

  function of(database: Database): MethodsOfDatabase {
    let one = all.get(database);
    if (!one) {
      one = {
        options,
        database,
        store: new MethodStore(database, () => options.schemasOf(database.name)),
        prepared: new PreparedStatements(new TypeCatalogue(database)),
        writing: mostRecent(10_000),
        cache: new ResultCache(database, options.watchTable),
        panels: new PanelCache(),
      };
      all.set(database, one);
    }
    return one;
  }

  const answer = (context: CallContext, message: unknown): Promise<Answer> =>
    answerMessage(at(context), context, message);
  const callText = async (context: CallContext, message: unknown): Promise<string | undefined> =>
    (await answer(context, message)).text;

  async function list(context: CallContext): Promise<readonly Method[]> {
    const one = at(context);
    return typeFunctions(one, context, await one.store.list(context.identity));
  }

  return {
    answer,
    callText,
    refusalText: (context, message, reason) => refuseMessage(context, message, reason, options),
    dryText: (context, message) => answerDryRun(at(context), context, message),
    sqlText: async (context, message) => answerSql(at(context), context, message),
    stream: (context, message, accepts) => openStream(at(context), context, message, accepts),
    sqlStream: async (context, message, accepts) => openSqlStream(at(context), context, message, accepts),
    async interfaces(context) {
      return declareMethods(await list(context));
    },
    async functions(context, names) {
      const one = at(context);
      return typeFunctions(one, context, await one.store.functions(context.identity, names));
    },
    list,
    agentSql: async (context, asked) => answerAgentSql(at(context), context, asked),
    panel: async (identity, panel) => answerPanel(at({ identity }), identity, panel),
    refresh(database) {
      const { prepared, store, cache, panels } = of(database);
      prepared.clear();
      store.clear();
      cache.clear();
      panels.clear();
    },
    forget(database) {
      all.get(database)?.cache.close();
      all.delete(database);
    },
    close() {
      for (const { cache } of all.values()) cache.close();
    },
  };
}

type FunctionMethod = Method & { readonly function: FunctionRow };

function isFunction(method: Method): method is FunctionMethod {
  return method.function !== undefined;
}

/** Functions are described on request; only this process keeps their types. */
async function typeFunctions(
  of: MethodsOfDatabase,
  { identity, address, signal }: CallContext,
  methods: readonly Method[],
): Promise<Method[]> {
  if (!methods.some((method) => method.function)) return [...methods];
  const context = { service: "rpc", address, signal, readOnly: true, published: true } as const;
  return of.database.withOwnLogin(identity, context, async (transaction) => {
    const typed: Method[] = [];
    for (const method of methods)
      typed.push(isFunction(method) ? await typeFunction(of, transaction, identity.role, method) : method);
    return typed;
  });
}

/** Without types where PostgreSQL cannot give them, e.g. of a polymorphic function: the others are described nevertheless. */
async function typeFunction(
  { prepared: statements }: MethodsOfDatabase,
  transaction: UserSqlTransaction,
  role: string,
  method: FunctionMethod,
): Promise<Method> {
  let found: Found;
  try {
    const prepared = await statements.prepare(transaction, role, method);
    found = foundOf.get(prepared) ?? (await findTypes(transaction, prepared, method));
    foundOf.set(prepared, found);
  } catch (error) {
    if (sqlstateOf(error) === undefined || isConnectionLost(error)) throw error;
    return method;
  }
  const optional = method.function.arguments.slice(method.function.required);
  const inputs = Object.entries(found.inputSchema).map(([name, input]) => [
    name,
    { ...input, ...(optional.includes(name) && { optional: true }) },
  ]);
  return { ...method, inputSchema: Object.fromEntries(inputs), outputSchema: found.outputSchema };
}

/** Valid until DDL invalidates it. */
const foundOf = new WeakMap<Prepared, Found>();

/** The methods of all databases: what the routes and the socket call. */
import type { Database, Identity } from "../database.ts";
import type { Log } from "../log.ts";
import { answerDryRun, answerMessage, type CallOptions } from "./calls.ts";
import { parseMessage } from "./envelope.ts";
import type { MethodsOfDatabase } from "./execution.ts";
import { answerSql } from "./sqlStatements.ts";
import { openStream, type Stream } from "./stream.ts";
import type { CallContext, Method } from "./method.ts";
import { PreparedStatements } from "./prepare.ts";
import { parserIsReady, readStatement } from "./statement.ts";
import { MethodStore } from "./store.ts";
import { TypeCatalogue } from "./types.ts";
import { declarations, type Declared } from "./typescript.ts";

export interface MethodsOptions {
  readonly maxAnswerBytes: number;
  readonly statementTimeoutMs: number;
  databaseOf(identity: Identity): Database;
  readonly log: Log;
}

export interface Methods {
  /**
   * Answers a JSON-RPC request or batch, which is JSON already; undefined: nothing is to be sent (notifications). Never
   * rejects: what goes wrong is the answer.
   */
  call(context: CallContext, message: unknown): Promise<unknown>;
  /** The same, as JSON text: what a wire sends. It has every digit of large numbers. */
  callText(context: CallContext, message: unknown): Promise<string | undefined>;
  /** A dry run of one request, as JSON text. Never rejects. */
  dryText(context: CallContext, message: unknown): Promise<string>;
  /** What `POST /api/v4/sql` does, with the same body. Rejects with a `GatewayError`. */
  sql(context: CallContext, message: unknown): Promise<unknown>;
  /** The same, as JSON text. */
  sqlText(context: CallContext, message: unknown): Promise<string>;
  /** The rows of one request as a document of their own, where its method has a format that `accepts` takes. */
  stream(context: CallContext, message: unknown, accepts: (mediaType: string) => boolean): Promise<Stream | undefined>;
  /** The TypeScript declarations of all methods that the caller may call. */
  interfaces(identity: Identity): Promise<string>;
  /** Forgets what was described of a database's statements: DDL may have changed it. */
  refresh(database: Database): void;
}

export function createMethods(options: MethodsOptions): Methods {
  const all = new Map<Database, MethodsOfDatabase>();
  const callOptions: CallOptions = options;

  function of(database: Database): MethodsOfDatabase {
    let one = all.get(database);
    if (!one) {
      one = {
        database,
        store: new MethodStore(database),
        prepared: new PreparedStatements(new TypeCatalogue(database)),
        writing: new Set(),
      };
      all.set(database, one);
    }
    return one;
  }

  const callText = (context: CallContext, message: unknown): Promise<string | undefined> =>
    answerMessage(of(options.databaseOf(context.identity)), context, message, callOptions);

  const sqlText = async (context: CallContext, message: unknown): Promise<string> => {
    await parserIsReady;
    return answerSql(of(options.databaseOf(context.identity)), context, message, callOptions);
  };

  return {
    callText,
    async call(context, message) {
      const text = await callText(context, message);
      return text === undefined ? undefined : parseMessage(text);
    },
    dryText: (context, message) =>
      answerDryRun(of(options.databaseOf(context.identity)), context, message, callOptions),
    sqlText,
    async sql(context, message) {
      return parseMessage(await sqlText(context, message));
    },
    stream: (context, message, accepts) =>
      openStream(of(options.databaseOf(context.identity)), context, message, accepts, callOptions),
    async interfaces(identity) {
      await parserIsReady;
      const methods = await of(options.databaseOf(identity)).store.list(identity);
      return declarations(methods.map(toDeclared));
    },
    refresh: (database) => of(database).prepared.clear(),
  };
}

function toDeclared(method: Method): Declared {
  const { inputSchema, outputSchema, description } = method;
  return { method: method.method, description, parameters: parametersOf(method), inputSchema, outputSchema };
}

/** None where somebody has written a statement that is none: a call says so. */
function parametersOf({ q }: Method): readonly string[] {
  try {
    return readStatement(q).parameters;
  } catch {
    return [];
  }
}

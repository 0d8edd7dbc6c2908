/** Makes a mutation request one transaction, as in Portolan, on a team's own PostGraphile server. */
import { getOperationAST, GraphQLError, type ExecutionResult } from "postgraphile/graphql";
import type { PgClient, WithPgClient } from "postgraphile/@dataplan/pg";
import { SQLSTATE, sqlstateOf } from "../server/ground/errors.ts";
import { VERSION } from "../server/ground/packageDirectory.ts";

declare global {
  namespace GraphileConfig {
    interface Plugins {
      TransactionPlugin: true;
    }
  }
}

/** The transaction of one request in one database. It begins with the first statement. */
class OneTransaction {
  readonly #withPgClient: WithPgClient;
  readonly #over = Promise.withResolvers<void>();
  #client: Promise<PgClient> | undefined;
  #ended: Promise<void> | undefined;

  constructor(withPgClient: WithPgClient) {
    this.#withPgClient = withPgClient;
  }

  /**
   * Replaces the client of the context. It uses the settings of the first caller, since they are the same for the whole
   * request.
   */
  readonly run: WithPgClient = async (settings, callback) => {
    this.#client ??= this.#begin(settings);
    return callback((await this.#client) as Parameters<typeof callback>[0]);
  };

  #begin(settings: Parameters<WithPgClient>[0]): Promise<PgClient> {
    const begun = Promise.withResolvers<PgClient>();
    this.#ended = this.#withPgClient(settings, (client) =>
      client.withTransaction((transaction) => {
        begun.resolve(transaction);
        return this.#over.promise;
      }),
    );
    this.#ended.catch(begun.reject);
    return begun.promise;
  }

  /** Throws the error of the commit, such as that of a deferred constraint. */
  async commit(): Promise<void> {
    this.#over.resolve();
    await this.#ended;
  }

  async rollback(): Promise<void> {
    this.#over.promise.catch(() => undefined); // nobody awaits it if no transaction has begun
    this.#over.reject(new Error("the request has errors"));
    await this.#ended?.catch(() => undefined);
  }
}

/** The errors without the refusals that PostgreSQL gives after the first failure, which say nothing. */
function telling(errors: readonly GraphQLError[]): readonly GraphQLError[] {
  const own = errors.filter(({ originalError }) => sqlstateOf(originalError) !== SQLSTATE.inFailedTransaction);
  return own.length > 0 ? own : errors;
}

/** Ends the transactions. Returns the answer of a failed request, which has no data. */
async function end(
  transactions: readonly OneTransaction[],
  errors: readonly GraphQLError[],
): Promise<ExecutionResult | undefined> {
  const rollback = async (): Promise<void> => {
    await Promise.all(transactions.map((transaction) => transaction.rollback()));
  };
  if (errors.length > 0) {
    await rollback();
    return { data: null, errors: telling(errors) };
  }
  try {
    for (const transaction of transactions) await transaction.commit();
    return undefined;
  } catch (error) {
    await rollback();
    const originalError = error as Error;
    return { data: null, errors: [new GraphQLError(originalError.message, { originalError })] };
  }
}

async function* inTurn<T>(all: readonly T[]): AsyncGenerator<T, void, undefined> {
  yield* all;
}

export const TransactionPlugin: GraphileConfig.Plugin = {
  name: "TransactionPlugin",
  description: "Makes a mutation request one transaction",
  version: VERSION,

  grafast: {
    middleware: {
      async execute(next, { args }) {
        if (getOperationAST(args.document, args.operationName)?.operation !== "mutation") return next();
        const context = args.contextValue as unknown as Record<string, unknown>;
        const own = { ...context };
        const transactions: OneTransaction[] = [];
        for (const { withPgClientKey = "withPgClient" } of args.resolvedPreset?.pgServices ?? []) {
          const withPgClient = context[withPgClientKey] as WithPgClient | undefined;
          if (!withPgClient) continue;
          const transaction = new OneTransaction(withPgClient);
          own[withPgClientKey] = transaction.run;
          transactions.push(transaction);
        }
        args.contextValue = own as unknown as Grafast.Context;
        try {
          const result = await next();
          if (Symbol.asyncIterator in result) {
            const portions: ExecutionResult[] = [];
            for await (const portion of result as AsyncIterable<ExecutionResult>) portions.push(portion); // sent when the transaction has ended
            const errors = portions.flatMap((portion) => portion.errors ?? []);
            const failed = await end(transactions, errors);
            return inTurn(failed ? [failed] : portions);
          }
          const failed = await end(transactions, result.errors ?? []);
          if (!failed) return result;
          return result.data === undefined ? result : { ...result, ...failed }; // undefined: nothing ran
        } catch (error) {
          await end(transactions, [error as GraphQLError]);
          throw error;
        }
      },
    },
  },
};

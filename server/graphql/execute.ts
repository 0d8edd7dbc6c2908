/** Runs GraphQL operations: one transaction each, as the caller's role. */
import { GraphQLError, OperationTypeNode, type DocumentNode, type OperationDefinitionNode } from "graphql";
import { execute as executePlan } from "postgraphile/grafast";
import type { HiddenColumns } from "../../plugins/tables/hiddenColumns.ts";
import { rulesBasis } from "../kernel/catalogue/access.ts";
import type { Identity, ReadPoint, Service, Transaction } from "../kernel/database/database.ts";
import { GatewayError, SQLSTATE, isForNow, isReplacedType, sqlstateOf, toGatewayError } from "../ground/errors.ts";
import { claim } from "../kernel/http/idempotencyKey.ts";
import type { Log } from "../ground/log.ts";
import { whyAgain, withRetries, type Remedies } from "../ground/retry.ts";
import { hiddenColumns } from "./access.ts";
import { chooseOperation, describeOperation } from "./documents.ts";
import { findDocument } from "./build/findSchema.ts";
import type { ServedSchema, SchemaRegistry } from "./build/schemaRegistry.ts";
import { causeOf, renderError, type ErrorEntry } from "./operationErrors.ts";
import { plainRead, runPlainRead, type Outcome } from "./plainReads.ts";
import { reachOf, refusedFields, rootFieldsOf, withoutFields, type Refusal } from "./rules.ts";

export interface GraphqlRequest {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined;
  readonly operationName?: string | null | undefined;
  /** Keeps the document. Called once it was found valid. */
  readonly remember?: (() => void) | undefined;
  /** Runs a mutation, answers as usual, and rolls back. Default false. */
  readonly dry?: boolean | undefined;
  /** Runs a mutation once for the account: the header Idempotency-Key. */
  readonly idempotencyKey?: string | undefined;
}

export interface Caller {
  readonly identity: Identity;
  /** The interface that rules and policies see. Default `graphql`. */
  readonly service?: Service | undefined;
  readonly address?: string | undefined;
  readonly requestId?: string | undefined;
  /** Fires when the caller is gone. */
  readonly signal?: AbortSignal | undefined;
  /** The writes that its reads must see. */
  readonly point?: ReadPoint | undefined;
  /** Receives the operation, for the log of requests. */
  readonly onOperation?: ((operation: string) => void) | undefined;
}

export interface GraphqlAnswer {
  /** The response as JSON text. */
  readonly text: string;
  /** The request itself was wrong (GraphQL §7.1.2): nothing ran and there is no `data`. */
  readonly refused: boolean;
}

/**
 * Runs one query or mutation of the served schema. `caller.onlyQueries`: a mutation throws `METHOD_NOT_ALLOWED` (GraphQL
 * over HTTP: GET must not write). Throws `UNAVAILABLE` when the database does not answer. Every other error is part of
 * the answer.
 */
export async function executeGraphql(
  registry: SchemaRegistry,
  found: ServedSchema,
  request: GraphqlRequest,
  caller: Caller & { readonly onlyQueries?: boolean },
): Promise<GraphqlAnswer> {
  const { served, read } = await findDocument(registry, found, request.query);
  if (read.errors) return refusal(read.errors, registry.log, caller);
  request.remember?.();
  let operation: OperationDefinitionNode;
  try {
    operation = chooseOperation(read.document, request.operationName);
    if (operation.operation === OperationTypeNode.SUBSCRIPTION)
      throw new GatewayError("BAD_USER_INPUT", "Subscriptions go over a WebSocket");
    caller.onOperation?.(describeOperation(operation));
  } catch (error) {
    return refusal([error as Error], registry.log, caller);
  }
  const isMutation = operation.operation === OperationTypeNode.MUTATION;
  if (caller.onlyQueries && isMutation)
    throw new GatewayError("METHOD_NOT_ALLOWED", "A mutation needs POST", { headers: { Allow: "POST" } });

  const outcome = isMutation
    ? await mutate(registry, served, request, caller)
    : await query(registry, served, request, caller);
  refuseWhenDown(outcome);
  if (outcome.data === undefined) return refusal(outcome.errors, registry.log, caller);
  const errors =
    outcome.errors.length === 0 ? "" : `,"errors":${JSON.stringify(renderAll(outcome.errors, registry.log, caller))}`;
  return { text: `{"data":${outcome.data ?? "null"}${errors}}`, refused: false };
}

/**
 * Makes an unreachable database an error of the whole request instead of a field, with a status that load balancers and
 * clients understand. Throws `UNAVAILABLE`, `ACCOUNT_BUSY`.
 */
function refuseWhenDown({ errors }: Outcome): void {
  const [first] = errors.map((error) => toGatewayError(causeOf(error)));
  if (first && errors.every((error) => isForNow(toGatewayError(causeOf(error)).code))) throw first;
}

async function query(
  registry: SchemaRegistry,
  served: ServedSchema,
  request: GraphqlRequest,
  caller: Caller,
): Promise<Outcome> {
  let current = served;
  const attempt = (way: Pick<RunOptions, "planned" | "hidden">): Promise<Outcome> =>
    runAgain((unnamed) => run(current, request, caller, { readOnly: true, unnamed, ...way }), {
      async ddl() {
        const before = current;
        current = await registry.afterStale(before).catch(() => before); // the failure is in the log; the first answer stands
        return current !== before;
      },
    });
  const outcome = await attempt({});
  if (!lacksRight(outcome)) return outcome;
  const { mayBePlanned: planned = false } = outcome;
  const hidden = await hiddenFrom(current, request, caller);
  return planned || hidden ? attempt({ planned, hidden }) : outcome;
}

/** The columns that the caller may not select. Their use in an order alone can make a list fail. */
async function hiddenFrom(
  served: ServedSchema,
  { query, operationName }: GraphqlRequest,
  { identity }: Caller,
): Promise<HiddenColumns | undefined> {
  const { document } = served.documents.read(query);
  if (!document) return undefined;
  const fields = rootFieldsOf({ served, document, operation: chooseOperation(document, operationName) });
  const hidden = await hiddenColumns(
    served.database,
    identity.role,
    fields.flatMap(({ accesses }) => accesses),
  );
  return hidden.size > 0 ? hidden : undefined;
}

function lacksRight({ errors }: Outcome): boolean {
  return errors.some((error) => sqlstateOf(causeOf(error)) === SQLSTATE.insufficientPrivilege);
}

async function mutate(
  registry: SchemaRegistry,
  served: ServedSchema,
  request: GraphqlRequest,
  caller: Caller,
): Promise<Outcome> {
  let current = served;
  async function ddl(): Promise<boolean> {
    const before = current;
    current = await registry.afterStale(before).catch(() => before); // logged there
    return current !== before;
  }
  // a narrow attempt can miss a column although the definition is the present one
  const attempt = (narrow: boolean): Promise<Outcome> =>
    runAgain((unnamed) => run(current, request, caller, { readOnly: false, unnamed, narrow }), narrow ? {} : { ddl });
  let outcome = await attempt(false);
  if (outcome.errors.some((error) => isReplacedType(causeOf(error))) && (await ddl())) outcome = await attempt(false);
  if (lacksRight(outcome)) {
    // Perhaps only columns that the caller may not read were in the way. Nothing was written, so the request can run
    // again.
    const narrow = await attempt(true);
    // a missing column, or a dropped function of the whole row; the first refusal gives the reason
    const { cannotCoerce } = SQLSTATE;
    const isNone = narrow.errors
      .map(causeOf)
      .some((error) => whyAgain(error) === "ddl" || sqlstateOf(error) === cannotCoerce);
    return isNone ? outcome : narrow;
  }
  return outcome;
}

/** Nothing of an operation that has errors takes effect. `attempt`: without prepared statements after DDL has changed one. */
function runAgain(attempt: (unnamed: boolean) => Promise<Outcome>, remedies: Remedies = {}): Promise<Outcome> {
  let unnamed = false;
  return withRetries(
    () => attempt(unnamed),
    {
      changed: () => true,
      connection: () => true,
      plan() {
        unnamed = true;
      },
      ...remedies,
    },
    { errorsOf: ({ errors }) => errors.map(causeOf) },
  );
}

interface RunOptions {
  readonly readOnly: boolean;
  /** Return only columns of written rows that the caller may select. */
  readonly narrow?: boolean;
  /** Has Grafast plan the query even where one statement could answer it. */
  readonly planned?: boolean;
  /** Columns that may not order a list unless the caller asks for them. Default none. */
  readonly hidden?: HiddenColumns | undefined;
  /** Without prepared statements. */
  readonly unnamed: boolean;
}

async function run(
  served: ServedSchema,
  request: GraphqlRequest,
  caller: Caller,
  options: RunOptions,
): Promise<Outcome> {
  const { identity, service = "graphql", address, signal, point } = caller;
  const { document, errors } = served.documents.read(request.query);
  if (errors) return { errors };
  const { readOnly } = options;
  const context = { service, readOnly, address, signal, point } as const;
  try {
    const operation = chooseOperation(document!, request.operationName);
    const chosen = { served, document: document!, operation, variables: request.variables ?? {} };
    const fields =
      options.readOnly && !options.planned
        ? plainRead(chosen, { account: identity.name, hidden: options.hidden })
        : undefined;
    if (options.readOnly) served.rootFields?.inc({ way: fields ? "plain" : "planned" }, rootFieldsOf(chosen).length);
    const basis = await rulesBasis(served.database);
    const reach = reachOf(chosen);
    return await served.database.withIdentity(identity, { ...context, basis, reach }, async (transaction) => {
      const dry = request.dry === true && !readOnly;
      if (dry) transaction.rollbackOnly();
      if (request.idempotencyKey !== undefined && !readOnly) await claim(request.idempotencyKey, transaction);
      const refused = await refusedFields(chosen, transaction);
      if (refused.size > 0 && !options.readOnly) {
        transaction.rollbackOnly();
        return { data: null, errors: [...refused.values()].map(({ error }) => error) };
      }
      const allowed = refused.size > 0 ? withoutFields(chosen, refused) : document!;
      const rest: Outcome = !allowed
        ? { data: "{}", errors: [] }
        : fields
          ? await runPlainRead(
              fields.filter(({ key }) => !refused.has(key)),
              transaction,
              { unnamed: options.unnamed, maxAnswerBytes: served.maxAnswerBytes },
            )
          : await runPlan(served, { ...request, document: allowed }, transaction, {
              ...options,
              account: identity.name,
            });
      // as a commit would, which does not follow
      if (dry && rest.errors.length === 0) await transaction.query({ text: "set constraints all immediate" });
      return withRefusals(rest, refused);
    });
  } catch (error) {
    // No connection, or COMMIT failed, as by a deferred constraint
    return { data: null, errors: [error as Error] };
  }
}

/** The outcome of an operation without the fields that were refused, which are null in it. */
function withRefusals(outcome: Outcome, refused: ReadonlyMap<string, Refusal>): Outcome {
  if (refused.size === 0) return outcome;
  const errors = [...outcome.errors, ...[...refused.values()].map(({ error }) => error)];
  if (outcome.data === undefined) return { ...outcome, errors };
  if (outcome.data === null || [...refused.values()].some(({ nonNull }) => nonNull))
    return { ...outcome, data: null, errors };
  const members = [...refused.keys()].map((key) => `${JSON.stringify(key)}:null`).join(",");
  return { ...outcome, data: outcome.data === "{}" ? `{${members}}` : `{${members},${outcome.data.slice(1)}`, errors };
}

/** The general way: Grafast plans the operation. */
async function runPlan(
  { schema, resolvedPreset }: ServedSchema,
  { document, variables, operationName }: Omit<GraphqlRequest, "query"> & { readonly document: DocumentNode },
  transaction: Transaction,
  { readOnly, narrow = false, hidden, unnamed, account }: RunOptions & { readonly account: string },
): Promise<Outcome> {
  let failure: Error | undefined;
  const withPgClient = clientOver(transaction, unnamed, (error) => (failure ??= error));
  const result = await executePlan({
    schema,
    document,
    variableValues: variables ?? null,
    operationName: operationName ?? null,
    contextValue: {
      withPgClient,
      pgSettings: null,
      portolanNarrow: narrow,
      portolanAccount: account,
      portolanHidden: hidden,
    } as unknown as Grafast.Context,
    resolvedPreset,
    middleware: null,
    outputDataAsString: true,
  });
  const { data, errors = [] } = result as { data?: string | null; errors?: readonly GraphQLError[] };
  if (readOnly || errors.length === 0) return { ...(data === undefined ? {} : { data }), errors };
  transaction.rollbackOnly();
  // After the first failure PostgreSQL refuses all later statements; those refusals carry no information.
  const telling = errors.filter((error) => sqlstateOf(causeOf(error)) !== SQLSTATE.inFailedTransaction);
  const told = telling.length > 0 ? telling : errors.map((error) => because(error, failure));
  return { ...(data === undefined ? {} : { data: null }), errors: told };
}

/** The same error with another cause: a step may fail whose result no field uses, such as that of the version of a row. */
function because(error: GraphQLError, failure: Error | undefined): GraphQLError {
  if (!failure) return error;
  const { nodes = null, path = null } = error;
  return new GraphQLError(failure.message, { nodes, path, originalError: failure });
}

function refusal(errors: readonly Error[], log: Log, caller: Caller): GraphqlAnswer {
  return { text: JSON.stringify({ errors: renderAll(errors, log, caller) }), refused: true };
}

function renderAll(errors: readonly Error[], log: Log, { requestId }: Caller): ErrorEntry[] {
  return errors.map((error) => renderError(error, log, requestId));
}

interface PgClient {
  query(query: { text: string; values?: unknown[]; name?: string; arrayMode?: boolean }): Promise<object>;
  withTransaction<T>(callback: (client: PgClient) => Promise<T>): Promise<T>;
}

/** Grafast may ask for several clients; all of them are the one transaction. `onError`: a statement has failed. */
export function clientOver(
  transaction: Transaction,
  unnamed: boolean,
  onError: (error: Error) => void = () => undefined,
) {
  const client: PgClient = {
    query: ({ text, values, name, arrayMode }) =>
      transaction
        .query({ text, values, name: unnamed ? undefined : name, rowMode: arrayMode ? "array" : undefined })
        .catch((error: Error) => {
          onError(error);
          throw error;
        }),
    withTransaction: (callback) => callback(client),
  };
  return <T>(_settings: unknown, callback: (pgClient: PgClient) => T | Promise<T>): T | Promise<T> => callback(client);
}

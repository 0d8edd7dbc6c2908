/** Queries that one statement answers completely (`jsonPlan.ts`): how they are recognised and run. */
import { GraphQLError, getVariableValues } from "graphql";
import type { HiddenColumns } from "../../plugins/tables/hiddenColumns.ts";
import type { Statement, Transaction } from "../kernel/database/database.ts";
import { GatewayError } from "../ground/errors.ts";
import type { Chosen } from "./rules.ts";
import { compileJson, isForGrafast, type JsonField } from "./plain/jsonPlan.ts";

/** The result of an operation; `data` is JSON text. */
export interface Outcome {
  readonly data?: string | null;
  readonly errors: readonly Error[];
  /** Rights may be missing only for this form of the query; Grafast has another. */
  readonly mayBePlanned?: boolean;
}

export interface RunnableField extends JsonField {
  readonly prepared: Statement;
}

/** The statement of such a query; undefined where Grafast is needed, or an argument is wrong. */
export function plainRead(
  { served, document, operation, variables }: Chosen,
  { account, hidden }: { readonly account: string; readonly hidden?: HiddenColumns | undefined },
): readonly RunnableField[] | undefined {
  const { schema, plainReads, maxAnswerBytes } = served;
  if (!plainReads) return undefined;
  let fields = hidden
    ? compileJson(schema, document, operation, { maxAnswerBytes, hidden })
    : plainReads.get(operation);
  if (fields === undefined && !hidden)
    plainReads.set(operation, (fields = compileJson(schema, document, operation, { maxAnswerBytes }) ?? null));
  if (!fields) return undefined;
  const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], variables);
  if (!coerced) return undefined;
  try {
    return fields.map((field) => ({ ...field, prepared: field.statement(coerced, account) }));
  } catch (error) {
    if (isForGrafast(error)) return undefined;
    throw error;
  }
}

/** Runs them in the transaction. A field that fails is null, with an error. */
export async function runPlainRead(
  fields: readonly RunnableField[],
  transaction: Transaction,
  { unnamed, maxAnswerBytes }: { readonly unnamed: boolean; readonly maxAnswerBytes: number },
): Promise<Outcome> {
  const errors: Error[] = [];
  let answered = 0;
  let whole = true;
  const members = await Promise.all(
    fields.map(async ({ key, nodes, nonNull, prepared }, index) => {
      const statement = { ...prepared, ...(unnamed && { name: undefined }), last: index === fields.length - 1 };
      try {
        let value: string | null = null;
        const onAgain = (): void => void (value = null);
        await transaction.read({ ...statement, onAgain }, (row) => void (value = row.text(0)));
        value = value as string | null;
        answered += value?.length ?? 0;
        if (value === null || answered > maxAnswerBytes)
          throw new GatewayError("LIMIT_EXCEEDED", "The answer is too large: ask for fewer rows or fields");
        return `${JSON.stringify(key)}:${value}`;
      } catch (error) {
        const { message } = error as Error;
        errors.push(new GraphQLError(message, { nodes, path: [key], originalError: error as Error }));
        if (nonNull) whole = false;
        return `${JSON.stringify(key)}:null`;
      }
    }),
  );
  const mayBePlanned = fields.some(({ readsVersions }) => readsVersions);
  return { data: whole ? `{${members.join(",")}}` : null, errors, mayBePlanned };
}

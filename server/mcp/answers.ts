/** Turns GraphQL's answer into a value, or into the error that it tells. */
import { GatewayError, type ErrorCode } from "../ground/errors.ts";
import { parseKeepingDigits } from "../types/exactJson.ts";
import type { Agent } from "./agent.ts";

interface Answered {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly { readonly message: string; readonly extensions?: Readonly<Record<string, unknown>> }[];
}

/** Runs a document and gives the value of its only field. Throws the first error of the answer. */
export async function ask<Value>(
  { doors, caller }: Agent,
  schema: string,
  request: { readonly query: string; readonly variables: Readonly<Record<string, unknown>>; readonly dry?: boolean },
): Promise<Value> {
  const { text } = await doors.graphql.execute(schema, request, caller);
  const { data, errors = [] } = parseKeepingDigits(text) as Answered;
  const [first] = errors;
  if (first) throw toError(first);
  return data?.["rows"] as Value;
}

function toError({ message, extensions = {} }: NonNullable<Answered["errors"]>[number]): GatewayError {
  const { code, sqlstate, ...members } = extensions;
  return new GatewayError(code as ErrorCode, message, {
    ...(typeof sqlstate === "string" && { sqlstate }),
    members,
  });
}

/** The rows that fit: as many as are wanted, and no more bytes. Throws `LIMIT_EXCEEDED` where not even one does. */
export function fitting<Row>(
  rows: readonly Row[],
  most: { readonly rows: number; readonly bytes: number },
): readonly Row[] {
  let bytes = 0;
  const count = rows.slice(0, most.rows).findIndex((row) => (bytes += JSON.stringify(row).length + 1) > most.bytes);
  if (count === 0)
    throw new GatewayError("LIMIT_EXCEEDED", `A single row has more than ${most.bytes} bytes: choose fewer columns`);
  return rows.slice(0, count < 0 ? most.rows : count);
}

/** Stored methods: their definitions, their answers, and the answers of drafts. */
import { queryOptions } from "@tanstack/react-query";
import { json, repeated, ServiceError } from "./http/ask.ts";
import { parseExact } from "./http/exactJson.ts";
import type { Method } from "./http/openapi.ts";
import { askOnce } from "./http/requestKey.ts";
import { answer, rest } from "./http/rest.ts";
import type { Column } from "./rows/relations.ts";
import type { Result } from "./sql/results.ts";
import { t } from "../words/words.ts";

export type { Method };

export type Types = NonNullable<Method["input_schema"]>;

/** The parts of a method that determine how it runs. */
export type Definition = Pick<
  Method,
  "q" | "type_hints" | "type_formats" | "output_format" | "srs" | "timeout_ms" | "max_rows"
>;

export const allMethods = queryOptions({
  queryKey: ["methods"],
  queryFn: ({ signal }) => answer(rest.GET("/methods", { params: { query: { all: "true" } }, signal })),
});

export type Params = Readonly<Record<string, unknown>>;

interface RpcError {
  readonly message: string;
  readonly data?: {
    readonly code?: string;
    readonly detail?: string;
    readonly sqlstate?: string;
    readonly hint?: string;
    readonly position?: number;
  };
}

/** The error of a call, from the method or from PostgreSQL. `position`: in the statement, in characters from 1. */
export class CallError extends Error {
  readonly position: number | undefined;
  constructor({ message, data = {} }: RpcError) {
    const { detail = data.sqlstate === "42501" ? t("You lack a right that this statement needs") : message } = data;
    super(
      [detail, data.sqlstate && t("SQLSTATE {sqlstate}", { sqlstate: data.sqlstate }), data.hint]
        .filter(Boolean)
        .join(" · "),
    );
    this.position = data.position;
  }
}

async function send<T>(path: string, message: object, signal?: AbortSignal): Promise<T> {
  const response = await askOnce(`/api/v4${path}`, {
    ...json({ jsonrpc: "2.0", ...message, id: 1 }),
    ...(signal && { signal }),
  });
  const answer = parseExact<{ result?: T; error?: RpcError }>(await response.text());
  if (answer.error?.data?.code === "REPEATED") throw new ServiceError(repeated(), "REPEATED");
  if (answer.error) throw new CallError(answer.error);
  if (answer.result === undefined) throw new ServiceError(t("There was no answer."), "INTERNAL");
  return answer.result;
}

export function call(method: string, params: Params): Promise<Result> {
  return send("/call", { method, params });
}

export interface Found {
  readonly input_schema: Types;
  readonly output_schema: Types;
}

/** Runs the stored method and rolls it back. Its types are stored. */
export function dryRun(method: string, params: Params): Promise<Result> {
  return send("/call/dry", { method, params });
}

/** Runs a draft and rolls it back. */
export function tryOut(method: string, definition: Definition, params: Params): Promise<Result & Found> {
  return send("/call/dry", { method, definition, params });
}

/** The types of a draft. Nothing runs. */
export function describe(
  method: string,
  definition: Partial<Definition> & Pick<Definition, "q">,
  signal: AbortSignal,
): Promise<Found> {
  return send("/call/dry", { method, definition }, signal);
}

const NUMBERS: Readonly<Record<string, string>> = {
  int2: "Int",
  int4: "Int",
  float4: "Float",
  float8: "Float",
  bool: "Boolean",
  date: "Date",
};
const TEXTS = /^(text|varchar|bpchar|uuid|numeric|int8|time|timestamp|timestamptz|timetz|inet|cidr|bytea|citext)$/;

/** A parameter in the form of a column, for the value fields. */
export function toColumn(name: string, { type, array, typescript, optional = false }: Types[string]): Column {
  const labels = !array && typescript.startsWith('"') ? typescript.replace(/ \| null$/, "").split(" | ") : undefined;
  const kind = array ? "JSON" : labels || TEXTS.test(type) ? "String" : (NUMBERS[type] ?? "JSON");
  return {
    name,
    column: name,
    description: "",
    type: kind,
    sqlType: array ? `${type}[]` : type,
    selection: name,
    isNullable: true,
    hasDefault: optional,
    canSelect: true,
    canInsert: true,
    canUpdate: true,
    values: labels?.map((label) => JSON.parse(label) as string),
    reference: undefined,
  };
}

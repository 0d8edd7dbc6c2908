/** The messages of clients in our dialect, see PROTOCOL.md. */
import { isDeeperThan, parseKeepingIntegers } from "../types/exactJson.ts";

/** What is wrong with a message; `id` is the message's own, where it has a legal one. */
export class MessageError extends Error {
  readonly code: "INVALID_JSON" | "INVALID_MESSAGE";
  readonly id: string | undefined;

  constructor(code: MessageError["code"], message: string, id?: string) {
    super(message);
    this.code = code;
    this.id = id;
  }
}

type JsonObject = Readonly<Record<string, unknown>>;

export interface Subscribe {
  readonly type: "subscribe";
  readonly id: string;
  readonly schema: string;
  readonly query: string;
  readonly variables: JsonObject | undefined;
  readonly operationName: string | undefined;
  readonly after: string | undefined;
}

export interface RawSubscription {
  readonly type: "subscription";
  readonly id: string;
  readonly schema: string;
  readonly rel: string;
  readonly where: unknown;
  readonly columns: readonly string[] | undefined;
  readonly op: "INSERT" | "UPDATE" | "DELETE" | undefined;
  readonly after: string | undefined;
}

export type Message =
  | Subscribe
  | RawSubscription
  | { readonly type: "unsubscribe"; readonly id: string }
  | { readonly type: "ping" }
  | { readonly type: "authenticate"; readonly token: string }
  /** JSON-RPC, single or a batch; SQL: as it came, since their door has its own view of numbers. */
  | { readonly type: "call" | "sql"; readonly text: string };

const MAX_ID_LENGTH = 256;
/** Arrays and objects within one another. */
const MAX_DEPTH = 64;

/** Reads a message. Throws `MessageError`. */
export function readMessage(text: string): Message {
  let json: unknown;
  try {
    json = parseKeepingIntegers(text);
  } catch {
    throw new MessageError("INVALID_JSON", "The message is not valid JSON");
  }
  const invalid = (message: string, id?: string): never => {
    throw new MessageError("INVALID_MESSAGE", message, id);
  };
  if (Array.isArray(json)) return { type: "call", text };
  if (typeof json !== "object" || json === null) return invalid("A message is a JSON object");
  const members = json as JsonObject;
  const { type } = members;
  if (type === undefined && members["jsonrpc"] !== undefined) return { type: "call", text };
  if (type === undefined && members["q"] !== undefined) return { type: "sql", text };
  const own = members["id"];
  const id = typeof own === "string" && own !== "" && own.length <= MAX_ID_LENGTH ? own : undefined;
  if (isDeeperThan(json, MAX_DEPTH)) return invalid(`The message is nested deeper than ${MAX_DEPTH} levels`, id);

  const only = (...names: string[]): void => {
    for (const name of Object.keys(members))
      if (name !== "type" && !names.includes(name))
        invalid(`${String(type)} has no member ${JSON.stringify(name)}`, id);
  };
  const text_ = (name: string): string => {
    const value = members[name];
    if (typeof value === "string" && value !== "") return value;
    return invalid(`${name} must be a text${value === undefined ? "; it is missing" : ""}`, id);
  };
  const optionalText = (name: string): string | undefined =>
    members[name] === undefined || members[name] === null ? undefined : text_(name);
  const needId = (): string => id ?? invalid(`id must be a text of 1 to ${MAX_ID_LENGTH} characters`);

  switch (type) {
    case "subscribe": {
      const subscribe = needId();
      only("id", "schema", "query", "variables", "operationName", "after");
      const variables = members["variables"] ?? undefined;
      if (variables !== undefined && !isObject(variables)) return invalid("variables must be an object", id);
      return {
        type,
        id: subscribe,
        schema: text_("schema"),
        query: text_("query"),
        variables,
        operationName: optionalText("operationName"),
        after: optionalText("after"),
      };
    }
    case "subscription": {
      const subscription = needId();
      only("id", "schema", "rel", "where", "columns", "op", "after");
      const op = optionalText("op")?.toUpperCase();
      if (op !== undefined && op !== "INSERT" && op !== "UPDATE" && op !== "DELETE")
        return invalid("op must be INSERT, UPDATE or DELETE", id);
      return {
        type,
        id: subscription,
        ...relationOf(optionalText("schema"), text_("rel")),
        where: members["where"] ?? undefined,
        columns: readColumns(members["columns"], () => invalid("columns must be a list of names", id)),
        op,
        after: optionalText("after"),
      };
    }
    case "unsubscribe":
      only("id");
      return { type, id: needId() };
    case "ping":
      return { type };
    case "authenticate":
      only("token", "id");
      return { type, token: text_("token") };
    default:
      return invalid(
        type === undefined
          ? "A message has a type, or is a JSON-RPC request, or has q"
          : `There are no messages of type ${JSON.stringify(type).slice(0, 100)}`,
        id,
      );
  }

  function relationOf(schema: string | undefined, rel: string): { schema: string; rel: string } {
    return schema === undefined
      ? (splitRelation(rel) ?? invalid("schema must be a text; it is missing", id))
      : { schema, rel };
  }
}

/** `schema.table` in two; undefined without a dot. */
export function splitRelation(name: string): { schema: string; rel: string } | undefined {
  const dot = name.indexOf(".");
  return dot > 0 && dot < name.length - 1 ? { schema: name.slice(0, dot), rel: name.slice(dot + 1) } : undefined;
}

function readColumns(value: unknown, invalid: () => never): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined;
  const names: unknown[] =
    typeof value === "string" ? value.split(",").map((name) => name.trim()) : (value as unknown[]);
  if (!Array.isArray(names) || names.length === 0) return invalid();
  return [...new Set(names.map((name) => (typeof name === "string" && name !== "" ? name : invalid())))];
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

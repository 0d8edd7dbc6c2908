/** The messages of clients in our dialect, see PROTOCOL.md. */
import { parsePosition } from "../kernel/database/database.ts";
import { isDeeperThan, parseKeepingIntegers } from "../types/exactJson.ts";

/** The error of a message; `id` is the message's own, where it has a valid one. */
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
  /** Undefined where the document is named. */
  readonly query: string | undefined;
  readonly documentId: string | undefined;
  readonly extensions: JsonObject | undefined;
  readonly variables: JsonObject | undefined;
  readonly operationName: string | undefined;
  readonly after: string | undefined;
  /** The position that PostgreSQL must have reached before a query reads. */
  readonly lsn: string | undefined;
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
  | { readonly type: "authenticate"; readonly token: string; readonly dpop: string | undefined }
  /** JSON-RPC, single or a batch, or SQL: unparsed, because their door reads numbers in its own way. */
  | { readonly type: "call" | "sql"; readonly text: string };

const MAX_ID_LENGTH = 256;
/** The nesting of arrays and objects. */
const MAX_DEPTH = 64;

/** Reads a message. Throws `MessageError`. */
export function readMessage(text: string): Message {
  let json: unknown;
  try {
    json = parseKeepingIntegers(text);
  } catch {
    throw new MessageError("INVALID_JSON", "The message is not valid JSON");
  }
  if (Array.isArray(json)) return { type: "call", text };
  if (!isObject(json)) throw new MessageError("INVALID_MESSAGE", "A message is a JSON object");
  const { type } = json;
  if (type === undefined && json["jsonrpc"] !== undefined) return { type: "call", text };
  if (type === undefined && json["q"] !== undefined) return { type: "sql", text };
  const members = new Members(json);
  if (isDeeperThan(json, MAX_DEPTH)) members.fail(`The message is nested deeper than ${MAX_DEPTH} levels`);
  if (typeof type === "string" && Object.hasOwn(READERS, type)) return READERS[type as keyof typeof READERS](members);
  return members.fail(
    type === undefined
      ? "A message has a type, or is a JSON-RPC request, or has q"
      : `There are no messages of type ${JSON.stringify(type).slice(0, 100)}`,
  );
}

/** The members of a message with a type; an error about one names the message's id. */
class Members {
  readonly #members: JsonObject;
  readonly #id: string | undefined;

  constructor(members: JsonObject) {
    this.#members = members;
    const { id } = members;
    this.#id = typeof id === "string" && id !== "" && id.length <= MAX_ID_LENGTH ? id : undefined;
  }

  fail(message: string): never {
    throw new MessageError("INVALID_MESSAGE", message, this.#id);
  }

  only(...names: string[]): void {
    const unknown = Object.keys(this.#members).find((name) => name !== "type" && !names.includes(name));
    if (unknown !== undefined) this.fail(`${String(this.#members["type"])} has no member ${JSON.stringify(unknown)}`);
  }

  /** The message's own id, which it must have. */
  id(): string {
    return this.#id ?? this.fail(`id must be a text of 1 to ${MAX_ID_LENGTH} characters`);
  }

  /** Undefined for null too. */
  any(name: string): unknown {
    return this.#members[name] ?? undefined;
  }

  text(name: string): string {
    const value = this.#members[name];
    if (typeof value === "string" && value !== "") return value;
    return this.fail(`${name} must be a text${value === undefined ? "; it is missing" : ""}`);
  }

  optionalText(name: string): string | undefined {
    return this.any(name) === undefined ? undefined : this.text(name);
  }

  /** A position in the WAL, as it was received. */
  lsn(): string | undefined {
    const lsn = this.optionalText("lsn");
    try {
      if (lsn !== undefined) parsePosition(lsn, "lsn");
    } catch (error) {
      this.fail((error as Error).message);
    }
    return lsn;
  }
}

/** `id` is the message's own, and names no document. */
const SUBSCRIBE_MEMBERS = [
  ...["id", "schema", "query", "documentId", "doc_id", "extensions", "variables", "operationName", "after", "lsn"],
];

const READERS = {
  subscribe(members: Members): Subscribe {
    const id = members.id();
    members.only(...SUBSCRIBE_MEMBERS);
    const variables = members.any("variables");
    if (variables !== undefined && !isObject(variables)) return members.fail("variables must be an object");
    const extensions = members.any("extensions");
    if (extensions !== undefined && !isObject(extensions)) return members.fail("extensions must be an object");
    const documentId = members.optionalText("documentId") ?? members.optionalText("doc_id");
    const isNamed = documentId !== undefined || extensions?.["persistedQuery"] !== undefined;
    return {
      type: "subscribe",
      id,
      schema: members.text("schema"),
      query: isNamed ? members.optionalText("query") : members.text("query"),
      documentId,
      extensions,
      variables,
      operationName: members.optionalText("operationName"),
      after: members.optionalText("after"),
      lsn: members.lsn(),
    };
  },

  subscription(members: Members): RawSubscription {
    const id = members.id();
    members.only("id", "schema", "rel", "where", "columns", "op", "after");
    const op = members.optionalText("op")?.toUpperCase();
    if (op !== undefined && op !== "INSERT" && op !== "UPDATE" && op !== "DELETE")
      return members.fail("op must be INSERT, UPDATE or DELETE");
    return {
      type: "subscription",
      id,
      ...relationOf(members),
      where: members.any("where"),
      columns: columnsOf(members),
      op,
      after: members.optionalText("after"),
    };
  },

  unsubscribe(members: Members): Message {
    members.only("id");
    return { type: "unsubscribe", id: members.id() };
  },

  ping(): Message {
    return { type: "ping" };
  },

  authenticate(members: Members): Message {
    members.only("token", "dpop", "id");
    return { type: "authenticate", token: members.text("token"), dpop: members.optionalText("dpop") };
  },
};

/** `rel` may have the schema before a dot. */
function relationOf(members: Members): { schema: string; rel: string } {
  const [schema, rel] = [members.optionalText("schema"), members.text("rel")];
  if (schema !== undefined) return { schema, rel };
  return splitRelation(rel) ?? members.fail("schema must be a text; it is missing");
}

/** A list of names, or their text with commas. */
function columnsOf(members: Members): readonly string[] | undefined {
  const value = members.any("columns");
  if (value === undefined) return undefined;
  const names: unknown = typeof value === "string" ? value.split(",").map((name) => name.trim()) : value;
  const areNames =
    Array.isArray(names) && names.length > 0 && names.every((name) => typeof name === "string" && name !== "");
  return areNames ? [...new Set(names as string[])] : members.fail("columns must be a list of names");
}

/** `schema.table` in two; undefined without a dot. */
export function splitRelation(name: string): { schema: string; rel: string } | undefined {
  const dot = name.indexOf(".");
  return dot > 0 && dot < name.length - 1 ? { schema: name.slice(0, dot), rel: name.slice(dot + 1) } : undefined;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

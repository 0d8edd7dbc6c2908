/** Stored methods, each a tool of its own. */
import { GatewayError, SQLSTATE } from "../../ground/errors.ts";
import { parseKeepingDigits } from "../../types/exactJson.ts";
import { callerOfMethods, type Agent, type MethodTypes, type StoredMethod } from "../agent.ts";
import { fitting } from "../answers.ts";
import { noteWrite } from "../audit.ts";
import type { Tool, ToolAnswer } from "./tool.ts";

const PREFIX = "method_";
/** Clients take names of letters, digits, _ and -, and of 64 characters. */
const LONGEST = 64;

/** The tools of all methods that the account may call. */
export async function methodTools(agent: Agent): Promise<readonly Tool[]> {
  const methods = await agent.doors.methods.list(callerOfMethods(agent));
  const taken = new Set<string>();
  return methods.map((method) => {
    let name = nameOf(method.method);
    for (let n = 2; taken.has(name); n++) name = `${nameOf(method.method).slice(0, LONGEST - 3)}_${n}`;
    taken.add(name);
    return toTool(method, name, agent.doors.methods.writes(method));
  });
}

export function isMethodTool(name: string): boolean {
  return name.startsWith(PREFIX);
}

function nameOf(method: string): string {
  return `${PREFIX}${method.replaceAll(/[^A-Za-z0-9_-]/g, "_")}`.slice(0, LONGEST);
}

function toTool(method: StoredMethod, name: string, writes: boolean): Tool {
  const { method: title, description, inputSchema = {}, outputSchema } = method;
  const hasDryRun = writes && !("dryRun" in inputSchema);
  const parameters = Object.entries(inputSchema);
  const known = parameters.length > 0 || !/:[A-Za-z_]/.test(method.q);
  return {
    name,
    title,
    description: `Stored method ${title}${description ? `: ${description}` : ""}.${writes ? " It writes: call it with dryRun first." : ""}`,
    writes,
    destroys: writes,
    isOffered: () => true,
    inputSchema: {
      type: "object",
      properties: {
        ...Object.fromEntries(parameters.map(([parameter, type]) => [parameter, schemaOf(type)])),
        ...(hasDryRun && {
          dryRun: { type: "boolean", description: "Runs it, returns the result, and rolls it back" },
        }),
      },
      required: parameters.flatMap(([parameter, { optional }]) => (optional ? [] : [parameter])),
      additionalProperties: !known,
    },
    outputSchema: {
      type: "object",
      properties: {
        rows: { type: "array", items: rowSchema(outputSchema) },
        affected: { type: "integer", description: "The number of written rows, if it returns none" },
        truncated: { type: "boolean", description: "Whether there were more rows than fit" },
        document: { type: "string", description: "The result of a method with a format of its own" },
        notes: { type: "array", items: { type: "string" } },
      },
      required: ["rows"],
      additionalProperties: false,
    },
    run: (agent, given) => call(agent, method, { given: (given ?? {}) as Params, hasDryRun, writes }),
  };
}

type Params = Readonly<Record<string, unknown>>;

interface Response {
  readonly result?: {
    readonly data: readonly unknown[] | string;
    readonly affected_rows?: number;
    readonly notes?: readonly string[];
  };
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data?: Readonly<Record<string, unknown>>;
  };
}

async function call(
  agent: Agent,
  { method }: StoredMethod,
  { given, hasDryRun, writes }: { readonly given: Params; readonly hasDryRun: boolean; readonly writes: boolean },
): Promise<ToolAnswer> {
  const { dryRun, ...others } = given;
  const dry = hasDryRun && dryRun === true;
  const message = { jsonrpc: "2.0", id: 1, method, params: hasDryRun ? others : given };
  const { doors, config } = agent;
  const caller = callerOfMethods(agent);
  const readOnly = !agent.mayWrite;
  if (readOnly && writes) throw needsScope(method);
  const text = dry
    ? await doors.methods.dryText(caller, message)
    : await doors.methods.callText({ ...caller, readOnly }, message);
  const { result, error } = parseKeepingDigits(text ?? "{}") as Response;
  if (error) throw toError(error, method, readOnly);
  if (!result) throw new GatewayError("INTERNAL");
  const { data, affected_rows: affected, notes } = result;
  if (writes && !dry) await noteWrite(agent, { tool: nameOf(method), rows: affected });
  const more = { ...(affected !== undefined && { affected }), ...(notes && { notes }) };
  if (typeof data === "string") {
    if (Buffer.byteLength(data) > config.mcpMaxBytes)
      throw new GatewayError("LIMIT_EXCEEDED", `The result of ${method} has more than ${config.mcpMaxBytes} bytes`);
    return { structured: { rows: [], document: data, ...more } };
  }
  const rows = data.length === 0 ? [] : fitting(data, { rows: config.mcpMaxRows, bytes: config.mcpMaxBytes });
  return { structured: { rows, ...(rows.length < data.length && { truncated: true }), ...more } };
}

function needsScope(method: string): GatewayError {
  return new GatewayError(
    "FORBIDDEN",
    `The method ${method} writes, or calls a function that may, and the token does not have the scope mcp:write. Nothing was written`,
    { members: { scope: "mcp:write" } },
  );
}

/** The message of JSON-RPC's error, with the code that other tools use. */
function toError(
  { code, message, data = {} }: NonNullable<Response["error"]>,
  method: string,
  readOnly: boolean,
): GatewayError {
  const { sqlstate, detail, ...members } = data as { sqlstate?: string; detail?: string };
  if (readOnly && (sqlstate === SQLSTATE.readOnlyTransaction || "functions" in members)) throw needsScope(method);
  const options = { sqlstate, members };
  if (sqlstate === SQLSTATE.insufficientPrivilege)
    return new GatewayError("FORBIDDEN", `The account lacks a right that the method ${method} needs`, options);
  if (code === INVALID_PARAMS) return new GatewayError("INVALID_PARAMS", detail ?? message, options);
  if (code === METHOD_NOT_FOUND) return new GatewayError("METHOD_NOT_FOUND", `The method ${method} no longer exists`);
  if (sqlstate !== undefined) return new GatewayError("BAD_USER_INPUT", detail ?? message, options);
  return new GatewayError("UNAVAILABLE", detail ?? message, { members });
}

/** JSON-RPC 2.0 §5.1. */
const INVALID_PARAMS = -32602;
const METHOD_NOT_FOUND = -32601;

/** Types of TypeScript that JSON Schema has too. */
const PLAIN: readonly string[] = ["string", "number", "boolean", "null"];

/** The schema of a parameter, by what TypeScript would say of it. */
function schemaOf({ type, array, typescript }: MethodTypes[string]): object {
  const description = `${type}${array ? "[]" : ""} of PostgreSQL; in TypeScript ${typescript}`;
  const parts = typescript.split("|").map((part) => part.trim());
  return parts.every((part) => PLAIN.includes(part)) ? { type: parts, description } : { description };
}

function rowSchema(types: MethodTypes | undefined): object {
  if (!types) return { type: "object" };
  const properties = Object.entries(types).map(([name, type]) => [
    name,
    { description: `${type.type}${type.array ? "[]" : ""}: ${type.typescript}` },
  ]);
  return { type: "object", properties: Object.fromEntries(properties) };
}

/** What the OpenAPI document says of stored methods. */
import { z } from "zod";
import { FORMATS } from "./formats/all.ts";
import { OUTPUT_FORMATS } from "./method.ts";
import { methodChange, newMethod, sqlStatement } from "./definition.ts";

type Json = Readonly<Record<string, unknown>>;

const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: Json): Json => ({ content: { "application/json": { schema } } });
const problem = (status: number): Json => ({ $ref: `#/components/responses/Problem${status}` });
const problems = (...statuses: readonly number[]): Json =>
  Object.fromEntries([...statuses, 401, 403, 404, 429].map((status) => [status, problem(status)]));
const oneOrSeveral = (schema: Json): Json => ({
  oneOf: [schema, { type: "array", items: schema, minItems: 1, maxItems: 1000 }],
});
const location = { Location: { description: "All of them", schema: { type: "string", format: "uri-reference" } } };
const links: Json = { type: "array", items: ref("Links") };
const document = { schema: { type: "string" } };
const documents = Object.fromEntries(
  Object.values(FORMATS).map(({ mediaType }) => [mediaType.split(";")[0]!, document]),
);

const call = (id: string, summary: string, several: boolean): Json => ({
  operationId: id,
  summary,
  tags: ["methods"],
  requestBody: {
    required: true,
    ...json(several ? oneOrSeveral(ref("JsonRpcRequest")) : ref("JsonRpcRequest")),
  },
  responses: {
    200: {
      description: several
        ? "JSON-RPC, errors too; or the rows as a document, where the method has such a format and Accept names it"
        : "JSON-RPC, errors too",
      content: {
        "application/json": { schema: several ? oneOrSeveral(ref("JsonRpcResponse")) : ref("JsonRpcResponse") },
        ...(several && documents),
      },
    },
    ...(several && {
      204: { description: "All were notifications" },
      304: { description: "If-None-Match names the result that is kept" },
    }),
    ...problems(413, 415),
  },
});

/** Paths below `/api/v4`. */
export const methodPaths: Readonly<Record<string, Json>> = {
  "/methods": {
    get: {
      operationId: "list_methods",
      summary: "All methods that the caller may call, functions with the comment @method too",
      tags: ["methods"],
      responses: {
        200: { description: "What is there", ...json({ type: "array", items: ref("Method") }) },
        ...problems(),
      },
    },
    post: {
      operationId: "create_methods",
      summary: "Store one statement as a method, or several: all or none",
      tags: ["methods"],
      requestBody: { required: true, ...json(oneOrSeveral(ref("NewMethod"))) },
      responses: {
        201: { description: "Made", headers: location, ...json(links) },
        ...problems(400, 403, 409, 413, 415),
      },
    },
  },
  "/methods/{names}": {
    parameters: [
      {
        name: "names",
        in: "path",
        required: true,
        description: "Name of one method, or names of several, joined by commas",
        schema: { type: "string" },
      },
    ],
    get: {
      operationId: "get_methods",
      summary: "Methods by name: one as an object, several as an array",
      tags: ["methods"],
      responses: {
        200: {
          description: "What is there",
          ...json({ oneOf: [ref("Method"), { type: "array", items: ref("Method") }] }),
        },
        ...problems(404),
      },
    },
    patch: {
      operationId: "update_methods",
      summary: "Change the members that are given, of all the named methods or of none",
      description:
        "For the owner and super users, not for functions. Any change but of the description unpublishes a method, unless a super user makes it.",
      tags: ["methods"],
      requestBody: { required: true, ...json(ref("MethodChange")) },
      responses: {
        303: { description: "Changed", headers: location, ...json(links) },
        ...problems(400, 403, 404, 413, 415),
      },
    },
    delete: {
      operationId: "delete_methods",
      summary: "Remove all the named methods or none",
      description: "For the owner and super users, not for functions.",
      tags: ["methods"],
      responses: { 204: { description: "Removed" }, ...problems(403, 404) },
    },
  },
  "/call": { post: call("call", "Call methods over JSON-RPC 2.0: a request, or a batch in one transaction", true) },
  "/call/dry": { post: call("call_dry", "Run one request, roll it back, and keep the types that it shows", false) },
  "/interfaces": {
    get: {
      operationId: "interfaces",
      summary: "TypeScript declarations of all methods that the caller may call",
      tags: ["methods"],
      responses: {
        200: { description: "A module that compiles by itself", content: { "text/plain": document } },
        ...problems(),
      },
    },
  },
  "/sql": {
    post: {
      operationId: "sql",
      summary: "Run one statement without storing it, or a list in one transaction",
      tags: ["methods"],
      requestBody: { required: true, ...json(oneOrSeveral(ref("SqlStatement"))) },
      responses: {
        200: {
          description:
            "One result, or a list for a list; or the rows of one statement as a document, in its output_format where " +
            "Accept names that, and without one in the format that Accept names instead of JSON",
          content: { "application/json": { schema: oneOrSeveral(ref("Result")) }, ...documents },
        },
        ...problems(400, 403, 413, 415),
      },
    },
  },
};

export const methodSchemas: Readonly<Record<string, Json>> = {
  NewMethod: plain(newMethod),
  MethodChange: plain(methodChange),
  SqlStatement: plain(sqlStatement),
  Method: {
    type: "object",
    required: ["method", "q", "output_format", "srs", "published"],
    properties: {
      method: { type: "string" },
      q: { type: "string" },
      type_hints: { type: ["object", "null"], additionalProperties: { type: "string" } },
      type_formats: { type: ["object", "null"], additionalProperties: { type: "string" } },
      output_format: { enum: OUTPUT_FORMATS },
      srs: { type: "integer" },
      input_schema: { type: ["object", "null"], description: "What a dry run has found of the parameters" },
      output_schema: { type: ["object", "null"], description: "What a dry run has found of the columns" },
      owner: { type: ["string", "null"] },
      published: { type: "boolean" },
      description: { type: ["string", "null"] },
      timeout_ms: { type: ["integer", "null"] },
      max_rows: { type: ["integer", "null"] },
      cache_seconds: { type: ["integer", "null"] },
      function: {
        type: "object",
        description: "Of a function with the comment @method only: it is changed in SQL",
        properties: { schema: { type: "string" }, name: { type: "string" } },
      },
    },
  },
  Result: {
    type: "object",
    required: ["schema", "data"],
    properties: {
      schema: {
        type: "object",
        additionalProperties: {
          type: "object",
          properties: { type: { type: "string" }, array: { type: "boolean" } },
        },
      },
      format: { type: "string" },
      data: { oneOf: [{ type: "array", items: { type: "object" } }, { type: "string" }] },
      affected_rows: { type: "integer" },
      notes: { type: "array", items: { type: "string" }, description: "Of a dry run: what a rollback cannot undo" },
    },
  },
  JsonRpcRequest: {
    type: "object",
    required: ["jsonrpc", "method"],
    properties: {
      jsonrpc: { const: "2.0" },
      method: { type: "string" },
      params: {
        type: ["object", "array"],
        description: "By name, by position, or an array of objects: one run for each",
      },
      id: { type: ["string", "number", "null"], description: "Absent: a notification" },
    },
  },
  JsonRpcResponse: {
    type: "object",
    required: ["jsonrpc", "id"],
    properties: {
      jsonrpc: { const: "2.0" },
      id: { type: ["string", "number", "null"] },
      result: ref("Result"),
      error: {
        type: "object",
        required: ["code", "message"],
        properties: { code: { type: "integer" }, message: { type: "string" }, data: { type: "object" } },
      },
    },
  },
};

/** As a body must be written. */
function plain(schema: z.ZodType): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Record<
    string,
    unknown
  >;
  return rest;
}

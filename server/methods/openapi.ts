/** The part of the OpenAPI document about stored methods. */
import { IDEMPOTENCY_KEY, json, oneOrSeveral, plain, problems, ref, type Json } from "../kernel/rest/openapi.ts";
import { FORMATS } from "../formats/all.ts";
import { foundType, methodDraft, sqlStatement } from "./definition.ts";

const document = { schema: { type: "string" } };
const documents = Object.fromEntries(
  Object.values(FORMATS).map(({ mediaType }) => [mediaType.split(";")[0]!, document]),
);

const found = (description: string): Json => ({
  type: "object",
  additionalProperties: plain(foundType),
  description,
});

const call = (id: string, summary: string, several: boolean, request = "JsonRpcRequest"): Json => ({
  operationId: id,
  summary,
  tags: ["methods"],
  ...(several && { parameters: [IDEMPOTENCY_KEY] }),
  requestBody: {
    required: true,
    ...json(several ? oneOrSeveral(ref(request)) : ref(request)),
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

/** Beside those of the stored methods, which are resources. */
export const methodPaths: Readonly<Record<string, Json>> = {
  "/api/v4/call": {
    post: call("call", "Call methods over JSON-RPC 2.0: a request, or a batch in one transaction", true),
  },
  "/api/v4/call/dry": {
    post: call(
      "call_dry",
      "Run one request, roll it back, and keep the types that it shows; or of a definition that is not stored, say them",
      false,
      "DryRunRequest",
    ),
  },
  "/api/v4/interfaces": {
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
  "/api/v4/sql": {
    post: {
      operationId: "sql",
      summary: "Run one statement without storing it, or a list in one transaction",
      tags: ["methods"],
      parameters: [IDEMPOTENCY_KEY],
      requestBody: { required: true, ...json(oneOrSeveral(ref("SqlStatement"))) },
      responses: {
        200: {
          description:
            "One result, or a list for a list; with explain a plan; or the rows of one statement as a document, in its output_format where " +
            "Accept names that, and without one in the format that Accept names instead of JSON",
          content: {
            "application/json": { schema: { anyOf: [oneOrSeveral(ref("Result")), ref("Explained")] } },
            ...documents,
          },
        },
        ...problems(400, 403, 409, 413, 415),
      },
    },
  },
};

export const methodSchemas: Readonly<Record<string, Json>> = {
  SqlStatement: plain(sqlStatement),
  Explained: {
    type: "object",
    required: ["plan"],
    properties: {
      plan: { type: "object", description: "That of EXPLAIN (FORMAT JSON): Plan, with its Plans, and times" },
      notes: { type: "array", items: { type: "string" }, description: "What a rollback cannot undo" },
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
          required: ["type", "array"],
          properties: { type: { type: "string" }, array: { type: "boolean" } },
        },
      },
      format: { type: "string" },
      data: { oneOf: [{ type: "array", items: { type: "object" } }, { type: "string" }] },
      affected_rows: { type: "integer" },
      notes: { type: "array", items: { type: "string" }, description: "Of a dry run: what a rollback cannot undo" },
      input_schema: found("Of a dry run of a definition: the types of the parameters"),
      output_schema: found("Of a dry run of a definition: the types of the columns"),
    },
  },
  MethodDraft: plain(methodDraft),
  DryRunRequest: {
    allOf: [
      ref("JsonRpcRequest"),
      {
        type: "object",
        properties: {
          definition: {
            ...ref("MethodDraft"),
            description:
              "The method to try. It need not be stored, and a stored method does not change. Without params nothing is run, and " +
              "the answer has the types alone",
          },
        },
      },
    ],
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

/** The OpenAPI 3.1 document of the REST door, made of the very table and schemas that serve its requests. */
import { z } from "zod";
import type { Method, Operation, Resource } from "./resource.ts";

export interface OpenapiOptions {
  readonly baseUrl: string;
  readonly version: string;
  /** Path before those of the resources. */
  readonly root: string;
  /** What other doors serve below the same root. */
  readonly others: OpenapiPart;
}

/** Paths, relative to the root, and the schemas that they refer to; both as OpenAPI has them. */
export interface OpenapiPart {
  readonly paths: Readonly<Record<string, Json>>;
  /** Paths that are not below the root. */
  readonly elsewhere: Readonly<Record<string, Json>>;
  readonly schemas: Readonly<Record<string, Json>>;
}

type Json = Readonly<Record<string, unknown>>;

const PROBLEMS = {
  400: "A member is unknown or has a wrong value: `errors` names each",
  401: "No valid access token",
  403: "The account may not do this",
  404: "One of those that are named does not exist; nothing was done",
  409: "In conflict with what is there; nothing was done",
  413: "The body is too large",
  415: "The body is not application/json",
  429: "Too many requests",
} as const;

export function openapiDocument(
  resources: readonly Resource[],
  { baseUrl, version, root, others }: OpenapiOptions,
): Json {
  const paths = resources.map(({ path, tag, parameters, operations }): [string, Json] => [
    root + path,
    {
      parameters: Object.entries(parameters).map(([name, description]) => ({
        name,
        in: "path",
        required: true,
        description,
        schema: { type: "string" },
      })),
      ...Object.fromEntries(
        Object.entries(operations).map(([method, operation]) => [
          method.toLowerCase(),
          describe(method as Method, operation, tag),
        ]),
      ),
    },
  ]);
  return {
    openapi: "3.1.0",
    info: { title: "Portolan", version, description: "GraphQL, accounts, clients, rights and stored methods." },
    servers: [{ url: baseUrl }],
    security: [{ bearer: [] }],
    paths: {
      ...Object.fromEntries(paths),
      ...Object.fromEntries(Object.entries(others.paths).map(([path, item]) => [root + path, item])),
      ...others.elsewhere,
      [`${root}/openapi.json`]: {
        get: {
          operationId: "get_openapi",
          summary: "This document",
          security: [],
          responses: { 200: { description: "OpenAPI 3.1", content: jsonContent({ type: "object" }) } },
        },
      },
    },
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" } },
      schemas: { ...namedSchemas(resources), ...others.schemas, Problem: PROBLEM, Links: linksSchema() },
      responses: Object.fromEntries(
        Object.entries(PROBLEMS).map(([status, description]) => [
          `Problem${status}`,
          {
            description,
            content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
          },
        ]),
      ),
    },
  };
}

function describe(method: Method, operation: Operation, tag: string): Json {
  const { id, summary, description, status, body, several, shown } = operation;
  const one = body && toSchema(body);
  const request = several ? { oneOf: [one, { type: "array", items: one, minItems: 1, maxItems: 1000 }] } : one;
  return {
    operationId: id,
    summary,
    ...(description !== undefined && { description }),
    tags: [tag],
    ...(request && { requestBody: { required: true, content: jsonContent(request) } }),
    responses: {
      [status]: success(status, shown, operation.oneForOne),
      ...Object.fromEntries(
        problemsOf(method, operation).map((code) => [code, { $ref: `#/components/responses/Problem${code}` }]),
      ),
    },
  };
}

function problemsOf(method: Method, { body }: Operation): (keyof typeof PROBLEMS)[] {
  return [
    ...(body ? ([400, 413, 415] as const) : []),
    401,
    403,
    404,
    ...(method === "GET" ? [] : ([409] as const)),
    429,
  ];
}

function success(status: Operation["status"], shown: z.ZodType | undefined, oneForOne = false): Json {
  switch (status) {
    case 200:
      return { description: "What is there", content: jsonContent(shown ? toSchema(shown) : {}) };
    case 204:
      return { description: "Removed" };
    case 201:
    case 303: {
      const links: Json = { $ref: "#/components/schemas/Links" };
      const item = shown ? { allOf: [links, toSchema(shown)] } : links;
      const list = { type: "array", items: item };
      return {
        description: status === 201 ? "Made" : "Changed",
        headers: { Location: { description: "All of them", schema: { type: "string", format: "uri-reference" } } },
        content: jsonContent(oneForOne ? { oneOf: [item, list] } : list),
      };
    }
  }
}

function jsonContent(schema: Json): Json {
  return { "application/json": { schema } };
}

const PROBLEM = {
  description: "RFC 9457",
  type: "object",
  required: ["type", "title", "status", "detail", "code", "message"],
  properties: {
    type: { type: "string" },
    title: { type: "string" },
    status: { type: "integer" },
    detail: { type: "string" },
    code: { type: "string" },
    message: { type: "string", description: "The same as detail" },
    sqlstate: { type: "string" },
    errors: {
      type: "array",
      items: {
        type: "object",
        properties: { pointer: { type: "string", format: "json-pointer" }, detail: { type: "string" } },
      },
    },
  },
};

function linksSchema(): Json {
  return {
    type: "object",
    required: ["_links"],
    properties: {
      _links: {
        type: "object",
        required: ["self"],
        properties: { self: { type: "string", format: "uri-reference" } },
      },
    },
  };
}

/** A reference where the schema has a name (`meta({ title })`), else the schema itself. */
function toSchema(schema: z.ZodType): Json {
  const { title } = schema.meta() ?? {};
  if (title !== undefined) return { $ref: `#/components/schemas/${title}` };
  if (schema instanceof z.ZodArray) return { type: "array", items: toSchema(schema.element as z.ZodType) };
  if (schema instanceof z.ZodUnion) return { oneOf: schema.options.map((option) => toSchema(option as z.ZodType)) };
  return plain(schema);
}

function namedSchemas(resources: readonly Resource[]): Json {
  const used = resources
    .flatMap(({ operations }) => Object.values(operations))
    .flatMap(({ body, shown }) => [body, shown])
    .flatMap((schema) => (schema ? partsOf(schema) : []));
  return Object.fromEntries(
    used.flatMap((schema) => {
      const { title } = schema.meta() ?? {};
      return title === undefined ? [] : [[title, plain(schema)]];
    }),
  );
}

function partsOf(schema: z.ZodType): z.ZodType[] {
  if (schema instanceof z.ZodArray) return partsOf(schema.element as z.ZodType);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => partsOf(option as z.ZodType));
  return [schema];
}

/** As a body must be written: `input`, before defaults and lower-casing. */
function plain(schema: z.ZodType): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: "input" }) as Record<string, unknown>;
  return rest;
}

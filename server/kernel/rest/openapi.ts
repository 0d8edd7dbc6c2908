/** The OpenAPI 3.1 document of REST, made of the very resources and schemas that serve its requests. */
import { z } from "zod";
import { VERSION } from "../../ground/packageDirectory.ts";
import { MAX_ITEMS } from "./body.ts";
import { ROOT, type Method, type Operation, type Resource } from "./resource.ts";

/** A part of the document, as OpenAPI has it. */
export type Json = Readonly<Record<string, unknown>>;

/** A door's part of the document. */
export interface OpenapiPart {
  readonly resources?: readonly Resource[];
  /** Path items by path from the root of the service. */
  readonly paths: Readonly<Record<string, Json>>;
  /** The components that the paths refer to. */
  readonly schemas?: Readonly<Record<string, Json>>;
  readonly securitySchemes?: Readonly<Record<string, Json>>;
}

const PROBLEMS = {
  400: "A member is unknown or has a wrong value: `errors` names each",
  401: "No valid access token",
  403: "The account may not do this",
  404: "One of the named objects does not exist; nothing was done",
  409: "The request conflicts with existing objects; nothing was done",
  413: "The body is too large",
  415: "The media type of the body is not supported",
  429: "Too many requests",
} as const;

/** The header with which a write takes effect once. */
export const IDEMPOTENCY_KEY: Json = {
  name: "Idempotency-Key",
  in: "header",
  description:
    "Text of your choice: the request takes effect once within a day for the account. Sent again with the same key, it waits for the first one, and is REPEATED (409) if that was written",
  schema: { type: "string", pattern: "^[\\x21-\\x7e]{1,255}$" },
};

/** A reference to a schema of the document. */
export const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

/** JSON of a request or answer. */
export const json = (schema: Json): Json => ({ content: { "application/json": { schema } } });

export const oneOrSeveral = (schema: Json, maxItems = MAX_ITEMS): Json => ({
  oneOf: [schema, { type: "array", items: schema, minItems: 1, maxItems }],
});

/** Answers that are problems, by status, with those of every request. */
export function problems(...statuses: readonly (keyof typeof PROBLEMS)[]): Json {
  const all = [...statuses, 401, 403, 404, 429];
  return Object.fromEntries(all.map((status) => [status, { $ref: `#/components/responses/Problem${status}` }]));
}

/**
 * The security scheme of OpenAPI for tokens of people who sign in at the service itself. `database`: the only one that the
 * document is about.
 */
export function signsInAt(baseUrl: string, database?: string): Json {
  const query = database === undefined ? "" : `?${new URLSearchParams({ database })}`;
  return { type: "openIdConnect", openIdConnectUrl: `${baseUrl}/.well-known/openid-configuration${query}` };
}

/** `parts`: of this door and of the others; `description`: of them all. */
export function openapiDocument(
  parts: readonly OpenapiPart[],
  { baseUrl, description }: { readonly baseUrl: string; readonly description: string },
): Json {
  const resources = parts.flatMap(({ resources: own = [] }) => own);
  return {
    openapi: "3.1.0",
    info: {
      title: "Portolan",
      version: VERSION,
      description,
    },
    servers: [{ url: baseUrl }],
    security: [{ bearer: [] }, { openid: [] }, { oauth2: [] }],
    paths: {
      ...Object.fromEntries(resources.map((resource) => [ROOT + resource.path, describePath(resource)])),
      ...Object.assign({}, ...parts.map(({ paths }) => paths)),
      [`${ROOT}/openapi.json`]: {
        get: {
          operationId: "get_openapi",
          summary: "This document",
          security: [],
          responses: { 200: { description: "OpenAPI 3.1", ...json({ type: "object" }) } },
        },
      },
    },
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
        openid: signsInAt(baseUrl),
        ...Object.assign({}, ...parts.map(({ securitySchemes }) => securitySchemes)),
      },
      schemas: {
        ...namedSchemas(resources),
        ...Object.assign({}, ...parts.map(({ schemas }) => schemas)),
        Problem: PROBLEM,
        Links: LINKS,
      },
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

function describePath({ tag, parameters, operations }: Resource): Json {
  return {
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
  };
}

function describe(method: Method, operation: Operation, tag: string): Json {
  const { id, summary, description, status, body, several, stream } = operation;
  const one = body && toSchema(body);
  const request = one && several ? oneOrSeveral(one) : one;
  const parameters = [
    ...Object.entries(operation.query ?? {}).map(([name, { description: text, schema }]) => ({
      name,
      in: "query",
      description: text,
      schema: plain(schema),
    })),
    ...((operation.reads ?? method === "GET") ? [] : [IDEMPOTENCY_KEY]),
  ];
  return {
    operationId: id,
    summary,
    ...(description !== undefined && { description }),
    tags: [tag],
    ...(parameters.length > 0 && { parameters }),
    ...(request && { requestBody: { required: true, ...json(request) } }),
    ...(stream && {
      requestBody: { required: true, content: Object.fromEntries(stream.map((mediaType) => [mediaType, {}])) },
    }),
    responses: {
      [status]: success(operation),
      ...(operation.mayBeDry && status === 201 && { 200: answerOf("With dry=true: what would run", operation) }),
      ...(operation.mayBeJob && { 202: JOB_BEGUN }),
      ...problems(
        ...(body || stream ? ([400, 413, 415] as const) : operation.query ? ([400] as const) : []),
        ...(method === "GET" ? [] : ([409] as const)),
      ),
    },
  };
}

function answerOf(description: string, { shown }: Operation): Json {
  return { description, ...json(shown ? toSchema(shown) : {}) };
}

function location(description: string): Json {
  return { headers: { Location: { description, schema: { type: "string", format: "uri-reference" } } } };
}

function success(operation: Operation): Json {
  const { status, shown, documents, oneForOne = false, mayBeDry = false, makesOne = false } = operation;
  switch (status) {
    case 200:
      if (documents)
        return {
          description: "The document",
          content: Object.fromEntries(documents.map((mediaType) => [mediaType, {}])),
        };
      return answerOf("The present state", operation);
    case 204:
      return { description: "Removed" };
    case 201:
    case 303: {
      if (mayBeDry || makesOne) return { ...answerOf("Made", operation), ...location("The new object") };
      const links = ref("Links");
      const item = shown ? { allOf: [links, toSchema(shown)] } : links;
      const list = { type: "array", items: item };
      return {
        description: status === 201 ? "Made" : "Changed",
        ...location("All objects of the request"),
        ...json(oneForOne ? { oneOf: [item, list] } : list),
      };
    }
  }
}

const JOB_BEGUN = {
  description: "The table is large: a job does it, in portions",
  ...location("The job"),
  ...json({ type: "object", required: ["job"], properties: { job: { type: "integer", description: "Its number" } } }),
};

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

const LINKS = {
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

/** A reference where the schema has a name (`meta({ title })`), else the schema itself. */
function toSchema(schema: z.ZodType): Json {
  const { title } = schema.meta() ?? {};
  if (title !== undefined) return ref(title);
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

/** The schema of a body as it is written: `input`, before defaults and lower-casing. */
export function plain(schema: z.ZodType): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: "input" }) as Json;
  return rest;
}

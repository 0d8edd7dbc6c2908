/** The part of the OpenAPI document about GraphQL. */
import { json, oneOrSeveral, type Json } from "../../kernel/rest/openapi.ts";
import { MAX_BATCH } from "./requestBody.ts";

const request: Json = {
  type: "object",
  required: ["query"],
  properties: {
    query: { type: "string", description: "The document" },
    variables: { type: ["object", "null"] },
    operationName: { type: ["string", "null"] },
    extensions: { type: ["object", "null"] },
  },
};
const response: Json = {
  type: "object",
  properties: { data: { type: ["object", "null"] }, errors: { type: "array", items: { type: "object" } } },
};
const failure = (description: string): Json => ({ description, ...json(response) });

const parameters: readonly Json[] = [
  { name: "schema", in: "path", required: true, description: "Schema of the database", schema: { type: "string" } },
];
const text: Json = { type: "string" };
const eventTable: Json = {
  type: "object",
  required: ["type", "schema", "table"],
  properties: {
    type: { ...text, description: "What the fields <type>MessageAdded, -Updated and -Deleted begin with" },
    schema: text,
    table: text,
  },
};

const BATCH = `Each of up to ${MAX_BATCH} operations of a list is a transaction of its own; they run and are answered in their order, each with its own errors, and each counts for the rate limit.`;

/** An operation, or a list of them, in a body. */
const post = (operationId: string, summary: string, description: string): Json => ({
  operationId,
  summary,
  description,
  tags: ["graphql"],
  requestBody: { required: true, ...json(oneOrSeveral(request, MAX_BATCH)) },
  responses: {
    200: {
      description: "A GraphQL response, errors too; a list for a list",
      ...json(oneOrSeveral(response, MAX_BATCH)),
    },
    400: failure("No GraphQL request, or a list that is too long (`LIMIT_EXCEEDED`)"),
    401: failure("No valid access token"),
    404: failure("There is no such schema, or nothing in it that the account may use"),
    413: failure("The body is too large"),
    415: failure("The body is not application/json"),
    429: failure("Too many requests"),
    503: failure("The database does not answer, or the schema cannot be built"),
  },
});

/** Paths from the root of the service. */
export const graphqlPaths: Readonly<Record<string, Json>> = {
  "/api/graphql/schema/{schema}/events": {
    parameters,
    get: {
      operationId: "get_event_tables",
      summary: "The tables of the schema that the account can subscribe to",
      description: "Those whose change events are on and which it may select from, by name.",
      tags: ["graphql"],
      responses: {
        200: { description: "The tables", ...json({ type: "array", items: eventTable }) },
        401: failure("No valid access token"),
        404: failure("There is no such schema, or nothing in it that the account may use"),
        429: failure("Too many requests"),
        503: failure("The database does not answer, or the schema cannot be built"),
      },
    },
  },
  "/api/graphql/schema/{schema}": {
    parameters,
    get: {
      operationId: "graphql_query",
      summary: "GraphQL: a query",
      tags: ["graphql"],
      parameters: [
        { name: "query", in: "query", description: "The document", schema: text },
        { name: "variables", in: "query", description: "As JSON", schema: text },
        { name: "operationName", in: "query", schema: text },
        { name: "extensions", in: "query", description: "As JSON", schema: text },
      ],
      responses: {
        200: { description: "A GraphQL response, errors too", ...json(response) },
        400: failure("No GraphQL request"),
        401: failure("No valid access token"),
        404: failure("There is no such schema, or nothing in it that the account may use"),
        405: failure("The operation is not a query"),
        429: failure("Too many requests"),
        503: failure("The database does not answer, or the schema cannot be built"),
      },
    },
    post: post("graphql", "GraphQL: an operation, or a list of them", BATCH),
  },
  "/api/graphql/schema/{schema}/large": {
    parameters,
    post: post(
      "graphql_large",
      "GraphQL: an operation, or a list of them, in a large body",
      `For shapes of many points: only an account may send it. ${BATCH}`,
    ),
  },
};

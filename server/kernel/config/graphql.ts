/** GraphQL. */
import { z } from "zod";
import { KILOBYTE, MEGABYTE, count, flag, type Option } from "./kinds.ts";

export const GRAPHQL = {
  introspection: {
    env: "GRAPHQL_INTROSPECTION",
    schema: flag,
    default: true,
    doc: "Whether GraphQL introspection is answered.",
  },
  graphiql: { schema: flag, default: true, doc: "Whether `/graphiql/{schema}` is served." },
  maxDocumentBytes: {
    env: "GRAPHQL_MAX_DOCUMENT_BYTES",
    schema: count,
    default: 100 * KILOBYTE,
    doc: "Largest GraphQL document.",
  },
  maxAnswerBytes: {
    env: "GRAPHQL_MAX_ANSWER_BYTES",
    schema: count.max(400 * MEGABYTE),
    default: 50 * MEGABYTE,
    doc: "Largest value of a root field that is read as JSON from PostgreSQL.",
  },
  maxDepth: {
    env: "GRAPHQL_MAX_DEPTH",
    schema: count,
    default: 12,
    doc: "Deepest selection of a GraphQL operation; introspection fields have a cap of their own (20).",
  },
  maxAliases: {
    env: "GRAPHQL_MAX_ALIASES",
    schema: z.coerce.number().int().min(0),
    default: 30,
    doc: "Most aliases in a GraphQL document.",
  },
  maxTokens: { env: "GRAPHQL_MAX_TOKENS", schema: count, default: 1000, doc: "Most tokens in a GraphQL document." },
  defaultLimit: {
    env: "GRAPHQL_DEFAULT_LIMIT",
    schema: count,
    default: 100,
    doc: "Rows of a list without `limit`; per table by `@limit`.",
  },
  maxLimit: {
    env: "GRAPHQL_MAX_LIMIT",
    schema: count,
    default: 10_000,
    doc: "Largest `limit` of a list; per table by `@limit`.",
  },
  maxAffected: {
    env: "GRAPHQL_MAX_AFFECTED",
    schema: count.optional(),
    doc: "Most rows that a GraphQL update or delete may affect; per table by `@limit … maxAffected n`, less by the argument `maxAffected`. Default: any number.",
  },
  trustedDocuments: {
    schema: z
      .union([z.string().min(1), z.strictObject({ documents: z.string().min(1), only: flag.default(false) })])
      .transform((value) => (typeof value === "string" ? { documents: value, only: false } : value))
      .optional(),
    doc: "GraphQL documents that requests may name: a folder of `*.graphql` files, or a manifest (`{hash: text}`, or Apollo's). As an object: `{documents, only}`.",
  },
  trustedDocumentsOnly: {
    schema: flag,
    default: false,
    doc: "Whether GraphQL refuses every document that is not trusted; the same as `trustedDocuments.only`.",
  },
  persistedQueries: {
    schema: flag,
    default: false,
    doc: "Whether GraphQL keeps valid documents under the SHA-256 that comes with them, for requests that send that alone (Apollo's Automatic Persisted Queries); 1,000 a process.",
  },
} as const satisfies Record<string, Option>;

/** Compares answers with what the OpenAPI document says of them. */
import assert from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { Response } from "supertest";

export interface OpenapiDocument {
  openapi: string;
  servers: { url: string }[];
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, unknown> }>>;
  components: {
    schemas: Record<string, { properties?: Record<string, unknown> }>;
    securitySchemes: Record<string, object>;
  };
}

const ajv = new Ajv2020({ strict: false, validateFormats: false });

/** Asserts that the document has the status of an answer, and that its JSON is as the document says, without other members. */
export function assertFits(
  { paths, components }: OpenapiDocument,
  method: string,
  path: string,
  { status, body, text }: Pick<Response, "status" | "body" | "text">,
): void {
  const told = `${method} ${path} ${status}`;
  const described = paths[path]?.[method]?.responses[status] as { content?: Record<string, { schema: object }> };
  assert.ok(described, `${told}: ${text}`);
  const schema = described.content?.["application/json"]?.schema;
  if (!schema) return assert.equal(text, "", told);
  const check = ajv.compile({ ...schema, components });
  assert.ok(check(body), `${told}: ${JSON.stringify(check.errors)} ${text}`);
  const { properties } = check.schema as { properties?: object };
  if (properties)
    for (const member of Object.keys(body as object)) assert.ok(member in properties, `${told}: ${member}`);
}

/** Colours, completion and checks by the schema. It is large, so the page loads it when the user starts writing. */
import type { Extension } from "@codemirror/state";
import { graphql } from "cm6-graphql";
import { buildClientSchema, type IntrospectionQuery } from "graphql";

export function languageOf(introspected: IntrospectionQuery): Extension {
  return graphql(buildClientSchema(introspected));
}

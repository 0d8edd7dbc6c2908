/** Colours, completion and checks by the schema. It is large: the page loads it once somebody writes. */
import type { Extension } from "@codemirror/state";
import { graphql } from "cm6-graphql";
import { buildClientSchema, type IntrospectionQuery } from "graphql";

export function languageOf(introspected: IntrospectionQuery): Extension {
  return graphql(buildClientSchema(introspected));
}

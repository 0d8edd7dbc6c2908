import { pgSelect } from "postgraphile/@dataplan/pg";
import { lambda, type FieldArgs, type Step } from "postgraphile/grafast";
import { sql } from "postgraphile/pg-sql2";
import { VERSION } from "../server/ground/packageDirectory.ts";
import { behaves } from "./tables/behaviors.ts";
import { functionField, type FunctionCall } from "./rows/functionCalls.ts";
import type { AnySelect } from "./rows/listArguments.ts";
import {
  allResources,
  databaseNameOf,
  isFunctionResource,
  isRootSchema,
  isTableCodec,
  type AnyResource,
} from "./tables/resources.ts";
import { selectWritten, WriteStep } from "./writes/WriteStep.ts";

declare global {
  namespace GraphileConfig {
    interface Plugins {
      FunctionsPlugin: true;
    }
  }
}

/** The rows that the function returns, with a select of its own. */
function callOf(resource: AnyResource, call: FunctionCall, fieldArgs: FieldArgs): AnySelect {
  const { codec, isMutation } = resource;
  const $call = call.toSql(fieldArgs);
  if (isMutation && isTableCodec(codec) && !codec.isAnonymous) {
    const r = sql.identifier(Symbol("r"));
    const $written = new WriteStep(
      resource,
      ([from]) => [sql`select array_agg(${r})::text from ${from as never} as ${r}`],
      [$call],
    );
    return selectWritten(resource, $written);
  }
  return pgSelect({
    resource,
    identifiers: [],
    from: { callback: ($root) => $root.deferredSQL($call) },
    mode: isMutation ? "mutation" : "normal",
  }) as AnySelect;
}

/** Gives true once a function without result has run. */
function ran($select: AnySelect): Step {
  return lambda($select, () => true, true);
}

export const FunctionsPlugin: GraphileConfig.Plugin = {
  name: "FunctionsPlugin",
  description: "Functions as fields of Query (stable, immutable) and Mutation (volatile)",
  version: VERSION,
  after: ["GetPlugin", "CountPlugin", "InsertPlugin", "UpdatePlugin", "DeletePlugin"],

  schema: {
    hooks: {
      GraphQLObjectType_fields(fields, build, context) {
        const { isRootQuery, isRootMutation } = context.scope;
        if (!isRootQuery && !isRootMutation) return fields;
        for (const resource of allResources(build)) {
          if (!isFunctionResource(resource) || resource.sqlPartitionByIndex) continue;
          if (!isRootSchema(build, databaseNameOf(resource)?.schema)) continue;
          if (!behaves(build, "pgResource", resource, isRootQuery ? "queryField" : "mutationField")) continue;
          const field = functionField(build, context, { resource, onType: false }, (call, _$root, fieldArgs) => {
            const $select = callOf(resource, call, fieldArgs);
            return resource.codec.name === "void" ? ran($select) : $select;
          });
          build.extend(fields, field, "FunctionsPlugin adds a function");
        }
        return fields;
      },
    },
  },
};

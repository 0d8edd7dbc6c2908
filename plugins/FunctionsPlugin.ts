import { pgSelect } from "postgraphile/@dataplan/pg";
import { lambda, type FieldArgs, type Step } from "postgraphile/grafast";
import { sql } from "postgraphile/pg-sql2";
import { functionCall, returnTypeOf, tableReturnedBy, type FunctionCall } from "./functionCalls.ts";
import { listArguments, type AnySelect } from "./listArguments.ts";
import {
  allResources,
  databaseNameOf,
  isFunctionResource,
  isRootSchema,
  isTableCodec,
  tagText,
  type AnyResource,
} from "./resources.ts";
import { selectWritten, WriteStep } from "./WriteStep.ts";

declare global {
  namespace GraphileConfig {
    interface Plugins {
      FunctionsPlugin: true;
    }
  }
}

/** What the function returns, with a select of its own. */
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

/** A function that returns nothing has run. */
function ran($select: AnySelect): Step {
  return lambda($select, () => true, true);
}

export const FunctionsPlugin: GraphileConfig.Plugin = {
  name: "FunctionsPlugin",
  description: "Functions as fields of Query (stable, immutable) and Mutation (volatile)",
  version: "0.1.0",
  after: ["GetPlugin", "CountPlugin", "InsertPlugin", "UpdatePlugin", "DeletePlugin"],

  schema: {
    hooks: {
      GraphQLObjectType_fields(fields, build, context) {
        const { isRootQuery, isRootMutation } = context.scope;
        if (!isRootQuery && !isRootMutation) return fields;
        const { GraphQLList } = build.graphql;
        for (const resource of allResources(build)) {
          if (!isFunctionResource(resource) || resource.sqlPartitionByIndex) continue;
          if (!isRootSchema(build, databaseNameOf(resource)?.schema)) continue;
          if (!build.behavior.pgResourceMatches(resource, isRootQuery ? "queryField" : "mutationField")) continue;
          const type = returnTypeOf(build, resource);
          if (!type) continue;
          const fieldName = build.inflection.functionField(resource);
          const deprecationReason = tagText(resource, "deprecated");
          build.extend(
            fields,
            {
              [fieldName]: context.fieldWithHooks({ fieldName, pgFieldResource: resource }, () => {
                const call = functionCall(build, resource, false);
                const table = resource.isUnique || resource.isMutation ? undefined : tableReturnedBy(build, resource);
                const rows = table && listArguments(build, table);
                return {
                  description: resource.description,
                  ...(deprecationReason === undefined ? {} : { deprecationReason }),
                  type: resource.isUnique ? type : new GraphQLList(type),
                  args: { ...rows?.args, ...call.args },
                  plan(_$root, fieldArgs) {
                    const $select = callOf(resource, call, fieldArgs);
                    if (resource.codec.name === "void") return ran($select);
                    rows?.apply($select, fieldArgs);
                    return resource.isUnique ? $select.single() : $select;
                  },
                };
              }),
            },
            `FunctionsPlugin adds ${fieldName}`,
          );
        }
        return fields;
      },
    },
  },
};

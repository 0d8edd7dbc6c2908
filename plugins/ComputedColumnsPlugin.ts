import { pgClassExpression, pgSelect, type PgRootStep } from "postgraphile/@dataplan/pg";
import type { FieldArgs, Step } from "postgraphile/grafast";
import { sql, type SQL } from "postgraphile/pg-sql2";
import { VERSION } from "../server/ground/packageDirectory.ts";
import { behaves } from "./tables/behaviors.ts";
import { verbatim } from "./tables/codecs.ts";
import { functionField, type FunctionCall } from "./rows/functionCalls.ts";
import type { AnySelect } from "./rows/listArguments.ts";
import {
  allResources,
  isFunctionResource,
  isTableCodec,
  type AnyCodec,
  type AnyRecord,
  type AnyResource,
} from "./tables/resources.ts";

declare global {
  namespace GraphileConfig {
    interface Plugins {
      ComputedColumnsPlugin: true;
    }
  }
}

/** The row as SQL in another select. */
function rowIn($select: PgRootStep, $record: AnyRecord): SQL {
  const { step, codec } = verbatim($record);
  return $select.placeholder(step, codec);
}

/** The row in a select that accepts more expressions. */
function selectAgain($record: AnyRecord): AnyRecord {
  const from = { callback: ($root: PgRootStep) => sql`(select (${rowIn($root, $record)}).*)` };
  return pgSelect({ resource: $record.resource, identifiers: [], joinAsLateral: true, from }).single() as AnyRecord;
}

/** One value for each row: an expression in the statement that selects the row. */
function expressionOf(resource: AnyResource, call: FunctionCall, $record: AnyRecord, fieldArgs: FieldArgs): Step {
  const $row = $record.getClassStep().mode === "mutation" ? selectAgain($record) : $record;
  const alias = $row.getClassStep().alias;
  return pgClassExpression(
    $row,
    resource.codec as AnyCodec,
    undefined,
  )`${$row.deferredSQL(call.toSql(fieldArgs, alias))}`;
}

/** Rows for each row: a lateral join or a subquery of that statement. */
function selectOf(resource: AnyResource, call: FunctionCall, $record: AnyRecord, fieldArgs: FieldArgs): AnySelect {
  const from = {
    callback: ($root: PgRootStep) => $root.deferredSQL(call.toSql(fieldArgs, rowIn($root, $record))),
  };
  return pgSelect({ resource, identifiers: [], joinAsLateral: true, from }) as AnySelect;
}

export const ComputedColumnsPlugin: GraphileConfig.Plugin = {
  name: "ComputedColumnsPlugin",
  description: "Functions whose first argument is a table's row as fields of that table's type",
  version: VERSION,
  after: ["PgAttributesPlugin", "RelationsPlugin"],

  schema: {
    hooks: {
      GraphQLObjectType_fields(fields, build, context) {
        const { pgCodec, isPgClassType } = context.scope as { pgCodec?: AnyCodec; isPgClassType?: boolean };
        if (!isPgClassType || !pgCodec) return fields;
        for (const resource of allResources(build)) {
          if (!isFunctionResource(resource) || resource.isMutation || resource.sqlPartitionByIndex) continue;
          if ((resource.parameters as readonly { codec: AnyCodec }[])[0]?.codec !== pgCodec) continue;
          if (!behaves(build, "pgResource", resource, "typeField")) continue;
          const plan = resource.isUnique && !isTableCodec(resource.codec) ? expressionOf : selectOf;
          const field = functionField(build, context, { resource, onType: true }, (call, $record, fieldArgs) =>
            plan(resource, call, $record as AnyRecord, fieldArgs),
          );
          build.extend(fields, field, "ComputedColumnsPlugin adds a function");
        }
        return fields;
      },
    },
  },
};

import { pgSelect } from "postgraphile/@dataplan/pg";
import type { FieldArgs } from "postgraphile/grafast";
import { sql, type SQL } from "postgraphile/pg-sql2";
import { VERSION } from "../server/ground/packageDirectory.ts";
import { verbatim } from "./tables/codecs.ts";
import { annotate } from "./rows/fieldMetadata.ts";
import { listArguments, type AnySelect } from "./rows/listArguments.ts";
import {
  isTableResource,
  relationsOf,
  tagText,
  type AnyCodec,
  type AnyRecord,
  type AnyRelation,
  type TableResource,
} from "./tables/resources.ts";
import { isWritten } from "./writes/WriteStep.ts";

declare global {
  namespace GraphileConfig {
    interface Plugins {
      RelationsPlugin: true;
    }
  }
}

/** The rows at the other end of a foreign key. */
function follow(relation: AnyRelation, $record: AnyRecord): AnySelect {
  const identifiers = relation.remoteAttributes.map((remote, index) => ({
    ...verbatim($record, relation.localAttributes[index]!),
    matches: (alias: SQL) => sql`${alias}.${sql.identifier(remote)}`,
  }));
  return pgSelect({ resource: relation.remoteResource, identifiers }) as AnySelect;
}

export const RelationsPlugin: GraphileConfig.Plugin = {
  name: "RelationsPlugin",
  description: "Foreign keys: the parent as an object, the children as a list",
  version: VERSION,
  after: ["PgAttributesPlugin"],

  schema: {
    hooks: {
      GraphQLObjectType_fields(fields, build, context) {
        const { pgCodec, isPgClassType } = context.scope as { pgCodec?: AnyCodec; isPgClassType?: boolean };
        if (!isPgClassType || !pgCodec) return fields;
        const { GraphQLList } = build.graphql;
        for (const relation of relationsOf(build, pgCodec)) {
          const fieldName = build.inflection.relationField(relation);
          const resource = relation.remoteResource as TableResource;
          if (fieldName === undefined || !isTableResource(resource)) continue;
          const type = build.getOutputTypeByName(build.inflection.tableType(resource.codec));
          const deprecationReason = tagText(relation, "deprecated");
          const common = {
            ...(relation.description === undefined ? {} : { description: relation.description }),
            ...(deprecationReason === undefined ? {} : { deprecationReason }),
          };
          const parent = () => {
            const plan = ($record: AnyRecord) => {
              const $parents = follow(relation, $record);
              // A join might return the rows in another order, and the order of written rows is only known from their
              // position.
              if (isWritten($record.getClassStep() as AnySelect)) $parents.setInliningForbidden();
              return $parents.single();
            };
            return { ...common, type, plan: annotate(plan, { kind: "parent", relation }) };
          };
          const children = () => {
            const { args, read, apply } = listArguments(build, resource, { partition: relation.remoteAttributes });
            const plan = ($record: AnyRecord, fieldArgs: FieldArgs) => {
              const $rows = follow(relation, $record);
              apply($rows, fieldArgs);
              return $rows;
            };
            return {
              ...common,
              type: new GraphQLList(type),
              args,
              plan: annotate(plan, { kind: "children", relation, read }, args),
            };
          };
          const scope = { fieldName, pgFieldResource: resource };
          build.extend(
            fields,
            {
              [fieldName]: relation.isReferencee
                ? context.fieldWithHooks({ ...scope, isPgFieldSimpleCollection: true }, children)
                : context.fieldWithHooks(scope, parent),
            },
            `RelationsPlugin adds ${fieldName}`,
          );
        }
        return fields;
      },
    },
  },
};

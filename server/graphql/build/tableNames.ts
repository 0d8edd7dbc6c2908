/** The GraphQL names of a schema's tables and columns, by their names in PostgreSQL. */
import { getNamedType, isObjectType, type GraphQLField, type GraphQLObjectType } from "graphql";
import { metadataOf } from "../../../plugins/rows/fieldMetadata.ts";
import { accessOf, type RelationAccess } from "../../../plugins/tables/relationAccess.ts";
import type { ServedSchema } from "./schemaRegistry.ts";

export interface TableNames {
  /** The name of its type, which operations carry: `Cities` of `getCities`. */
  readonly type: string;
  /** The field of each column. */
  readonly fields: ReadonlyMap<string, string>;
}

/** The names in GraphQL of the tables that have root fields, by the name of the table. */
export function tableNamesOf(served: Pick<ServedSchema, "name" | "schema">): ReadonlyMap<string, TableNames> {
  return new Map(
    listsOf(served).map(({ relation, type }) => [relation.name, { type: type.name, fields: fieldsOf(type) }]),
  );
}

/** The lists at the root of the tables of a schema. */
export function listsOf({ name, schema }: Pick<ServedSchema, "name" | "schema">): readonly List[] {
  return Object.values(schema.getQueryType()?.getFields() ?? {}).flatMap((field): List[] => {
    const type = getNamedType(field.type);
    if (!isObjectType(type) || field.name !== `get${type.name}`) return [];
    const relation = accessOf(type);
    return relation?.schema === name ? [{ field, type, relation }] : [];
  });
}

interface List {
  readonly field: GraphQLField<unknown, unknown>;
  readonly type: GraphQLObjectType;
  readonly relation: RelationAccess;
}

function fieldsOf(type: GraphQLObjectType): ReadonlyMap<string, string> {
  return new Map(
    Object.values(type.getFields()).flatMap((field): [string, string][] => {
      const metadata = metadataOf(field);
      return metadata?.kind === "column" || metadata?.kind === "composite" ? [[metadata.column, field.name]] : [];
    }),
  );
}

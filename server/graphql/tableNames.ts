/** What GraphQL calls the tables of a schema and their columns, for who knows them by their names in PostgreSQL. */
import { getNamedType, isObjectType, type GraphQLObjectType } from "graphql";
import { metadataOf } from "../../plugins/fieldMetadata.ts";
import { accessOf } from "../../plugins/relationAccess.ts";
import type { ServedSchema } from "./schemaRegistry.ts";

export interface TableNames {
  /** The name of its type, which operations carry: `Cities` of `getCities`. */
  readonly type: string;
  /** The field of each column. */
  readonly fields: ReadonlyMap<string, string>;
}

/** By the name of the table, of those that have fields at the root. */
export function tableNamesOf({ name, schema }: Pick<ServedSchema, "name" | "schema">): ReadonlyMap<string, TableNames> {
  const queries = Object.values(schema.getQueryType()?.getFields() ?? {});
  return new Map(
    queries.flatMap((query): [string, TableNames][] => {
      const type = getNamedType(query.type);
      if (!isObjectType(type) || query.name !== `get${type.name}`) return [];
      const relation = accessOf(type);
      return relation?.schema === name ? [[relation.name, { type: type.name, fields: fieldsOf(type) }]] : [];
    }),
  );
}

function fieldsOf(type: GraphQLObjectType): ReadonlyMap<string, string> {
  return new Map(
    Object.values(type.getFields()).flatMap((field): [string, string][] => {
      const metadata = metadataOf(field);
      return metadata?.kind === "column" ? [[metadata.column, field.name]] : [];
    }),
  );
}

/** The rows of a table as a list at the root chooses them, for other formats. */
import type { GraphQLField } from "graphql";
import type { SQL } from "postgraphile/pg-sql2";
import { metadataOf } from "../../../plugins/rows/fieldMetadata.ts";
import { orderToSql } from "../../../plugins/tables/orderBy.ts";
import { accessesOfArgument, accessOf } from "../../../plugins/tables/relationAccess.ts";
import { badInput } from "../../ground/errors.ts";
import type { ChosenRows, RowSource } from "../../filter/rowSource.ts";
import { listsOf } from "../build/tableNames.ts";
import type { ServedSchema } from "../build/schemaRegistry.ts";

/** Undefined where the schema has no list of the table, or a team's own plugin makes another list of it. */
export function rowSourceOf(served: Pick<ServedSchema, "name" | "schema">, table: string): RowSource | undefined {
  const field = listsOf(served).find(({ relation }) => relation.name === table)?.field;
  const metadata = field && metadataOf(field);
  if (!field || metadata?.kind !== "rows") return undefined;
  const { shape, key = [], hasHistory, readAll, resource } = metadata;
  return {
    columns: shape.columns,
    key,
    column: shape.column,
    select(chosen) {
      if (chosen.asOf !== undefined && !hasHistory) badInput("asOf: the table keeps no history");
      const { condition, orders, from = resource.from as SQL } = readAll(chosen);
      return {
        from,
        relations: readBy(field, chosen),
        condition: (alias) => condition(alias),
        order: (alias) => orders.map((order) => orderToSql(order, alias)),
      };
    },
  };
}

function readBy(field: GraphQLField<unknown, unknown>, chosen: ChosenRows): { schema: string; name: string }[] {
  const own = accessOf(field);
  const named = field.args.flatMap((argument) =>
    accessesOfArgument(argument, chosen[argument.name as keyof ChosenRows]),
  );
  return [...(own ? [own] : []), ...named];
}

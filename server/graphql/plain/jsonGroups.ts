/** The groups of an aggregate as JSON that PostgreSQL makes. */
import {
  getArgumentValues,
  getNamedType,
  isObjectType,
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
} from "graphql";
import { sql, type SQL } from "postgraphile/pg-sql2";
import type { AggregateQuery, Period } from "../../../plugins/aggregates/aggregateQuery.ts";
import { countToInt, resultType, type Operation } from "../../../plugins/aggregates/aggregateResults.ts";
import { jsonValueOf } from "../../../plugins/tables/jsonValue.ts";
import type { FieldMetadata } from "../../../plugins/rows/fieldMetadata.ts";
import type { Relation } from "../../filter/tree.ts";
import type { ColumnType } from "../../types/columnType.ts";

export type Variables = Readonly<Record<string, unknown>>;
type Field = GraphQLField<unknown, unknown>;

/** The selected expressions of a group, once the arguments are known. */
export type GroupSelect = (query: AggregateQuery, variables: Variables) => SQL;

/** How selections are read; both methods throw where a query is not a plain read. */
export interface Selections {
  collect(nodes: readonly FieldNode[]): ReadonlyMap<string, readonly FieldNode[]>;
  look(type: GraphQLObjectType, node: FieldNode): { readonly field: Field; readonly metadata: FieldMetadata };
  refuse(): never;
}

interface Place {
  readonly operation?: Operation;
  readonly relations: readonly Relation[];
}

/** The select list of an object's fields, each named by its response key. */
export function selectGroup(
  selections: Selections,
  field: Field,
  nodes: readonly FieldNode[],
  place: Place = { relations: [] },
): GroupSelect {
  const type = getNamedType(field.type);
  if (!isObjectType(type)) return selections.refuse();
  const columns = [...selections.collect(nodes)].map(([key, inner]) => {
    const value = groupValue(selections, type, inner, place);
    return (...given: Parameters<GroupSelect>): SQL => sql`${value(...given)} as ${sql.identifier(key)}`;
  });
  return (...given) =>
    sql.join(
      columns.map((column) => column(...given)),
      ", ",
    );
}

function groupValue(
  selections: Selections,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
  place: Place,
): GroupSelect {
  const node = nodes[0]!;
  if (node.name.value === "__typename") return () => sql`${sql.literal(type.name)}::text`;
  const { field, metadata } = selections.look(type, node);
  const toJson = (columnType: ColumnType): ((value: SQL) => SQL) => {
    const found = jsonValueOf(columnType, getNamedType(field.type).name === "ID") ?? selections.refuse();
    return (value) => found(value, columnType);
  };
  const object = (inner: Place): GroupSelect => {
    const select = selectGroup(selections, field, nodes, inner);
    const r = sql.identifier(Symbol("r"));
    return (...given) => sql`(select row_to_json(${r}) from (select ${select(...given)}) as ${r})`;
  };
  switch (metadata.kind) {
    case "groupCount":
      return (query) => countToInt(query.count().sql);
    case "groups":
      return object({ relations: [] });
    case "results":
      return object({ operation: metadata.operation, relations: [] });
    case "groupParent":
      return object({ relations: [...place.relations, metadata.relation] });
    case "result": {
      const { operation } = place;
      const { column } = metadata;
      if (!operation) return selections.refuse();
      if (operation === "countDistinct") return (query) => countToInt(query.result(operation, column).sql);
      const json = toJson(resultType(operation, column.type)!);
      return (query) => json(query.result(operation, column).sql);
    }
    case "group": {
      const { column } = metadata;
      const json = toJson(column.type);
      return (query, variables) => {
        const { unit } = getArgumentValues(field, node, variables);
        return json(query.group(place.relations, column, (unit as Period | null | undefined) ?? undefined).sql);
      };
    }
    default:
      return selections.refuse();
  }
}

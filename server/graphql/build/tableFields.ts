/** The fields of a schema's tables, for a door that writes documents itself. */
import { getNamedType, isLeafType, isListType, isObjectType, type GraphQLField, type GraphQLObjectType } from "graphql";
import { metadataOf } from "../../../plugins/rows/fieldMetadata.ts";
import { accessOf } from "../../../plugins/tables/relationAccess.ts";
import type { ServedSchema } from "./schemaRegistry.ts";
import { listsOf } from "./tableNames.ts";

/** A column, as a field shows it. */
export interface ColumnField {
  /** Its name in PostgreSQL. */
  readonly column: string;
  /** The text that selects it, with the fields of its value where that has fields. */
  readonly selection: string;
}

/** A foreign key, followed in one direction. */
export interface RelationField {
  readonly schema: string;
  readonly table: string;
  /** Whether it returns rows, not a single row. */
  readonly many: boolean;
  /** Pairs of columns, [here, there], that are equal. */
  readonly on: readonly (readonly [here: string, there: string])[];
  /** The fields of its rows. */
  readonly target: () => Pick<TableFields, "columns" | "relations">;
}

export interface TableFields {
  readonly type: string;
  /** The fields of Query and Mutation that the table has, by what they do: `{list: "getCities"}`. */
  readonly roots: Readonly<Partial<Record<RootVerb, string>>>;
  /** Columns by the name of their field. */
  readonly columns: ReadonlyMap<string, ColumnField>;
  readonly relations: ReadonlyMap<string, RelationField>;
  /** The columns of each aggregate: `{sum: ["population"]}`. */
  readonly aggregates: Readonly<Partial<Record<AggregateName, readonly string[]>>>;
}

const VERBS = {
  list: "get",
  page: "page",
  count: "count",
  aggregate: "aggregate",
  insert: "insert",
  update: "update",
  delete: "delete",
} as const;
export type RootVerb = keyof typeof VERBS;

export const AGGREGATES = ["countDistinct", "sum", "avg", "min", "max"] as const;
export type AggregateName = (typeof AGGREGATES)[number];

const known = new WeakMap<object, ReadonlyMap<string, TableFields>>();

/** The fields of every table that the schema reaches, by the name of its GraphQL type. */
export function tableFieldsOf(served: Pick<ServedSchema, "name" | "schema">): ReadonlyMap<string, TableFields> {
  let fields = known.get(served.schema);
  if (!fields) known.set(served.schema, (fields = readTables(served)));
  return fields;
}

function readTables(served: Pick<ServedSchema, "name" | "schema">): ReadonlyMap<string, TableFields> {
  const { schema } = served;
  const query = schema.getQueryType()?.getFields() ?? {};
  const mutation = schema.getMutationType()?.getFields() ?? {};
  return new Map(
    listsOf(served).map(({ relation, type }) => {
      const roots = Object.entries(VERBS).flatMap(([verb, prefix]) => {
        const name = `${prefix}${type.name}`;
        return name in query || name in mutation ? [[verb, name] as const] : [];
      });
      const aggregate = getNamedType(query[`aggregate${type.name}`]?.type ?? type);
      const table: TableFields = {
        type: type.name,
        roots: Object.fromEntries(roots),
        columns: columnsOf(type),
        relations: relationsOf(type),
        aggregates: isObjectType(aggregate) && aggregate !== type ? aggregatesOf(aggregate) : {},
      };
      return [relation.name, table] as const;
    }),
  );
}

export function columnsOf(type: GraphQLObjectType): ReadonlyMap<string, ColumnField> {
  return new Map(
    Object.values(type.getFields()).flatMap((field): [string, ColumnField][] => {
      const metadata = metadataOf(field);
      if (metadata?.kind !== "column" && metadata?.kind !== "composite") return [];
      const selection = selectionOf(field, 0);
      return selection === undefined ? [] : [[field.name, { column: metadata.column, selection }]];
    }),
  );
}

/** The deepest nesting of values within values. */
const DEEPEST = 3;

function selectionOf({ name, type, args }: GraphQLField<unknown, unknown>, depth: number): string | undefined {
  const named = getNamedType(type);
  if (isLeafType(named)) return name;
  if (!isObjectType(named) || args.length > 0 || depth >= DEEPEST) return undefined;
  const fields = Object.values(named.getFields()).flatMap((field) => selectionOf(field, depth + 1) ?? []);
  return fields.length === 0 ? undefined : `${name} { ${fields.join(" ")} }`;
}

function relationsOf(type: GraphQLObjectType): ReadonlyMap<string, RelationField> {
  return new Map(
    Object.values(type.getFields()).flatMap((field): [string, RelationField][] => {
      const metadata = metadataOf(field);
      if (metadata?.kind !== "parent" && metadata?.kind !== "children") return [];
      const target = getNamedType(field.type);
      const relation = isObjectType(target) ? accessOf(target) : undefined;
      if (!relation) return [];
      const { localAttributes, remoteAttributes } = metadata.relation;
      const on = localAttributes.map((here, index) => [here, remoteAttributes[index]!] as const);
      const { schema, name: table } = relation;
      const row = target as GraphQLObjectType;
      const fields = (): ReturnType<RelationField["target"]> => ({
        columns: columnsOf(row),
        relations: relationsOf(row),
      });
      return [[field.name, { schema, table, many: isListType(field.type), on, target: fields }]];
    }),
  );
}

function aggregatesOf(type: GraphQLObjectType): TableFields["aggregates"] {
  return Object.fromEntries(
    AGGREGATES.flatMap((name) => {
      const results = getNamedType(type.getFields()[name]?.type ?? type);
      return isObjectType(results) && results !== type ? [[name, Object.keys(results.getFields())] as const] : [];
    }),
  );
}

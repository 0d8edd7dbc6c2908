/** The selection of a subscription field: the columns that it needs, and how their texts become its answer. */
import { getNamedType, isObjectType, type FieldNode, type GraphQLField, type GraphQLObjectType } from "graphql";
import { columnTypeOf } from "../../../plugins/tables/columnType.ts";
import { metadataOf } from "../../../plugins/rows/fieldMetadata.ts";
import type { TableResource } from "../../../plugins/tables/resources.ts";
import { hasParts, type ColumnType, type TypeKind } from "../../types/columnType.ts";
import { rowOf } from "../../types/table.ts";
import { toJson, type ToJson } from "../../types/textJson.ts";
import { collectFields, type fragmentsOf, type Variables } from "../rootFields.ts";

/** A row of nothing but plain columns, as JSON text without asking PostgreSQL. */
export interface RowEncoder {
  /** Equal for encoders that give the same. */
  readonly key: string;
  encode(values: Readonly<Record<string, string | null>>): string;
}

export interface EventSelection {
  /** Columns that the subscriber must be allowed to select. */
  readonly columns: readonly string[];
  /** Undefined where more than plain columns is selected. */
  readonly encoder: RowEncoder | undefined;
}

interface Member {
  /** `"key":` */
  readonly prefix: string;
  readonly column: string;
  readonly toJson: ToJson;
}

/** A field, and where it is selected. */
export interface SelectedField {
  readonly field: GraphQLField<unknown, unknown>;
  readonly nodes: readonly FieldNode[];
  readonly fragments: ReturnType<typeof fragmentsOf>;
  readonly variables: Variables;
}

export function readSelection(
  { field, nodes, fragments, variables }: SelectedField,
  resource: TableResource,
): EventSelection {
  const type = getNamedType(field.type);
  if (!isObjectType(type)) throw new Error(`${field.name} gives no rows`);
  const selectionSets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
  const columns = new Set<string>();
  const members: (Member | string)[] = [];
  const signature: string[] = [];
  let plain = true;
  for (const [key, [node]] of collectFields(selectionSets, fragments, variables)) {
    const prefix = `${JSON.stringify(key)}:`;
    const selected = selectField(type, node!);
    signature.push(`${prefix}${selected.signature}`);
    for (const column of selected.columns ?? Object.keys(resource.codec.attributes)) columns.add(column);
    if (selected.literal !== undefined) members.push(prefix + selected.literal);
    else if (selected.toJson) members.push({ prefix, column: selected.columns![0]!, toJson: selected.toJson });
    else plain = false;
  }
  return {
    columns: [...columns],
    encoder: plain ? { key: signature.join(), encode: (values) => encodeRow(members, values) } : undefined,
  };
}

interface Selected {
  readonly signature: string;
  /** Undefined: perhaps all. */
  readonly columns: readonly string[] | undefined;
  readonly literal?: string;
  readonly toJson?: ToJson | undefined;
}

function selectField(type: GraphQLObjectType, node: FieldNode): Selected {
  const name = node.name.value;
  if (name === "__typename") return { signature: "", columns: [], literal: JSON.stringify(type.name) };
  const field = type.getFields()[name]!;
  const metadata = metadataOf(field);
  switch (metadata?.kind) {
    case "column": {
      const isId = getNamedType(field.type).name === "ID";
      return {
        signature: `${metadata.column}${isId ? " id" : ""}`,
        columns: [metadata.column],
        toJson: node.arguments?.length ? undefined : plainJsonOf(columnTypeOf(metadata.codec), isId),
      };
    }
    case "nodeId":
      return { signature: "", columns: metadata.columns };
    case "version":
      return { signature: "", columns: [] };
    case "parent":
    case "children":
      return { signature: "", columns: metadata.relation.localAttributes };
    default:
      return { signature: "", columns: undefined };
  }
}

/** Converts a value by the table of types; undefined where only PostgreSQL can convert it. */
export function plainJsonOf(type: ColumnType, isId: boolean): ToJson | undefined {
  if (hasParts(type)) return undefined;
  const { graphql } = rowOf(type).text;
  if (!isId || type.kind === "text" || type.kind === "datetime") return graphql;
  return graphql && NUMBERS.has(type.kind) ? toJson.string : undefined;
}

/** Kinds whose text can be an ID. */
const NUMBERS: ReadonlySet<TypeKind> = new Set<TypeKind>(["integer", "bigint", "float"]);

function encodeRow(members: readonly (Member | string)[], values: Readonly<Record<string, string | null>>): string {
  let text = "{";
  for (const member of members) {
    if (text.length > 1) text += ",";
    if (typeof member === "string") text += member;
    else {
      const value = values[member.column] ?? null;
      text += member.prefix + (value === null ? "null" : member.toJson(value));
    }
  }
  return `${text}}`;
}

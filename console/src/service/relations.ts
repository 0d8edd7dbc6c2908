/** The relations of a schema as the caller may see them, read from the GraphQL schema, which rights have pruned. */
import { graphql } from "./ask.ts";

export interface Column {
  readonly name: string;
  readonly description: string;
  /** The name of its GraphQL type, `[Int]` for a list. */
  readonly type: string;
  /** How it is selected: its name, and the members of a composite value. */
  readonly selection: string;
  readonly isNullable: boolean;
}

export interface Relation {
  /** The name of its type, which operations carry: `Cities` of `getCities`. */
  readonly type: string;
  readonly description: string;
  readonly columns: readonly Column[];
  readonly hasKey: boolean;
  readonly canPage: boolean;
  readonly canInsert: boolean;
  readonly canUpdate: boolean;
  readonly canDelete: boolean;
}

interface TypeReference {
  readonly kind: string;
  readonly name: string | null;
  readonly ofType: TypeReference | null;
}

interface Field {
  readonly name: string;
  readonly description: string | null;
  readonly args: readonly unknown[];
  readonly type: TypeReference;
}

interface Type {
  readonly kind: string;
  readonly name: string;
  readonly description: string | null;
  readonly fields: readonly Field[] | null;
  readonly interfaces: readonly { readonly name: string }[] | null;
}

const INTROSPECTION = `{
  __schema {
    queryType { fields { name } }
    mutationType { fields { name } }
    types {
      kind name description
      interfaces { name }
      fields { name description args { name } type { kind name ofType { kind name ofType { kind name ofType { kind name } } } } }
    }
  }
}`;

/** What a row has beside its columns. */
const OWN_FIELDS: ReadonlySet<string> = new Set(["nodeId", "_version"]);

export async function readRelations(schema: string): Promise<readonly Relation[]> {
  const { __schema: read } = await graphql<{
    __schema: {
      queryType: { fields: readonly { name: string }[] };
      mutationType: { fields: readonly { name: string }[] } | null;
      types: readonly Type[];
    };
  }>(schema, INTROSPECTION);
  const types = new Map(read.types.map((type) => [type.name, type]));
  const queries = new Set(read.queryType.fields.map(({ name }) => name));
  const mutations = new Set(read.mutationType?.fields.map(({ name }) => name));
  return [...queries]
    .filter((name) => name.startsWith("get") && types.has(name.slice("get".length)))
    .map((name): Relation => {
      const type = types.get(name.slice("get".length))!;
      return {
        type: type.name,
        description: type.description ?? "",
        columns: (type.fields ?? []).flatMap((field) => toColumn(field, types)),
        hasKey: type.interfaces?.some((each) => each.name === "Node") ?? false,
        canPage: queries.has(`page${type.name}`),
        canInsert: mutations.has(`insert${type.name}`),
        canUpdate: mutations.has(`update${type.name}`),
        canDelete: mutations.has(`delete${type.name}`),
      };
    })
    .sort((a, b) => a.type.localeCompare(b.type));
}

function toColumn(field: Field, types: ReadonlyMap<string, Type>): Column[] {
  if (OWN_FIELDS.has(field.name) || field.args.length > 0) return [];
  const { name, isList } = named(field.type);
  const members = selectionOf(types.get(name), types);
  if (members === undefined) return [];
  return [
    {
      name: field.name,
      description: field.description ?? "",
      type: isList ? `[${name}]` : name,
      selection: `${field.name}${members}`,
      isNullable: field.type.kind !== "NON_NULL",
    },
  ];
}

/** Empty for a plain value, `{ a b }` for a composite one, undefined for what is a related row. */
function selectionOf(type: Type | undefined, types: ReadonlyMap<string, Type>): string | undefined {
  if (!type || type.kind === "SCALAR" || type.kind === "ENUM") return "";
  if (type.fields?.some(({ name, args }) => name === "nodeId" || name === "_version" || args.length > 0))
    return undefined;
  const members = (type.fields ?? []).map((field) => {
    const inner = selectionOf(types.get(named(field.type).name), types);
    return inner === undefined ? undefined : field.name + inner;
  });
  return members.length === 0 || members.includes(undefined) ? undefined : ` { ${members.join(" ")} }`;
}

function named(type: TypeReference): { name: string; isList: boolean } {
  let isList = false;
  let inner = type;
  while (inner.ofType) {
    isList ||= inner.kind === "LIST";
    inner = inner.ofType;
  }
  return { name: inner.name ?? "", isList };
}

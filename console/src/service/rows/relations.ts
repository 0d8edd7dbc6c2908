/**
 * The relations of a schema on which the account has a right: their names and types in GraphQL, and the account's
 * rights.
 */
import { graphql } from "../http/ask.ts";
import { answer, rest } from "../http/rest.ts";
import type { Table } from "../http/openapi.ts";

export type { Table };

export type Right = Table["rights"][number];

/** The other end of a foreign key of one column. */
export interface Reference {
  readonly schema: string;
  readonly table: string;
  readonly column: string;
}

/** The selection of a composite value. */
export interface Member {
  readonly name: string;
  /** The name of its GraphQL type, `[Int]` for a list. */
  readonly type: string;
  /** The members; empty for a plain value. */
  readonly members: readonly Member[];
}

export interface Column {
  /** The name of its GraphQL field. */
  readonly name: string;
  /** Its name in PostgreSQL. */
  readonly column: string;
  readonly description: string;
  /** The name of its GraphQL type, `[Int]` for a list. */
  readonly type: string;
  /** Its type in PostgreSQL's notation. */
  readonly sqlType: string;
  /** Its selection in GraphQL: its name, and the members of a composite value. */
  readonly selection: string;
  /** The members of a composite value. */
  readonly members?: readonly Member[];
  readonly isNullable: boolean;
  readonly hasDefault: boolean;
  readonly canSelect: boolean;
  readonly canInsert: boolean;
  readonly canUpdate: boolean;
  /** The labels of an enum. */
  readonly values: readonly string[] | undefined;
  readonly reference: Reference | undefined;
}

export interface Relation {
  /** The name of its type, which is part of the names of operations: `Cities` in `getCities`. */
  readonly type: string;
  readonly schema: string;
  /** Its name in PostgreSQL. */
  readonly table: string;
  readonly description: string;
  /** The columns that the account may read. */
  readonly columns: readonly Column[];
  /** The columns that the account may set in a new row. */
  readonly insertColumns: readonly Column[];
  readonly hasKey: boolean;
  /** The columns of its key, in their order; empty unless the caller may read all of them. */
  readonly key: readonly Column[];
  readonly canPage: boolean;
  readonly canInsert: boolean;
  readonly canUpdate: boolean;
  readonly canDelete: boolean;
  /** The instant from which its history is kept, as the service writes it. */
  readonly versionedSince: string | undefined;
  /** The account's role in its workflow. */
  readonly workflow: WorkflowRole | undefined;
}

export type WorkflowRole = NonNullable<Table["workflow"]>;

interface TypeReference {
  readonly kind: string;
  readonly name: string | null;
  readonly ofType: TypeReference | null;
}

interface Field {
  readonly name: string;
  readonly description: string | null;
  /** Not requested for a type that has a key. */
  readonly args?: readonly unknown[];
  readonly type: TypeReference;
}

interface Type {
  readonly kind: string;
  readonly name: string;
  readonly description: string | null;
  readonly fields: readonly Field[] | null;
}

const FIELD = "name description type { kind name ofType { kind name ofType { kind name ofType { kind name } } } }";
const TYPE = `kind name description fields { ${FIELD} args { name } }`;
/** The types of all tables with a key. They are a seventh of the bytes of all types of a schema. */
const KEYED = `{
  __schema { queryType { fields { name } } mutationType { fields { name } } }
  __type(name: "Node") { possibleTypes { kind name description fields { ${FIELD} } } }
}`;
const ONE = `query ($name: String!) { __type(name: $name) { ${TYPE} } }`;
const ALL = `{ __schema { types { ${TYPE} } } }`;
/** Up to this many types are requested one by one. */
const MOST_ALONE = 10;

interface Root {
  readonly fields: readonly { readonly name: string }[];
}

interface Keyed {
  readonly __schema: { readonly queryType: Root; readonly mutationType: Root | null };
  readonly __type: { readonly possibleTypes: readonly Type[] } | null;
}

export async function readRelations(schema: string): Promise<readonly Relation[]> {
  const tables = await answer(rest.GET("/schemas/{schema}/tables", { params: { path: { schema } } }));
  if (tables.length === 0) return []; // GraphQL has no schema for an account that may see none of its tables
  const { __schema: roots, __type: node } = await graphql<Keyed>(schema, KEYED);
  const keyed = new Map(node?.possibleTypes.map((type) => [type.name, type]));
  const types = await withOthers(schema, tables, keyed);
  const fields = new Set([roots.queryType, roots.mutationType].flatMap((root) => root?.fields.map(({ name }) => name)));
  const fieldsOfRows: FieldsOfRows = new Map(
    tables.map(({ graphql_type: type, columns }) => [type ?? "", new Set(columns.map((each) => each.graphql_field))]),
  );
  return tables
    .flatMap((table): Relation | readonly Relation[] => {
      const type = types.get(table.graphql_type ?? "");
      if (!type || !table.rights.includes("select")) return [];
      const may = (right: Right): boolean => table.rights.includes(right) && fields.has(right + type.name);
      const columns = table.columns.flatMap((column) => toColumn(table, column, { type, types, fieldsOfRows }));
      return {
        type: type.name,
        schema,
        table: table.name,
        description: type.description ?? "",
        columns: columns.filter(({ canSelect }) => canSelect),
        insertColumns: columns.filter(({ canInsert }) => canInsert),
        key: table.key.flatMap((name) => columns.filter(({ column, canSelect }) => canSelect && column === name)),
        hasKey: keyed.has(type.name),
        canPage: fields.has(`page${type.name}`),
        canInsert: may("insert"),
        canUpdate: may("update"),
        canDelete: may("delete"),
        versionedSince: table.versioned_since ?? undefined,
        workflow: table.workflow ?? undefined,
      };
    })
    .sort((a, b) => a.type.localeCompare(b.type));
}

/** Adds the types of tables without a key, and those of composite columns and their members. */
async function withOthers(
  schema: string,
  tables: readonly Table[],
  keyed: ReadonlyMap<string, Type>,
): Promise<ReadonlyMap<string, Type>> {
  const types = new Map(keyed);
  for (let tried = new Set<string>(); ;) {
    const wanted = wantedTypes(tables, types).filter((name) => !tried.has(name));
    if (wanted.length === 0) return types;
    tried = new Set([...tried, ...wanted]);
    for (const type of await readTypes(schema, wanted)) types.set(type.name, types.get(type.name) ?? type);
  }
}

async function readTypes(schema: string, names: readonly string[]): Promise<readonly Type[]> {
  if (names.length > MOST_ALONE)
    return (await graphql<{ readonly __schema: { readonly types: readonly Type[] } }>(schema, ALL)).__schema.types;
  const read = await Promise.all(names.map((name) => graphql<{ readonly __type: Type | null }>(schema, ONE, { name })));
  return read.flatMap(({ __type: type }) => type ?? []);
}

/** Names of types that have not been read yet. */
function wantedTypes(tables: readonly Table[], types: ReadonlyMap<string, Type>): readonly string[] {
  const wanted = new Set<string>();
  const seen = new Set<string>();
  const look = (fields: readonly Field[]): void => {
    for (const { kind, name } of fields.map(({ type }) => named(type))) {
      if (kind === "SCALAR" || kind === "ENUM" || seen.has(name)) continue;
      seen.add(name);
      const type = types.get(name);
      if (!type) wanted.add(name);
      else if (!isRow(type)) look(type.fields ?? []);
    }
  };
  for (const { graphql_type: name, rights, columns } of tables) {
    if (name === null || !rights.includes("select")) continue;
    const own = new Set(columns.map(({ graphql_field: field }) => field));
    const type = types.get(name);
    if (type) look((type.fields ?? []).filter((field) => own.has(field.name)));
    else wanted.add(name);
  }
  return [...wanted];
}

/** The GraphQL type of a table, among all types. */
interface Known {
  readonly type: Type;
  readonly types: ReadonlyMap<string, Type>;
  readonly fieldsOfRows: FieldsOfRows;
}

function toColumn(
  table: Table,
  {
    name: column,
    type: sqlType,
    nullable,
    has_default: hasDefault,
    values,
    rights,
    graphql_field: fieldName,
  }: Table["columns"][number],
  { type, types, fieldsOfRows }: Known,
): Column[] {
  const field = type.fields?.find(({ name }) => name === fieldName);
  if (!field) return [];
  const member = memberOf(field, types, fieldsOfRows);
  if (!member) return [];
  const key = table.foreign_keys.find(({ columns }) => columns.length === 1 && columns[0] === column);
  return [
    {
      name: field.name,
      column,
      description: field.description ?? "",
      type: member.type,
      sqlType,
      selection: selectionOf(member),
      members: member.members,
      isNullable: nullable,
      hasDefault,
      canSelect: rights.includes("select"),
      canInsert: rights.includes("insert"),
      canUpdate: rights.includes("update"),
      values: values ?? undefined,
      reference: key && { schema: key.schema, table: key.table, column: key.references[0]! },
    },
  ];
}

/** The fields of each type of rows that are columns, not related rows, by the type's name. */
type FieldsOfRows = ReadonlyMap<string, ReadonlySet<string | null>>;

/** A member; undefined for a row with unknown columns, and for a type that contains one. */
function memberOf(field: Field, types: ReadonlyMap<string, Type>, fieldsOfRows: FieldsOfRows): Member | undefined {
  const { name, isList } = named(field.type);
  const member = { name: field.name, type: isList ? `[${name}]` : name };
  const type = types.get(name);
  if (!type || type.kind === "SCALAR" || type.kind === "ENUM") return { ...member, members: [] };
  const columns = fieldsOfRows.get(name);
  if (!columns && isRow(type)) return undefined;
  const fields = (type.fields ?? []).filter((each) => !columns || columns.has(each.name));
  const members = fields.map((each) => memberOf(each, types, fieldsOfRows)).filter((each) => each !== undefined);
  return members.length === 0 || members.length < fields.length ? undefined : { ...member, members };
}

/** The selection: `a` for a plain value, `a { b c }` for a composite one. */
function selectionOf({ name, members }: Pick<Member, "name" | "members">): string {
  return members.length === 0 ? name : `${name} { ${members.map(selectionOf).join(" ")} }`;
}

function isRow(type: Type | undefined): boolean {
  return (
    type?.fields?.some(({ name, args = [] }) => name === "nodeId" || name === "_version" || args.length > 0) ?? false
  );
}

function named(type: TypeReference): { kind: string; name: string; isList: boolean } {
  let isList = false;
  let inner = type;
  while (inner.ofType) {
    isList ||= inner.kind === "LIST";
    inner = inner.ofType;
  }
  return { kind: inner.kind, name: inner.name ?? "", isList };
}

/**
 * Plain reads: queries that PostgreSQL answers with JSON. A query for nothing but columns, foreign keys, lists and counts
 * needs no planning row by row: one statement for each root field gives its answer as text. Grafast answers all other
 * queries, and all faulty ones; its answers and errors are the reference.
 */
import {
  GraphQLError,
  GraphQLNonNull,
  Kind,
  getArgumentValues,
  getNamedType,
  isObjectType,
  visit,
  BREAK,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "graphql";
import { sql, type SQL } from "postgraphile/pg-sql2";
import { columnTypeOf } from "../../../plugins/tables/columnType.ts";
import { lastOrders, orderTerms, type HiddenColumns } from "../../../plugins/tables/hiddenColumns.ts";
import { joinOn } from "../../../plugins/rows/joinOn.ts";
import { foundBy } from "../../../plugins/rows/jsonPath.ts";
import { jsonValueOf } from "../../../plugins/tables/jsonValue.ts";
import {
  metadataOf,
  type FieldMetadata,
  type ReadAggregate,
  type ReadArguments,
  type RowsQuery,
} from "../../../plugins/rows/fieldMetadata.ts";
import { nodeIdToSql } from "../../../plugins/rows/nodeId.ts";
import { orderToSql } from "../../../plugins/tables/orderBy.ts";
import type { ReadPage } from "../../../plugins/rows/pageQuery.ts";
import { hasSystemVersion, systemVersion } from "../../../plugins/writes/rowVersion.ts";
import type { TableResource } from "../../../plugins/tables/resources.ts";
import { GatewayError } from "../../ground/errors.ts";
import { selectGroup, type Selections, type Variables } from "./jsonGroups.ts";
import { selectPage, type Named } from "./jsonPages.ts";
import { compile, remembered, type MakeStatement } from "./jsonStatements.ts";
import { fragmentsOf } from "../rootFields.ts";

/** One root field. */
export interface JsonField {
  readonly key: string;
  readonly nodes: readonly FieldNode[];
  readonly nonNull: boolean;
  /** Versions are read for a caller who may select whole rows. Any other caller is refused, and Grafast finds another way. */
  readonly readsVersions: boolean;
  /**
   * Returns one row with one column: the value as JSON text, null when it is too long. `account`: the caller. Throws an
   * error that is `isForGrafast` where an argument is wrong, or where this is not a plain read with these variables.
   */
  readonly statement: MakeStatement;
}

/** SQL over the rows of one alias, made once if it contains no variable. */
type Fragment = SQL | ((variables: Variables) => SQL);

const at = (fragment: Fragment, variables: Variables): SQL =>
  typeof fragment === "function" && !sql.isSQL(fragment)
    ? (fragment as (variables: Variables) => SQL)(variables)
    : (fragment as SQL);
const isFixed = (fragment: Fragment): fragment is SQL => sql.isSQL(fragment);

/** The table of a list, and what its arguments say. */
interface ListOf {
  readonly resource: TableResource;
  readonly read: ReadArguments;
}

/** Thrown while compiling: this query is not a plain read. */
class NotPlain extends Error {}

/** PostgreSQL cuts longer names. */
const MAX_KEY_BYTES = 63;

export interface CompileOptions {
  readonly maxAnswerBytes: number;
  /** Depends on the caller: its statements are made only for this request. */
  readonly hidden?: HiddenColumns | undefined;
}

/** The root fields of a query, or undefined when it is not a plain read. */
export function compileJson(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  options: CompileOptions,
): readonly JsonField[] | undefined {
  try {
    return new Compiler(schema, document, options).compile(operation);
  } catch (error) {
    if (isForGrafast(error)) return undefined;
    throw error;
  }
}

/** Whether this is not a plain read, or an argument is wrong. Grafast then reports the error and its place. */
export function isForGrafast(error: unknown): boolean {
  return error instanceof NotPlain || error instanceof GatewayError || error instanceof GraphQLError;
}

class Compiler {
  readonly #schema: GraphQLSchema;
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;

  readonly #maxAnswerBytes: number;
  readonly #hidden: HiddenColumns | undefined;
  #hasVariables = false;
  /** How many of the selected fields are versions of rows. */
  #versions = 0;

  constructor(schema: GraphQLSchema, document: DocumentNode, { maxAnswerBytes, hidden }: CompileOptions) {
    this.#schema = schema;
    this.#maxAnswerBytes = maxAnswerBytes;
    this.#hidden = hidden;
    this.#fragments = fragmentsOf(document);
  }

  compile(operation: OperationDefinitionNode): JsonField[] {
    const type = this.#schema.getQueryType()!;
    this.#hasVariables = (operation.variableDefinitions ?? []).length > 0;
    if (operation.directives?.length) throw new NotPlain();
    return [...this.#collect([operation.selectionSet])].map(([key, nodes]): JsonField => {
      if (nodes[0]!.name.value === "__typename") return literalField(key, nodes, type.name);
      const { field, metadata } = this.#look(type, nodes[0]!);
      const before = this.#versions;
      const statement = this.#statement(field, nodes, metadata);
      const readsVersions = this.#versions > before;
      return { key, nodes, nonNull: field.type instanceof GraphQLNonNull, readsVersions, statement };
    });
  }

  #statement(
    field: GraphQLField<unknown, unknown>,
    nodes: readonly FieldNode[],
    metadata: FieldMetadata,
  ): MakeStatement {
    switch (metadata.kind) {
      case "rows": {
        const list = this.#list(field, nodes, metadata, () => undefined);
        return this.#toStatement(map(list, (value) => this.#bounded(value)));
      }
      case "aggregate": {
        const groups = this.#groups(field, nodes, metadata.read);
        return this.#toStatement(map(groups, (value) => this.#bounded(value)));
      }
      case "page": {
        const page = this.#page(field, nodes, metadata.resource, metadata.read);
        return this.#remembered((...given) => compile(this.#bounded(page(...given))));
      }
      case "count": {
        const alias = aliasOf(metadata.resource);
        const count = map(this.#rows(field, nodes[0]!, metadata.read), (rows) => {
          const condition = rows.condition(alias);
          return sql`select count(*)::text from ${rows.from ?? (metadata.resource.from as SQL)} as ${alias}${condition ? sql` where ${condition}` : sql.blank}`;
        });
        return this.#toStatement(count);
      }
      default:
        throw new NotPlain();
    }
  }

  /** A list as text; null where it is longer than an answer may be, so that the gateway never holds it. */
  #bounded(value: SQL): SQL {
    const t = sql.identifier(Symbol("t"));
    return sql`select case when octet_length(${t}.answer) <= ${sql.literal(this.#maxAnswerBytes)} then ${t}.answer end from (select ${value}::text as answer offset 0) as ${t}`;
  }

  #toStatement(fragment: Fragment): MakeStatement {
    if (isFixed(fragment)) {
      const fixed = compile(fragment);
      return () => fixed;
    }
    return this.#remembered((variables) => compile(at(fragment, variables)));
  }

  #remembered(make: MakeStatement): MakeStatement {
    return this.#hidden ? make : remembered(make);
  }

  /** The requested order, then the first unique key, so that the order is always the same. */
  #orderOf(resource: TableResource, alias: SQL, { orders }: RowsQuery): SQL {
    const terms = [
      ...orders.map((order) => orderToSql(order, alias)),
      ...orderTerms(lastOrders(resource, this.#hidden), alias, orders[0]?.direction),
    ];
    return terms.length === 0 ? sql.blank : sql` order by ${sql.join(terms, ", ")}`;
  }

  /**
   * The selections of an object, by response key. Fragments must be of the object's own type, because no other type is
   * possible.
   */
  #collect(
    selectionSets: readonly SelectionSetNode[],
    into = new Map<string, FieldNode[]>(),
  ): Map<string, FieldNode[]> {
    for (const { selections } of selectionSets)
      for (const selection of selections) {
        if (selection.directives?.length) throw new NotPlain();
        if (selection.kind === Kind.FRAGMENT_SPREAD)
          this.#collect([this.#fragments.get(selection.name.value)!.selectionSet], into);
        else if (selection.kind === Kind.INLINE_FRAGMENT) this.#collect([selection.selectionSet], into);
        else {
          const key = selection.alias?.value ?? selection.name.value;
          if (Buffer.byteLength(key) > MAX_KEY_BYTES || (key.startsWith("__") && key !== "__typename"))
            throw new NotPlain();
          into.set(key, [...(into.get(key) ?? []), selection]);
        }
      }
    return into;
  }

  #look(type: GraphQLObjectType, node: FieldNode): { field: GraphQLField<unknown, unknown>; metadata: FieldMetadata } {
    const field = type.getFields()[node.name.value];
    const metadata = field && metadataOf(field);
    if (!field || !metadata) throw new NotPlain();
    return { field, metadata };
  }

  /** The arguments of a list, read once where they have no variable. */
  #rows(
    field: GraphQLField<unknown, unknown>,
    node: FieldNode,
    read: ReadArguments,
  ): RowsQuery | ((variables: Variables) => RowsQuery) {
    const readWith = (variables: Variables): RowsQuery => read(getArgumentValues(field, node, variables));
    return hasVariable(node) ? readWith : readWith({});
  }

  #list(
    field: GraphQLField<unknown, unknown>,
    nodes: readonly FieldNode[],
    { resource, read }: ListOf,
    join: (alias: SQL) => SQL | undefined,
  ): Fragment {
    const alias = aliasOf(resource);
    const before = this.#versions;
    const selected = this.#select(field, nodes, alias);
    const readsVersions = this.#versions > before;
    const r = sql.identifier(Symbol("r"));
    const rows = this.#rows(field, nodes[0]!, read);
    const toSql = (query: RowsQuery, columns: SQL): SQL => {
      if (readsVersions && query.from) throw new NotPlain();
      return sql`(select coalesce(json_agg(${r}), '[]') from (select ${columns} from ${query.from ?? (resource.from as SQL)} as ${alias}${whereOf(join(alias), query.condition(alias, join))}${this.#orderOf(resource, alias, query)}${limitOf(query)}) as ${r})`;
    };
    if (typeof rows !== "function" && isFixed(selected)) return toSql(rows, selected);
    return (variables) => toSql(typeof rows === "function" ? rows(variables) : rows, at(selected, variables));
  }

  /** The groups of an aggregate, of all rows of its table or of those that `join` says. */
  #groups(
    field: GraphQLField<unknown, unknown>,
    nodes: readonly FieldNode[],
    read: ReadAggregate,
    join?: (alias: SQL) => SQL,
  ): Fragment {
    const select = selectGroup(this.#selections, field, nodes);
    const r = sql.identifier(Symbol("r"));
    const toSql = (variables: Variables): SQL => {
      const query = read(getArgumentValues(field, nodes[0]!, variables));
      return sql`(select coalesce(json_agg(${r}), '[]') from (${query.toSql(() => select(query, variables), join)}) as ${r})`;
    };
    return this.#hasVariables ? toSql : toSql({});
  }

  /** The caller is part of its cursors, so it is made for each request. */
  #page(
    field: GraphQLField<unknown, unknown>,
    nodes: readonly FieldNode[],
    resource: TableResource,
    read: ReadPage,
  ): (variables: Variables, account: string) => SQL {
    const alias = aliasOf(resource);
    const row = (inner: typeof field, innerNodes: typeof nodes): ((variables: Variables) => readonly Named[]) => {
      const values = this.#values(inner, innerNodes, alias);
      return (variables) => values.map(([key, value]) => [key, at(value, variables)]);
    };
    const before = this.#versions;
    const select = selectPage({ ...this.#selections, alias, row }, field, nodes, resource);
    const readsVersions = this.#versions > before;
    return (variables, account) => {
      const query = read({ ...getArgumentValues(field, nodes[0]!, variables), account, hidden: this.#hidden });
      if (readsVersions && query.from) throw new NotPlain();
      return select(query, variables);
    };
  }

  /** Reads the selections of types that are not rows. */
  get #selections(): Selections {
    return {
      collect: (inner) => this.#collect(inner.flatMap(({ selectionSet }) => selectionSet ?? [])),
      look: (type, node) => this.#look(type, node),
      refuse: () => {
        throw new NotPlain();
      },
    };
  }

  /** The fields of an object, each with its response key. */
  #values(
    field: GraphQLField<unknown, unknown>,
    nodes: readonly FieldNode[],
    alias: SQL,
  ): readonly (readonly [key: string, value: Fragment])[] {
    const type = getNamedType(field.type);
    if (!isObjectType(type)) throw new NotPlain();
    const selectionSets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
    return [...this.#collect(selectionSets)].map(([key, inner]) => [key, this.#value(type, inner, alias)]);
  }

  /** The select list of an object's fields, each named by its response key. */
  #select(field: GraphQLField<unknown, unknown>, nodes: readonly FieldNode[], alias: SQL): Fragment {
    const columns = this.#values(field, nodes, alias).map(([key, fragment]) =>
      map(fragment, (value) => sql`${value} as ${sql.identifier(key)}`),
    );
    const join = (all: readonly SQL[]): SQL => sql.join([...all], ", ");
    if (columns.every(isFixed)) return join(columns);
    return (variables) => join(columns.map((column) => at(column, variables)));
  }

  #value(type: GraphQLObjectType, nodes: readonly FieldNode[], alias: SQL): Fragment {
    const node = nodes[0]!;
    if (node.name.value === "__typename") return sql`${sql.literal(type.name)}::text`;
    const { field, metadata } = this.#look(type, node);
    if (metadata.kind === "column") {
      const columnType = columnTypeOf(metadata.codec);
      const toJson = jsonValueOf(columnType, getNamedType(field.type).name === "ID");
      if (!toJson) throw new NotPlain();
      const column = sql`${alias}.${sql.identifier(metadata.column)}`;
      if (!node.arguments?.length) return toJson(column, columnType);
      const found = (variables: Variables): SQL => {
        const { path } = getArgumentValues(field, node, variables);
        return path === undefined || path === null ? toJson(column, columnType) : foundBy(path, column);
      };
      return hasVariable(node) ? found : found({});
    }
    if (metadata.kind === "nodeId") {
      const values = metadata.columns.map((column) => sql`${alias}.${sql.identifier(column)}`);
      return nodeIdToSql(metadata.typeName, values);
    }
    if (metadata.kind === "version") {
      if (!hasSystemVersion(metadata.resource)) throw new NotPlain();
      this.#versions += 1;
      return systemVersion(alias);
    }
    if (!("relation" in metadata) || metadata.kind === "groupParent") throw new NotPlain();
    const { relation } = metadata;
    const resource = relation.remoteResource as TableResource;
    const joinTo = (remote: SQL): SQL => joinOn(relation, alias, remote);
    if (metadata.kind === "aggregate") return this.#groups(field, nodes, metadata.read, joinTo);
    if (metadata.kind === "children") return this.#list(field, nodes, { resource, read: metadata.read }, joinTo);
    const remote = aliasOf(resource);
    const r = sql.identifier(Symbol("r"));
    return map(
      this.#select(field, nodes, remote),
      (columns) =>
        sql`(select row_to_json(${r}) from (select ${columns} from ${resource.from as SQL} as ${remote} where ${joinTo(remote)} limit 1) as ${r})`,
    );
  }
}

function map<In extends object>(value: In | ((variables: Variables) => In), callback: (value: In) => SQL): Fragment {
  if (typeof value === "function" && !sql.isSQL(value)) return (variables) => callback(value(variables));
  return callback(value as In);
}

function aliasOf(resource: TableResource): SQL {
  return sql.identifier(Symbol(resource.name));
}

function whereOf(...conditions: readonly (SQL | undefined)[]): SQL {
  const all = conditions.filter((condition) => condition !== undefined);
  return all.length === 0
    ? sql.blank
    : sql` where ${sql.join(
        all.map((condition) => sql`(${condition})`),
        " and ",
      )}`;
}

function limitOf({ limit, offset }: RowsQuery): SQL {
  return sql` limit ${sql.literal(limit)}${offset ? sql` offset ${sql.literal(offset)}` : sql.blank}`;
}

function hasVariable(node: FieldNode): boolean {
  let found = false;
  for (const argument of node.arguments ?? [])
    visit(argument, {
      Variable() {
        found = true;
        return BREAK;
      },
    });
  return found;
}

function literalField(key: string, nodes: readonly FieldNode[], value: string): JsonField {
  const text = `select ${sql.compile(sql.literal(JSON.stringify(value))).text}::text`;
  return { key, nodes, nonNull: true, readsVersions: false, statement: () => ({ text, rowMode: "array" }) };
}

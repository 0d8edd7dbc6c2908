/** Refuses the fields of an operation that a rule denies, before anything is run. */
import {
  GraphQLError,
  GraphQLNonNull,
  Kind,
  getArgumentValues,
  getNamedType,
  getVariableValues,
  isInterfaceType,
  isObjectType,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from "graphql";
import { mayRead, accessesOfArgument, accessOf, type RelationAccess } from "../../plugins/relationAccess.ts";
import { checkAccess, deniesAnything, mayBeDenied, type AccessRequest } from "../kernel/catalogue/access.ts";
import type { Transaction } from "../kernel/database/database.ts";
import { SQLSTATE, sqlstateOf } from "../kernel/errors.ts";
import { fragmentsOf } from "./rootFields.ts";
import type { ServedSchema } from "./schemaRegistry.ts";

/** A field at the root, and what it and everything beneath it accesses. */
interface RootField {
  readonly key: string;
  readonly nodes: readonly FieldNode[];
  readonly nonNull: boolean;
  readonly accesses: readonly RelationAccess[];
  /** Fields, itself and beneath it, that have an argument which may read further relations. */
  readonly filtered: readonly Filtered[];
}

interface Filtered {
  readonly node: FieldNode;
  readonly field: GraphQLField<unknown, unknown>;
}

/** A root field that a rule denies. */
export interface Refusal {
  readonly error: GraphQLError;
  readonly nonNull: boolean;
}

const rootFields = new WeakMap<OperationDefinitionNode, readonly RootField[]>();

/** The root fields of an operation that are the schema's own, whatever `@skip` and `@include` say. */
export function rootFieldsOf(
  served: ServedSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): readonly RootField[] {
  let fields = rootFields.get(operation);
  if (!fields) rootFields.set(operation, (fields = readRootFields(served, document, operation)));
  return fields;
}

/** The root fields that a rule denies to whoever the transaction runs as, by response key. */
export async function refusedFields(
  served: ServedSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  transaction: Transaction,
  variables: Readonly<Record<string, unknown>>,
): Promise<ReadonlyMap<string, Refusal>> {
  const { database } = served;
  const refusals = new Map<string, Refusal>();
  // what the arguments read is in their values, of which there may be many
  if (!(await deniesAnything(database))) return refusals;
  const { coerced = {} } = getVariableValues(served.schema, operation.variableDefinitions ?? [], variables);
  for (const { key, nodes, nonNull, accesses: own, filtered } of rootFieldsOf(served, document, operation)) {
    const accesses = [...own, ...filtered.flatMap((each) => accessesOfArguments(each, coerced))];
    if (!(await mayBeDenied(database, accesses))) continue;
    try {
      for (const [request, relations] of Map.groupBy(accesses, (access) => access.request))
        await checkAccess(database, transaction, relations, request satisfies AccessRequest);
    } catch (error) {
      if (sqlstateOf(error) !== SQLSTATE.insufficientPrivilege) throw error;
      const { message } = error as Error;
      refusals.set(key, {
        error: new GraphQLError(message, { nodes, path: [key], originalError: error as Error }),
        nonNull,
      });
    }
  }
  return refusals;
}

function accessesOfArguments(
  { node, field }: Filtered,
  variables: Readonly<Record<string, unknown>>,
): RelationAccess[] {
  try {
    const values = getArgumentValues(field, node, variables);
    return field.args.flatMap((argument) => accessesOfArgument(argument, values[argument.name]));
  } catch {
    return []; // the field itself says what is wrong
  }
}

/** The document without these root fields; undefined when nothing is left. */
export function withoutFields(
  { schema }: ServedSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  keys: ReadonlyMap<string, unknown>,
): DocumentNode | undefined {
  const root = schema.getQueryType()?.name;
  let left = 0;
  const prune = (set: SelectionSetNode): SelectionSetNode => ({
    ...set,
    selections: set.selections.flatMap((selection): SelectionNode[] => {
      if (selection.kind === Kind.INLINE_FRAGMENT)
        return [{ ...selection, selectionSet: prune(selection.selectionSet) }];
      if (selection.kind === Kind.FIELD) {
        if (keys.has(keyOf(selection))) return [];
        left++;
      }
      return [selection];
    }),
  });
  const definitions = document.definitions.map((definition) =>
    definition === operation ||
    (definition.kind === Kind.FRAGMENT_DEFINITION && definition.typeCondition.name.value === root)
      ? { ...definition, selectionSet: prune((definition as OperationDefinitionNode).selectionSet) }
      : definition,
  );
  return left === 0 ? undefined : { ...document, definitions: definitions as DocumentNode["definitions"] };
}

function keyOf(node: FieldNode): string {
  return node.alias?.value ?? node.name.value;
}

function readRootFields(
  { schema }: ServedSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): RootField[] {
  const fragments = fragmentsOf(document);
  const root = schema.getRootType(operation.operation);
  if (!root) return [];
  const found = new Map<string, RootField>();
  for (const node of fieldsOf(operation.selectionSet, fragments)) {
    const field = root.getFields()[node.name.value];
    if (!field) continue;
    const key = keyOf(node);
    const known = found.get(key);
    const accesses = new Map((known?.accesses ?? []).map((access) => [JSON.stringify(access), access]));
    const add = (access: RelationAccess | undefined): void =>
      void (access && accesses.set(JSON.stringify(access), access));
    add(accessOf(field));
    const type = getNamedType(field.type);
    const filtered: Filtered[] = [...(known?.filtered ?? [])];
    if (hasFilter(field, node)) filtered.push({ field, node });
    if (isObjectType(type)) collect(type, node.selectionSet, fragments, add, filtered);
    if (isInterfaceType(type))
      for (const [possible, set] of fragmentTypes(schema, node.selectionSet, fragments))
        collect(possible, set, fragments, add, filtered);
    found.set(key, {
      key,
      nodes: [...(known?.nodes ?? []), node],
      nonNull: field.type instanceof GraphQLNonNull,
      accesses: [...accesses.values()],
      filtered,
    });
  }
  return [...found.values()];
}

/** The types that the fragments of a selection are on, where it is one of an interface. */
function* fragmentTypes(
  schema: GraphQLSchema,
  set: SelectionSetNode | undefined,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): Generator<readonly [GraphQLObjectType, SelectionSetNode]> {
  for (const selection of set?.selections ?? []) {
    if (selection.kind === Kind.FIELD) continue;
    const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
    if (!fragment) continue;
    const type = fragment.typeCondition && schema.getType(fragment.typeCondition.name.value);
    if (isObjectType(type)) yield [type, fragment.selectionSet];
    else yield* fragmentTypes(schema, fragment.selectionSet, fragments);
  }
}

function collect(
  type: GraphQLObjectType,
  set: SelectionSetNode | undefined,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  add: (access: RelationAccess | undefined) => void,
  filtered: Filtered[],
): void {
  add(accessOf(type));
  if (!set) return;
  for (const node of fieldsOf(set, fragments)) {
    const field = type.getFields()[node.name.value];
    if (!field) continue;
    if (hasFilter(field, node)) filtered.push({ field, node });
    const inner = getNamedType(field.type);
    if (isObjectType(inner)) collect(inner, node.selectionSet, fragments, add, filtered);
  }
}

function hasFilter({ args }: GraphQLField<unknown, unknown>, node: FieldNode): boolean {
  const given = node.arguments ?? [];
  return args.some((argument) => mayRead(argument) && given.some(({ name }) => name.value === argument.name));
}

function* fieldsOf(
  set: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): Generator<FieldNode> {
  for (const selection of set.selections) {
    if (selection.kind === Kind.FIELD) yield selection;
    else if (selection.kind === Kind.INLINE_FRAGMENT) yield* fieldsOf(selection.selectionSet, fragments);
    else {
      const fragment = fragments.get(selection.name.value);
      if (fragment) yield* fieldsOf(fragment.selectionSet, fragments);
    }
  }
}

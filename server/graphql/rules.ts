/** The relations that the fields of an operation access: refuses those that a rule denies, and gives the reach of all. */
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
import {
  mayRead,
  accessesOfArgument,
  accessOf,
  callOf,
  type RelationAccess,
} from "../../plugins/tables/relationAccess.ts";
import type { DatabaseName } from "../../plugins/tables/resources.ts";
import { checkAccess, deniesAnything, mayBeDenied, type AccessRequest } from "../kernel/catalogue/access.ts";
import type { Reached, Transaction } from "../kernel/database/database.ts";
import { SQLSTATE, sqlstateOf } from "../ground/errors.ts";
import { fragmentsOf } from "./rootFields.ts";
import type { ServedSchema } from "./build/schemaRegistry.ts";

/** A field at the root, and what it and everything beneath it accesses. */
interface RootField {
  readonly key: string;
  readonly nodes: readonly FieldNode[];
  readonly nonNull: boolean;
  readonly accesses: readonly RelationAccess[];
  /** Functions that it and everything beneath it call. */
  readonly calls: readonly DatabaseName[];
  /** Fields, itself and below, with an argument that may read further relations. */
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

/** An operation of a document that will run. */
export interface Chosen {
  readonly served: ServedSchema;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly variables: Readonly<Record<string, unknown>>;
}

const rootFields = new WeakMap<OperationDefinitionNode, readonly RootField[]>();

/** The root fields of an operation that are the schema's own, whatever `@skip` and `@include` say. */
export function rootFieldsOf(chosen: Omit<Chosen, "variables">): readonly RootField[] {
  const { operation } = chosen;
  let fields = rootFields.get(operation);
  if (!fields) rootFields.set(operation, (fields = readRootFields(chosen)));
  return fields;
}

const REFUSED: ReadonlySet<string | undefined> = new Set([SQLSTATE.insufficientPrivilege, SQLSTATE.factorNeeded]);

/** The root fields that a rule denies to the role of the transaction, by response key. */
export async function refusedFields(chosen: Chosen, transaction: Transaction): Promise<ReadonlyMap<string, Refusal>> {
  const { served, operation, variables } = chosen;
  const { database } = served;
  const refusals = new Map<string, Refusal>();
  // the relations of an argument depend on its value, which may be any of many
  if (!(await deniesAnything(database))) return refusals;
  const { coerced = {} } = getVariableValues(served.schema, operation.variableDefinitions ?? [], variables);
  for (const { key, nodes, nonNull, accesses: own, filtered } of rootFieldsOf(chosen)) {
    const accesses = [...own, ...filtered.flatMap((each) => accessesOfArguments(each, coerced))];
    if (!(await mayBeDenied(database, accesses))) continue;
    try {
      for (const [request, relations] of Map.groupBy(accesses, (access) => access.request))
        await checkAccess(database, transaction, relations, request satisfies AccessRequest);
    } catch (error) {
      if (!REFUSED.has(sqlstateOf(error))) throw error;
      const { message } = error as Error;
      refusals.set(key, {
        error: new GraphQLError(message, { nodes, path: [key], originalError: error as Error }),
        nonNull,
      });
    }
  }
  return refusals;
}

/** The reach of an operation. Undefined: the reach of one of its fields is unknown, so it may be anything. */
export function reachOf(chosen: Chosen): readonly Reached[] | undefined {
  const { served, operation, variables } = chosen;
  const fields = rootFieldsOf(chosen);
  const isKnown = fields.every(({ accesses, calls }) => accesses.length + calls.length > 0);
  if (!isKnown || served.hasOwnPlugins) return undefined;
  let reach = fixedReaches.get(fields);
  if (!reach) {
    reach = fields.flatMap(({ accesses, calls }): Reached[] => [
      ...accesses,
      ...calls.map((call): Reached => ({ ...call, request: "call" })),
    ]);
    fixedReaches.set(fields, reach);
  }
  const filtered = fields.flatMap((field) => field.filtered);
  if (filtered.length === 0) return reach;
  const { coerced = {} } = getVariableValues(served.schema, operation.variableDefinitions ?? [], variables);
  const more = filtered.flatMap((each) => accessesOfArguments(each, coerced));
  return more.length === 0 ? reach : [...reach, ...more];
}

/** The reach of the fields of an operation, without the reach of its arguments. */
const fixedReaches = new WeakMap<readonly RootField[], readonly Reached[]>();

function accessesOfArguments(
  { node, field }: Filtered,
  variables: Readonly<Record<string, unknown>>,
): RelationAccess[] {
  try {
    const values = getArgumentValues(field, node, variables);
    return field.args.flatMap((argument) => accessesOfArgument(argument, values[argument.name]));
  } catch {
    return []; // the field itself reports the error
  }
}

/** The document without these root fields; undefined when nothing is left. */
export function withoutFields(
  { served, document, operation }: Omit<Chosen, "variables">,
  keys: ReadonlyMap<string, unknown>,
): DocumentNode | undefined {
  const root = served.schema.getQueryType()?.name;
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

function readRootFields({ served: { schema }, document, operation }: Omit<Chosen, "variables">): RootField[] {
  const fragments = fragmentsOf(document);
  const root = schema.getRootType(operation.operation);
  if (!root) return [];
  const found = new Map<string, RootField>();
  for (const node of fieldsOf(operation.selectionSet, fragments)) {
    const field = root.getFields()[node.name.value];
    if (!field) continue;
    const key = keyOf(node);
    const known = found.get(key);
    const footprint = new Footprint(known);
    footprint.add(field, node);
    const type = getNamedType(field.type);
    if (isObjectType(type)) collect(type, node.selectionSet, fragments, footprint);
    if (isInterfaceType(type))
      for (const [possible, set] of fragmentTypes(schema, node.selectionSet, fragments))
        collect(possible, set, fragments, footprint);
    found.set(key, {
      key,
      nodes: [...(known?.nodes ?? []), node],
      nonNull: field.type instanceof GraphQLNonNull,
      ...footprint.found,
    });
  }
  return [...found.values()];
}

/** The accesses of a root field and everything beneath it, each once. */
class Footprint {
  readonly #accesses: Map<string, RelationAccess>;
  readonly #calls: Map<string, DatabaseName>;
  readonly #filtered: Filtered[];

  /** `known`: the answer for the same field earlier in the operation. */
  constructor(known: Pick<RootField, "accesses" | "calls" | "filtered"> = { accesses: [], calls: [], filtered: [] }) {
    this.#accesses = byText(known.accesses);
    this.#calls = byText(known.calls);
    this.#filtered = [...known.filtered];
  }

  add(field: GraphQLField<unknown, unknown>, node: FieldNode): void {
    this.addAccess(field);
    const call = callOf(field);
    if (call) this.#calls.set(JSON.stringify(call), call);
    if (hasFilter(field, node)) this.#filtered.push({ field, node });
  }

  addAccess(thing: { readonly extensions: object }): void {
    const access = accessOf(thing);
    if (access) this.#accesses.set(JSON.stringify(access), access);
  }

  get found(): Pick<RootField, "accesses" | "calls" | "filtered"> {
    return { accesses: [...this.#accesses.values()], calls: [...this.#calls.values()], filtered: this.#filtered };
  }
}

function byText<T>(things: readonly T[]): Map<string, T> {
  return new Map(things.map((thing) => [JSON.stringify(thing), thing]));
}

/** The types of the fragments in a selection, where it is one of an interface. */
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
  footprint: Footprint,
): void {
  footprint.addAccess(type);
  if (!set) return;
  for (const node of fieldsOf(set, fragments)) {
    const field = type.getFields()[node.name.value];
    if (!field) continue;
    footprint.add(field, node);
    const inner = getNamedType(field.type);
    if (isObjectType(inner)) collect(inner, node.selectionSet, fragments, footprint);
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

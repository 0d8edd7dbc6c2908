import { Kind, type DocumentNode, type FragmentDefinitionNode, type SelectionSetNode } from "graphql";
import { GatewayError } from "../ground/errors.ts";

/** `__schema` and `__type` may go deeper than data: the standard introspection query must pass. */
const MAX_INTROSPECTION_DEPTH = 20;
/** Selections after all fragments are spread. A few fragments that spread one another twice would make millions. */
const MAX_SELECTIONS = 5000;

interface Depths {
  /** Selections in it, fragments spread. */
  readonly selections: number;
  readonly data: number;
  readonly introspection: number;
}

/** Checks a document against its limits before it is validated. Throws `LIMIT_EXCEEDED`. */
export function checkDocumentLimits(
  document: DocumentNode,
  { maxDepth, maxAliases }: { readonly maxDepth: number; readonly maxAliases: number },
): void {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);

  let aliases = 0;
  const known = new Map<SelectionSetNode, Depths>();
  const measure = (selectionSet: SelectionSetNode): Depths => {
    const measured = known.get(selectionSet);
    if (measured) return measured;
    known.set(selectionSet, { selections: 0, data: 0, introspection: 0 }); // the value of a fragment that contains itself; validation refuses it
    let selections = 0;
    let data = 0;
    let introspection = 0;
    for (const selection of selectionSet.selections) {
      let inner: Depths = { selections: 0, data: 0, introspection: 0 };
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        const fragment = fragments.get(selection.name.value);
        if (fragment) inner = measure(fragment.selectionSet);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) inner = measure(selection.selectionSet);
      else {
        if (selection.alias) aliases++;
        const below = selection.selectionSet ? measure(selection.selectionSet) : inner;
        const isIntrospection = selection.name.value === "__schema" || selection.name.value === "__type";
        inner = isIntrospection
          ? { ...below, data: 0, introspection: 1 + Math.max(below.data, below.introspection) }
          : { ...below, data: 1 + below.data };
      }
      selections += 1 + inner.selections;
      data = Math.max(data, inner.data);
      introspection = Math.max(introspection, inner.introspection);
    }
    const depths = { selections, data, introspection };
    known.set(selectionSet, depths);
    return depths;
  };

  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION && definition.kind !== Kind.FRAGMENT_DEFINITION) continue;
    const { selections, data, introspection } = measure(definition.selectionSet);
    if (selections > MAX_SELECTIONS)
      throw new GatewayError("LIMIT_EXCEEDED", `The document has more than ${MAX_SELECTIONS} selections`);
    if (definition.kind === Kind.FRAGMENT_DEFINITION) continue; // counts where it is used; measured for its aliases
    if (data > maxDepth) throw new GatewayError("LIMIT_EXCEEDED", `The operation is deeper than ${maxDepth} levels`);
    if (introspection > MAX_INTROSPECTION_DEPTH)
      throw new GatewayError("LIMIT_EXCEEDED", `The introspection is deeper than ${MAX_INTROSPECTION_DEPTH} levels`);
  }
  if (aliases > maxAliases)
    throw new GatewayError("LIMIT_EXCEEDED", `The document has more than ${maxAliases} aliases`);
}

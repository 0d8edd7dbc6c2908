/** The effective fields of a selection for one request: fragments are spread, `@skip` and `@include` decided. */
import {
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  Kind,
  getDirectiveValues,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from "graphql";

export type Variables = Readonly<Record<string, unknown>>;

export function fragmentsOf(document: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> {
  return new Map(
    document.definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition] as const] : [],
    ),
  );
}

/** The fields by response key, in order. Type conditions are not tested: there are no abstract types here. */
export function collectFields(
  selectionSets: readonly SelectionSetNode[],
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  variables: Variables,
  into = new Map<string, FieldNode[]>(),
): Map<string, FieldNode[]> {
  for (const { selections } of selectionSets)
    for (const selection of selections) {
      if (!isIncluded(selection, variables)) continue;
      if (selection.kind === Kind.FIELD) {
        const key = selection.alias?.value ?? selection.name.value;
        const nodes = into.get(key);
        if (nodes) nodes.push(selection);
        else into.set(key, [selection]);
      } else {
        const { selectionSet } =
          selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value)!;
        collectFields([selectionSet], fragments, variables, into);
      }
    }
  return into;
}

function isIncluded(selection: SelectionNode, variables: Variables): boolean {
  if (!selection.directives?.length) return true;
  const skip = getDirectiveValues(GraphQLSkipDirective, selection, variables);
  const include = getDirectiveValues(GraphQLIncludeDirective, selection, variables);
  return skip?.["if"] !== true && include?.["if"] !== false;
}

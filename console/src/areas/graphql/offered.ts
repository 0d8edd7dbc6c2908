/**
 * The content of a GraphQL schema, from its introspection alone: operations with documents to start from, and types.
 */
import type {
  IntrospectionField,
  IntrospectionInputValue,
  IntrospectionQuery,
  IntrospectionType,
  IntrospectionTypeRef,
} from "graphql";
import type { Operation } from "../../service/documents.ts";

export interface Offered {
  readonly kind: Operation["kind"];
  readonly field: IntrospectionField;
}

export interface Schema {
  readonly offered: readonly Offered[];
  readonly types: ReadonlyMap<string, IntrospectionType>;
}

export function toSchema({ __schema: schema }: IntrospectionQuery): Schema {
  const types = new Map(schema.types.map((type) => [type.name, type]));
  const of = (kind: Offered["kind"], root: { readonly name: string } | null | undefined): Offered[] => {
    const type = root ? types.get(root.name) : undefined;
    return type?.kind === "OBJECT" ? type.fields.map((field) => ({ kind, field })) : [];
  };
  return {
    offered: [
      ...of("query", schema.queryType),
      ...of("mutation", schema.mutationType),
      ...of("subscription", schema.subscriptionType),
    ],
    types,
  };
}

/** A type in GraphQL's notation, such as `[Cities!]`. */
export function typeText(type: IntrospectionTypeRef): string {
  if (type.kind === "NON_NULL") return `${typeText(type.ofType)}!`;
  if (type.kind === "LIST") return `[${typeText(type.ofType)}]`;
  return type.name;
}

export function namedType(type: IntrospectionTypeRef): string {
  return type.kind === "NON_NULL" || type.kind === "LIST" ? namedType(type.ofType) : type.name;
}

/** The most fields in a new document. */
const MOST_FIELDS = 12;
/** The arguments for the number of rows, which a new document sets. */
const LIMITS = ["first", "limit"];
/**
 * Arguments of changes. Their types do not require them, but a change without them is refused. The first that the field
 * has is used.
 */
const TO_WRITE = [["where", "data"], ["objects"], ["data"]];

export interface Beginning {
  readonly text: string;
  /** JSON of the variables, each null; empty where there are none. */
  readonly variables: string;
}

/** A new document for an operation. */
export function beginWith({ kind, field: { name, args, type } }: Offered, types: Schema["types"]): Beginning {
  const written =
    (kind === "mutation" && TO_WRITE.find(([first]) => args.some((arg) => arg.name === first))) || undefined;
  const needed = args.filter((arg) => isRequired(arg) || written?.includes(arg.name));
  const limit = args.find((arg) => LIMITS.includes(arg.name));
  const given = [...needed.map((arg) => `${arg.name}: $${arg.name}`), ...(limit ? [`${limit.name}: 10`] : [])];
  const declared = needed.map((arg) => `$${arg.name}: ${typeText(arg.type)}`);
  const variables = Object.fromEntries(needed.map((arg) => [arg.name, null]));
  return {
    text: `${kind} ${name}${inParentheses(declared)} {\n  ${name}${inParentheses(given)}${selectionOf(namedType(type), types, "  ", 2)}\n}\n`,
    variables: needed.length === 0 ? "" : JSON.stringify(variables, null, 2),
  };
}

function inParentheses(parts: readonly string[]): string {
  return parts.length > 0 ? `(${parts.join(", ")})` : "";
}

function isRequired({ type, defaultValue }: IntrospectionInputValue): boolean {
  return type.kind === "NON_NULL" && (defaultValue === null || defaultValue === undefined);
}

/** The plain fields of a type; if it has none, those of its members. Empty for a scalar. */
function selectionOf(name: string, types: Schema["types"], indent: string, depth: number): string {
  const type = types.get(name);
  if (!type || !isComposite(type)) return "";
  const fields = type.kind === "UNION" ? [] : type.fields.filter(({ args }) => !args.some(isRequired));
  const holds = (field: IntrospectionField): boolean => {
    const held = types.get(namedType(field.type));
    return held !== undefined && isComposite(held);
  };
  const plain = fields.filter((field) => !holds(field)).map((field) => field.name);
  const lines =
    plain.length > 0 || depth === 0
      ? plain.slice(0, MOST_FIELDS)
      : fields
          .slice(0, 1)
          .map((field) => field.name + selectionOf(namedType(field.type), types, `${indent}  `, depth - 1));
  return ` {\n${(lines.length > 0 ? lines : ["__typename"]).map((line) => `${indent}  ${line}\n`).join("")}${indent}}`;
}

function isComposite(
  type: IntrospectionType,
): type is Extract<IntrospectionType, { readonly kind: "OBJECT" | "INTERFACE" | "UNION" }> {
  return type.kind === "OBJECT" || type.kind === "INTERFACE" || type.kind === "UNION";
}

/** GraphQL documents: parsed, held to the limits and validated once, then remembered. */
import {
  GraphQLError,
  Kind,
  NoSchemaIntrospectionCustomRule,
  SingleFieldSubscriptionsRule,
  TypeInfo,
  getNamedType,
  isScalarType,
  parse,
  specifiedRules,
  validate,
  visit,
  visitWithTypeInfo,
  type ASTNode,
  type DocumentNode,
  type FloatValueNode,
  type GraphQLSchema,
  type IntValueNode,
  type OperationDefinitionNode,
  type StringValueNode,
  type ValueNode,
} from "graphql";
import { LRUCache } from "lru-cache";
import { GatewayError } from "../ground/errors.ts";
import { checkDocumentLimits } from "./documentLimits.ts";

export interface DocumentLimits {
  readonly maxDocumentBytes: number;
  readonly maxDepth: number;
  readonly maxAliases: number;
  readonly maxTokens: number;
  /** Whether introspection is answered. */
  readonly introspection: boolean;
}

/** A document that may run, or the reason why it may not. */
export type ReadDocument =
  | { readonly document: DocumentNode; readonly errors?: undefined }
  | {
      readonly document?: undefined;
      readonly errors: readonly (GraphQLError | GatewayError)[];
      /** Whether another version of the schema may know the document. */
      readonly isInvalid?: true;
    };

/** Several root fields in one subscription are several subscriptions. */
const RULES = specifiedRules.filter((rule) => rule !== SingleFieldSubscriptionsRule);

/** Grafast keeps its plan by the identity of the document, so the same text must give the same object. */
export class Documents {
  readonly #schema: GraphQLSchema;
  readonly #limits: DocumentLimits;
  /** The 500 that were used last, of 8,000,000 characters together. */
  readonly #cache = new LRUCache<string, ReadDocument>({
    max: 500,
    maxSize: 8_000_000,
    sizeCalculation: (_read, text) => Math.max(1, text.length),
  });

  constructor(schema: GraphQLSchema, limits: DocumentLimits) {
    this.#schema = schema;
    this.#limits = limits;
  }

  read(text: string): ReadDocument {
    const known = this.#cache.get(text);
    if (known) return known;
    if (Buffer.byteLength(text) > this.#limits.maxDocumentBytes)
      return { errors: [limitExceeded(`The document is over ${this.#limits.maxDocumentBytes} bytes`)] };
    const read = this.#read(text);
    this.#cache.set(text, read);
    return read;
  }

  #read(text: string): ReadDocument {
    const { maxTokens, introspection } = this.#limits;
    let document: DocumentNode;
    try {
      document = parse(text, { maxTokens });
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error;
      return {
        errors: [
          /more tha[nt] \d+ tokens/.test(error.message)
            ? limitExceeded(`The document has more than ${maxTokens} tokens`)
            : error,
        ],
      };
    }
    try {
      checkDocumentLimits(document, this.#limits);
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      return { errors: [error] };
    }
    const rules = introspection ? RULES : [...RULES, NoSchemaIntrospectionCustomRule];
    const readable = withNumbersAsText(document, this.#schema);
    const errors = validate(this.#schema, readable, rules, { maxErrors: 20 });
    return errors.length > 0 ? { errors, isInvalid: true } : { document: withPlainLiterals(readable, this.#schema) };
  }
}

function limitExceeded(message: string): GatewayError {
  return new GatewayError("LIMIT_EXCEEDED", message);
}

/** The operation to run. Throws `BAD_USER_INPUT` if no operation has that name, or if there are several and no name is given. */
export function chooseOperation(
  document: DocumentNode,
  operationName: string | null | undefined,
): OperationDefinitionNode {
  const operations = document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  const named = operationName ? operations.filter(({ name }) => name?.value === operationName) : operations;
  if (named.length === 1) return named[0]!;
  if (operationName)
    throw new GatewayError("BAD_USER_INPUT", `There is no operation named ${JSON.stringify(operationName)}`);
  throw new GatewayError(
    "BAD_USER_INPUT",
    operations.length === 0 ? "The document has no operation" : "operationName must choose one of the operations",
  );
}

const described = new WeakMap<OperationDefinitionNode, string>();

/** For people: `query Ports { getPorts, countPorts }`, without arguments and values. */
export function describeOperation(operation: OperationDefinitionNode): string {
  let text = described.get(operation);
  if (text === undefined) {
    const { operation: kind, name, selectionSet } = operation;
    const fields = selectionSet.selections.map((each) =>
      each.kind === Kind.FIELD ? each.name.value : each.kind === Kind.FRAGMENT_SPREAD ? `...${each.name.value}` : "...",
    );
    text = `${kind}${name ? ` ${name.value}` : ""} { ${fields.join(", ")} }`;
    described.set(operation, text);
  }
  return text;
}

/**
 * Grafast reads objects within a scalar without the scalar's parser: it rejects bare words and loses digits of large
 * numbers. Here both become text, as the scalar's own parser makes them.
 */
function withPlainLiterals(document: DocumentNode, schema: GraphQLSchema): DocumentNode {
  const typeInfo = new TypeInfo(schema);
  return visit(
    document,
    visitWithTypeInfo(typeInfo, {
      Argument(node) {
        const type = typeInfo.getArgument()?.type;
        if (
          !type ||
          !isScalarType(getNamedType(type)) ||
          (node.value.kind !== Kind.OBJECT && node.value.kind !== Kind.LIST)
        )
          return undefined;
        const value = plain(node.value);
        return value === node.value ? undefined : { ...node, value };
      },
    }),
  );
}

/** An argument that is text to keep its digits also takes a number, with the digits of the document. */
function withNumbersAsText(document: DocumentNode, schema: GraphQLSchema): DocumentNode {
  const typeInfo = new TypeInfo(schema);
  const toText = (node: IntValueNode | FloatValueNode): StringValueNode => ({ ...node, kind: Kind.STRING });
  return visit(
    document,
    visitWithTypeInfo(typeInfo, {
      Argument(node) {
        if (typeInfo.getArgument()?.extensions["portolanNumber"] !== true) return undefined;
        const value = visit<ASTNode>(node.value, { IntValue: toText, FloatValue: toText }) as ValueNode;
        return value === node.value ? undefined : { ...node, value };
      },
    }),
  );
}

function plain(value: ValueNode): ValueNode {
  return visit<ASTNode>(value, {
    EnumValue: (node) => ({ kind: Kind.STRING, value: node.value }),
    IntValue: (node) =>
      Number.isSafeInteger(Number(node.value)) ? undefined : { kind: Kind.STRING, value: node.value },
  }) as ValueNode;
}

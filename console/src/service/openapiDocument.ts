/** The OpenAPI document of the service, as a list of operations. */
import { queryOptions } from "@tanstack/react-query";
import { read } from "./http/rest.ts";

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}

interface Content {
  readonly description?: string;
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
  readonly $ref?: string;
}

interface Described {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses?: Readonly<Record<string, Content>>;
  /** Default: that of the document, a token. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
}

interface Document {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, unknown>> & { readonly parameters?: readonly Parameter[] }>
  >;
  readonly components?: {
    readonly schemas?: Readonly<Record<string, Schema>>;
    readonly responses?: Readonly<Record<string, Content>>;
  };
}

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string | undefined;
  readonly parameters: readonly Parameter[];
  /** The forms of the request body: by media type, in the notation of TypeScript. */
  readonly body: readonly (readonly [mediaType: string, text: string])[];
  /** Whether it is asked with an access token. */
  readonly takesToken: boolean;
  readonly answers: readonly Answer[];
}

export interface Answer {
  readonly status: string;
  readonly description: string;
  readonly forms: Operation["body"];
}

const METHODS = ["get", "post", "put", "patch", "delete"] as const;

export const operations = queryOptions({
  queryKey: ["openapi"],
  queryFn: async ({ signal }): Promise<readonly Operation[]> =>
    operationsOf(await read<Document>("/openapi.json", signal)),
  staleTime: Infinity,
});

function operationsOf(document: Document): readonly Operation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const described = item[method] as Described | undefined;
      return described ? [toOperation(document, { path, method, described, shared: item.parameters ?? [] })] : [];
    }),
  );
}

interface Found {
  readonly path: string;
  readonly method: string;
  readonly described: Described;
  /** The parameters of all operations of the path. */
  readonly shared: readonly Parameter[];
}

function toOperation({ components = {} }: Document, { path, method, described, shared }: Found): Operation {
  const {
    operationId: id,
    summary,
    description,
    tags,
    parameters = [],
    requestBody,
    responses = {},
    security,
  } = described;
  const formsOf = ({ content = {} }: Content): Operation["body"] =>
    Object.entries(content).map(([mediaType, { schema }]) => [mediaType, schema ? textOf(schema, components) : ""]);
  return {
    id,
    method: method.toUpperCase(),
    path,
    tag: tags?.[0] ?? "other",
    summary: summary ?? id,
    description,
    parameters: [...shared, ...parameters],
    body: requestBody ? formsOf(requestBody) : [],
    takesToken: security === undefined || security.some((each) => "bearer" in each),
    answers: Object.entries(responses).map(([status, given]) => {
      const answer = components.responses?.[given.$ref?.split("/").at(-1) ?? ""] ?? given;
      return { status, description: answer.description ?? "", forms: formsOf(answer) };
    }),
  };
}

/** Deeper members are left out. */
const DEEPEST = 6;

/** A schema in the notation of TypeScript, with its descriptions as comments. */
function textOf(schema: Schema, components: NonNullable<Document["components"]>, depth = 0): string {
  const indent = "  ".repeat(depth + 1);
  const inner = (of: Schema, more = 0): string => textOf(of, components, depth + more);
  if (schema.$ref !== undefined) {
    const found = components.schemas?.[schema.$ref.split("/").at(-1)!];
    return found && depth < DEEPEST ? inner(found) : schema.$ref.split("/").at(-1)!;
  }
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) return [...new Set(choices.map((each) => inner(each)))].join(" | ");
  if (schema.allOf) return schema.allOf.map((each) => inner(each)).join(" & ");
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.items) {
    const item = inner(schema.items);
    return /[|]/.test(item) && !item.startsWith("{") ? `(${item})[]` : `${item}[]`;
  }
  if (schema.properties && depth < DEEPEST) {
    const members = Object.entries(schema.properties).map(([name, of]) => {
      const comment = of.description === undefined ? "" : `${indent}/** ${of.description} */\n`;
      return `${comment}${indent}${name}${schema.required?.includes(name) ? "" : "?"}: ${inner(of, 1)};`;
    });
    return members.length === 0 ? "{}" : `{\n${members.join("\n")}\n${"  ".repeat(depth)}}`;
  }
  return [schema.type ?? "unknown"].flat().join(" | ");
}

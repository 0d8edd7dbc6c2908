/** A document for each field of GraphQL, made from its own schema: a new field is tested without a line here. */
import {
  buildClientSchema,
  getIntrospectionQuery,
  getNamedType,
  isLeafType,
  isNonNullType,
  isObjectType,
  type GraphQLField,
  type GraphQLObjectType,
  type IntrospectionQuery,
} from "graphql";

/** Arguments with which a field has an effect, by its name. It is requested once with each. */
const ARGUMENTS: readonly [field: RegExp, ...given: string[]][] = [
  [/^get/, "", 'where: {id: {gt: 0}}, orderBy: {id: "desc"}, limit: 2', 'id: "1"', 'asOf: "NOW"', 'distinctOn: ["id"]'],
  [/^count/, "", "where: {id: {gt: 0}}", 'asOf: "NOW"'],
  [/^page/, "first: 1", "last: 1", 'asOf: "NOW"'],
  [/^aggregate/, "", 'groupBy: ["id"]', 'groupBy: ["id"], having: {count: {gt: 0}}'],
  [/^node$/, 'nodeId: "NODE"'],
  [/^extent/, ""],
  [
    /^insert/,
    'data: {id: ID, t: "b"}',
    'objects: [{id: ID1, t: "b"}, {id: ID2, t: "c"}]',
    'data: {id: ID1, t: "b"}, onConflict: {columns: ["id"], update: ["t"]}',
  ],
  [
    /^update/,
    'id: "1", data: {t: "b"}',
    'where: {id: {eq: 2}}, data: {t: "c"}',
    'objects: [{id: "1", data: {t: "d"}}]',
  ],
  [/^delete/, "where: {id: {gt: 100000}}", 'id: "ID1"'],
];

export interface GraphqlDoor {
  readonly kind: "query" | "mutation" | "subscription";
  readonly field: string;
  /** `ID` stands for an unused number, `NOW` for an instant, `NODE` for the nodeId of a row. */
  readonly document: string;
}

/** Reads the schema, and gives a document for each of its fields. */
export async function graphqlDoors(ask: (query: string) => Promise<unknown>): Promise<GraphqlDoor[]> {
  const schema = buildClientSchema((await ask(getIntrospectionQuery())) as IntrospectionQuery);
  const kinds = {
    query: schema.getQueryType(),
    mutation: schema.getMutationType(),
    subscription: schema.getSubscriptionType(),
  } as const;
  return (Object.keys(kinds) as (keyof typeof kinds)[]).flatMap((kind) =>
    Object.values(kinds[kind]?.getFields() ?? {}).flatMap((field) =>
      argumentsOf(field).map((given) => ({
        kind,
        field: field.name,
        document: `${kind} { ${field.name}${given === "" ? "" : `(${given})`} ${selectionOf(field, given.includes("groupBy"))} }`,
      })),
    ),
  );
}

/** Arguments of the field's table. */
function argumentsOf(field: GraphQLField<unknown, unknown>): readonly string[] {
  const [, ...given] = ARGUMENTS.find(([name]) => name.test(field.name)) ?? [undefined, ""];
  const known = new Set(field.args.map(({ name }) => name));
  return given.filter((one) => [...one.matchAll(/(?:^|, )(\w+):/g)].every(([, name = ""]) => known.has(name)));
}

/** Everything that can be selected without arguments, two levels deep; of groups only `by`. */
function selectionOf(field: GraphQLField<unknown, unknown>, isGrouped: boolean, depth = 2): string {
  const type = getNamedType(field.type);
  if (isObjectType(type)) return `{ ${fieldsOf(type, isGrouped, depth)} }`;
  return isLeafType(type) ? "" : "{ __typename }";
}

function fieldsOf(type: GraphQLObjectType, isGrouped: boolean, depth: number): string {
  const fields = Object.values(type.getFields()).filter(
    (field) =>
      !field.args.some(({ type: of }) => isNonNullType(of)) &&
      (depth > 0 || isLeafType(getNamedType(field.type))) &&
      (isGrouped || field.name !== "by"),
  );
  const told = fields.map(
    (field) => `${field.name} ${selectionOf(field, isGrouped, field.name === "by" ? 0 : depth - 1)}`,
  );
  return `__typename ${told.join(" ")}`;
}

/** `/collections/{collectionId}/schema`: the parts of features, as JSON Schema (OGC 23-058r2). */
import { readable } from "../collections/access.ts";
import type { Collection, CollectionColumn } from "../collections/collections.ts";
import type { CollectionExchange } from "../exchange/exchange.ts";
import { ofCatalogue } from "../collections/reach.ts";
import type { JsonSchema } from "../../server/types/table.ts";
import { instantColumn } from "../collections/timeColumn.ts";
import { geojsonSchema, logicalSchema, type Body } from "./propertySchema.ts";
import { propertiesOf, sendSchema } from "./schemaResource.ts";

export const SCHEMA_REL = "http://www.opengis.net/def/rel/ogc/1.0/schema";

export async function schema(exchange: CollectionExchange): Promise<void> {
  const { parameters } = exchange;
  const collection = await withComputedColumns(exchange);
  const { id, title, description, columns } = collection;
  const roles = rolesOf(collection, await referencesOf(exchange, columns));
  const body = parameters.type;
  const required = requiredOf(collection, body);
  sendSchema(exchange, {
    path: ["collections", id, "schema"],
    query: { type: body },
    heading: "Schema",
    title,
    use: body ? `The schema of a body to ${body} a feature.` : "The schema of features.",
    columns,
    notes: new Map(columns.map((column) => [column.name, noteOf(column, roles.get(column), required)])),
    schema: {
      ...(description !== undefined && { description }),
      ...(body ? bodySchema(collection, required) : featureSchema(columns, roles, required)),
    },
  });
}

const COMPUTED = `
select a.attnum::int as number
from pg_attribute a
where a.attrelid = $1 and a.attnum > 0 and not a.attisdropped and not pg_column_is_updatable(a.attrelid, a.attnum, true)`;

/**
 * The collection, with the computed columns of a view marked as read-only. PostgreSQL is asked for each answer rather
 * than for the catalogue, because it locks the view for that: a lock that somebody else holds must not delay every
 * request.
 */
async function withComputedColumns({
  collection,
  database,
  identity,
  context,
}: CollectionExchange): Promise<Collection> {
  if (collection.kind !== "v") return collection;
  const { rows } = await database.withIdentity(identity, ofCatalogue(context), (transaction) =>
    transaction.query<{ number: number }>({
      name: "ogc computed",
      text: COMPUTED,
      values: [collection.oid],
      last: true,
    }),
  );
  const computed = new Set(rows.map(({ number }) => number));
  const columns = collection.columns.map((column) =>
    computed.has(column.number) ? { ...column, readOnly: true } : column,
  );
  return { ...collection, columns };
}

/** The role of a column in its feature, or its reference to another collection (23-058r2 §8, §9). */
type Role = { readonly "x-ogc-role": string; readonly "x-ogc-collectionId"?: string };

/**
 * The role of each column. A column has at most one: the identifier of a feature is not marked as a reference, even if
 * it has a foreign key.
 */
function rolesOf(
  { columns, key, geometry }: Collection,
  references: ReadonlyMap<CollectionColumn, string>,
): ReadonlyMap<CollectionColumn, Role> {
  const instant = instantColumn({ columns });
  const roleOf = (column: CollectionColumn): Role | undefined => {
    if (column.number === geometry?.number) return { "x-ogc-role": "primary-geometry" };
    if (identifierType(key) !== undefined && column.number === key[0]?.number) return { "x-ogc-role": "id" };
    if (column === instant) return { "x-ogc-role": "primary-instant" };
    const collectionId = references.get(column);
    return collectionId === undefined ? undefined : { "x-ogc-role": "reference", "x-ogc-collectionId": collectionId };
  };
  return mapOf(columns, roleOf);
}

/** The results of `valueOf` for columns, without undefined ones. */
function mapOf<Value>(
  columns: readonly CollectionColumn[],
  valueOf: (column: CollectionColumn) => Value | undefined,
): ReadonlyMap<CollectionColumn, Value> {
  return new Map(
    columns.flatMap((column) => {
      const value = valueOf(column);
      return value === undefined ? [] : [[column, value] as const];
    }),
  );
}

/**
 * The type of a key that is an identifier, or the target of a reference (23-058r2 /req/schemas/role-id B); undefined
 * for any other key.
 */
function identifierType(key: readonly CollectionColumn[]): "string" | "integer" | undefined {
  const [only, ...more] = key;
  const type = only && more.length === 0 ? logicalSchema(only)["type"] : undefined;
  return type === "string" || type === "integer" ? type : undefined;
}

/** The id of the collection that each column refers to by its key, among those that the caller may read. */
async function referencesOf(
  exchange: CollectionExchange,
  columns: readonly CollectionColumn[],
): Promise<ReadonlyMap<CollectionColumn, string>> {
  const { collections } = exchange;
  const referring = columns.filter(({ references }) => references.length > 0);
  const oids = new Set(referring.flatMap(({ references }) => references.map(({ relation }) => relation)));
  const named = [...collections.values()].filter(({ oid, raster }) => oids.has(oid) && !raster);
  const targets = named.length > 0 ? await readable(exchange, named) : [];
  const targetOf = (column: CollectionColumn): Collection | undefined => {
    const type = identifierType([column]);
    return targets.find(
      ({ oid, key }) =>
        type !== undefined &&
        type === identifierType(key) &&
        column.references.some((reference) => reference.relation === oid && reference.column === key[0]?.number),
    );
  };
  return mapOf(referring, (column) => targetOf(column)?.id);
}

/**
 * Names of the columns that are never null; for a body, names of those that it must have. The id of a feature replaces
 * its key.
 */
function requiredOf({ columns, key, geometry }: Collection, body: Body | undefined): readonly string[] {
  const isKey = ({ number }: CollectionColumn): boolean => key.some((column) => column.number === number);
  const isLeftOut = (column: CollectionColumn): boolean =>
    column.readOnly || column.hasDefault || column.number === geometry?.number || (body === "replace" && isKey(column));
  return columns.filter((column) => column.notNull && !(body && isLeftOut(column))).map(({ name }) => name);
}

/** The title and description of a column. A column without `title` has its name as title, which clients then show. */
function namesOf({ name, title = name, description }: CollectionColumn): JsonSchema {
  return { title, ...(description !== undefined && { description }) };
}

function featureSchema(
  columns: readonly CollectionColumn[],
  roles: ReadonlyMap<CollectionColumn, Role>,
  required: readonly string[],
): JsonSchema {
  return {
    ...propertiesOf(columns, (column) => ({
      ...namesOf(column),
      ...logicalSchema(column),
      ...(column.readOnly && { readOnly: true }),
      ...roles.get(column),
      "x-ogc-propertySeq": columns.indexOf(column) + 1,
    })),
    ...(required.length > 0 && { required }),
  };
}

/** The schema of a missing geometry. Both OpenAPI 3.0 and JSON Schema accept an enumeration of null. */
const NO_GEOMETRY: JsonSchema = { enum: [null] };

/** A feature in GeoJSON. Read-only members are allowed, and ignored. */
function bodySchema({ columns, geometry }: Collection, required: readonly string[]): JsonSchema {
  const others = columns.filter(({ number }) => number !== geometry?.number);
  const properties = {
    type: "object",
    ...propertiesOf(others, (column) => ({
      ...namesOf(column),
      ...geojsonSchema(column),
      ...(column.readOnly && { readOnly: true }),
    })),
    ...(required.length > 0 && { required }),
  };
  return {
    properties: {
      type: { type: "string", enum: ["Feature"] },
      geometry: geometry ? geojsonSchema(geometry) : NO_GEOMETRY,
      properties,
    },
    required: ["type", "geometry", "properties"],
  };
}

function noteOf({ name, readOnly }: CollectionColumn, role: Role | undefined, required: readonly string[]): string {
  const { "x-ogc-role": word, "x-ogc-collectionId": collectionId } = role ?? {};
  const notes = [
    ...(word === undefined ? [] : [collectionId === undefined ? word : `${word} to ${collectionId}`]),
    ...(required.includes(name) ? ["required"] : []),
    ...(readOnly ? ["read only"] : []),
  ];
  return notes.join(", ");
}

/** What of a collection a caller may see. PostgreSQL decides; this only asks it, and words the refusal. */
import { mayBeDenied } from "../server/access.ts";
import type { Database, Identity, RequestContext } from "../server/database.ts";
import { GatewayError } from "../server/errors.ts";
import { CHALLENGES } from "../server/identity.ts";
import type { Collection } from "./collections.ts";

const READABLE = `
select
  c.oid::int8::float8 as oid,
  array(
    select a.attnum from pg_attribute a
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and has_column_privilege(c.oid, a.attnum, 'select')
      and has_schema_privilege(c.relnamespace, 'usage')
  ) as columns,
  $2 and portolan.access(c.oid::regclass, 'select') = 'deny' as denied
from pg_class c
where c.oid = any($1::oid[])`;

export interface Asker {
  readonly database: Database;
  readonly identity: Identity;
  readonly context: RequestContext;
}

/** Those that the caller may read, each with the columns that it may read. */
export async function readable(asker: Asker, collections: readonly Collection[]): Promise<Collection[]> {
  const columnsOf = await readableColumns(asker, collections);
  return collections.flatMap((collection) => asReadable(collection, columnsOf.get(collection.oid)) ?? []);
}

/**
 * Numbers of the columns that the caller may read, by oid of the relation: none where a rule denies it; one that is gone
 * has no entry.
 */
async function readableColumns(
  { database, identity, context }: Asker,
  collections: readonly Collection[],
): Promise<ReadonlyMap<number, ReadonlySet<number>>> {
  const relations = collections.map(({ schema, relation }) => ({ schema, name: relation }));
  const values = [[...new Set(collections.map(({ oid }) => oid))], await mayBeDenied(database, relations)];
  const { rows } = await database.withIdentity(identity, context, (transaction) =>
    transaction.query<{ oid: number; columns: number[]; denied: boolean }>({
      name: "ogc readable",
      text: READABLE,
      values,
      last: true,
    }),
  );
  return new Map(rows.map(({ oid, columns, denied }) => [oid, new Set(denied ? [] : columns)]));
}

function asReadable(collection: Collection, columns: ReadonlySet<number> | undefined): Collection | undefined {
  if (!columns?.has(collection.geometry.number)) return undefined;
  if (collection.columns.every(({ number }) => columns.has(number))) return collection;
  return {
    ...collection,
    columns: collection.columns.filter(({ number }) => columns.has(number)),
    key: collection.key.every(({ number }) => columns.has(number)) ? collection.key : [],
  };
}

/**
 * The collection as the caller sees it; undefined when its relation is gone. Throws `UNAUTHENTICATED` for anonymous,
 * `FORBIDDEN` for others.
 */
export async function authorize(asker: Asker, collection: Collection): Promise<Collection | undefined> {
  const columns = (await readableColumns(asker, [collection])).get(collection.oid);
  const own = asReadable(collection, columns);
  if (own || !columns) return own;
  throw refusal(asker.identity, collection.id);
}

/** 401 for who has not said who they are, 403 for who has. */
export function refusal({ name }: Identity, collectionId: string, cause?: unknown): GatewayError {
  return name === "anonymous"
    ? new GatewayError("UNAUTHENTICATED", `The collection ${collectionId} is not public: sign in`, {
        headers: { "WWW-Authenticate": CHALLENGES },
        cause,
      })
    : new GatewayError("FORBIDDEN", `The account may not read the collection ${collectionId}`, { cause });
}

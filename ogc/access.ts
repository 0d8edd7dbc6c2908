/** What of a collection a caller may see. PostgreSQL decides; this only asks it, and words the refusal. */
import type { Database, Identity, RequestContext } from "../server/kernel/database/database.ts";
import { GatewayError } from "../server/kernel/errors.ts";
import { CHALLENGES } from "../server/kernel/identity/identity.ts";
import { Changed } from "../server/kernel/retry.ts";
import type { Collection, CollectionMap } from "./collections.ts";

const READABLE = `
select
  c.oid::int8::float8 as oid,
  array(
    select a.attnum from pg_attribute a
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and has_column_privilege(c.oid, a.attnum, 'select')
      and has_schema_privilege(c.relnamespace, 'usage')
  ) as columns,
  exists (select from portolan.ruled_commands r where r.relation = c.oid and r.command = 'r')
    and portolan.access(c.oid::regclass, 'select') = 'deny' as denied
from pg_class c
where c.oid = any($1::oid[])`;

export interface Asker {
  readonly database: Database;
  readonly identity: Identity;
  readonly context: RequestContext;
}

/** Numbers of the columns that a caller may read, by oid of the relation. */
type Columns = ReadonlyMap<number, ReadonlySet<number>>;

/** Of a relation that the caller could read, if no rule denied it. */
const DENIED: ReadonlySet<number> = new Set();

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
): Promise<Columns> {
  const { rows } = await database.withIdentity(identity, context, (transaction) =>
    transaction.query<{ oid: number; columns: number[]; denied: boolean }>({
      name: "ogc readable",
      text: READABLE,
      values: [[...new Set(collections.map(({ oid }) => oid))]],
      last: true,
    }),
  );
  return new Map(
    rows.map(({ oid, columns, denied }) => [oid, denied && columns.length > 0 ? DENIED : new Set(columns)]),
  );
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

/** Collections that a caller may read, by what PostgreSQL says now, or said the last time. */
export interface Admission {
  /** With the columns that the caller may read, in the order in which they were asked for. */
  readonly collections: readonly Collection[];
  /**
   * Resolves when PostgreSQL has said so at some moment since the request came: before that nothing may be shown. What it
   * has just said needs no confirmation. Throws `RightsChanged`.
   */
  confirm(): Promise<void>;
}

/** The rights of a caller are not those of the last time any more: PostgreSQL must be asked again. */
export class RightsChanged extends Changed {}

/**
 * The rights that callers had the last time, for answers that take long: an answer is prepared by them, and shown when
 * PostgreSQL has confirmed them. One question confirms them for all requests of a caller that came before it was put.
 */
export class Rights {
  /** By collection of the catalogue: as the caller saw it. */
  readonly #lastSeen = new WeakMap<Identity, WeakMap<Collection, Collection>>();
  /** Questions that were not put yet. */
  readonly #open = new WeakMap<Identity, Map<string, () => Promise<Columns>>>();

  /**
   * `expect`: whether the last time will do until it is confirmed. Throws `UNAUTHENTICATED` for anonymous and
   * `FORBIDDEN` for others who may not read one and for all whom a rule denies it, `COLLECTION_NOT_FOUND` where a relation is gone.
   */
  async of(asker: Asker, collections: readonly Collection[], expect: boolean): Promise<Admission> {
    const lastSeen = this.#lastSeenBy(asker.identity);
    const known = collections.flatMap((collection) => lastSeen.get(collection) ?? []);
    if (expect && known.length === collections.length) {
      const ask = this.#question(asker, collections);
      return {
        collections: known,
        async confirm() {
          const columnsOf = await ask();
          if (known.every((own, i) => isSame(own, asReadable(collections[i]!, columnsOf.get(own.oid))))) return;
          for (const collection of collections) lastSeen.delete(collection);
          throw new RightsChanged();
        },
      };
    }
    const columnsOf = await readableColumns(asker, collections);
    return {
      collections: collections.map((collection) => {
        const own = admitted(asker, collection, columnsOf);
        const last = lastSeen.get(collection);
        // what was made for the object of the last time is still good
        if (last && isSame(last, own)) return last;
        lastSeen.set(collection, own);
        return own;
      }),
      confirm: () => Promise.resolve(),
    };
  }

  #lastSeenBy(identity: Identity): WeakMap<Collection, Collection> {
    const known = this.#lastSeen.get(identity) ?? new WeakMap<Collection, Collection>();
    this.#lastSeen.set(identity, known);
    return known;
  }

  /** A question that is put when it is first called, for all who have it by then. */
  #question({ database, identity, context }: Asker, collections: readonly Collection[]): () => Promise<Columns> {
    const open = this.#open.get(identity) ?? new Map<string, () => Promise<Columns>>();
    this.#open.set(identity, open);
    const key = JSON.stringify([
      context.address,
      ...collections.map(({ oid, schema, relation }) => [oid, schema, relation]),
    ]);
    const known = open.get(key);
    if (known) return known;
    let answer: Promise<Columns> | undefined;
    // the client of one of them may leave: that does not cancel it for the others
    const ofAll = { database, identity, context: { ...context, signal: undefined } };
    const question = (): Promise<Columns> => {
      if (answer) return answer;
      open.delete(key);
      return (answer = readableColumns(ofAll, collections));
    };
    open.set(key, question);
    return question;
  }
}

function admitted({ identity }: Asker, collection: Collection, columnsOf: Columns): Collection {
  const columns = columnsOf.get(collection.oid);
  if (!columns) throw notFound(collection.id);
  if (columns === DENIED) throw new GatewayError("FORBIDDEN", `A rule denies reading the collection ${collection.id}`);
  const own = asReadable(collection, columns);
  if (!own) throw refusal(identity, collection.id);
  return own;
}

/** Whether a caller sees the same of a collection. */
function isSame(one: Collection, other: Collection | undefined): boolean {
  if (one === other) return true;
  return (
    one.key.length === other?.key.length &&
    one.columns.length === other.columns.length &&
    one.columns.every((column, i) => column === other.columns[i])
  );
}

export function notFound(collectionId: string): GatewayError {
  return new GatewayError(
    "COLLECTION_NOT_FOUND",
    `There is no collection ${JSON.stringify(collectionId.slice(0, 200))}`,
  );
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

/** Whether others may read more than `readable`. Only who has not signed in learns that, and no more than that. */
export function mayHaveMore(
  { identity, collections }: { readonly identity: Identity; readonly collections: CollectionMap },
  readable: readonly Collection[],
): boolean {
  return identity.name === "anonymous" && readable.length < collections.size;
}

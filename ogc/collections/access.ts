/**
 * Decides which parts of a collection a caller may see. PostgreSQL judges the rights; this file asks it and words the
 * refusal.
 */
import {
  quoteIdentifier,
  type Basis,
  type Database,
  type Identity,
  type RequestContext,
  type Transaction,
} from "../../server/kernel/database/database.ts";
import { GatewayError, factorNeeded } from "../../server/ground/errors.ts";
import type { Service } from "../../server/ground/services.ts";
import { CHALLENGES } from "../../server/kernel/identity/identity.ts";
import { Changed } from "../../server/ground/retry.ts";
import type { Collection, CollectionColumn, CollectionMap, Readable } from "./collections.ts";
import { ofCatalogue } from "./reach.ts";
import type { Confirms } from "../exchange/route.ts";

/**
 * The caller's right to read the relation `c`: `*`, an array of column numbers, or `denied` where a rule denies it.
 * Where it denies it only for the lack of a second factor, the value is that of `portolan.lack_of_factor`. A caller who may
 * read a whole table costs one check of its grants; that is the usual case.
 */
export const RIGHTS = `
case
  when not pg_catalog.has_schema_privilege(c.relnamespace, 'usage')
    or not pg_catalog.has_any_column_privilege(c.oid, 'select') then '{}'
  when exists (select from portolan.ruled_commands r where r.relation = c.oid and r.command = 'r')
    and portolan.access(c.oid::pg_catalog.regclass, 'select') = 'deny'
    then coalesce(portolan.lack_of_factor(c.oid::pg_catalog.regclass), 'denied')
  when pg_catalog.has_table_privilege(c.oid, 'select') then '*'
  else array(
    select a.attnum from pg_catalog.pg_attribute a
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      and pg_catalog.has_column_privilege(c.oid, a.attnum, 'select')
  )::pg_catalog.text
end`;
/** The caller's right to call the function `p`, in the same form. */
export const RIGHTS_TO_CALL = `
case
  when pg_catalog.has_schema_privilege(p.pronamespace, 'usage') and pg_catalog.has_function_privilege(p.oid, 'execute') then '*'
  else '{}'
end`;
const RIGHTS_OF_ALL = `
select c.oid::int8::float8 as oid, ${RIGHTS} as rights from pg_catalog.pg_class c where c.oid = any($1::oid[])
union all
select -p.oid::int8::float8, ${RIGHTS_TO_CALL} from pg_catalog.pg_proc p where p.oid = any($2::oid[])`;
/** The right to one relation. With an array as its parameter, PostgreSQL would plan the statement each time. */
const RIGHTS_OF_ONE = `(select ${RIGHTS} from pg_catalog.pg_class c where c.oid = $1::pg_catalog.oid)`;
const RIGHTS_OF_ONE_TO_CALL = `(select ${RIGHTS_TO_CALL} from pg_catalog.pg_proc p where p.oid = $1::pg_catalog.oid)`;
/**
 * The value of `RIGHTS` for a caller who may read a whole table. No other caller has it. Most requests compare with it.
 */
const WHOLE = "*";
const RIGHTS_TO_WHOLE = `
case
  when pg_catalog.has_schema_privilege(pg_catalog.to_regnamespace($2), 'usage')
    and pg_catalog.has_table_privilege($1::pg_catalog.oid, 'select')
    and not (
      exists (select from portolan.ruled_commands r where r.relation = $1::pg_catalog.oid and r.command = 'r')
      and portolan.access($1::pg_catalog.oid::pg_catalog.regclass, 'select') = 'deny')
  then '${WHOLE}' else 'other' end`;

export interface Asker {
  readonly database: Database;
  readonly identity: Identity;
  readonly context: RequestContext;
}

/** PostgreSQL's answers about a caller's rights (`RIGHTS`), by oid of the relation; a dropped relation has no entry. */
type RightsOf = ReadonlyMap<number, string>;

const DENIED = "denied";
const LACKS_FACTOR: ReadonlySet<string | undefined> = new Set(["needed", "not offered"]);

function isDenied(rights: string | undefined): boolean {
  return rights === DENIED || LACKS_FACTOR.has(rights);
}

function ruleDenies(rights: string | undefined, what: string): GatewayError {
  if (rights !== undefined && LACKS_FACTOR.has(rights)) return factorNeeded(`A rule denies reading ${what}`, rights);
  return new GatewayError("FORBIDDEN", `A rule denies reading ${what}`);
}

/** The collections that the caller may read, each with the columns that the caller may read. */
export async function readable(asker: Asker, collections: readonly Collection[]): Promise<Collection[]> {
  return narrowed(collections, await readRights(asker, collections));
}

/** As `readable`, with the snapshot in which PostgreSQL judged the rights, as `Transaction.snapshot`. */
export async function readableInSnapshot(
  { database, identity, context }: Asker,
  collections: readonly Collection[],
): Promise<{ readonly collections: Collection[]; readonly snapshot: string | undefined }> {
  return database.withIdentity(identity, { ...ofRights(context), snapshot: true }, async (transaction) => {
    const rightsOf = await queryRights(transaction, collections);
    return { collections: narrowed(collections, rightsOf), snapshot: transaction.snapshot };
  });
}

function narrowed(collections: readonly Collection[], rightsOf: RightsOf): Collection[] {
  return collections.flatMap((collection) => asReadable(collection, rightsOf.get(collection.oid)) ?? []);
}

/**
 * The columns of each table that the caller may read; an empty list where it may read none. Throws `FORBIDDEN` where a
 * rule denies a table.
 */
export async function readableColumns<Table extends Readable>(
  asker: Asker,
  tables: readonly Table[],
): Promise<ReadonlyMap<Table, readonly CollectionColumn[]>> {
  const rightsOf = await readRights(asker, tables);
  return new Map(
    tables.map((table) => {
      const rights = rightsOf.get(table.oid) ?? "{}";
      if (isDenied(rights)) throw ruleDenies(rights, `${table.schema}.${table.relation}`);
      return [table, columnsOf(table, rights)];
    }),
  );
}

function columnsOf({ columns }: Readable, rights: string): readonly CollectionColumn[] {
  if (rights === WHOLE) return columns;
  const numbers = new Set(rights.slice(1, -1).split(",").map(Number));
  return columns.filter(({ number }) => numbers.has(number));
}

async function readRights(
  { database, identity, context }: Asker,
  collections: readonly Pick<Readable, "oid">[],
): Promise<RightsOf> {
  return database.withIdentity(identity, ofRights(context), (transaction) => queryRights(transaction, collections));
}

/** The context of a question about rights. It reads no row of a user's table. */
function ofRights(context: RequestContext): RequestContext {
  return ofCatalogue({ ...context, basis: undefined });
}

async function queryRights(transaction: Transaction, collections: readonly Pick<Readable, "oid">[]): Promise<RightsOf> {
  const oids = [...new Set(collections.map(({ oid }) => oid))];
  const { rows } = await transaction.query<{ oid: number; rights: string }>({
    name: "ogc rights",
    text: RIGHTS_OF_ALL,
    values: [oids.filter((oid) => oid >= 0), oids.filter((oid) => oid < 0).map((oid) => -oid)],
    last: true,
  });
  return new Map(rows.map(({ oid, rights }) => [oid, rights]));
}

/**
 * Throws `RightsChanged` unless the rights still give the collections `own`. `rights`: PostgreSQL's latest answer for
 * each of them, as `RIGHTS`. `all`: the catalogue that they are from.
 */
export function refuseChanged(
  rights: readonly (string | undefined)[],
  all: CollectionMap,
  own: readonly Collection[],
): void {
  own.forEach((collection, index) => {
    const whole = all.get(collection.id);
    const now = whole && asReadable(whole, rights[index]);
    if (!now || !isSame(collection, now)) throw new RightsChanged();
  });
}

function asReadable(collection: Collection, rights: string | undefined): Collection | undefined {
  if (rights === WHOLE) return collection;
  if (rights === undefined || isDenied(rights)) return undefined;
  const columns = columnsOf(collection, rights);
  const numbers = new Set(columns.map(({ number }) => number));
  if (collection.geometry && !numbers.has(collection.geometry.number)) return undefined;
  const isNarrow = "rpm".includes(collection.kind);
  if (!isNarrow && columns.length === collection.columns.length) return collection;
  const key = collection.key.every(({ number }) => numbers.has(number)) ? collection.key : [];
  return { ...collection, isNarrow, columns, key };
}

/** Collections that a caller may read, by PostgreSQL's present answer or by its last one. */
export interface Admission {
  /** The collections with the columns that the caller may read, in the order of the request. */
  readonly collections: readonly Collection[];
  /**
   * For the transaction that reads the data, in which PostgreSQL judges the rights. Undefined where it has just judged
   * them.
   */
  readonly basis?: Basis | undefined;
  /**
   * Resolves when PostgreSQL has confirmed the rights at some moment since the request came. Nothing may be shown
   * before that. A fresh answer needs no confirmation. Throws `RightsChanged`.
   */
  confirm(): Promise<void>;
}

/** A caller's rights differ from the last known ones, so PostgreSQL must be asked again. */
export class RightsChanged extends Changed {}

/** A collection as the caller could read it the last time. */
interface Seen {
  readonly own: Collection;
  readonly rights: string;
}

type SeenBy = WeakMap<Collection, Seen>;

/**
 * The last known rights of callers. An answer is prepared with them, and sent when PostgreSQL has confirmed them: in
 * the transaction that reads the data, or by a separate question for long answers. One question serves all requests of
 * a caller that came before it was sent.
 */
export class Rights {
  /** The last known rights by interface and by collection of the catalogue. */
  readonly #lastSeen = new WeakMap<Identity, Map<Service, SeenBy>>();
  /** Questions that have not been sent yet. */
  readonly #open = new WeakMap<Identity, Map<string, () => Promise<RightsOf>>>();

  /** The last known rights, until they are confirmed as `confirms` says. Undefined where some are not known. */
  known(asker: Asker, collections: readonly Collection[], confirms: Confirms): Admission | undefined {
    const lastSeen = this.#lastSeenBy(asker);
    const known = collections.flatMap((collection) => lastSeen.get(collection) ?? []);
    if (known.length < collections.length) return undefined;
    const forget = (): void => collections.forEach((collection) => void lastSeen.delete(collection));
    if (confirms === "apart") return expected(collections, known, this.#question(asker, collections), forget);
    const admission = expected(collections, known, () => readRights(asker, collections), forget);
    const [only, ...more] = collections;
    return only && more.length === 0
      ? { ...admission, basis: basisOf(only, known[0]!.rights, admission.check) }
      : admission;
  }

  /**
   * Asks PostgreSQL, unless `confirms` accepts the last known rights. Throws `UNAUTHENTICATED` for an anonymous caller
   * and `FORBIDDEN` for another one who may not read a collection, `FORBIDDEN` for every caller whom a rule denies it,
   * and `COLLECTION_NOT_FOUND` where a relation is gone.
   */
  async of(asker: Asker, collections: readonly Collection[], confirms: Confirms | undefined): Promise<Admission> {
    const known = confirms && this.known(asker, collections, confirms);
    if (known) return known;
    const lastSeen = this.#lastSeenBy(asker);
    const rightsOf = await readRights(asker, collections);
    return {
      collections: collections.map((collection) => {
        const rights = rightsOf.get(collection.oid);
        const own = admitted(asker, collection, rights);
        const last = lastSeen.get(collection);
        // answers that were made for the earlier object stay valid
        if (last && isSame(last.own, own)) return last.own;
        lastSeen.set(collection, { own, rights: rights! });
        return own;
      }),
      confirm: () => Promise.resolve(),
    };
  }

  #lastSeenBy({ identity, context: { service } }: Asker): SeenBy {
    let services = this.#lastSeen.get(identity);
    if (!services) this.#lastSeen.set(identity, (services = new Map()));
    let known = services.get(service);
    if (!known) services.set(service, (known = new WeakMap()));
    return known;
  }

  /**
   * A question about rights that several requests share. The first call sends it; requests that ask after that get a
   * new one.
   */
  #question({ database, identity, context }: Asker, collections: readonly Collection[]): () => Promise<RightsOf> {
    const open = this.#open.get(identity) ?? new Map<string, () => Promise<RightsOf>>();
    this.#open.set(identity, open);
    const key = JSON.stringify([
      context.service,
      context.address,
      ...collections.map(({ oid, schema, relation }) => [oid, schema, relation]),
    ]);
    const known = open.get(key);
    if (known) return known;
    let answer: Promise<RightsOf> | undefined;
    // one of the clients may leave, which must not cancel the question for the others
    const ofAll = { database, identity, context: { ...context, signal: undefined } };
    const question = (): Promise<RightsOf> => {
      if (answer) return answer;
      open.delete(key);
      return (answer = readRights(ofAll, collections));
    };
    open.set(key, question);
    return question;
  }
}

/** The last known rights on `collections`. Call `forget` if PostgreSQL then answers otherwise. */
function expected(
  collections: readonly Collection[],
  known: readonly Seen[],
  ask: () => Promise<RightsOf>,
  forget: () => void,
): Admission & { check(rights: readonly (string | undefined)[]): void } {
  let isConfirmed = false;
  function check(rights: readonly (string | undefined)[]): void {
    isConfirmed = known.every((seen, i) => seen.rights === rights[i]);
    if (isConfirmed) return;
    forget();
    throw new RightsChanged();
  }
  return {
    collections: known.map(({ own }) => own),
    check,
    async confirm() {
      if (isConfirmed) return;
      const rightsOf = await ask();
      check(collections.map(({ oid }) => rightsOf.get(oid)));
    },
  };
}

/** The condition that the rights on a collection are still the last known ones, for the transaction that reads it. */
function basisOf(
  { oid, schema }: Collection,
  expected: string,
  checkAll: (rights: readonly (string | undefined)[]) => void,
): Basis {
  const check = (rights: string | undefined): void => checkAll([rights]);
  if (oid < 0) return { sql: RIGHTS_OF_ONE_TO_CALL, values: [String(-oid)], expected, check };
  return expected === WHOLE
    ? { sql: RIGHTS_TO_WHOLE, values: [String(oid), quoteIdentifier(schema)], expected, check }
    : { sql: RIGHTS_OF_ONE, values: [String(oid)], expected, check };
}

function admitted({ identity }: Asker, collection: Collection, rights: string | undefined): Collection {
  if (rights === undefined) throw new CollectionNotFound(collection.id);
  if (isDenied(rights)) throw ruleDenies(rights, `the collection ${collection.id}`);
  const own = asReadable(collection, rights);
  if (!own) throw refusal(identity, collection.id);
  return own;
}

/** Whether two views of a collection show the same parts. */
function isSame(one: Collection, other: Collection): boolean {
  if (one === other) return true;
  return (
    one.key.length === other.key.length &&
    one.isNarrow === other.isNarrow &&
    one.columns.length === other.columns.length &&
    one.columns.every((column, i) => column === other.columns[i])
  );
}

export class CollectionNotFound extends GatewayError {
  readonly collectionId: string;

  constructor(collectionId: string, members: GatewayError["members"] = {}) {
    super("COLLECTION_NOT_FOUND", `There is no collection ${JSON.stringify(collectionId.slice(0, 200))}`, { members });
    this.collectionId = collectionId;
  }
}

/** The error for a caller who may not read a collection: 401 without credentials, 403 otherwise. */
export function refusal({ name }: Identity, collectionId: string, cause?: unknown): GatewayError {
  return name === "anonymous"
    ? new GatewayError("UNAUTHENTICATED", `The collection ${collectionId} is not public: sign in`, {
        headers: { "WWW-Authenticate": CHALLENGES },
        cause,
      })
    : new GatewayError("FORBIDDEN", `The account may not read the collection ${collectionId}`, { cause });
}

/** Whether other callers may read more than `readable`. Only an anonymous caller is told so, and nothing else. */
export function mayHaveMore(
  { identity, collections }: { readonly identity: Identity; readonly collections: CollectionMap },
  readable: readonly Collection[],
): boolean {
  return identity.name === "anonymous" && readable.length < collections.size;
}

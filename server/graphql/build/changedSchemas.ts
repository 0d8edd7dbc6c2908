/** Which schemas DDL may have changed, so that the others need not be read again. */
import type { Database } from "../../kernel/database/database.ts";
import { readSurroundings, type Introspection, type PrunedIntrospection, type Surroundings } from "./introspection.ts";

/** For each exposed schema, a text that changes with DDL in it. */
export type Fingerprints = ReadonlyMap<string, string>;

/** What a schema was read from. */
export interface Reading extends Pick<PrunedIntrospection, "sources" | "versioned" | "workflow"> {
  /** As known before it was read; undefined: unknown. */
  readonly fingerprints: Fingerprints | undefined;
  readonly extensions: string;
}

export interface Before {
  /** By schema; undefined for one that was not read yet. */
  readonly readings: ReadonlyMap<string, Reading | undefined>;
  /** Schemas that must be read again whatever has changed. */
  readonly failed: readonly string[];
  /** As they are now; undefined: unknown. */
  readonly fingerprints: Fingerprints | undefined;
  /** As they were for a catalogue that is kept; undefined: there is none. */
  readonly kept: Fingerprints | undefined;
}

export interface Change {
  readonly fingerprints: Fingerprints;
  readonly surroundings: Surroundings;
  /** The schemas that must be read again, with those that they are read from. */
  readonly affected: ReadonlySet<string>;
  readonly toRead: ReadonlySet<string>;
  /** Those to which foreign keys or views of a changed schema lead, and those that lead to one. */
  readonly touched: ReadonlySet<string>;
  /** Whether reading the schema would give the same again. */
  isSame(schema: string, reading: Reading): boolean;
}

/**
 * The change since the schemas were read. Undefined where it is unknown, so that all must be read again: a schema was not
 * read before, or an extension has changed.
 */
export async function changeSince(
  database: Database,
  { readings, failed, fingerprints, kept }: Before,
): Promise<Change | undefined> {
  const known = new Map<string, Reading>();
  const changed = new Set<string>();
  for (const [schema, reading] of readings) {
    if (!reading?.fingerprints || !fingerprints) return undefined;
    known.set(schema, reading);
    for (const name of differing(reading.fingerprints, fingerprints)) changed.add(name);
  }
  if (!fingerprints) return undefined;
  const alsoKept = kept ? differing(kept, fingerprints) : [];
  const [{ extensions, touched }, surroundings] = await Promise.all([
    readTouched(database, [...new Set([...changed, ...alsoKept])]),
    readSurroundings(database),
  ]);
  const isSame = (schema: string, reading: Reading): boolean =>
    reading.extensions === extensions &&
    !touched.has(schema) &&
    [...reading.sources.shown].every((name) => {
      const fingerprint = fingerprints.get(name);
      return fingerprint !== undefined && fingerprint === reading.fingerprints?.get(name);
    }) &&
    reading.versioned.join() === ofSchema(surroundings.versioned, schema).join() &&
    reading.workflow.join() === ofSchema(surroundings.workflow, schema).join();
  const affected = new Set<string>();
  const toRead = new Set(changed);
  for (const [schema, reading] of known) {
    if (reading.extensions !== extensions) return undefined;
    if (!failed.includes(schema) && isSame(schema, reading)) continue;
    affected.add(schema);
    for (const name of reading.sources.read) toRead.add(name);
  }
  return { fingerprints, surroundings, affected, toRead, touched, isSame };
}

/** Names of relations (`schema.table`) of one schema. */
export function ofSchema(names: readonly string[], schema: string): readonly string[] {
  return names.filter((name) => name.startsWith(`${schema}.`));
}

/** A text that changes with the extensions of a database. */
export function extensionsOf({ extensions }: Introspection): string {
  return extensions
    .map(({ _id, extname, extversion, extnamespace }) => [_id, extname, extversion, extnamespace].join(" "))
    .join();
}

function differing(before: Fingerprints, after: Fingerprints): readonly string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter((name) => before.get(name) !== after.get(name));
}

interface Touched {
  readonly extensions: string;
  /** Schemas with tables that refer to these or that these refer to, and with views of these, also by other views. */
  readonly touched: ReadonlySet<string>;
}

async function readTouched({ db }: Database, schemas: readonly string[]): Promise<Touched> {
  const { extensions, touched } = await db.one<{ extensions: string; touched: readonly string[] }>(
    `
with recursive views (oid) as (
  select c.oid
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any ($1) and c.relkind in ('r', 'v', 'm', 'f', 'p')
  union
  select w.ev_class
  from views v
  join pg_catalog.pg_depend d on d.refclassid = 'pg_catalog.pg_class'::regclass and d.refobjid = v.oid
    and d.classid = 'pg_catalog.pg_rewrite'::regclass
  join pg_catalog.pg_rewrite w on w.oid = d.objid
), changed as (
  select n.oid from pg_catalog.pg_namespace n where n.nspname = any ($1)
), touched (namespace) as (
  select c.relnamespace from views v join pg_catalog.pg_class c on c.oid = v.oid
  union
  select case when one.relnamespace in (select oid from changed) then other.relnamespace else one.relnamespace end
  from pg_catalog.pg_constraint k
  join pg_catalog.pg_class one on one.oid = k.conrelid
  join pg_catalog.pg_class other on other.oid = k.confrelid
  where k.contype = 'f' and one.relnamespace <> other.relnamespace
    and (one.relnamespace in (select oid from changed) or other.relnamespace in (select oid from changed))
)
select
  coalesce((
    select string_agg(concat_ws(' ', e.oid, e.extname, e.extversion, e.extnamespace), ',' order by e.extname)
    from pg_catalog.pg_extension e), '') as extensions,
  array(select n.nspname::text from touched t join pg_catalog.pg_namespace n on n.oid = t.namespace) as touched`,
    [schemas],
  );
  return { extensions, touched: new Set(touched) };
}

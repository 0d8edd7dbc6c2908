/**
 * The ways in which a caller may change the features of a collection. PostgreSQL judges the rights; this file asks it
 * and words the refusal.
 */
import type { Method } from "../../server/kernel/http/routes.ts";
import { GatewayError, factorNeeded } from "../../server/ground/errors.ts";
import type { Asker } from "../collections/access.ts";
import type { Collection, CollectionColumn } from "../collections/collections.ts";
import { ofCatalogue } from "../collections/reach.ts";

/** `commands` has the writes that the relation supports at all: 4 UPDATE, 8 INSERT, 16 DELETE. */
const RIGHTS = `
select
  pg_relation_is_updatable(c.oid, true) as commands,
  has_schema_privilege(c.relnamespace, 'usage') and has_table_privilege(c.oid, 'delete') as "mayDelete",
  array(
    select a.attnum from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      and has_schema_privilege(c.relnamespace, 'usage') and has_column_privilege(c.oid, a.attnum, 'insert')
  ) as insertable,
  array(
    select a.attnum from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      and has_schema_privilege(c.relnamespace, 'usage') and has_column_privilege(c.oid, a.attnum, 'update')
  ) as updatable,
  array(
    select a.attnum from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      and c.relkind = 'v' and not pg_column_is_updatable(c.oid, a.attnum, true)
  ) as computed,
  array(
    select r from unnest('{insert,update,delete}'::text[]) r where portolan.access(c.oid::regclass, r) = 'deny'
  ) as denied,
  (
    select jsonb_object_agg(r, portolan.lack_of_factor(c.oid, r)) from unnest('{insert,update,delete}'::text[]) r
    where portolan.access(c.oid::regclass, r) = 'deny'
  ) as lacks
from pg_class c
where c.oid = $1`;

interface RightsRow {
  readonly commands: number;
  readonly mayDelete: boolean;
  readonly insertable: readonly number[];
  readonly updatable: readonly number[];
  readonly computed: readonly number[];
  readonly denied: readonly string[];
  /** `portolan.lack_of_factor` for each denied command. */
  readonly lacks: Readonly<Record<string, string | null>> | null;
}

export type Command = "insert" | "update" | "delete";

const COMMANDS: Readonly<Record<string, { readonly command: Command; readonly bit: number }>> = {
  POST: { command: "insert", bit: 8 },
  PUT: { command: "update", bit: 4 },
  PATCH: { command: "update", bit: 4 },
  DELETE: { command: "delete", bit: 16 },
};

export class WriteRights {
  readonly #collection: Collection;
  readonly #row: RightsRow;

  constructor(collection: Collection, row: RightsRow) {
    this.#collection = collection;
    this.#row = row;
  }

  /** Whether PostgreSQL sets the value of a column in every write. */
  isReadOnly({ readOnly, number }: CollectionColumn): boolean {
    return readOnly || this.#row.computed.includes(number);
  }

  mayInsert({ number }: CollectionColumn): boolean {
    return this.#row.insertable.includes(number);
  }

  mayUpdate({ number }: CollectionColumn): boolean {
    return this.#row.updatable.includes(number);
  }

  /** Whether a request with the method can get an answer other than a refusal. */
  allows(method: Method): boolean {
    return this.#isPossible(method) && this.#isGranted(method) && !this.#isDenied(method);
  }

  /** Throws `METHOD_NOT_ALLOWED` where nobody may use the method, and `FORBIDDEN`. */
  check(method: Method, allowed: readonly string[]): void {
    const { id } = this.#collection;
    const { command } = COMMANDS[method]!;
    if (!this.#isPossible(method))
      throw new GatewayError("METHOD_NOT_ALLOWED", `The features of ${id} cannot be written`, {
        headers: { Allow: allowed.join(", ") },
      });
    if (this.#isDenied(method)) {
      const lack = this.#row.lacks?.[command] ?? null;
      const refusal = `A rule denies ${command} on ${id}`;
      throw lack === null ? new GatewayError("FORBIDDEN", refusal) : factorNeeded(refusal, lack);
    }
    if (!this.#isGranted(method))
      throw new GatewayError("FORBIDDEN", `The account may not ${command} features of ${id}`);
  }

  #isPossible(method: Method): boolean {
    return this.#collection.isWritable && (this.#row.commands & COMMANDS[method]!.bit) !== 0;
  }

  #isDenied(method: Method): boolean {
    return this.#row.denied.includes(COMMANDS[method]!.command);
  }

  #isGranted(method: Method): boolean {
    const { mayDelete, insertable, updatable } = this.#row;
    if (method === "DELETE") return mayDelete;
    return (method === "POST" ? insertable : updatable).length > 0;
  }
}

/** Asks PostgreSQL for the rights. */
export async function writeRights(
  { database, identity, context }: Asker,
  collection: Collection,
): Promise<WriteRights> {
  const { rows } = await database.withIdentity(
    identity,
    ofCatalogue({ ...context, basis: undefined, readOnly: true }),
    (transaction) =>
      transaction.query<RightsRow>({ name: "ogc writable", text: RIGHTS, values: [collection.oid], last: true }),
  );
  const [row] = rows;
  if (!row) throw new GatewayError("COLLECTION_NOT_FOUND");
  return new WriteRights(collection, row);
}

const COMMANDS_OF_ALL = `
select c.oid::int8::float8 as oid, array(
  select w.command
  from (values
    ('insert', 8, has_any_column_privilege(c.oid, 'insert')), ('update', 4, has_any_column_privilege(c.oid, 'update')),
    ('delete', 16, has_table_privilege(c.oid, 'delete'))) w (command, bit, granted)
  where w.granted and pg_relation_is_updatable(c.oid, true) & w.bit <> 0
    and portolan.access(c.oid::regclass, w.command) is distinct from 'deny'
) as commands
from pg_class c
where c.oid = any($1::oid[]) and has_schema_privilege(c.relnamespace, 'usage')`;

/** The commands by which the caller may write each collection; an anonymous caller writes none. */
export async function writeCommands(
  { database, identity, context }: Asker,
  collections: readonly Collection[],
): Promise<ReadonlyMap<Collection, readonly Command[]>> {
  const possible = identity.name === "anonymous" ? [] : collections.filter(({ isWritable }) => isWritable);
  if (possible.length === 0) return new Map();
  const { rows } = await database.withIdentity(
    identity,
    ofCatalogue({ ...context, basis: undefined, readOnly: true }),
    (transaction) =>
      transaction.query<{ oid: number; commands: readonly Command[] }>({
        name: "ogc write commands",
        text: COMMANDS_OF_ALL,
        values: [[...new Set(possible.map(({ oid }) => oid))]],
        last: true,
      }),
  );
  const byOid = new Map(rows.map(({ oid, commands }) => [oid, commands]));
  return new Map(possible.map((collection) => [collection, byOid.get(collection.oid) ?? []]));
}

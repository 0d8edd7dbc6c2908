/** A table that has events: its columns, how its policies are evaluated, and how its records are read. */
import type { Database } from "../kernel/database/database.ts";
import type { CatalogueType } from "../types/catalogue.ts";
import type { Entry } from "./log.ts";
import { formatRecord, parseRecord } from "./record.ts";
import type { EventRecord } from "./types.ts";

export interface TableColumn {
  readonly number: number;
  readonly name: string;
  readonly type: number;
}

/** The answer of `portolan.event_table`. */
export interface TableInfo {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
  readonly kind: "r" | "p" | "v" | "m" | "f";
  readonly partitionOf: string | null;
  /** Whether events are on. */
  readonly active: boolean;
  readonly rowSecurity: boolean;
  /** Changes with columns, privileges and policies. */
  readonly version: string;
  readonly columns: readonly TableColumn[];
  /** The types of the columns, by number. */
  readonly types: Readonly<Record<string, CatalogueType>>;
  /** Numbers of the primary key's columns. */
  readonly key: readonly number[];
  /** The statement that judges records for a role; null for a relation that is no table. */
  readonly judge: string | null;
  /** Numbers of the columns that policies read; null: unknown, perhaps all. */
  readonly policyColumns: readonly number[] | null;
}

/** A record in the columns that the table has now. */
export interface Row {
  /** In the order of `TableInfo.columns`. */
  readonly fields: readonly (string | null)[];
  /** The composite literal of the same. */
  readonly text: string;
  /** The views of it for subscribers, by the columns that they may see. */
  readonly shown: Map<string, EventRecord>;
  /** Made by the first group that is judged, for all groups: rows with the same value get the same verdict from policies. */
  likeness: string | undefined;
  /** The text as an element of an array. */
  element: string | undefined;
}

export interface RowChange {
  readonly old: Row | undefined;
  readonly new: Row | undefined;
}

/** The content of one row of the outbox; `lost`: rows were changed in a way that cannot be shown. */
export type Decoded = { readonly changes: readonly RowChange[]; readonly depth: number } | "lost";

const makeRow = (fields: Row["fields"], text: string): Row => ({
  fields,
  text,
  shown: new Map(),
  likeness: undefined,
  element: undefined,
});

/** Columns of a record as it was written: name as it is now, type. */
type Shape = readonly (readonly [name: string | null, type: number])[];

/** Reads the definition of a table; undefined when there is none. */
export async function findTable(database: Database, schema: string, name: string): Promise<Table | undefined> {
  const info = await readInfo(database, schema, name, null);
  return info && new Table(database, info);
}

async function readInfo(database: Database, schema: string, name: string, oid: number | null) {
  const { info } = await database.db.one<{ info: TableInfo | null }>(
    "select portolan.event_table($1, $2, $3) as info",
    [schema, name, oid],
  );
  return info ?? undefined;
}

export class Table {
  readonly #database: Database;
  #info: TableInfo;
  #reloading: Promise<void> | undefined;
  #isReplaced = false;
  readonly #shapes = new Map<string, Promise<Shape | null>>();
  readonly #decoded = new WeakMap<Entry, { readonly version: string; readonly result: Promise<Decoded> }>();

  constructor(database: Database, info: TableInfo) {
    this.#database = database;
    this.#info = info;
  }

  get info(): TableInfo {
    return this.#info;
  }

  /** Asks again; afterwards `info.kind` is undefined when the table is gone. Calls at the same time share one question. */
  async reload(): Promise<void> {
    this.#reloading ??= (async () => {
      try {
        const { oid, schema, name } = this.#info;
        const info = await readInfo(this.#database, schema, name, oid);
        this.#shapes.clear(); // names may have changed
        this.#isReplaced = !info && (await readInfo(this.#database, schema, name, null)) !== undefined;
        this.#info = info ?? { ...this.#info, active: false, columns: [], types: {}, key: [], version: "gone" };
      } finally {
        this.#reloading = undefined;
      }
    })();
    await this.#reloading;
  }

  get isGone(): boolean {
    return this.#info.version === "gone";
  }

  /** Whether it is gone, and another table has its name. */
  get isReplaced(): boolean {
    return this.#isReplaced;
  }

  /** The rows of an entry, in the columns of `info`; the same object for all callers. */
  decode(entry: Entry, info: TableInfo): Promise<Decoded> {
    const known = this.#decoded.get(entry);
    if (known?.version === info.version) return known.result;
    const result = this.#decode(entry, info);
    this.#decoded.set(entry, { version: info.version, result });
    result.catch(() => this.#decoded.delete(entry)); // the caller gets the error
    return result;
  }

  async #decode(entry: Entry, { columns }: TableInfo): Promise<Decoded> {
    if (entry.operation === "t" || entry.shape === null) return "lost";
    const shape = await this.#shapeOf(entry.relation, entry.shape);
    if (!shape) return "lost";
    const places = columns.map(({ name }) => shape.findIndex(([old]) => old === name));
    // text that was written as another type cannot be read as this one
    if (places.some((place, index) => place !== -1 && shape[place]?.[1] !== columns[index]?.type)) return "lost";
    const isSame = shape.length === columns.length && places.every((place, index) => place === index);
    let isOdd = false;
    const toRow = (text: string | undefined): Row | undefined => {
      if (text === undefined) return undefined;
      const fields = parseRecord(text);
      isOdd ||= fields.length !== Math.max(1, shape.length);
      if (isSame) return makeRow(columns.length === 0 ? [] : fields, text);
      const moved = places.map((place) => fields[place] ?? null);
      return makeRow(moved, formatRecord(moved));
    };
    const changes: RowChange[] = [];
    for (let index = 0; index < Math.max(entry.old.length, entry.new.length); index++)
      changes.push({ old: toRow(entry.old[index]), new: toRow(entry.new[index]) });
    return isOdd ? "lost" : { changes, depth: entry.depth };
  }

  #shapeOf(relation: number, stamp: string): Promise<Shape | null> {
    const key = `${relation} ${stamp}`;
    let shape = this.#shapes.get(key);
    if (!shape) {
      shape = this.#database.db
        .one<{ shape: Shape | null }>("select portolan.event_shape($1, $2) as shape", [relation, stamp])
        .then((row) => row.shape);
      this.#shapes.set(key, shape);
      shape.catch(() => this.#shapes.delete(key)); // the caller gets the error
    }
    return shape;
  }
}

/**
 * Sorts the changes of one transaction into the order of writing. In the outbox, the writes of a row trigger come
 * before the statement that fired it. So a change whose old row is the result of a later change at a lower depth moves
 * behind that change.
 */
export function inOrderOfWriting(decoded: readonly Exclude<Decoded, "lost">[]): readonly RowChange[] {
  const all = decoded.flatMap(({ changes, depth }) => changes.map((change) => ({ change, depth })));
  if (!decoded.some(({ depth }) => depth !== decoded[0]?.depth)) return all.map(({ change }) => change);
  const makers = new Map<string, number[]>();
  all.forEach(({ change }, index) => {
    if (!change.new) return;
    const indexes = makers.get(change.new.text);
    if (indexes) indexes.push(index);
    else makers.set(change.new.text, [index]);
  });
  const ordered: RowChange[] = [];
  const done = new Set<number>();
  const put = (index: number): void => {
    if (done.has(index)) return;
    done.add(index);
    const item = all[index];
    if (!item) return;
    const maker = item.change.old
      ? makers
          .get(item.change.old.text)
          ?.find((other) => other > index && !done.has(other) && (all[other]?.depth ?? 0) < item.depth)
      : undefined;
    if (maker !== undefined) put(maker);
    ordered.push(item.change);
  };
  for (let index = 0; index < all.length; index++) put(index);
  return ordered;
}

/** All records in the changes, old and new. */
export function* rowsOf(decoded: readonly Decoded[]): Generator<Row> {
  for (const one of decoded) {
    if (one === "lost") continue;
    for (const change of one.changes) {
      if (change.old) yield change.old;
      if (change.new) yield change.new;
    }
  }
}

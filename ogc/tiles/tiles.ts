/** The state that all tiles share: the kept tiles, and the check whether a kept tile still equals a new one. */
import { LRUCache } from "lru-cache";
import type { Registry } from "prom-client";
import { Stamps, type StampRow } from "../../server/kernel/catalogue/stamps.ts";
import type { OgcConfig } from "../../server/kernel/config/ogc.ts";
import type { Database, Identity } from "../../server/kernel/database/database.ts";
import type { Log } from "../../server/ground/log.ts";
import { refuseChanged, RIGHTS, RIGHTS_TO_CALL, type Asker } from "../collections/access.ts";
import type { Collection, CollectionMap } from "../collections/collections.ts";
import { ofCatalogue } from "../collections/reach.ts";
import { createTileMetrics, type TileMetrics } from "./tileMetrics.ts";
import { Pyramids } from "./pyramids/pyramids.ts";
import { tileTagOf } from "./tileTag.ts";
import { mostRecent } from "../../server/ground/mostRecent.ts";

/** A complete tile. */
export interface Tile {
  /** The bytes; empty for a tile without content. */
  readonly body: Buffer;
  readonly etag: string;
  /** Whether there were more features than it can hold. */
  readonly truncated: boolean;
  /** `body` compressed. It is made when first needed. */
  gzip?: Promise<Buffer>;
}

/** The present state that decides which rows of a table a caller sees. */
export interface TableState extends StampRow {
  /** The input of Portolan's policies; null where every caller sees all rows. */
  readonly viewer: Viewer | null;
}

/** The state together with the caller's rights to read (`RIGHTS`). */
export interface AskedState extends TableState {
  readonly rights: string;
}

interface Viewer {
  readonly rule: number;
  readonly level: number;
  readonly name: string | null;
  readonly properties: Readonly<Record<string, unknown>> | null;
}

/** SQL of `TableState` and the caller's rights, for one relation by its oid. `known`: an earlier stamp of it. */
function stateOf(oid: string, known: string): string {
  return `select ${RIGHTS} as rights, s.stamp, s.unchanged, s.viewer
  from pg_class c cross join lateral portolan.table_state(c.oid, ${known}) s
  where c.oid = ${oid}`;
}

/**
 * The same for a new tile. It is cheaper while nothing is committed, or where no trigger records writes: a transaction
 * pays for each expression of `table_state`. It does not check that `known` is valid for this connection; the search
 * for a kept tile does that.
 */
export function stateWhenMade(oid: string, known: string): string {
  return `select ${RIGHTS} as rights, case when n.same then ${known} else s.stamp end as stamp,
    case when n.same then true else s.unchanged end as unchanged, s.viewer
  from pg_class c
    cross join lateral (
      select ${known} is not null and not pg_is_in_recovery() and not row_security_active(c.oid)
        and portolan.data_snapshot() = split_part(${known}, ' ', 2) as same
      offset 0) n
    left join lateral (
      select s.* from portolan.table_state(c.oid, ${known}) s where c.relhastriggers and not n.same
      offset 0) s on true
  where c.oid = ${oid}`;
}

/** The same for a function, whose state is unknown. */
export function stateOfRoutine(oid: string): string {
  return `select ${RIGHTS_TO_CALL} as rights, null::text as stamp, false as unchanged, null::jsonb as viewer
  from pg_proc p where p.oid = ${oid}`;
}

/** The state of one relation. With an array of one element, PostgreSQL would plan the statement each time. */
const STATE_OF_ONE = `select c.* from (${stateOf("$1::oid", "$2::text")}) c`;
const STATES = `select a.oid::int8::float8 as oid, t.*
from unnest($1::oid[], $2::text[]) a (oid, known) cross join lateral (${stateOf("a.oid", "a.known")}) t`;

interface Slot<T> {
  running: Promise<T> | undefined;
  next: Promise<T> | undefined;
}

type Answers = readonly { readonly rights: string | undefined; readonly version: string | undefined }[];

export class Tiles {
  readonly metrics: TileMetrics;
  readonly log: Log;
  /** The tiles that were made beforehand. */
  readonly pyramids = new Pyramids();
  readonly #stamps = new Stamps();
  readonly #kept: LRUCache<string, Tile> | undefined;
  /** The resources with tiles that are or were kept. Only their tiles need a check for validity. */
  readonly #resources = mostRecent<string, true>(50_000);
  readonly #slots = new WeakMap<Identity, Map<string, Slot<Answers>>>();
  /** Numbers for the objects of the catalogue. A changed catalogue has new objects. */
  readonly #numbers = new WeakMap<Collection, number>();
  #lastNumber = 0;
  /** The properties that decide which rows of a table a caller sees (`portolan.row_keys`), by the table's shape. */
  readonly #rowKeys = mostRecent<string, Promise<readonly string[] | null>>(10_000);

  constructor({ tileCacheBytes }: Pick<OgcConfig, "tileCacheBytes">, log: Log, metrics: TileMetrics) {
    this.log = log;
    this.metrics = metrics;
    this.#kept =
      tileCacheBytes > 0
        ? new LRUCache({
            maxSize: tileCacheBytes,
            sizeCalculation: ({ body }, key) => 2 * body.length + key.length + 300,
          })
        : undefined;
    metrics.watch({ bytes: () => this.#kept?.calculatedSize ?? 0, tiles: () => this.#kept?.size ?? 0 });
  }

  /** Whether tiles of the resource may be kept at all, whatever the present state of its tables. */
  mayHave(resource: string): boolean {
    return this.#resources.has(resource);
  }

  /** The kept tile. `seen`: the caller's view of its tables (`seen`, `seenBy`). */
  get(seen: string | undefined, resource: string): Tile | undefined {
    return seen === undefined ? undefined : this.#kept?.get(`${seen} ${resource}`);
  }

  keep(seen: string, resource: string, tile: Tile): void {
    if (!this.#kept) return;
    this.#kept.set(`${seen} ${resource}`, tile);
    this.#resources.set(resource, true);
  }

  /**
   * The caller's view of each collection, as a text: equal texts mean equal rows. Undefined where tiles of one of them
   * may not be kept. PostgreSQL is asked after the request came, once for all waiting requests of a caller, together
   * with the rights. Throws `RightsChanged` where these differ from the rights on the collections.
   */
  async seen(asker: Asker, all: CollectionMap, collections: readonly Collection[]): Promise<string | undefined> {
    if (collections.some(({ routine }) => routine)) return undefined;
    const answers = await this.#ask(asker, collections);
    refuseChanged(
      answers.map(({ rights }) => rights),
      all,
      collections,
    );
    return joined(
      asker.identity.role,
      answers.map(({ version }) => version),
    );
  }

  /** The same, from the answer of the statement that made the tile. */
  async seenBy(
    asker: Asker,
    collections: readonly Collection[],
    states: readonly { readonly known: ReturnType<Stamps["known"]>; readonly state: TableState }[],
  ): Promise<string | undefined> {
    const versions = await Promise.all(
      collections.map((collection, index) =>
        this.#versionOf(asker, collection, states[index]!.known, states[index]!.state),
      ),
    );
    return joined(asker.identity.role, versions);
  }

  knownStamp(database: Database, { oid }: Collection): ReturnType<Stamps["known"]> {
    return this.#stamps.known(database, oid);
  }

  /** A number that distinguishes the object of the catalogue from earlier ones. */
  numberOf(collection: Collection): number {
    const known = this.#numbers.get(collection) ?? ++this.#lastNumber;
    this.#numbers.set(collection, known);
    return known;
  }

  /**
   * Asks PostgreSQL. While one question is under way, new requests wait for the next, which is sent after they came.
   */
  #ask(asker: Asker, collections: readonly Collection[]): Promise<Answers> {
    const { identity, context } = asker;
    const slots = this.#slots.get(identity) ?? new Map<string, Slot<Answers>>();
    this.#slots.set(identity, slots);
    const { service, address, point } = context;
    const key = JSON.stringify([
      service,
      address,
      // a request that must see a write does not share the answer of one that need not
      point?.isOnPrimary,
      point?.position?.timeline,
      point?.position?.lsn.toString(),
      collections.map((each) => this.numberOf(each)),
    ]);
    const slot: Slot<Answers> = slots.get(key) ?? { running: undefined, next: undefined };
    slots.set(key, slot);
    // one of the clients may leave, which must not cancel the question for the others
    const ofAll = { ...asker, context: { ...context, signal: undefined, basis: undefined } };
    const put = (): Promise<Answers> => {
      const answer = this.#put(ofAll, collections);
      slot.running = answer;
      slot.next = undefined;
      const end = (): void => {
        if (slot.running === answer) slot.running = undefined;
        if (!slot.running && !slot.next) slots.delete(key);
      };
      answer.then(end, end);
      return answer;
    };
    if (!slot.running) return put();
    return (slot.next ??= slot.running.then(put, put));
  }

  async #put(asker: Asker, collections: readonly Collection[]): Promise<Answers> {
    const { database, identity, context } = asker;
    const known = collections.map((collection) => this.knownStamp(database, collection));
    const stamps = known.map((each) => each?.stamp ?? null);
    const oids = collections.map(({ oid }) => oid);
    const statement =
      collections.length === 1
        ? { name: "ogc tile", text: STATE_OF_ONE, values: [oids[0], stamps[0]] }
        : { name: "ogc tiles", text: STATES, values: [oids, stamps] };
    const { rows } = await database.withIdentity(identity, ofCatalogue(context), (transaction) =>
      transaction.query<AskedState & { oid?: number }>({ ...statement, last: true }),
    );
    return Promise.all(
      collections.map(async (collection, index) => {
        const row = rows.find(({ oid = collection.oid }) => oid === collection.oid);
        return { rights: row?.rights, version: row && (await this.#versionOf(asker, collection, known[index], row)) };
      }),
    );
  }

  async #versionOf(
    { database, identity, context }: Asker,
    collection: Collection,
    known: ReturnType<Stamps["known"]>,
    state: TableState,
  ): Promise<string | undefined> {
    if (collection.raster || collection.routine) return undefined; // their content may change unnoticed
    const version = this.#stamps.version(database, collection.oid, known, state);
    if (version === undefined || state.stamp === null) return undefined;
    const { viewer } = state;
    if (viewer === null) return JSON.stringify([version]);
    const keys = await this.#rowKeysOf(database, collection.oid, state.stamp);
    const { rule, level, name, properties } = viewer;
    if (keys) {
      const own = keys.map((key) => properties?.[key] ?? null);
      return JSON.stringify([version, rule, level, level === 1 ? name : null, own]);
    }
    // the authors declare that their policies depend only on the caller's known properties
    const vouched = tileTagOf(collection, this.log).cache;
    return vouched
      ? JSON.stringify([version, rule, level, name, properties, context.service, context.address, identity.claims])
      : undefined;
  }

  #rowKeysOf(database: Database, oid: number, stamp: string): Promise<readonly string[] | null> {
    const key = `${database.name} ${oid} ${stamp.slice(0, stamp.indexOf(" "))}`;
    const known = this.#rowKeys.get(key);
    if (known) return known;
    const asked = database.db
      .one<{ keys: string[] | null }>("select portolan.row_keys($1::oid) as keys", [oid])
      .then(({ keys }) => keys);
    this.#rowKeys.set(key, asked);
    asked.catch(() => this.#rowKeys.delete(key)); // the caller gets the error
    return asked;
  }
}

function joined(role: string, versions: readonly (string | undefined)[]): string | undefined {
  return versions.includes(undefined) ? undefined : JSON.stringify([role, versions]);
}

export function openTiles(config: OgcConfig, log: Log, registry: Registry): Tiles {
  return new Tiles(config, log, createTileMetrics(registry));
}

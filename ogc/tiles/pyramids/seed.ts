/** Makes pyramids, level by level. A tile without features has nothing below it. Existing tiles are not made again. */
import { promisify } from "node:util";
import { gzip, gzipSync } from "node:zlib";
import type { Log } from "../../../server/ground/log.ts";
import { Changed, GatewayError, SQLSTATE, sqlstateOf, toGatewayError } from "../../../server/ground/errors.ts";
import { withRetries } from "../../../server/ground/retry.ts";
import type { Database, Identity } from "../../../server/kernel/database/database.ts";
import { accountIdentity } from "../../../server/kernel/identity/identity.ts";
import { findAccount } from "../../../server/kernel/identity/tokens.ts";
import { readable } from "../../collections/access.ts";
import type { Collections } from "../../collections/catalogue.ts";
import { spatial, type Collection, type CollectionMap, type SpatialCollection } from "../../collections/collections.ts";
import { reading } from "../../collections/reach.ts";
import { GEOMETRY_ERROR } from "../../crs/geometryJson.ts";
import type { Exchange } from "../../exchange/exchange.ts";
import { Addresses } from "../../exchange/links.ts";
import { withIsoIntervals } from "../../features/page/readPage.ts";
import { tileMatrixSetOf } from "../tileMatrixSets.ts";
import type { TileMetrics } from "../tileMetrics.ts";
import { boundsOf, sizeAt, type TileAddress, type TileMatrixSet } from "../tileMatrixSet.ts";
import { plainColumns, selectLayer, selectLayers } from "../tileSql.ts";
import { tileTagOf } from "../tileTag.ts";
import { formOf, type Pyramid, type Pyramids } from "./pyramids.ts";

const compressLarge = promisify(gzip);
/**
 * Smaller tiles are compressed in this thread, since handing them to another takes longer than compressing them. They
 * need no memory for distant repetitions.
 */
const SMALL_TILE_BYTES = 4096;
const FOR_SMALL = { windowBits: 12, memLevel: 5, chunkSize: SMALL_TILE_BYTES };
/** The most tiles in one transaction. */
const BATCH = 256;
/** A transaction has fewer tiles if they have more features than this together, estimated from the tiles above them. */
const BATCH_FEATURES = 20_000;
/** The number of transactions at a time: one makes tiles while those of another are compressed and stored. */
const LANES = 2;
/**
 * The time between two records of the progress. A stopped job is noticed sooner, since a changed job sends a
 * notification.
 */
const NOTE_MS = 2000;
/**
 * The number of rounds. A table that is written all the time has outdated areas when the last tile is made, and each
 * round makes those again.
 */
const MOST_ROUNDS = 5;

const KEEP = `
insert into portolan.pyramid_tiles (pyramid, z, x, y, features, content)
select $1, t.z, t.x, t.y, t.features, substr($8::bytea, t.at, t.length)
from unnest($2::int2[], $3::int[], $4::int[], $5::int[], $6::int[], $7::int[]) t (z, x, y, features, at, length)
on conflict (pyramid, z, x, y) do update set features = excluded.features, content = excluded.content`;

export interface SeedOptions {
  readonly catalogue: Collections;
  readonly pyramids: Pyramids;
  readonly metrics: Pick<TileMetrics, "seeded" | "pyramidEnded">;
  readonly config: Exchange["config"];
  readonly baseUrl: string;
  readonly log: Log;
  /** Reads the catalogue again if it has changed. */
  lookNow(database: Database): Promise<void>;
}

interface Made {
  readonly z: number;
  readonly x: number;
  readonly y: number;
  readonly features: number;
  readonly content: Buffer;
}

/** The signal to end, and whether a job has changed since the last question. */
export interface SeedControl {
  readonly signal: AbortSignal;
  takeNews(): boolean;
}

/** Makes the waiting pyramids of a database one after the other, until none waits or the signal fires. */
export async function seedPyramids(database: Database, options: SeedOptions, control: SeedControl): Promise<void> {
  const { signal } = control;
  await refreshPyramids(database, options);
  while (!signal.aborted) {
    const pyramid = await database.db.oneOrNone<Pyramid>("select * from portolan.claim_pyramid()");
    if (!pyramid) return;
    const seeding = new Seeding(database, pyramid, options, control);
    try {
      await seeding.run();
    } catch (error) {
      if (signal.aborted) return; // another process continues it
      options.metrics.pyramidEnded("failed");
      options.log.warn({ err: error, database: database.name, collection: pyramid.collection }, "a pyramid failed");
      await seeding.note("failed", toGatewayError(error).message);
    } finally {
      options.pyramids.forget(database);
    }
  }
}

/** Queues the pyramids whose tables have changed since they were made. */
async function refreshPyramids(database: Database, { pyramids }: SeedOptions): Promise<void> {
  for (const { id } of await pyramids.of(database))
    try {
      await database.db.one("select portolan.refresh_pyramid($1)", [id]);
    } catch (error) {
      if (sqlstateOf(error) !== SQLSTATE.lockNotAvailable) throw error; // it is looked at again
    }
}

class Stopped extends Error {}

class Seeding {
  readonly #database: Database;
  readonly #pyramid: Pyramid;
  readonly #options: SeedOptions;
  readonly #control: SeedControl;
  #tiles = 0;
  #notedAtMs = 0;

  // oxlint-disable-next-line max-params -- what it is about, and when it ends
  constructor(database: Database, pyramid: Pyramid, options: SeedOptions, control: SeedControl) {
    this.#database = database;
    this.#pyramid = pyramid;
    this.#options = options;
    this.#control = control;
  }

  async note(state = "running", error: string | null = null): Promise<boolean> {
    this.#notedAtMs = performance.now();
    const row = await this.#database.db.one<{ goes: boolean | null }>(
      "select portolan.note_pyramid($1, $2, $3, $4) as goes",
      [this.#pyramid.job, this.#tiles, state, error],
    );
    return row.goes === true;
  }

  async run(): Promise<void> {
    const lookAgain = (): Promise<void> => this.#options.lookNow(this.#database);
    try {
      for (let round = 1; ; round++) {
        const isWhole = await withRetries(() => this.#round(), {
          changed: lookAgain,
          plan: lookAgain,
          connection: () => true,
          rights: () => true, // what may be read is asked first, and says what is missing
          ddl: lookAgain,
        });
        if (isWhole || round === MOST_ROUNDS) break;
        await lookAgain();
      }
      await this.note("done");
      this.#options.metrics.pyramidEnded("done");
    } catch (error) {
      if (!(error instanceof Stopped) && !(await this.#isStopped())) throw error;
      this.#options.metrics.pyramidEnded("stopped"); // its finished tiles stay, unless the pyramid was removed
    }
  }

  /** Whether the job was stopped, so that an error comes from its end. */
  async #isStopped(): Promise<boolean> {
    return !this.#control.signal.aborted && !(await this.note().catch(() => true));
  }

  /** Makes the missing tiles. Returns whether all of them still hold, since the table may change meanwhile. */
  async #round(): Promise<boolean> {
    const { db } = this.#database;
    const source = await this.#source();
    await this.#begin(source);
    this.#options.pyramids.forget(this.#database);
    for (let z = 0; z <= this.#pyramid.last_zoom; z++) await this.#level(source, z);
    const { holds } = await db.one<{ holds: boolean }>("select portolan.refresh_pyramid($1) as holds", [
      this.#pyramid.id,
    ]);
    const { behind } = await db.one<{ behind: boolean }>(
      "select exists (select from portolan.pyramid_areas a where a.pyramid = $1) as behind",
      [this.#pyramid.id],
    );
    return holds && !behind;
  }

  /** The source of the tiles. Throws the errors for an account without the right, or without the collection. */
  async #source(): Promise<Source> {
    const database = this.#database;
    const { catalogue, config, log, baseUrl } = this.#options;
    const account = await findAccount(database, this.#pyramid.account);
    if (!account) throw new GatewayError("NOT_FOUND", `there is no account ${this.#pyramid.account}`);
    const identity = accountIdentity(database, account);
    const collections = await catalogue.of(database);
    const whole = collections.get(this.#pyramid.collection);
    if (!whole) throw new GatewayError("NOT_FOUND", `there is no collection ${this.#pyramid.collection}`);
    const [own] = await readable({ database, identity, context: CONTEXT }, [whole]);
    if (!own) throw new GatewayError("FORBIDDEN", `${this.#pyramid.account} may not read ${whole.id}`);
    await this.#refuseUnserved(whole);
    const addresses = new Addresses(baseUrl, database.name);
    const set = await tileMatrixSetOf({
      ...{ config, database, addresses, collections },
      pathParameters: { tileMatrixSetId: this.#pyramid.tile_matrix_set },
    });
    const tag = tileTagOf(own, log);
    const given = (tag.columns ?? plainColumns(own)).filter(({ number }) => number !== own.geometry?.number);
    return {
      ...{ collection: spatial(own), identity, set, given, order: tag.order, limit: config.tileFeatureLimit },
      collections,
    };
  }

  /** Throws `Changed` if tiles of the table have another form by now. */
  async #checkForm(source: Source): Promise<void> {
    const collections = await this.#options.catalogue.of(this.#database);
    if (collections === source.collections) return;
    const now = await this.#source();
    if (formOfSource(now) !== formOfSource(source)) throw new Changed("The columns of the table have changed");
    source.collections = now.collections;
  }

  /** Throws `CONFLICT` where nobody would get the tiles: a policy may have been made since the job was. */
  async #refuseUnserved({ oid }: Collection): Promise<void> {
    const { problem } = await this.#database.db.one<{ problem: string | null }>(
      "select portolan.pyramid_problem($1::oid::regclass, $2) as problem",
      [oid, this.#pyramid.account],
    );
    if (problem !== null) throw new GatewayError("CONFLICT", problem);
  }

  async #begin(source: Source): Promise<void> {
    const { collection, identity, set } = source;
    const rights = await rightsOf(this.#database, identity, collection);
    const [edge, top] = set.origin;
    const { left } = await this.#database.db.one<{ left: string }>(
      "select portolan.begin_pyramid($1, $2, $3::jsonb, $4, $5, $6, $7) as left",
      [
        this.#pyramid.id,
        formOfSource(source),
        JSON.stringify(rights),
        set.crs.srid,
        ...[edge, top, sizeAt(set, 0).span],
      ],
    );
    this.#tiles = Number(left);
    await this.#goOn();
  }

  async #goOn(): Promise<void> {
    const { signal } = this.#control;
    signal.throwIfAborted();
    const isDue = this.#control.takeNews() || performance.now() - this.#notedAtMs > NOTE_MS;
    if (isDue && !(await this.note())) throw new Stopped();
  }

  async #level(source: Source, z: number): Promise<void> {
    const batches = z === 0 ? this.#first(source.set) : this.#below(z);
    const failures: unknown[] = [];
    const lane = async (): Promise<void> => {
      for (let next = await batches.next(); !next.done && failures.length === 0; next = await batches.next()) {
        await this.#keep(await this.#make(source, next.value));
        await this.#goOn();
        await this.#checkForm(source);
      }
    };
    // all end before the tiles are made again in another form
    await Promise.all(Array.from({ length: LANES }, () => lane().catch((error: unknown) => void failures.push(error))));
    if (failures.length > 0) throw failures[0];
  }

  /** The missing tiles of the first level. */
  async *#first(set: TileMatrixSet): AsyncGenerator<readonly TileAddress[], void> {
    const there = await this.#database.db.any<{ x: number; y: number }>(
      "select x, y from portolan.pyramid_tiles where pyramid = $1 and z = 0",
      [this.#pyramid.id],
    );
    const { columns, rows } = sizeAt(set, 0);
    const all = Array.from({ length: columns * rows }, (_, n) => ({
      matrix: 0,
      column: n % columns,
      row: Math.floor(n / columns),
    }));
    const missing = all.filter(({ column, row }) => !there.some(({ x, y }) => x === column && y === row));
    if (missing.length > 0) yield missing;
  }

  /** The missing tiles of a level that lie below tiles with features, many at a time. */
  async *#below(z: number): AsyncGenerator<readonly TileAddress[], void> {
    // `offset` makes PostgreSQL look up each tile in the index; a join would read the whole level for each tile above
    const parents = `
      select p.x, p.y, p.features, array(
        select array[c.x, c.y] from (values (2 * p.x, 2 * p.y), (2 * p.x + 1, 2 * p.y), (2 * p.x, 2 * p.y + 1), (2 * p.x + 1, 2 * p.y + 1)) c (x, y)
        where not exists (
          select from portolan.pyramid_tiles t where (t.pyramid, t.z, t.x, t.y) = ($1, $2, c.x, c.y) offset 0)) as missing
      from portolan.pyramid_tiles p
      where p.pyramid = $1 and p.z = $2 - 1 and p.features > 0 and (p.x, p.y) > ($3, $4)
      order by p.x, p.y limit 1000`;
    let after = { x: -1, y: -1 };
    const held: TileAddress[] = [];
    let features = 0;
    for (;;) {
      const rows = await this.#database.db.any<Parent>(parents, [...[this.#pyramid.id, z, after.x, after.y]]);
      for (const parent of rows) {
        held.push(...parent.missing.map(([column, row]) => ({ matrix: z, column, row })));
        features += parent.missing.length > 0 ? parent.features : 0;
        if (held.length < BATCH && features < BATCH_FEATURES) continue;
        yield held.splice(0);
        features = 0;
      }
      const last = rows.at(-1);
      if (!last) break;
      after = last;
    }
    if (held.length > 0) yield held;
  }

  async #make(source: Source, addresses: readonly TileAddress[]): Promise<readonly Made[]> {
    const rows = await this.#read(source, addresses, false).catch((error: unknown) => {
      if (sqlstateOf(error) !== GEOMETRY_ERROR) throw error;
      return this.#read(source, addresses, true);
    });
    return Promise.all(
      rows.map(async ({ address: { matrix, column, row }, tile, count }) => ({
        ...{ z: matrix, x: column, y: row, features: count },
        content: tile && tile.length > 0 ? await compress(tile) : Buffer.alloc(0),
      })),
    );
  }

  /** Reads tiles in one transaction. */
  #read(source: Source, addresses: readonly TileAddress[], tolerant: boolean): Promise<readonly ReadTile[]> {
    const { collection, identity, set, given, order, limit } = source;
    const query = { crs: set.crs, given, styled: undefined, condition: undefined, limit, order, tolerant };
    const context = reading(
      withIsoIntervals({ ...CONTEXT, signal: this.#control.signal }, { columns: given }),
      collection,
      false,
    );
    return this.#database.withIdentity(identity, context, async (transaction) => {
      const known = new Map<TileAddress, TileRow>();
      const one = async (address: TileAddress): Promise<ReadTile> => {
        const bounds = boundsOf(set, address)!;
        const of = async (ranked: boolean): Promise<TileRow> => {
          const { rows } = await transaction.query<TileRow>(selectLayer(collection, { ...query, bounds, ranked }));
          return rows[0]!;
        };
        const all = known.get(address) ?? (await of(false));
        const { tile } = all.count > limit ? await of(true) : all;
        return { address, tile, count: all.count };
      };
      const many = selectLayers(
        collection,
        { ...query, ranked: false },
        addresses.map((each) => boundsOf(set, each)!),
      );
      if (many) {
        const { rows } = await transaction.query<TileRow>(many);
        rows.forEach((row, index) => known.set(addresses[index]!, row));
      }
      return Promise.all(addresses.map(one));
    });
  }

  async #keep(made: readonly Made[]): Promise<void> {
    let from = 1;
    const places = made.map(({ content }) => (from += content.length) - content.length);
    // values are sent apart from the text, and all contents as one value, so that PostgreSQL parses no numbers and no
    // digits of bytes
    await this.#database.db.none({
      text: KEEP,
      values: [
        this.#pyramid.id,
        made.map(({ z }) => z),
        made.map(({ x }) => x),
        made.map(({ y }) => y),
        made.map(({ features }) => features),
        places,
        made.map(({ content }) => content.length),
        Buffer.concat(made.map(({ content }) => content)),
      ],
    });
    this.#tiles += made.length;
    this.#options.metrics.seeded(made.length);
  }
}

/** A tile with features, with the columns and rows of the missing tiles below it. */
interface Parent {
  readonly x: number;
  readonly y: number;
  readonly features: number;
  readonly missing: readonly (readonly [number, number])[];
}

async function compress(tile: Buffer): Promise<Buffer> {
  return tile.length < SMALL_TILE_BYTES ? gzipSync(tile, FOR_SMALL) : compressLarge(tile);
}

interface Source {
  readonly collection: SpatialCollection;
  readonly identity: Identity;
  readonly set: TileMatrixSet;
  readonly given: Collection["columns"];
  readonly order: ReturnType<typeof tileTagOf>["order"];
  readonly limit: number;
  /** The collections of which it is one. */
  collections: CollectionMap;
}

const formOfSource = ({ collection, given, order, limit }: Source): string =>
  formOf(collection, given, { order, limit });

interface TileRow {
  readonly tile: Buffer | null;
  readonly count: number;
}

interface ReadTile extends TileRow {
  readonly address: TileAddress;
}

const CONTEXT = { service: "wfst", readOnly: true, isPatient: true } as const;

/** The account's `portolan.reading_rights`. */
export async function rightsOf(database: Database, identity: Identity, { oid }: Collection): Promise<unknown> {
  return database.withIdentity(identity, CONTEXT, async (transaction) => {
    const { rows } = await transaction.query<{ rights: unknown }>({
      text: "select portolan.reading_rights($1::oid) as rights",
      values: [oid],
    });
    return rows[0]!.rights;
  });
}

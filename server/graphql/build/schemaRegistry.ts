/** The GraphQL schemas that are served: built when first asked for, rebuilt when the database's own schema changes. */
import { lexicographicSortSchema, printSchema, type OperationDefinitionNode } from "graphql";
import type { Config } from "../../kernel/config.ts";
import { isSystemSchema } from "../../kernel/config/databases.ts";
import { setImmediate as turn } from "node:timers/promises";
import type { Counter } from "prom-client";
import type { Database } from "../../kernel/database/database.ts";
import { GatewayError } from "../../ground/errors.ts";
import type { Log } from "../../ground/log.ts";
import { newAccess, type Access } from "../access.ts";
import { buildSchema, type BuiltSchema } from "./build.ts";
import { Documents } from "../documents.ts";
import type { JsonField } from "../plain/jsonPlan.ts";
import { judgePlugins, pluginNames } from "./plugins.ts";
import { changeSince, extensionsOf, type Change, type Fingerprints, type Reading } from "./changedSchemas.ts";
import { introspect, prune, type Introspection, type PrunedIntrospection } from "./introspection.ts";

export type GraphqlConfig = Pick<
  Config,
  | "schemas"
  | "preset"
  | "listenAuthorization"
  | "defaultLimit"
  | "maxLimit"
  | "maxAffected"
  | "maxDocumentBytes"
  | "maxDepth"
  | "maxAliases"
  | "maxTokens"
  | "maxAnswerBytes"
  | "introspection"
  | "statementTimeoutMs"
>;

export interface SchemaRegistryOptions {
  readonly config: GraphqlConfig;
  readonly log: Log;
  /**
   * Runs when a statement met a missing table or column: reads the catalogue now, and calls `refresh` if it has
   * changed. Default: `refresh` itself.
   */
  readonly onStale?: (database: Database) => Promise<void>;
  /** Runs when a document named something unknown: the same, unless the catalogue was read just before. */
  readonly onMissed?: (database: Database) => Promise<void>;
  /**
   * A text for each schema that changes with DDL in it, as of the last look at the catalogue. Default: unknown, so that
   * `refresh` reads all schemas again.
   */
  readonly fingerprints?: (database: Database) => Fingerprints | undefined;
  /** Whether one statement answers plain reads, which is faster and gives the same result. Default true. */
  readonly plainReads?: boolean;
  /** Counts the root fields of queries by the way that they are answered. */
  readonly rootFields?: RootFieldCounter;
}

/** plain: as JSON that PostgreSQL makes; planned: by Grafast, row by row. */
export type RootFieldCounter = Counter<"way">;

/**
 * The build of a catalogue, with its parsed documents. Databases with the same catalogue share it for as long as one of
 * them uses it. Grafast keeps 500 plans for a schema, by parsed document. If each database parsed its own documents, 50
 * copies with ten documents would plan at each request.
 */
interface SharedSchema extends BuiltSchema {
  readonly documents: Documents;
  /** Plain reads by their operation; null for an operation that one statement cannot answer. Undefined: plain reads are off. */
  readonly plainReads: WeakMap<OperationDefinitionNode, readonly JsonField[] | null> | undefined;
}

/** The GraphQL schema of one database schema, with everything that is dropped with it. */
export interface ServedSchema extends SharedSchema {
  readonly database: Database;
  /** The database's schema. */
  readonly name: string;
  readonly shared: SharedSchema;
  readonly rootFields: RootFieldCounter | undefined;
  /** Largest answer of a plain read. */
  readonly maxAnswerBytes: number;
  /** Whether a team's own plugins may have made fields of it. */
  readonly hasOwnPlugins: boolean;
}

export interface SchemaRegistry {
  readonly config: GraphqlConfig;
  readonly log: Log;
  /**
   * The schema as it is served now; the first call builds it. Throws `NOT_FOUND` for a schema that is not there
   * or has nothing in it, `UNAVAILABLE` for one that cannot be built, which is tried again after DDL.
   */
  schemaFor(database: Database, schema: string): Promise<ServedSchema>;
  /** Builds the schemas of the database that are not built yet, one after the other. Rejects when it does not answer. */
  buildAll(database: Database, schemas: readonly string[]): Promise<void>;
  /** The schemas that cannot be built, with the reason in the builder's own words. */
  failures(database: Database): ReadonlyMap<string, string>;
  /** Drops all schemas of a database. */
  forget(database: Database): Promise<void>;
  /** The present build of the schema, if it has been requested. */
  current(database: Database, schema: string): ServedSchema | undefined;
  /** The schemas of the database that are served. */
  schemas(database: Database): readonly string[];
  /**
   * Call it after DDL. Rebuilds the built schemas, the most recently used first, while the old ones serve. Only schemas
   * that the DDL may have changed are read again. A schema is kept if its part of the catalogue is unchanged, or if it
   * cannot be built any more, which is logged. Resolves when all were swapped; never rejects.
   */
  refresh(database: Database): Promise<void>;
  /**
   * Call it when a statement met something missing. Resolves to the present build, which may be the same, without
   * waiting for other schemas.
   */
  afterStale(served: ServedSchema): Promise<ServedSchema>;
  /** Call it when a document named something unknown, which DDL may just have made. Resolves as `afterStale`. */
  afterMissed(served: ServedSchema): Promise<ServedSchema>;
  /** The role's access to a schema, remembered until the next refresh. */
  access(database: Database): Access;
  close(): Promise<void>;
}

/** The GraphQL schema as text, in the order of names. */
export function printSchemaOf(served: ServedSchema): string {
  return `${printSchema(lexicographicSortSchema(served.schema))}\n`;
}

interface Entry {
  current: ServedSchema | undefined;
  fingerprint: string;
  /** What it was read from last. */
  reading: Reading | undefined;
  /** The running build, if any; there is one at a time. */
  building: Promise<ServedSchema> | undefined;
  /** Why the schema could not be built; undefined once it could. */
  failure: Error | undefined;
  /** Higher than those of schemas that were asked before. */
  asked: number;
}

/** The reason has been logged, once. */
function cannotBeBuilt(schema: string): GatewayError {
  return new GatewayError("UNAVAILABLE", `The GraphQL schema ${schema} cannot be built`);
}

function thereIsNo(schema: string): GatewayError {
  return new GatewayError("NOT_FOUND", `There is no schema ${schema}`);
}

function isMissing(error: unknown): boolean {
  return error instanceof GatewayError && error.code === "NOT_FOUND";
}

/**
 * How long after its last use the catalogue of a database is kept for more schemas to be built from: some MB for each
 * that wakes.
 */
const KEEP_INTROSPECTION_MS = 10_000;

/** The catalogue as it was read. */
interface Read {
  readonly introspection: Promise<Introspection>;
  readonly fingerprints: Fingerprints | undefined;
  /** The schemas that can be built from it. Undefined: all. */
  readonly schemas: ReadonlySet<string> | undefined;
  /** DDL since then, with the schemas that are outdated for it. Undefined: none. */
  readonly since: { readonly change: Change; readonly touched: ReadonlySet<string> } | undefined;
}

function readingOf(
  { sources, versioned, workflow }: PrunedIntrospection,
  introspection: Introspection,
  fingerprints: Fingerprints | undefined,
): Reading {
  return { sources, versioned, workflow, fingerprints, extensions: extensionsOf(introspection) };
}

/** How the catalogue that was read before the change is used after it. */
function outdatedBy(change: Change, read: Read): Read {
  return { ...read, since: { change, touched: new Set([...(read.since?.touched ?? []), ...change.touched]) } };
}

function isOutdated(read: Read, schema: string, reading: Reading): boolean {
  return read.since !== undefined && (read.since.touched.has(schema) || !read.since.change.isSame(schema, reading));
}

/** Databases with the same catalogue share one build, because there may be many copies of a template. */
class BuiltSchemas {
  readonly #built = new Map<string, WeakRef<SharedSchema>>();
  readonly #building = new Map<string, Promise<SharedSchema>>();

  /** The existing build where it is used somewhere, else the result of `build`. */
  async get(fingerprint: string, build: () => Promise<SharedSchema>): Promise<SharedSchema> {
    const known = this.#built.get(fingerprint)?.deref() ?? this.#building.get(fingerprint);
    if (known) return known;
    for (const [other, schema] of this.#built) if (!schema.deref()) this.#built.delete(other);
    const building = build().finally(() => this.#building.delete(fingerprint));
    this.#building.set(fingerprint, building);
    const built = await building;
    this.#built.set(fingerprint, new WeakRef(built));
    return built;
  }
}

/** The schemas of one database. */
class DatabaseSchemas {
  readonly #database: Database;
  readonly #options: SchemaRegistryOptions;
  readonly #built: BuiltSchemas;
  readonly #entries = new Map<string, Entry>();
  /** Incremented by every refresh, so that a build knows whether its input is still valid. */
  #generation = 0;
  /** The catalogue of all schemas, perhaps from before the last refresh. */
  #whole: Read | undefined;
  /** That of the schemas that the last refresh had to read again. */
  #part: Read | undefined;
  /** The timers of the catalogues that are kept, once they were read. */
  readonly #forgetting = new WeakMap<Promise<Introspection>, NodeJS.Timeout>();
  #asks = 0;
  /** For each schema, the callers that wait until the next refresh has reached it. */
  #waiting = new Map<string, PromiseWithResolvers<void>>();
  #closed = false;
  access = newAccess();

  constructor(database: Database, options: SchemaRegistryOptions, built: BuiltSchemas) {
    this.#database = database;
    this.#built = built;
    this.#options = options;
  }

  async schemaFor(schema: string): Promise<ServedSchema> {
    let entry = this.#entries.get(schema);
    if (entry) entry.asked = ++this.#asks;
    if (entry?.current) return entry.current;
    if (entry?.failure && !entry.building) throw cannotBeBuilt(schema);
    if (!entry) {
      const unknown = { current: undefined, reading: undefined, building: undefined, failure: undefined };
      entry = { ...unknown, fingerprint: "", asked: ++this.#asks };
      this.#entries.set(schema, entry);
    }
    try {
      return await this.#startBuild(schema, entry);
    } catch (error) {
      if (!entry.current && !entry.failure && this.#entries.get(schema) === entry) this.#entries.delete(schema);
      throw error;
    }
  }

  async buildAll(schemas: readonly string[]): Promise<void> {
    for (const schema of schemas) {
      try {
        await this.schemaFor(schema);
      } catch (error) {
        if (!isMissing(error) && !this.failures.has(schema)) throw error;
      }
    }
  }

  async refresh(): Promise<void> {
    const generation = ++this.#generation;
    const before = this.#whole;
    this.#whole = this.#part = undefined;
    this.access = newAccess();
    const waiting = this.#waiting;
    this.#waiting = new Map();
    const change = await this.#findChange(before);
    if (change && generation === this.#generation) {
      if (before && this.#forgetting.has(before.introspection)) this.#whole ??= outdatedBy(change, before);
      this.#readChanged(change);
    }
    for (const left = new Set(this.#entries.keys()); left.size > 0 && !this.#closed;) {
      const schema = this.#askedLast(left);
      left.delete(schema);
      const entry = this.#entries.get(schema);
      if (change && !change.affected.has(schema)) {
        if (entry?.reading) entry.reading = { ...entry.reading, fingerprints: change.fingerprints };
        waiting.get(schema)?.resolve();
        continue;
      }
      await this.#rebuild(schema);
      waiting.get(schema)?.resolve();
      await turn(); // requests for what is ready are answered before the next one is made
    }
  }

  /** Resolves when a refresh that begins from now on has reached the schema. */
  refreshed(schema: string): Promise<void> {
    const known = this.#waiting.get(schema) ?? Promise.withResolvers<void>();
    this.#waiting.set(schema, known);
    return known.promise;
  }

  #askedLast(schemas: Iterable<string>): string {
    const askedOf = (schema: string): number => this.#entries.get(schema)?.asked ?? 0;
    return [...schemas].reduce((last, schema) => (askedOf(schema) > askedOf(last) ? schema : last));
  }

  async #rebuild(schema: string): Promise<void> {
    const entry = this.#entries.get(schema);
    if (!entry) return;
    try {
      await this.#startBuild(schema, entry);
    } catch (error) {
      if (isMissing(error)) this.#entries.delete(schema);
      else if (!entry.failure) this.#logError(error, schema, "could not be rebuilt; the old one goes on");
    }
  }

  current(schema: string): ServedSchema | undefined {
    return this.#entries.get(schema)?.current;
  }

  get failures(): ReadonlyMap<string, string> {
    const broken = [...this.#entries].filter(([, { current }]) => !current);
    return new Map(broken.flatMap(([schema, { failure }]) => (failure ? [[schema, failure.message] as const] : [])));
  }

  get served(): readonly string[] {
    return [...this.#entries].filter(([, { current }]) => current).map(([schema]) => schema);
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const { building } of this.#entries.values()) await building?.catch(() => undefined); // those who wait get the error
  }

  #startBuild(schema: string, entry: Entry): Promise<ServedSchema> {
    entry.building ??= this.#build(schema, entry).finally(() => {
      entry.building = undefined;
    });
    return entry.building;
  }

  /** Builds until the result matches the catalogue. */
  async #build(schema: string, entry: Entry): Promise<ServedSchema> {
    const { config, log, plainReads = true, rootFields } = this.#options;
    for (;;) {
      const generation = this.#generation;
      const introspection = await this.#readSchema(schema, entry);
      if (!entry.current || introspection.fingerprint !== entry.fingerprint) {
        const build = async (): Promise<SharedSchema> => {
          const built = await buildSchema(introspection, config, log);
          const documents = new Documents(built.schema, config);
          return { ...built, documents, plainReads: plainReads ? new WeakMap() : undefined };
        };
        const shared = await this.#built.get(introspection.fingerprint, build).catch((error: unknown) => {
          entry.failure = error as Error;
          this.#logError(error, schema, `cannot be built${entry.current ? "; the old one goes on" : ""}`);
          throw cannotBeBuilt(schema);
        });
        entry.failure = undefined;
        const { maxAnswerBytes } = config;
        const hasOwnPlugins = pluginNames(config.preset).length > 0;
        const of = { database: this.#database, name: schema };
        entry.current = { ...shared, shared, ...of, rootFields, maxAnswerBytes, hasOwnPlugins };
        entry.fingerprint = introspection.fingerprint;
      }
      if (generation === this.#generation || this.#closed) return entry.current;
    }
  }

  async #readSchema(schema: string, entry: Entry): Promise<PrunedIntrospection> {
    const { schemas } = this.#options.config;
    const isExposed = (name: string): boolean => !isSystemSchema(name) && (schemas?.includes(name) ?? true);
    if (!isExposed(schema)) throw thereIsNo(schema);
    for (;;) {
      const read = this.#readFor(schema);
      const introspection = await read.introspection;
      this.#forgetting.get(read.introspection)?.refresh();
      const pruned = prune(introspection, schema, isExposed);
      if (!pruned && !read.since) throw thereIsNo(schema);
      const reading = pruned && readingOf(pruned, introspection, read.fingerprints);
      if (!reading || isOutdated(read, schema, reading)) {
        if (this.#whole === read) this.#readAll();
        continue;
      }
      if (pruned.sources.isIncomplete && read.schemas) {
        if (this.#part === read) {
          this.#part = undefined;
          this.#readAll(); // the DDL has made it refer to a schema for the first time
        }
        continue;
      }
      entry.reading = read.since ? { ...reading, fingerprints: read.since.change.fingerprints } : reading;
      return pruned;
    }
  }

  #readFor(schema: string): Read {
    return this.#part?.schemas?.has(schema) ? this.#part : (this.#whole ?? this.#readAll());
  }

  #readAll(): Read {
    return (this.#whole = this.#keep({
      introspection: introspect(this.#database),
      fingerprints: this.#options.fingerprints?.(this.#database),
      schemas: undefined,
      since: undefined,
    }));
  }

  /** What DDL may have changed since the schemas were read. Undefined: anything. */
  async #findChange(whole: Read | undefined): Promise<Change | undefined> {
    if (this.#entries.size === 0) return undefined;
    const fingerprints = this.#options.fingerprints?.(this.#database);
    const readings = new Map([...this.#entries].map(([schema, { reading }]) => [schema, reading]));
    const failed = [...this.#entries].filter(([, { failure }]) => failure).map(([schema]) => schema);
    // without an answer all are read again, which reports the error
    const kept = whole?.since?.change.fingerprints ?? whole?.fingerprints;
    return changeSince(this.#database, { readings, failed, fingerprints, kept }).catch(() => undefined);
  }

  /** Reads what was affected, for the builds that follow. */
  #readChanged({ affected, toRead, fingerprints, surroundings }: Change): void {
    if (affected.size === 0) return;
    const introspection = introspect(this.#database, { schemas: toRead, surroundings });
    this.#part = this.#keep({ introspection, fingerprints, schemas: affected, since: undefined });
  }

  /** For more schemas to be built from. */
  #keep(read: Read): Read {
    const { introspection } = read;
    const forget = (): void => {
      this.#forgetting.delete(introspection);
      if (this.#whole?.introspection === introspection) this.#whole = undefined;
      if (this.#part?.introspection === introspection) this.#part = undefined;
    };
    introspection.then(() => {
      this.#forgetting.set(introspection, setTimeout(forget, KEEP_INTROSPECTION_MS).unref());
    }, forget);
    return read;
  }

  #logError(err: unknown, schema: string, what: string): void {
    this.#options.log.error({ err, database: this.#database.name, schema }, `the GraphQL schema ${what}`);
  }
}

export function createSchemaRegistry(options: SchemaRegistryOptions): SchemaRegistry {
  const { config, log, onStale, onMissed } = options;
  for (const notice of judgePlugins(config.preset).notices) log.warn(notice);
  const all = new Map<Database, DatabaseSchemas>();
  const built = new BuiltSchemas();
  const of = (database: Database): DatabaseSchemas => {
    const known = all.get(database) ?? new DatabaseSchemas(database, options, built);
    all.set(database, known);
    return known;
  };
  const refresh = (database: Database): Promise<void> => of(database).refresh();
  async function after(
    look: (database: Database) => Promise<void>,
    { database, name }: ServedSchema,
  ): Promise<ServedSchema> {
    const refreshed = of(database).refreshed(name);
    await Promise.race([look(database), refreshed]);
    return of(database).schemaFor(name);
  }
  return {
    config,
    log,
    refresh,
    schemaFor: (database, schema) => of(database).schemaFor(schema),
    buildAll: (database, schemas) => of(database).buildAll(schemas),
    failures: (database) => of(database).failures,
    current: (database, schema) => of(database).current(schema),
    schemas: (database) => of(database).served,
    afterStale: (served) => after(onStale ?? refresh, served),
    afterMissed: (served) => (onMissed ? after(onMissed, served) : Promise.resolve(served)),
    access: (database) => of(database).access,
    async forget(database) {
      await all.get(database)?.close();
      all.delete(database);
    },
    async close() {
      await Promise.all([...all.values()].map((database) => database.close()));
      all.clear();
    },
  };
}

/** The GraphQL schemas that are served: built when first asked for, rebuilt when the database's own schema changes. */
import { lexicographicSortSchema, printSchema, type GraphQLSchema, type OperationDefinitionNode } from "graphql";
import { isSystemSchema, type Config } from "../kernel/config.ts";
import type { Counter } from "prom-client";
import type { Database } from "../kernel/database/database.ts";
import { GatewayError } from "../kernel/errors.ts";
import type { Log } from "../kernel/log.ts";
import type { Access } from "./access.ts";
import { buildSchema } from "./build.ts";
import { Documents } from "./documents.ts";
import type { JsonField } from "./jsonPlan.ts";
import { judgePlugins } from "./plugins.ts";
import { introspect, prune, type Introspection, type PrunedIntrospection } from "./introspection.ts";

export type GraphqlConfig = Pick<
  Config,
  | "schemas"
  | "preset"
  | "listenAuthorization"
  | "defaultLimit"
  | "maxLimit"
  | "maxDocumentBytes"
  | "maxDepth"
  | "maxAliases"
  | "maxTokens"
  | "maxAnswerBytes"
  | "introspection"
  | "statementTimeoutMs"
>;

export interface GraphqlInstancesOptions {
  readonly config: GraphqlConfig;
  readonly log: Log;
  /**
   * Runs when a statement met a table or column that is gone: looks at the catalogue now, and calls `refresh` when it
   * did change. Default: `refresh` itself.
   */
  readonly onStale?: (database: Database) => Promise<void>;
  /** Whether PostgreSQL answers plain reads by itself, which is faster and gives the same. Default true. */
  readonly plainReads?: boolean;
  /** Counts the root fields of queries by the way that they are answered. */
  readonly rootFields?: RootFieldCounter;
}

/** plain: as JSON that PostgreSQL makes; planned: by Grafast, row by row. */
export type RootFieldCounter = Counter<"way">;

/** The GraphQL schema of one database schema, with what belongs to it and dies with it. */
export interface GraphqlInstance {
  readonly database: Database;
  /** The database's schema. */
  readonly name: string;
  readonly schema: GraphQLSchema;
  readonly resolvedPreset: GraphileConfig.ResolvedPreset;
  readonly documents: Documents;
  /** Queries that PostgreSQL answers by itself, by their operation; null for those that it cannot. Absent: none is. */
  readonly plainReads: WeakMap<OperationDefinitionNode, readonly JsonField[] | null> | undefined;
  readonly rootFields: RootFieldCounter | undefined;
  /** Largest answer of a plain read. */
  readonly maxAnswerBytes: number;
}

export interface GraphqlInstances {
  readonly config: GraphqlConfig;
  readonly log: Log;
  /**
   * The instance that serves the schema now; the first call builds it. Throws `NOT_FOUND` for a schema that is not there
   * or has nothing in it, `UNAVAILABLE` for one that cannot be built, which is tried again after DDL.
   */
  instanceFor(database: Database, schema: string): Promise<GraphqlInstance>;
  /** Builds the schemas of the database that are not built yet, one after the other. Rejects when it does not answer. */
  buildAll(database: Database, schemas: readonly string[]): Promise<void>;
  /** The schemas that cannot be built, with the reason in the builder's own words. */
  failures(database: Database): ReadonlyMap<string, string>;
  /** What serves the schema at the moment, if it has been asked for. */
  current(database: Database, schema: string): GraphqlInstance | undefined;
  /** The schemas of the database that are served. */
  schemas(database: Database): readonly string[];
  /**
   * To be called after DDL. Schemas already built are built anew while the old ones serve; one whose part of the
   * catalogue is the same is left alone, and so is one that cannot be built any more, with an error in the log.
   * Resolves when all have been swapped; never rejects.
   */
  refresh(database: Database): Promise<void>;
  /** A statement met something that is gone. Resolves to the instance that serves now, which may be the same. */
  afterStale(instance: GraphqlInstance): Promise<GraphqlInstance>;
  /** What the role may use of a schema, remembered until the next refresh. */
  access(database: Database): Map<string, Access>;
  close(): Promise<void>;
}

/** The GraphQL schema as text, in the order of names. */
export function printSchemaOf(instance: GraphqlInstance): string {
  return `${printSchema(lexicographicSortSchema(instance.schema))}\n`;
}

interface Entry {
  current: GraphqlInstance | undefined;
  fingerprint: string;
  /** The build that runs now, if any; there is one at a time. */
  building: Promise<GraphqlInstance> | undefined;
  /** Why the schema could not be built; undefined once it could. */
  failure: Error | undefined;
}

interface DatabaseState {
  /** Goes up with every refresh, so that a build knows whether what it read is still true. */
  generation: number;
  introspection: Promise<Introspection> | undefined;
  readonly entries: Map<string, Entry>;
  access: Map<string, Access>;
}

/** The reason has been logged, once. */
function cannotBeBuilt(schema: string): GatewayError {
  return new GatewayError("UNAVAILABLE", `The GraphQL schema ${schema} cannot be built`);
}

/** How long the catalogue of a database is kept for more schemas to be built from. */
const KEEP_INTROSPECTION_MS = 60_000;

export function createGraphqlInstances({
  config,
  log,
  onStale,
  plainReads = true,
  rootFields,
}: GraphqlInstancesOptions): GraphqlInstances {
  for (const notice of judgePlugins(config.preset).notices) log.warn(notice);
  const states = new Map<Database, DatabaseState>();
  let closed = false;

  function stateOf(database: Database): DatabaseState {
    let state = states.get(database);
    if (!state)
      states.set(
        database,
        (state = { generation: 0, introspection: undefined, entries: new Map(), access: new Map() }),
      );
    return state;
  }

  function introspectionOf(database: Database, state: DatabaseState): Promise<Introspection> {
    if (state.introspection) return state.introspection;
    const introspection = introspect(database);
    state.introspection = introspection;
    const forget = (): void => {
      if (state.introspection === introspection) state.introspection = undefined;
    };
    introspection.then(() => setTimeout(forget, KEEP_INTROSPECTION_MS).unref(), forget);
    return introspection;
  }

  function isExposed(schema: string): boolean {
    return !isSystemSchema(schema) && (config.schemas?.includes(schema) ?? true);
  }

  async function readSchema(database: Database, state: DatabaseState, schema: string): Promise<PrunedIntrospection> {
    if (isExposed(schema)) {
      const pruned = prune(await introspectionOf(database, state), schema, isExposed);
      if (pruned) return pruned;
    }
    throw new GatewayError("NOT_FOUND", `There is no schema ${schema}`);
  }

  /** Builds until what was built is what the catalogue says. */
  async function build(
    database: Database,
    state: DatabaseState,
    schema: string,
    entry: Entry,
  ): Promise<GraphqlInstance> {
    for (;;) {
      const { generation } = state;
      const introspection = await readSchema(database, state, schema);
      if (!entry.current || introspection.fingerprint !== entry.fingerprint) {
        const built = await buildSchema(introspection, config, log).catch((error: unknown) => {
          entry.failure = error as Error;
          log.error(
            { err: error, database: database.name, schema },
            `the GraphQL schema cannot be built${entry.current ? "; the old one goes on" : ""}`,
          );
          throw cannotBeBuilt(schema);
        });
        entry.failure = undefined;
        entry.current = {
          database,
          name: schema,
          documents: new Documents(built.schema, config),
          plainReads: plainReads ? new WeakMap() : undefined,
          rootFields,
          maxAnswerBytes: config.maxAnswerBytes,
          ...built,
        };
        entry.fingerprint = introspection.fingerprint;
      }
      if (generation === state.generation || closed) return entry.current;
    }
  }

  function startBuild(
    database: Database,
    state: DatabaseState,
    schema: string,
    entry: Entry,
  ): Promise<GraphqlInstance> {
    entry.building ??= build(database, state, schema, entry).finally(() => {
      entry.building = undefined;
    });
    return entry.building;
  }

  async function instanceFor(database: Database, schema: string): Promise<GraphqlInstance> {
    const state = stateOf(database);
    let entry = state.entries.get(schema);
    if (entry?.current) return entry.current;
    if (entry?.failure && !entry.building) throw cannotBeBuilt(schema);
    if (!entry)
      state.entries.set(
        schema,
        (entry = { current: undefined, fingerprint: "", building: undefined, failure: undefined }),
      );
    try {
      return await startBuild(database, state, schema, entry);
    } catch (error) {
      if (!entry.current && !entry.failure && state.entries.get(schema) === entry) state.entries.delete(schema);
      throw error;
    }
  }

  async function buildAll(database: Database, schemas: readonly string[]): Promise<void> {
    for (const schema of schemas) {
      try {
        await instanceFor(database, schema);
      } catch (error) {
        const isEmpty = error instanceof GatewayError && error.code === "NOT_FOUND";
        if (!isEmpty && !failures(database).has(schema)) throw error;
      }
    }
  }

  function failures(database: Database): ReadonlyMap<string, string> {
    const broken = [...stateOf(database).entries].filter(([, { current }]) => !current);
    return new Map(broken.flatMap(([schema, { failure }]) => (failure ? [[schema, failure.message] as const] : [])));
  }

  async function refresh(database: Database): Promise<void> {
    const state = stateOf(database);
    state.generation++;
    state.introspection = undefined;
    state.access = new Map();
    for (const [schema, entry] of state.entries) {
      try {
        await startBuild(database, state, schema, entry);
      } catch (error) {
        if (error instanceof GatewayError && error.code === "NOT_FOUND") state.entries.delete(schema);
        else if (!entry.failure)
          log.error(
            { err: error, database: database.name, schema },
            "the GraphQL schema could not be rebuilt; the old one goes on",
          );
      }
    }
  }

  return {
    config,
    log,
    instanceFor,
    buildAll,
    failures,
    refresh,
    current: (database, schema) => stateOf(database).entries.get(schema)?.current,
    schemas: (database) =>
      [...stateOf(database).entries].filter(([, entry]) => entry.current).map(([schema]) => schema),
    async afterStale({ database, name }) {
      await (onStale ?? refresh)(database);
      return instanceFor(database, name);
    },
    access: (database) => stateOf(database).access,
    async close() {
      closed = true;
      const entries = [...states.values()].flatMap((state) => [...state.entries.values()]);
      for (const { building } of entries) await building?.catch(() => undefined); // whoever waits for it gets the error
      states.clear();
    },
  };
}

import { ConfigError, type Config } from "../kernel/config.ts";
import { createTopicSubscriber, type TopicSubscriber } from "../kernel/catalogue/topics.ts";
import type { Database, Identity } from "../kernel/database/database.ts";
import { Counter, type Registry } from "prom-client";
import type { Door } from "../kernel/door.ts";
import { GatewayError } from "../ground/errors.ts";
import type { Kernel } from "../kernel.ts";
import type { RunOperation } from "../events/liveOperation.ts";
import { PartlyDown } from "../operate/operation.ts";
import type { EventHub } from "../events/types.ts";
import type { RowSource } from "../filter/rowSource.ts";
import { executeGraphql, type Caller, type GraphqlAnswer, type GraphqlRequest } from "./execute.ts";
import { findSchema } from "./build/findSchema.ts";
import { tableFieldsOf, type TableFields } from "./build/tableFields.ts";
import {
  createSchemaRegistry,
  type RootFieldCounter,
  type SchemaRegistry,
  type SchemaRegistryOptions,
} from "./build/schemaRegistry.ts";
import { createGraphqlOperations } from "./operations.ts";
import { NamedDocuments, readTrustedDocuments } from "./http/namedDocuments.ts";
import { pluginNames } from "./build/plugins.ts";
import { graphqlRoutes } from "./http/router.ts";
import { rowSourceOf } from "./live/rowSource.ts";
import { tableNamesOf, type TableNames } from "./build/tableNames.ts";

export interface Graphql extends Door {
  /** Operations over sockets. */
  readonly run: RunOperation;
  /** The schemas of a database whose GraphQL cannot be built, with the reason. */
  brokenSchemas(database: string): ReadonlyMap<string, string>;
  /** The GraphQL names of a schema's tables; empty where the schema cannot be built or has nothing to show. */
  tableNames(database: Database, schema: string): Promise<ReadonlyMap<string, TableNames>>;
  /** The fields of a schema's tables, by the name of the table. Throws `NOT_FOUND`, `UNAVAILABLE`. */
  tableFields(identity: Identity, schema: string): Promise<ReadonlyMap<string, TableFields>>;
  /** Runs an operation of a schema for another door. Throws `NOT_FOUND`, `UNAVAILABLE`; all else is in the answer. */
  execute(schema: string, request: GraphqlRequest, caller: Caller): Promise<GraphqlAnswer>;
  /**
   * `isOutdated`: PostgreSQL has reported another definition than that of the last answer. Throws `NOT_FOUND` where the table
   * has no list, `UNAVAILABLE` where the schema cannot be built.
   */
  rowSource(database: Database, schema: string, table: string, isOutdated?: boolean): Promise<RowSource>;
}

function countRootFields(registry: Registry): RootFieldCounter {
  return new Counter({
    name: "portolan_graphql_root_fields_total",
    help: "Root fields of queries: plain ones are JSON that PostgreSQL makes, the service assembles planned ones",
    labelNames: ["way"],
    registers: [registry],
  });
}

export function installGraphql(
  kernel: Kernel,
  { eventsOf }: { readonly eventsOf: (database: Database) => EventHub },
): Graphql {
  const { config, databases, directory, log, metrics, schemasOf } = kernel;
  const registry = createSchemaRegistry({
    config,
    log,
    rootFields: countRootFields(metrics.registry),
    ...catalogueOf(kernel),
  });
  const topics = new Map<Database, TopicSubscriber>();
  function topicsOf(database: Database): TopicSubscriber {
    let one = topics.get(database);
    if (!one) topics.set(database, (one = createTopicSubscriber(database, log)));
    return one;
  }
  const { trustedDocuments, trustedDocumentsOnly, persistedQueries: automatic } = config;
  const named = new NamedDocuments({ only: trustedDocumentsOnly || trustedDocuments?.only === true, automatic });
  const options = { ...kernel, registry, named };
  return {
    routes: graphqlRoutes(options),
    run: createGraphqlOperations({ ...options, eventsOf, topicsOf }),
    brokenSchemas(name) {
      const database = databases.get(name);
      return database ? registry.failures(database) : new Map();
    },
    async tableNames(database, schema) {
      try {
        return tableNamesOf(await registry.schemaFor(database, schema));
      } catch (error) {
        if (error instanceof GatewayError && ["UNAVAILABLE", "NOT_FOUND"].includes(error.code)) return new Map();
        throw error;
      }
    },
    tableFields: async (identity, schema) => tableFieldsOf(await findSchema(identity, schema, options)),
    execute: async (schema, request, caller) =>
      executeGraphql(registry, await findSchema(caller.identity, schema, options), request, caller),
    async rowSource(database, schema, table, isOutdated = false) {
      if (isOutdated) await kernel.lookNow(database);
      const find = async (): Promise<RowSource | undefined> =>
        schemasOf(database.name).includes(schema)
          ? rowSourceOf(await registry.schemaFor(database, schema), table)
          : undefined;
      let source = await find();
      if (!source) {
        await kernel.lookFor(database, { schema, name: table }); // DDL may have made it a moment ago
        source = await find();
      }
      if (!source) throw new GatewayError("NOT_FOUND", `There is no table ${JSON.stringify(`${schema}.${table}`)}`);
      return source;
    },
    checks: {
      graphql: () => {
        const named = [...databases.values()].filter((database) => !directory.isSleeper(database));
        const reasons = named.flatMap((database) =>
          [...registry.failures(database)].map(([schema, reason]) => [`${database.name}.${schema}`, reason] as const),
        );
        return reasons.length > 0 ? Promise.reject(new PartlyDown(new Map(reasons))) : Promise.resolve();
      },
    },
    async start() {
      named.trust(trustedDocumentsOf(config));
      // plugins of others may break a schema, which must be reported now instead of at the first request
      if (pluginNames(config.preset).length > 0)
        for (const database of databases.values()) await registry.buildAll(database, schemasOf(database.name));
    },
    onCatalogue: (database) => registry.refresh(database),
    rehearse: (database, like) => buildLike(registry, database, like),
    async rest(database) {
      await registry.forget(database);
      await topics.get(database)?.close();
      topics.delete(database);
    },
    async close() {
      await registry.close();
      await Promise.all([...topics.values()].map((subscriber) => subscriber.close()));
    },
  };
}

/** How the registry learns of DDL. */
function catalogueOf({ fingerprintsOf, lookNow }: Kernel): Partial<SchemaRegistryOptions> {
  return {
    fingerprints: ({ name }) => fingerprintsOf(name),
    onStale: (database) => lookNow(database),
    onMissed: (database) => lookNow(database, false),
  };
}

/** Builds the schemas that are built for `like`. The function lets go of them. */
async function buildLike(registry: SchemaRegistry, database: Database, like: Database): Promise<() => Promise<void>> {
  await registry.buildAll(database, registry.schemas(like));
  return () => registry.forget(database);
}

/** Throws `ConfigError` where they cannot be read. */
function trustedDocumentsOf({ trustedDocuments }: Config): ReadonlyMap<string, string> {
  if (!trustedDocuments) return new Map();
  const { documents } = trustedDocuments;
  try {
    return readTrustedDocuments(documents);
  } catch (error) {
    throw new ConfigError([`trustedDocuments: ${documents} cannot be read: ${(error as Error).message}`], {
      cause: error,
    });
  }
}

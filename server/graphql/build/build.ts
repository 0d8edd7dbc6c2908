/** A GraphQL schema from an introspection. */
import type { GraphQLSchema } from "graphql";
import { makeSchema } from "postgraphile/graphile-build";
import { PortolanPreset } from "../../../plugins/preset.ts";
import type { GraphilePreset } from "../../kernel/config.ts";
import type { Log } from "../../ground/log.ts";
import { VERSION } from "../../ground/packageDirectory.ts";
import type { PrunedIntrospection } from "./introspection.ts";
import { judgePlugins } from "./plugins.ts";

export interface BuildOptions {
  readonly defaultLimit: number;
  readonly maxLimit: number;
  readonly maxAffected: number | undefined;
  /** The function that decides who may listen to a topic, as `schema.name`. */
  readonly listenAuthorization: string | undefined;
  /** Presets of the user, whose plugins are added. */
  readonly preset: GraphilePreset;
}

export interface BuiltSchema {
  readonly schema: GraphQLSchema;
  readonly resolvedPreset: GraphileConfig.ResolvedPreset;
}

/** Takes a while, and blocks the event loop. Rejects when no schema can be made. */
export async function buildSchema(
  introspection: PrunedIntrospection,
  options: BuildOptions,
  log: Log,
): Promise<BuiltSchema> {
  const preset = presetFor(introspection, options, log);
  try {
    return await makeSchema(preset);
  } catch (error) {
    if (isTooDeep(error)) throw new Error(TOO_DEEP, { cause: error }); // the same failure would take as long again
    // A smart comment may name a missing table or column; the rest can be shown without it.
    const disablePlugins = [...(preset.disablePlugins ?? []), "PgFakeConstraintsPlugin"] as const;
    const built = await makeSchema({ ...preset, disablePlugins }).catch(() => Promise.reject(error as Error));
    log.error(
      { err: error, schema: introspection.schemas[0] },
      "the GraphQL schema is built without keys of smart comments",
    );
    return built;
  }
}

/**
 * Graphile makes the type of a table while it makes the type that refers to it, so a chain of foreign keys uses stack
 * for each table.
 */
const TOO_DEEP =
  "more tables refer to each other in a row than the stack of the process has room for: start it with a larger one (node --stack-size, below ulimit -s), or leave some of them out by @omit";

function isTooDeep(error: unknown): boolean {
  return error instanceof RangeError && /call stack/.test(error.message);
}

function presetFor(
  { text, schemas, versioned, workflow }: PrunedIntrospection,
  options: BuildOptions,
  log: Log,
): GraphileConfig.Preset {
  return {
    extends: [PortolanPreset, options.preset as GraphileConfig.Preset],
    plugins: [recoverPlugin(log)],
    disablePlugins: judgePlugins(options.preset).leftOut as NonNullable<GraphileConfig.Preset["disablePlugins"]>,
    pgServices: [serviceOf(text, schemas)],
    schema: {
      portolanSchemas: schemas.slice(0, 1),
      portolanDefaultLimit: options.defaultLimit,
      portolanMaxLimit: options.maxLimit,
      ...(options.maxAffected !== undefined && { portolanMaxAffected: options.maxAffected }),
      portolanVersioned: versioned,
      ...(options.listenAuthorization !== undefined && { portolanListenAuthorization: options.listenAuthorization }),
      portolanWorkflow: workflow,
    },
    grafast: { explain: false },
  };
}

type PgService = NonNullable<GraphileConfig.Preset["pgServices"]>[number];

/** A database that answers one question, the introspection; requests bring their own connection. */
function serviceOf(introspection: string, schemas: readonly string[]): PgService {
  const client = { query: () => Promise.resolve({ rows: [{ introspection }], rowCount: 1, notices: [] }) };
  const withPgClient = (_settings: unknown, callback: (pgClient: typeof client) => unknown) => callback(client);
  return {
    name: "main",
    schemas: [...schemas],
    withPgClientKey: "withPgClient",
    pgSettingsKey: "pgSettings",
    adaptor: { createWithPgClient: () => withPgClient },
  } as unknown as PgService;
}

/** A table, column or function that cannot be built is left out and logged; it never breaks the schema. */
function recoverPlugin(log: Log): GraphileConfig.Plugin {
  return {
    name: "RecoverPlugin" as GraphileConfig.Plugin["name"],
    version: VERSION,
    schema: {
      hooks: {
        build(build) {
          const noteLeftOut: typeof build.handleRecoverableError = (error) =>
            log.warn({ err: error }, "left out of the GraphQL schema");
          build.handleRecoverableError = noteLeftOut;
          return build;
        },
      },
    },
  };
}

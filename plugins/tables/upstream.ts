/**
 * Upstream plugins that are used for the data that they gather, their inflectors and their behaviours, but without
 * their fields and types.
 */
import {
  PgAllRowsPlugin,
  PgCodecsPlugin,
  PgCustomTypeFieldPlugin,
  PgRelationsPlugin,
  PgTablesPlugin,
} from "postgraphile/graphile-build-pg";

type Hooks = NonNullable<NonNullable<GraphileConfig.Plugin["schema"]>["hooks"]>;

function withoutSchema(plugin: GraphileConfig.Plugin, ...keep: (keyof Hooks)[]): GraphileConfig.Plugin {
  const hooks = Object.fromEntries(keep.map((name) => [name, plugin.schema?.hooks?.[name]])) as Hooks;
  return {
    ...plugin,
    name: `${plugin.name}WithoutSchema` as GraphileConfig.Plugin["name"],
    provides: [...(plugin.provides ?? []), plugin.name],
    schema: { ...plugin.schema, hooks },
  };
}

export const PgCodecsPluginWithoutSchema = withoutSchema(PgCodecsPlugin, "build");
export const PgTablesPluginWithoutSchema = withoutSchema(PgTablesPlugin, "build");
export const PgRelationsPluginWithoutSchema = withoutSchema(PgRelationsPlugin);
export const PgCustomTypeFieldPluginWithoutSchema = withoutSchema(PgCustomTypeFieldPlugin, "build");
export const PgAllRowsPluginWithoutSchema = withoutSchema(PgAllRowsPlugin);

/** Plugins of the community that work differently here, and the message about each. */
import type { GraphilePreset } from "../../kernel/config.ts";

interface Notice {
  readonly plugin: string;
  readonly leftOut: boolean;
  readonly text: string;
}

const NOTICES: readonly Notice[] = [
  {
    plugin: "PgSimplifyInflectionPlugin",
    leftOut: true,
    text: "@graphile/simplify-inflection is left out: the names of types and fields are set by Portolan's API",
  },
  {
    plugin: "PgAggregatesAddConnectionAggregatesPlugin",
    leftOut: false,
    text: "@graphile/pg-aggregates adds nothing: it extends connections, which PortolanPreset does not have; use aggregate<T>",
  },
];

export interface PluginJudgement {
  /** One sentence for each plugin that does less here than elsewhere. */
  readonly notices: readonly string[];
  /** Names for `disablePlugins`. */
  readonly leftOut: readonly string[];
}

export function judgePlugins(preset: GraphilePreset): PluginJudgement {
  const names = new Set(pluginNames(preset));
  const found = NOTICES.filter(({ plugin }) => names.has(plugin));
  return {
    notices: found.map(({ text }) => text),
    leftOut: found.filter(({ leftOut }) => leftOut).map(({ plugin }) => plugin),
  };
}

/** The names of all plugins of a preset and of those that it extends. */
export function pluginNames(preset: GraphilePreset): string[] {
  const own = (preset.plugins ?? []).map((plugin) => (plugin as { readonly name: string }).name);
  const inherited = (preset.extends ?? []).flatMap((inner) => pluginNames(inner as GraphilePreset));
  return [...inherited, ...own].filter((name) => !(preset.disablePlugins ?? []).includes(name));
}

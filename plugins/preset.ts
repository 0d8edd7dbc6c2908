/// <reference types="postgraphile" preserve="true" />
/** Portolan's GraphQL as a PostGraphile preset: `extends: [PortolanPreset]` gives another server the same API. */
import { defaultPreset as graphileBuildPreset } from "postgraphile/graphile-build";
import { defaultPreset as graphileBuildPgPreset } from "postgraphile/graphile-build-pg";
import { PgV4SmartTagsPlugin } from "postgraphile/presets/v4";
import { AggregatePlugin } from "./AggregatePlugin.ts";
import { ArrayTypesPlugin } from "./ArrayTypesPlugin.ts";
import { BaseTypesPlugin } from "./BaseTypesPlugin.ts";
import { CommunityPlugin } from "./CommunityPlugin.ts";
import { ComputedColumnsPlugin } from "./ComputedColumnsPlugin.ts";
import { CountPlugin } from "./CountPlugin.ts";
import { DateTypesPlugin } from "./DateTypesPlugin.ts";
import { DeletePlugin } from "./DeletePlugin.ts";
import { FunctionsPlugin } from "./FunctionsPlugin.ts";
import { GeometricTypesPlugin } from "./GeometricTypesPlugin.ts";
import { GetPlugin } from "./GetPlugin.ts";
import { InsertPlugin } from "./InsertPlugin.ts";
import { ListenPlugin } from "./ListenPlugin.ts";
import { maskError } from "./tables/maskError.ts";
import { NamingPlugin } from "./NamingPlugin.ts";
import { NodeIdPlugin } from "./NodeIdPlugin.ts";
import { PagePlugin } from "./PagePlugin.ts";
import { PostgisPlugin } from "./PostgisPlugin.ts";
import { RangeTypesPlugin } from "./RangeTypesPlugin.ts";
import { RelationsPlugin } from "./RelationsPlugin.ts";
import { ScalarsPlugin } from "./ScalarsPlugin.ts";
import { SubscriptionsPlugin } from "./SubscriptionsPlugin.ts";
import { TableTypesPlugin } from "./TableTypesPlugin.ts";
import { TransactionPlugin } from "./TransactionPlugin.ts";
import { UpdatePlugin } from "./UpdatePlugin.ts";
import { VersionPlugin } from "./VersionPlugin.ts";
import { WorkflowPlugin } from "./WorkflowPlugin.ts";
import {
  PgAllRowsPluginWithoutSchema,
  PgCodecsPluginWithoutSchema,
  PgCustomTypeFieldPluginWithoutSchema,
  PgRelationsPluginWithoutSchema,
  PgTablesPluginWithoutSchema,
} from "./tables/upstream.ts";

export type { PortolanOptions } from "../server/kernel/config.ts"; // this also declares the scope `portolan` of GraphileConfig.Preset

export const PortolanPreset: GraphileConfig.Preset = {
  extends: [graphileBuildPreset, graphileBuildPgPreset],

  plugins: [
    // Plugins of upstream that gather data
    PgCodecsPluginWithoutSchema,
    PgTablesPluginWithoutSchema,
    PgRelationsPluginWithoutSchema,
    PgCustomTypeFieldPluginWithoutSchema,
    PgAllRowsPluginWithoutSchema,
    // Names
    PgV4SmartTagsPlugin, // `@omit`
    NamingPlugin,
    // Types
    PostgisPlugin,
    DateTypesPlugin,
    GeometricTypesPlugin,
    RangeTypesPlugin,
    BaseTypesPlugin,
    ArrayTypesPlugin,
    ScalarsPlugin,
    TableTypesPlugin,
    // Fields
    RelationsPlugin,
    GetPlugin,
    CountPlugin,
    AggregatePlugin,
    PagePlugin,
    NodeIdPlugin,
    VersionPlugin,
    InsertPlugin,
    UpdatePlugin,
    DeletePlugin,
    SubscriptionsPlugin,
    ListenPlugin,
    WorkflowPlugin,
    FunctionsPlugin,
    ComputedColumnsPlugin,
    // Requests
    TransactionPlugin,
    // For third-party plugins
    CommunityPlugin,
  ],

  disablePlugins: [
    // Plugins that those above replace
    ...([
      "PgCodecsPlugin",
      "PgTablesPlugin",
      "PgRelationsPlugin",
      "PgCustomTypeFieldPlugin",
      "PgAllRowsPlugin",
    ] as const),
    ...(["CommonTypesPlugin", "PgTypesPlugin", "PgLtreePlugin", "PgEnumDomainsPlugin", "PgEnumTablesPlugin"] as const),
    ...(["PgMutationCreatePlugin", "PgMutationUpdateDeletePlugin", "PgMutationPayloadEdgePlugin"] as const),
    ...(["MutationPayloadQueryPlugin", "ClientMutationIdDescriptionPlugin", "PgRowByUniquePlugin"] as const),
    ...(["PgConditionArgumentPlugin", "PgConditionCustomFieldsPlugin", "PgOrderAllAttributesPlugin"] as const),
    ...(["PgOrderCustomFieldsPlugin", "PgOrderByPrimaryKeyPlugin", "PgConnectionArgOrderByPlugin"] as const),
    ...(["PgConnectionArgOrderByDefaultValuePlugin", "PgFirstLastBeforeAfterArgsPlugin"] as const),
    // Plugins for connections and global ids, which Portolan has its own plugins for
    ...([
      "ConnectionPlugin",
      "CursorTypePlugin",
      "PageInfoStartEndCursorPlugin",
      "BuiltinScalarConnectionsPlugin",
    ] as const),
    ...(["PgConnectionTotalCountPlugin", "NodePlugin", "NodeAccessorPlugin", "RegisterQueryNodePlugin"] as const),
    ...([
      "AddNodeInterfaceToSuitableTypesPlugin",
      "NodeIdCodecBase64JSONPlugin",
      "NodeIdCodecPipeStringPlugin",
    ] as const),
    ...(["PgTableNodePlugin", "PgNodeIdAttributesPlugin"] as const),
    // Plugins for types that do not belong to tables
    ...([
      "PgPolymorphismPlugin",
      "PgPolymorphismOnlyArgumentPlugin",
      "PgInterfaceModeUnionAllRowsPlugin",
      "PgRefsPlugin",
    ] as const),
    // Plugins that hide objects the introspecting role may not access, or that have no index; PostgreSQL decides about
    // rights
    ...(["PgRBACPlugin", "PgIndexBehaviorsPlugin", "PgJWTPlugin"] as const),
  ],

  schema: { defaultBehavior: "-connection list" },

  grafserv: { maskError },
};

/** The plugins' queries of PostGraphile's registry, in one place and without its generics. */
import type {
  PgCodec,
  PgCodecAttribute,
  PgCodecRelation,
  PgResource,
  PgSelectSingleStep,
} from "postgraphile/@dataplan/pg";

// PgCodec and PgResource carry the whole registry in their type parameters; code for arbitrary tables
// does not know them.
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyCodec = PgCodec<string, any, any, any, any, any, any>;
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyResource = PgResource<string, any, any, any, any>;
export type Attributes = Record<string, PgCodecAttribute>;
export type TableCodec = AnyCodec & { readonly attributes: Attributes };
export type TableResource = Omit<AnyResource, "codec"> & AnyResource & { readonly codec: TableCodec };
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyRelation = Omit<PgCodecRelation<any, any>, "localAttributes" | "remoteAttributes"> & {
  readonly localAttributes: readonly string[];
  readonly remoteAttributes: readonly string[];
};

/** The step of a row of any table. */
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyRecord = PgSelectSingleStep<any>;

export interface DatabaseName {
  readonly schema: string;
  readonly name: string;
}

declare global {
  namespace GraphileBuild {
    interface SchemaOptions {
      /**
       * Schemas whose tables and functions get root fields; those of other schemas are available through relations.
       * Default: all.
       */
      portolanSchemas?: readonly string[];
    }
  }
}

/** Schema and name in PostgreSQL of the object behind a codec or a resource; undefined for the result of a function. */
export function databaseNameOf(thing: { readonly extensions?: object | undefined }): DatabaseName | undefined {
  const pg = (thing.extensions as { pg?: { schemaName: string; name: string } } | undefined)?.pg;
  return pg && { schema: pg.schemaName, name: pg.name };
}

export type Tags = Readonly<Record<string, string | true | readonly (string | true)[] | undefined>>;

/** Smart comments (`@name value`). */
function tagsOf(thing: { readonly extensions?: object | undefined }): Tags {
  return (thing.extensions as { tags?: Tags } | undefined)?.tags ?? {};
}

/** A smart comment that is one text. */
export function tagText(thing: { readonly extensions?: object | undefined }, tag: string): string | undefined {
  const value = tagsOf(thing)[tag];
  return typeof value === "string" ? value : undefined;
}

export function isTableCodec(codec: AnyCodec): codec is TableCodec {
  return codec.attributes !== undefined && codec.attributes !== null;
}

export function isTableResource(resource: AnyResource): resource is TableResource {
  return !resource.parameters && !resource.isVirtual && isTableCodec(resource.codec) && !resource.codec.isAnonymous;
}

export function isFunctionResource(resource: AnyResource): boolean {
  return Array.isArray(resource.parameters);
}

/** Column names of the primary key in key order; undefined where the table has none. */
export function primaryKeyOf(resource: AnyResource): readonly string[] | undefined {
  return (resource.uniques as readonly { isPrimary?: boolean; attributes: readonly string[] }[]).find(
    (unique) => unique.isPrimary,
  )?.attributes;
}

const listed = new WeakMap<object, readonly AnyResource[]>();

/**
 * All resources, in a list that is made once: each type of a schema asks for it, and a schema may have thousands of
 * both.
 */
export function allResources(build: Pick<GraphileBuild.Build, "input">): readonly AnyResource[] {
  const { pgResources } = build.input.pgRegistry;
  let list = listed.get(pgResources);
  if (!list) listed.set(pgResources, (list = Object.values(pgResources) as AnyResource[]));
  return list;
}

/** Whether tables and functions of the schema have fields in Query and Mutation. */
export function isRootSchema(build: Pick<GraphileBuild.Build, "options">, schema: string | undefined): boolean {
  const { portolanSchemas } = build.options;
  return !portolanSchemas || (schema !== undefined && portolanSchemas.includes(schema));
}

/** The tables that have root fields. */
export function rootTables(build: GraphileBuild.Build): TableResource[] {
  return allResources(build).filter(
    (resource): resource is TableResource =>
      isTableResource(resource) && isRootSchema(build, databaseNameOf(resource)?.schema),
  );
}

export function relationsOf(build: Pick<GraphileBuild.Build, "input">, codec: AnyCodec): AnyRelation[] {
  const relations = build.input.pgRegistry.pgRelations as Record<string, Record<string, AnyRelation> | undefined>;
  return Object.values(relations[codec.name] ?? {});
}

/** Gives every table a behaviour (`insert`, …), which smart comments may take away. */
export function byDefault(
  behavior: GraphileBuild.BehaviorString,
): NonNullable<NonNullable<GraphileConfig.Plugin["schema"]>["entityBehavior"]> {
  return {
    pgResource: {
      inferred: {
        provides: ["default"],
        before: ["inferred", "override"],
        callback: (inherited, resource) => (isTableResource(resource) ? [behavior, inherited] : inherited),
      },
    },
  };
}

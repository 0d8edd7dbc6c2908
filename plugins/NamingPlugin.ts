/** The names of the GraphQL schema. All of them are made here. */
import { VERSION } from "../server/ground/packageDirectory.ts";
import "postgraphile/graphile-build-pg";
import { RESULT_SUFFIXES } from "./aggregates/aggregateResults.ts";
import { behaves } from "./tables/behaviors.ts";
import { isLegalName, Names, toCamelCase, toLegalName, toPascalCase } from "./tables/legalName.ts";
import {
  allResources,
  databaseNameOf,
  isFunctionResource,
  isRootSchema,
  isTableResource,
  isTableCodec,
  relationsOf,
  tagText,
  type AnyCodec,
  type AnyRelation,
  type AnyResource,
  type Attributes,
} from "./tables/resources.ts";

declare global {
  namespace GraphileBuild {
    interface Inflection {
      /** `get<T>`, `insert<T>` and the like: a verb, then the name of the table's type. */
      tableField(this: Inflection, verb: string, codec: AnyCodec): string;
      /** `<T>MessageAdded` and the like. */
      eventField(this: Inflection, codec: AnyCodec, suffix: string): string;
      /** The field of a foreign key on the type at one end of it; undefined where it is not shown. */
      relationField(this: Inflection, relation: AnyRelation): string | undefined;
      /** A function's field, at the root or on the type of its first argument. */
      functionField(this: Inflection, resource: AnyResource): string;
      functionArgument(this: Inflection, name: string | null, index: number): string;
      /** A type of a table's aggregates or pages: its name and a suffix. */
      companionType(this: Inflection, codec: AnyCodec, suffix: string): string;
      /** The field of a to-many relation's aggregates; undefined where it is not shown. */
      childrenAggregateField(this: Inflection, relation: AnyRelation): string | undefined;
      /** A field that every table's type has, under its name unless something else has that name. */
      ownField(this: Inflection, codec: AnyCodec, name: OwnField): string | undefined;
    }
  }
  namespace GraphileConfig {
    interface Plugins {
      NamingPlugin: true;
    }
  }
}

/** Type names that GraphQL or this schema uses itself. */
const RESERVED_TYPES = [
  ...["Query", "Mutation", "Subscription", "String", "Int", "Float", "Boolean", "ID", "JSON", "PageInfo"],
  "ListenPayload",
  ...["Date", "Time", "DateTime", "Interval", "Point", "Line", "Lseg", "Box", "Circle", "Path", "Polygon"],
  ...["Int4range", "Int8range", "Numrange", "Tsrange", "Tstzrange", "Daterange"],
];
const ROOT_VERBS = ["get", "count", "aggregate", "page", "insert", "update", "delete", "workflow"];
/** Types that do not belong to a table. Tables choose their names first. */
const OWN_TYPES = ["Period", "Node"];
/** Further fields of every table's type. Columns and relations choose their names first. */
const OWN_FIELDS = ["nodeId", "_version"] as const;
type OwnField = (typeof OWN_FIELDS)[number];
/** The names of a table's further types. */
const SUFFIXES = ["Aggregate", "By", "Connection", "Edge", ...RESULT_SUFFIXES];

const typeNames = new WeakMap<AnyCodec, string>();
const companionNames = new WeakMap<AnyCodec, ReadonlyMap<string, string>>();
const ownTypeNames = new WeakMap<object, ReadonlyMap<string, string>>();
const aggregateNames = new WeakMap<AnyRelation, string>();
const nodeFieldNames = new WeakMap<object, string>();
const ownFieldNames = new WeakMap<AnyCodec, ReadonlyMap<string, string>>();
const columnNames = new WeakMap<Attributes, ReadonlyMap<string, string>>();
const relationNames = new WeakMap<AnyRelation, string>();
const functionNames = new WeakMap<AnyResource, string>();

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Field names of a table's columns: first the legal names, unchanged, then the others, in the order of the table. */
function columnNamesOf(attributes: Attributes, toLegal: (name: string) => string): ReadonlyMap<string, string> {
  const known = columnNames.get(attributes);
  if (known) return known;
  const wanted = Object.entries(attributes).map(([column, attribute]) => ({
    column,
    name: tagText(attribute, "name") ?? column,
  }));
  const names = new Names();
  const given = new Map<string, string>();
  for (const { column, name } of wanted) if (isLegalName(name) && !names.has(name)) given.set(column, names.take(name));
  for (const { column, name } of wanted) if (!given.has(column)) given.set(column, names.take(toLegal(name)));
  columnNames.set(attributes, given);
  return given;
}

function plainTypeName(codec: AnyCodec, toLatin: (name: string) => string): string {
  return toPascalCase(toLatin(tagText(codec, "name") ?? databaseNameOf(codec)?.name ?? codec.name));
}

/** Type names of all tables, composites and ranges: those with root fields first, each group by name. */
function nameTypes(build: GraphileBuild.BuildBase & Partial<GraphileBuild.Build>, toLatin: (name: string) => string) {
  const registry = build.input.pgRegistry;
  const codecs = new Set<AnyCodec>(Object.values(registry.pgCodecs) as AnyCodec[]);
  for (const resource of Object.values(registry.pgResources) as AnyResource[]) codecs.add(resource.codec);
  const tables = new Set<AnyCodec>(
    (Object.values(registry.pgResources) as AnyResource[])
      .filter((resource) => !isFunctionResource(resource))
      .map((resource) => resource.codec),
  );
  const rank = (codec: AnyCodec): number => {
    const root = isRootSchema(build as GraphileBuild.Build, databaseNameOf(codec)?.schema);
    if (codec.rangeOfCodec && databaseNameOf(codec)?.schema === "pg_catalog") return 0;
    if (tables.has(codec)) return root ? 1 : 2;
    return codec.isAnonymous ? 4 : 3;
  };
  const key = (codec: AnyCodec): string => {
    const { schema, name } = databaseNameOf(codec) ?? { schema: "", name: codec.name };
    return `${rank(codec)} ${schema} ${name}`;
  };
  const named = [...codecs]
    .filter((codec) => isTableCodec(codec) || codec.rangeOfCodec)
    .filter((codec) => !codec.domainOfCodec);
  const names = new Names(RESERVED_TYPES);
  for (const codec of named.sort((a, b) => compare(key(a), key(b)))) {
    const plain = plainTypeName(codec, toLatin);
    const schema = databaseNameOf(codec)?.schema ?? "";
    if (rank(codec) === 0) typeNames.set(codec, plain);
    else if (rank(codec) === 2 && names.has(plain))
      typeNames.set(codec, names.take(toPascalCase(toLatin(schema)) + plain));
    else typeNames.set(codec, names.take(plain));
  }
  ownTypeNames.set(registry, new Map(OWN_TYPES.map((name) => [name, names.take(name)])));
  for (const codec of named.filter((each) => tables.has(each) && isTableCodec(each))) {
    const name = typeNames.get(codec)!;
    companionNames.set(codec, new Map(SUFFIXES.map((suffix) => [suffix, names.take(name + suffix)])));
  }
}

/** The name of a type that belongs to no table. */
export function ownTypeName(build: Pick<GraphileBuild.Build, "input">, name: string): string {
  return ownTypeNames.get(build.input.pgRegistry)!.get(name)!;
}

/** The field of Query that finds a row by its `nodeId`. */
export function nodeFieldName(build: Pick<GraphileBuild.Build, "input">): string {
  return nodeFieldNames.get(build.input.pgRegistry)!;
}

/** One foreign key, whichever end it is seen from. */
function keyOf(relation: AnyRelation): string {
  const here = [relation.localCodec.name, ...relation.localAttributes];
  const there = [relation.remoteResource.codec.name, ...relation.remoteAttributes];
  return JSON.stringify(relation.isReferencee ? [there, here] : [here, there]);
}

function referencingColumns(relation: AnyRelation): readonly string[] {
  return relation.isReferencee ? relation.remoteAttributes : relation.localAttributes;
}

/**
 * Relation fields. The plain name is the name of the table at the other end. Where a column, another key or the other
 * direction has the same name, every key of the pair of tables is `<name>By<Columns>`, and `…List` marks the children's
 * side.
 */
function nameRelations(build: GraphileBuild.Build): void {
  const { inflection } = build;
  const ends = Object.values(build.input.pgRegistry.pgCodecs as Record<string, AnyCodec>).flatMap((codec) => {
    const seen = new Set<string>();
    return relationsOf(build, codec)
      .filter((relation) => behaves(build, "pgCodecRelation", relation, "resource:select"))
      .filter((relation) => {
        const id = `${relation.isReferencee ? "<" : ">"}${keyOf(relation)}`;
        return !seen.has(id) && Boolean(seen.add(id));
      })
      .map((relation) => {
        const type = inflection.tableType(relation.remoteResource.codec);
        const chosen = tagText(relation, relation.isReferencee ? "foreignFieldName" : "fieldName");
        return { codec, relation, key: keyOf(relation), chosen, plain: type.charAt(0).toLowerCase() + type.slice(1) };
      });
  });
  const wanted = new Map<AnyCodec, Map<string, number>>();
  for (const { codec, chosen, plain } of ends) {
    const counts = wanted.get(codec) ?? new Map<string, number>();
    if (chosen === undefined) counts.set(plain, (counts.get(plain) ?? 0) + 1);
    wanted.set(codec, counts);
  }
  const fieldNames = (codec: AnyCodec) => new Set(columnNamesOf(codec.attributes as Attributes, toLegalName).values());
  const taken = new Map([...wanted.keys()].map((codec) => [codec, fieldNames(codec)]));
  const crowded = new Set(
    ends
      .filter(
        ({ codec, chosen, plain }) =>
          chosen === undefined && (taken.get(codec)!.has(plain) || wanted.get(codec)!.get(plain)! > 1),
      )
      .map(({ key }) => key),
  );

  const byName = ({ plain, relation }: (typeof ends)[number]): string =>
    `${plain}By${referencingColumns(relation).map(toPascalCase).join("And")}`;
  const forward = new Map<AnyCodec, Set<string>>();
  for (const end of ends)
    if (!end.relation.isReferencee && crowded.has(end.key))
      forward.set(end.codec, (forward.get(end.codec) ?? new Set()).add(byName(end)));

  const names = new Map([...taken].map(([codec, columns]) => [codec, new Names(columns)]));
  const order = (end: (typeof ends)[number]) =>
    `${end.chosen === undefined ? 1 : 0} ${end.relation.isReferencee ? 1 : 0} ${end.key}`;
  for (const end of ends.sort((a, b) => compare(order(a), order(b)))) {
    const { codec, relation, chosen, plain, key } = end;
    let name = chosen === undefined ? plain : toLegalName(chosen);
    if (chosen === undefined && crowded.has(key)) {
      name = byName(end);
      if (relation.isReferencee && forward.get(codec)?.has(name)) name += "List";
    }
    relationNames.set(relation, names.get(codec)!.take(name));
  }
}

function nameFunctions(build: GraphileBuild.Build): void {
  const { inflection } = build;
  const rootNames = new Names(
    allResources(build)
      .filter((resource) => !isFunctionResource(resource) && isTableCodec(resource.codec))
      .flatMap((resource) => ROOT_VERBS.map((verb) => inflection.tableField(verb, resource.codec))),
  );
  const typeFields = new Map<AnyCodec, Names>();
  const functions = allResources(build).filter(isFunctionResource);
  for (const resource of functions.sort((a, b) => compare(a.identifier, b.identifier))) {
    const first = (resource.parameters as readonly { codec: AnyCodec }[])[0]?.codec;
    const own = databaseNameOf(resource)?.name ?? resource.name;
    if (first && isTableCodec(first) && !resource.isMutation) {
      const names = typeFields.get(first) ?? fieldNamesOf(build, first);
      typeFields.set(first, names);
      const prefix = `${databaseNameOf(first)?.name ?? first.name}_`;
      const short = own.startsWith(prefix) && own.length > prefix.length ? own.slice(prefix.length) : own;
      const chosen = tagText(resource, "fieldName") ?? tagText(resource, "name");
      functionNames.set(resource, names.take(chosen === undefined ? toCamelCase(short) : toLegalName(chosen)));
    } else {
      const chosen = tagText(resource, "name") ?? tagText(resource, "fieldName");
      functionNames.set(resource, rootNames.take(chosen === undefined ? toCamelCase(own) : toLegalName(chosen)));
    }
  }
  nodeFieldNames.set(build.input.pgRegistry, rootNames.take("node"));
  nameOwnFields(build, typeFields);
}

/** Names Portolan's further fields of a table's type. `typeFields`: names that functions of a type have already. */
function nameOwnFields(build: GraphileBuild.Build, typeFields: ReadonlyMap<AnyCodec, Names>): void {
  const codecs = new Set(
    allResources(build)
      .filter(isTableResource)
      .map((resource) => resource.codec as AnyCodec),
  );
  for (const codec of codecs) {
    const names = typeFields.get(codec) ?? fieldNamesOf(build, codec);
    const relations = relationsOf(build, codec).filter((relation) => relationNames.has(relation));
    for (const relation of relations.filter(({ isReferencee }) => isReferencee))
      aggregateNames.set(relation, names.take(`${relationNames.get(relation)}Aggregate`));
    ownFieldNames.set(codec, new Map(OWN_FIELDS.map((name) => [name, names.take(name)])));
  }
}

/** The names of columns and relations. */
function fieldNamesOf(build: GraphileBuild.Build, codec: AnyCodec): Names {
  return new Names([
    ...columnNamesOf(codec.attributes as Attributes, toLegalName).values(),
    ...relationsOf(build, codec).flatMap((relation) => relationNames.get(relation) ?? []),
  ]);
}

export const NamingPlugin: GraphileConfig.Plugin = {
  name: "NamingPlugin",
  description: "Names of types, columns, relations and functions",
  version: VERSION,

  inflection: {
    add: {
      tableField(_options, verb, codec) {
        return `${verb}${this.tableType(codec)}`;
      },
      eventField(_options, codec, suffix) {
        return `${this.tableType(codec)}${suffix}`;
      },
      relationField(_options, relation) {
        return relationNames.get(relation);
      },
      functionField(_options, resource) {
        const name = functionNames.get(resource);
        if (name === undefined) throw new Error(`${resource} is not a function of this schema`);
        return name;
      },
      companionType(_options, codec, suffix) {
        return companionNames.get(codec)?.get(suffix) ?? `${this.tableType(codec)}${suffix}`;
      },
      childrenAggregateField(_options, relation) {
        return aggregateNames.get(relation);
      },
      ownField(_options, codec, name) {
        return ownFieldNames.get(codec)?.get(name);
      },
      functionArgument(_options, name, index) {
        return name ? toCamelCase(this.coerceToGraphQLName(name)) : `arg${index}`;
      },
    },
    replace: {
      // Names of the registry. Clients never see them, but equal names would make the build fail.
      classCodecName(_previous, _options, { pgClass }) {
        return `${pgClass.getNamespace()!.nspname}.${pgClass.relname}`;
      },
      typeCodecName(_previous, _options, { pgType }) {
        return `${pgType.getNamespace()!.nspname}.${pgType.typname} type`;
      },
      tableResourceName(_previous, _options, { pgClass }) {
        return `${pgClass.getNamespace()!.nspname}.${pgClass.relname}`;
      },
      functionResourceName(_previous, _options, { pgProc }) {
        return `${pgProc.getNamespace()!.nspname}.${pgProc.proname}()`;
      },
      functionRecordReturnCodecName(_previous, _options, { pgProc }) {
        return `${pgProc.getNamespace()!.nspname}.${pgProc.proname} record`;
      },
      resourceRelationName(_previous, _options, { pgConstraint, isReferencee }) {
        const { nspname } = pgConstraint.getClass()!.getNamespace()!;
        return `${isReferencee ? "<" : ">"} ${nspname}.${pgConstraint.getClass()!.relname}.${pgConstraint.conname}`;
      },

      // Names of types. An underscore keeps the unused companions of a table's type apart from other tables.
      tableType(_previous, _options, codec) {
        return typeNames.get(codec) ?? plainTypeName(codec, (name) => this.coerceToGraphQLName(name));
      },
      rangeType(_previous, _options, { codec }) {
        return typeNames.get(codec) ?? plainTypeName(codec, (name) => this.coerceToGraphQLName(name));
      },
      inputType: (_previous, _options, typeName) => `${typeName}_Input`,
      patchType: (_previous, _options, typeName) => `${typeName}_Patch`,
      baseInputType: (_previous, _options, typeName) => `${typeName}_Base`,
      connectionType: (_previous, _options, typeName) => `${typeName}_Connection`,
      edgeType: (_previous, _options, typeName) => `${typeName}_Edge`,

      _attributeName(_previous, _options, { codec, attributeName }) {
        const toLegal = (name: string) => toLegalName(this.coerceToGraphQLName(name));
        return columnNamesOf(codec.attributes as Attributes, toLegal).get(attributeName) ?? toLegal(attributeName);
      },
      attribute(_previous, _options, details) {
        return this._attributeName(details);
      },
    },
  },

  schema: {
    hooks: {
      build: {
        provides: ["portolan-type-names"],
        callback(build) {
          nameTypes(build, (name) => build.inflection!.coerceToGraphQLName(name));
          return build;
        },
      },
      init: {
        before: ["PgCodecs"],
        callback(_, build) {
          for (const codec of Object.values(build.input.pgRegistry.pgCodecs) as AnyCodec[])
            for (const attributeName of Object.keys(codec.attributes ?? {}))
              build.inflection.attribute({ codec, attributeName });
          nameRelations(build);
          nameFunctions(build);
          return _;
        },
      },
    },
  },
};

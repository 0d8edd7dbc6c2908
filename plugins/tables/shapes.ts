/** The names of a table for filters, orders and rows of data. */
import type { SQL } from "postgraphile/pg-sql2";
import { baseOf } from "../../server/types/columnType.ts";
import type { Column, Relation, Shape } from "../../server/filter/tree.ts";
import { behaves, columnBehaves } from "./behaviors.ts";
import { columnTypeOf } from "./columnType.ts";
import {
  allResources,
  databaseNameOf,
  isFunctionResource,
  primaryKeyOf,
  relationsOf,
  tagText,
  type AnyCodec,
  type TableResource,
} from "./resources.ts";

export interface TableShape extends Shape {
  readonly columns: readonly Column[];
}

const shapes = new WeakMap<object, TableShape>();

/**
 * The shape of a table, made once for each build. It needs the names of fields, so it must not be called before the end
 * of the `init` phase.
 */
export function shapeOf(build: GraphileBuild.Build, resource: TableResource): TableShape {
  const known = shapes.get(resource);
  if (known) return known;
  const { codec } = resource;
  const { schema, name } = databaseNameOf(codec) ?? { schema: "", name: codec.name };
  const key = primaryKeyOf(resource);

  const visible = Object.keys(codec.attributes).filter((column) =>
    columnBehaves(build, codec, column, "attribute:select"),
  );
  const columns = visible.map((column): Column => ({
    name: column,
    type: columnTypeOf(codec.attributes[column]!.codec as AnyCodec),
    ...(key?.includes(column) ? { id: true } : {}),
    ...searchOf(codec, codec.attributes[column]!),
    ...(key?.includes(column) || codec.attributes[column]!.notNull ? { notNull: true } : {}),
  }));
  const byName = new Map(columns.map((column) => [column.name, column]));
  // On a clash the field name wins, so it is set last.
  for (const column of columns) byName.set(build.inflection.attribute({ codec, attributeName: column.name }), column);

  const spatial = columns.find(({ type }) => type.kind === "geometry");
  const postgis = spatial && baseOf(spatial.type).schema;
  const unaccent = codec.extensions?.portolanUnaccent;

  let relations: ReadonlyMap<string, Relation> | undefined;
  let computed: ReadonlyMap<string, Column> | undefined;
  const shape: TableShape = {
    schema,
    relation: name,
    columns,
    extensions: { ...(postgis !== undefined && { postgis }), ...(unaccent !== undefined && { unaccent }) },
    column: (wanted) => byName.get(wanted),
    related(wanted) {
      relations ??= relationsByField(build, codec);
      return relations.get(wanted);
    },
    computed(wanted) {
      computed ??= computedColumns(build, codec);
      return computed.get(wanted);
    },
  };
  shapes.set(resource, shape);
  return shape;
}

/** The columns of the primary key, in its order; undefined without a key, or where one of its columns is not shown. */
export function shownKeyOf(build: GraphileBuild.Build, resource: TableResource): readonly Column[] | undefined {
  const names = primaryKeyOf(resource) ?? [];
  const { columns } = shapeOf(build, resource);
  const key = names.flatMap((name) => columns.find((column) => column.name === name) ?? []);
  return key.length > 0 && key.length === names.length ? key : undefined;
}

/** The settings of `search` and `similar`: `@search config` of a column, or else of its table, and pg_trgm. */
function searchOf(codec: AnyCodec, attribute: object): Pick<Column, "search" | "trigrams"> {
  const search = tagText(attribute, "search") ?? tagText(codec, "search");
  const trigrams = codec.extensions?.portolanTrigrams;
  return {
    ...(search !== undefined && /^\w+(\.\w+)?$/.test(search) && { search }),
    ...(trigrams !== undefined && { trigrams }),
  };
}

/** The functions of a row that return one value and need no other argument, by the names of their fields. */
function computedColumns(build: GraphileBuild.Build, codec: AnyCodec): ReadonlyMap<string, Column> {
  const found = new Map<string, Column>();
  for (const resource of allResources(build)) {
    if (!isFunctionResource(resource) || resource.isMutation || !resource.isUnique || resource.codec.attributes)
      continue;
    const [row, ...others] = resource.parameters as readonly { codec: AnyCodec; optional?: boolean }[];
    if (row?.codec !== codec || !others.every(({ optional }) => optional)) continue;
    if (!behaves(build, "pgResource", resource, "typeField") || resource.codec.name === "void") continue;
    const call = resource.from as (row: { placeholder: SQL; position: number }) => SQL;
    const name = build.inflection.functionField(resource);
    const type = columnTypeOf(resource.codec as AnyCodec);
    found.set(name, { name, type, computed: (alias) => call({ placeholder: alias, position: 0 }) });
  }
  return found;
}

function relationsByField(build: GraphileBuild.Build, codec: AnyCodec): ReadonlyMap<string, Relation> {
  const relations = new Map<string, Relation>();
  for (const relation of relationsOf(build, codec)) {
    const name = build.inflection.relationField(relation);
    if (name === undefined) continue;
    relations.set(name, {
      name,
      get target() {
        return shapeOf(build, relation.remoteResource as TableResource);
      },
      on: relation.localAttributes.map((here, index) => [here, relation.remoteAttributes[index]!] as const),
      toOne: !relation.isReferencee,
    });
  }
  return relations;
}

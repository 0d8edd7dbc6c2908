/** Types of a database by their number, as far as values of them are read and written. */
import type { Database } from "../kernel/database/database.ts";
import { baseKind } from "../filter/baseKind.ts";
import type { ColumnType } from "../filter/tree.ts";

export interface Type {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
  /** b base, e enum, c composite, d domain, a array, r range, m multirange, p pseudo. */
  readonly kind: "b" | "e" | "c" | "d" | "a" | "r" | "m" | "p";
  /** array: its elements; domain: its base; range: its bounds; multirange: its range. */
  readonly element?: Type;
  readonly labels?: readonly string[];
  readonly attributes?: readonly { readonly name: string; readonly type: Type }[];
  /** What stands between the elements of an array of this type. */
  readonly delimiter: string;
  /** The same for the filter language, which knows how JSON becomes text. */
  readonly column: ColumnType;
}

interface TypeRow {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
  readonly kind: Type["kind"];
  readonly element: number | null;
  readonly labels: string[] | null;
  readonly attributes: readonly { readonly name: string; readonly type: number }[] | null;
  readonly delimiter: string;
}

/** Reads types when they are asked for and keeps them until `clear`. */
export class TypeCatalogue {
  readonly #database: Database;
  #types = new Map<number, Type>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Forgets what is known: DDL may have changed it. */
  clear(): void {
    this.#types = new Map();
  }

  /** The types of these numbers. One that is gone counts as text. */
  async read(oids: readonly number[]): Promise<(oid: number) => Type> {
    const types = this.#types;
    const unknown = oids.filter((oid) => !types.has(oid));
    if (unknown.length > 0) {
      const rows = await this.#database.db.any<TypeRow>(
        "select oid, schema, name, kind, element, labels, attributes, delimiter from portolan.type_catalogue($1::oid[])",
        [unknown],
      );
      const byOid = new Map(rows.map((row) => [row.oid, row]));
      for (const { oid } of rows) build(oid, byOid, types);
    }
    return (oid) => types.get(oid) ?? TEXT;
  }
}

const TEXT: Type = {
  oid: 25,
  schema: "pg_catalog",
  name: "text",
  kind: "b",
  delimiter: ",",
  column: { kind: "text", schema: "pg_catalog", name: "text" },
};

function build(oid: number, rows: ReadonlyMap<number, TypeRow>, into: Map<number, Type>): Type {
  const known = into.get(oid);
  if (known) return known;
  const row = rows.get(oid);
  if (!row) return TEXT;
  const { schema, name, kind, delimiter } = row;
  const part = (number: number): Type => build(number, rows, into);
  const element = row.element === null ? undefined : part(row.element);
  const attributes = row.attributes?.map((attribute) => ({ name: attribute.name, type: part(attribute.type) }));
  const type: Type = {
    oid,
    schema,
    name,
    kind,
    delimiter,
    ...(element && { element }),
    ...(row.labels && { labels: row.labels }),
    ...(attributes && { attributes }),
    column: toColumn(row, element, attributes),
  };
  into.set(oid, type);
  return type;
}

function toColumn(row: TypeRow, element: Type | undefined, attributes: Type["attributes"]): ColumnType {
  const { schema, name } = row;
  switch (row.kind) {
    case "d":
      return { ...element!.column, schema, name, base: { schema: element!.schema, name: element!.name } };
    case "a":
      return { kind: "array", schema, name, element: element!.column };
    case "r":
      return { kind: "range", schema, name, element: element!.column };
    case "m":
      return { kind: "multirange", schema, name, element: element!.element!.column };
    case "c":
      return {
        kind: "composite",
        schema,
        name,
        attributes: (attributes ?? []).map((attribute) => ({ name: attribute.name, type: attribute.type.column })),
      };
    default: {
      const builtIn = schema === "pg_catalog" ? baseKind(name) : undefined;
      const geometry = isGeometry({ schema, name } as Type);
      return geometry
        ? { kind: "geometry", schema, name, srid: 0 }
        : { kind: row.kind === "b" ? (builtIn ?? "text") : "text", schema, name };
    }
  }
}

/** PostGIS's geometry and geography, whose schema is the extension's. */
export function isGeometry({ schema, name }: Pick<Type, "schema" | "name">): boolean {
  return schema !== "pg_catalog" && (name === "geometry" || name === "geography");
}

/** Below domains. */
export function baseOf(type: Type): Type {
  return type.kind === "d" && type.element ? baseOf(type.element) : type;
}

/** Whether a geometry is in it, as itself, in an array or in a composite. */
export function holdsGeometry(type: Type): boolean {
  return (
    isGeometry(type) ||
    (type.element !== undefined && holdsGeometry(type.element)) ||
    (type.attributes?.some((attribute) => holdsGeometry(attribute.type)) ?? false)
  );
}

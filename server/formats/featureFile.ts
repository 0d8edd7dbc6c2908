/** The metadata that a file of features has before its first feature. */
import { sql, type SQL } from "postgraphile/pg-sql2";
import type { Transaction } from "../kernel/database/database.ts";
import { baseOf, type ColumnType } from "../types/columnType.ts";
import { kindsOf, type DeclaredGeometries } from "./geometry.ts";

export interface FeatureFile {
  /** Name of the table, with its schema. */
  readonly name: string;
  readonly table: string;
  /** EPSG code of the geometries. */
  readonly srs: number;
  /** Whether geometries have heights and measures. */
  readonly dimensions: { readonly z: boolean; readonly m: boolean };
  /** `POLYGON` where all geometries are polygons, and so on; else `GEOMETRY`. */
  readonly geometryType: string;
  readonly system: ReferenceSystem;
  /** The name of the column that numbers the rows, where a key of the table is one. */
  readonly key?: string | undefined;
}

interface ReferenceSystem {
  readonly organization: string;
  /** The organization's own code. */
  readonly code: number;
  /** Well-known text. */
  readonly definition: string;
}

/** The rows whose geometries are written; `value` is the geometry. */
export interface Geometries {
  readonly value: SQL;
  readonly type: ColumnType;
  /** `from … where …` */
  readonly from: SQL;
  /** The geometries that the column's type declares; undefined: the type allows any, so the values decide. */
  readonly declared?: DeclaredGeometries | undefined;
}

const MODIFIED_TYPES = ["Point", "LineString", "Polygon", "MultiPoint", "MultiLineString", "MultiPolygon"];

/** The geometries that a type modifier declares; undefined where it declares nothing. */
export function declaredBy(modifier: number): DeclaredGeometries | undefined {
  if (modifier < 0) return undefined;
  return {
    geometryType: MODIFIED_TYPES[((modifier & 0xfc) >> 2) - 1],
    more: { z: (modifier & 2) !== 0, m: (modifier & 1) !== 0 },
    srid: ((modifier & 0x0fff_ff00) - (modifier & 0x1000_0000)) >> 8 || undefined,
  };
}

export interface DescribedRows {
  readonly schema: string;
  readonly table: string;
  readonly srs: number;
  /** The only column of the key, where it is of integers, the rows are in its order and the format numbers rows. */
  readonly key?: string | undefined;
}

/** `geometries`: undefined where there are none, or where the format needs no metadata. */
export async function describeFile(
  transaction: Transaction,
  { schema, table, srs, key: wanted }: DescribedRows,
  geometries: Geometries | undefined,
): Promise<FeatureFile> {
  const key = wanted !== undefined && (await isUnique(transaction, [schema, table, wanted])) ? wanted : undefined;
  const file = { name: `${schema}.${table}`, table, srs, key };
  const nothing: Described = { dimensions: { z: false, m: false }, geometryType: "GEOMETRY" };
  if (!geometries) return { ...file, ...nothing, system: unknown(srs) };
  const { value, type, from, declared } = geometries;
  const ask = async <Row extends object>(query: SQL): Promise<readonly Row[]> => {
    const { text, values } = sql.compile(query);
    return (await transaction.query<Row>({ text, values })).rows;
  };
  const known = declared && describedBy(declared);
  const kinds = known ? [] : await ask<Kind>(sql`select ${kindsOf(value, type)} ${from} group by 1`);
  const [system] = await ask<ReferenceSystem>(sql`
select auth_name as organization, auth_srid as code, srtext as definition
from ${sql.identifier(baseOf(type).schema, "spatial_ref_sys")}
where srid operator(pg_catalog.=) ${sql.value(srs)}::pg_catalog.int4
  and auth_name is not null and auth_srid is not null and srtext is not null`);
  return { ...file, ...(known ?? (kinds.length > 0 ? described(kinds) : nothing)), system: system ?? unknown(srs) };
}

/** Whether a constraint of the table keeps values from being there twice, also in tables that inherit from it. */
async function isUnique(transaction: Transaction, names: readonly [schema: string, table: string, column: string]) {
  const { rows } = await transaction.query({
    text: `
select 1
from pg_catalog.pg_class c
  join pg_catalog.pg_namespace n on n.oid operator(pg_catalog.=) c.relnamespace
  join pg_catalog.pg_index i on i.indrelid operator(pg_catalog.=) c.oid
  join pg_catalog.pg_attribute a on a.attrelid operator(pg_catalog.=) c.oid and a.attnum operator(pg_catalog.=) i.indkey[0]
where n.nspname operator(pg_catalog.=) $1 and c.relname operator(pg_catalog.=) $2 and a.attname operator(pg_catalog.=) $3
  and i.indisprimary and i.indnkeyatts operator(pg_catalog.=) 1
  and (c.relkind operator(pg_catalog.=) 'p' or not c.relhassubclass)`,
    values: [...names],
  });
  return rows.length > 0;
}

type Described = Pick<FeatureFile, "dimensions" | "geometryType">;

interface Kind {
  /** PostGIS' name of the type; null for rows without a geometry. */
  readonly kind: string | null;
  readonly z: boolean;
  readonly m: boolean;
}

const SIMPLE: ReadonlySet<string> = new Set([
  ...["POINT", "LINESTRING", "POLYGON", "MULTIPOINT", "MULTILINESTRING", "MULTIPOLYGON", "GEOMETRYCOLLECTION"],
]);

/** Curves and collections become other types, which are looked for. */
function describedBy({ geometryType, more }: DeclaredGeometries): Described | undefined {
  const name = geometryType?.toUpperCase() ?? "";
  if (!more || !SIMPLE.has(name) || name === "GEOMETRYCOLLECTION") return undefined;
  return { dimensions: more, geometryType: name };
}

function described(kinds: readonly Kind[]): Described {
  const names = kinds.flatMap(({ kind }) => kind?.replace(/^ST_/, "").toUpperCase() ?? []);
  const isOne = names.length === 1 && SIMPLE.has(names[0]!);
  return {
    dimensions: { z: kinds.some(({ z }) => z), m: kinds.some(({ m }) => m) },
    geometryType: isOne ? names[0]! : "GEOMETRY",
  };
}

function unknown(srs: number): ReferenceSystem {
  return { organization: "NONE", code: srs, definition: "undefined" };
}

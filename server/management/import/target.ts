/** The table into which rows are imported: its columns as the caller may write them, and how a cell becomes a value. */
import { declaredBy } from "../../formats/featureFile.ts";
import { sql, type SQL } from "postgraphile/pg-sql2";
import { asColumnHasIt, columnValue, ewkt, sridOf, type GeometryShape } from "../../filter/geometrySql.ts";
import { badInput, GatewayError } from "../../ground/errors.ts";
import { baseType, sridOf as sridOfModifier } from "../../types/catalogue.ts";
import { isGeography, type ColumnType } from "../../types/columnType.ts";
import { isDeeperThan, isRawNumber } from "../../types/exactJson.ts";
import { parseGeometry } from "../../types/geometry.ts";
import { plainGeometry } from "../../types/plainGeometry.ts";
import { isObject } from "../../types/json.ts";
import { arrayLiteral, type ArrayItem } from "../../types/literals.ts";
import { shapeOfText } from "../../formats/geometryShape.ts";
import { MOST_LEVELS, type Cell } from "../../formats/source.ts";

/** Runs statements: a transaction of a request, or a connection of the command line. */
export type Run = <Row>(text: string, values: readonly unknown[]) => Promise<readonly Row[]>;

export interface TargetColumn {
  readonly name: string;
  /** The shape of a PostGIS column; undefined for other columns. */
  readonly spatial: (GeometryShape & { readonly type: ColumnType }) | undefined;
  readonly isArray: boolean;
  /** `text`: SQL of the result of `cellText`. Returns a value that can be assigned to the column. */
  value(text: SQL): SQL;
}

/** A column that a sequence numbers where a row does not. */
export interface NumberedColumn extends Pick<TargetColumn, "name" | "value"> {
  /** Whether rows may not number it (GENERATED ALWAYS). */
  readonly always: boolean;
  /** A temporary key for the row at this place: from the other end of the sequence, far from the keys in use. */
  spare(place: number): string;
}

export interface Target {
  readonly oid: number;
  readonly relation: SQL;
  readonly columns: readonly TargetColumn[];
  readonly numbered: readonly NumberedColumn[];
}

interface Row {
  readonly oid: string;
  readonly rights: readonly string[];
  readonly columns: readonly {
    readonly name: string;
    readonly writable: boolean;
    readonly schema: string;
    readonly type: string;
    readonly modifier: number;
    readonly category: string;
  }[];
  readonly numbered: readonly {
    readonly name: string;
    readonly always: boolean;
    /** The last number that the sequence can reach. */
    readonly end: string;
    /** -1 where it counts up to that, else 1. */
    readonly step: string;
  }[];
}

const TARGET = `
select t.rights, format('%I.%I', t.schema, t.name)::regclass::oid::text as oid, (
  select jsonb_agg(jsonb_build_object(
    'name', a.attname, 'writable', c.rights ? 'insert', 'schema', n.nspname,
    'type', y.typname, 'modifier', a.atttypmod, 'category', y.typcategory) order by a.attnum)
  from jsonb_to_recordset(t.columns) c (name text, rights jsonb)
    join pg_attribute a on a.attrelid = format('%I.%I', t.schema, t.name)::regclass and a.attname = c.name
    join pg_type y on y.oid = a.atttypid
    join pg_namespace n on n.oid = y.typnamespace) as columns, (
  select coalesce(jsonb_agg(distinct jsonb_build_object(
    'name', a.attname, 'always', a.attidentity = 'a', 'step', (-sign(s.seqincrement))::text,
    'end', case when s.seqincrement < 0 then s.seqmin
      else least(s.seqmax, case a.attlen when 2 then 32767 when 4 then 2147483647 else s.seqmax end) end::text)), '[]')
  from pg_attribute a
    join lateral (
      select d.objid as sequence
      from pg_depend d
      where a.attidentity <> '' and d.refclassid = 'pg_class'::regclass and d.refobjid = a.attrelid
        and d.refobjsubid = a.attnum and d.classid = 'pg_class'::regclass and d.deptype = 'i'
      union all
      select d.refobjid
      from pg_attrdef f join pg_depend d on d.classid = 'pg_attrdef'::regclass and d.objid = f.oid
      where f.adrelid = a.attrelid and f.adnum = a.attnum and a.attgenerated = ''
        and pg_get_expr(f.adbin, f.adrelid) ~ '^nextval\\([^()]*\\)$'
    ) q on true
    join pg_sequence s on s.seqrelid = q.sequence
  where a.attrelid = format('%I.%I', t.schema, t.name)::regclass and has_column_privilege(a.attrelid, a.attnum, 'insert')
) as numbered
from portolan.list_tables($1, $2) t`;

/** Throws `NOT_FOUND`, and `FORBIDDEN` where the caller may insert nothing. */
export async function readTarget(run: Run, schema: string, table: string): Promise<Target> {
  const [row] = await run<Row>(TARGET, [schema, table]);
  if (!row) throw new GatewayError("NOT_FOUND", `There is no table ${JSON.stringify(table)}`);
  if (!row.rights.includes("insert")) throw new GatewayError("FORBIDDEN", "The account may not insert into the table");
  return {
    oid: Number(row.oid),
    relation: sql.identifier(schema, table),
    columns: row.columns.filter(({ writable }) => writable).map(targetColumn),
    numbered: row.numbered.map(({ name, always, end, step }) => ({
      name,
      always,
      value: (text) => sql`${text}::pg_catalog.int8`,
      spare: (place) => String(BigInt(end) + BigInt(step) * BigInt(place)),
    })),
  };
}

function targetColumn({ name, schema, type, modifier, category }: Row["columns"][number]): TargetColumn {
  const columnType: ColumnType = { ...baseType({ schema, name: type }), srid: sridOfModifier(modifier) };
  if (columnType.kind !== "geometry")
    return {
      name,
      spatial: undefined,
      isArray: category === "A",
      // without its length: a cast to that would cut what an assignment refuses
      value: (text) => sql`${text}::${sql.identifier(schema, type)}`,
    };
  const declared = declaredBy(modifier);
  const shape = {
    type: columnType,
    geometryType: declared?.geometryType,
    more: declared?.more,
  };
  return {
    name,
    spatial: shape,
    isArray: false,
    value: (text) => {
      const value = columnValue(text, columnType, sridOf(columnType) !== 0);
      return isGeography(columnType) ? value : asColumnHasIt(columnType, shape, value);
    },
  };
}

const BINARY = /^\s*(SRID=\d{1,6};)?[0-9a-f]{18,}\s*$/i;

/** A cell as PostgreSQL's text of a value of the column. `srid`: of geometries that do not say theirs. Throws `BAD_USER_INPUT`. */
export function cellText(column: TargetColumn, cell: Cell, srid: number | undefined): string | null {
  if (cell === null || cell === undefined) return null;
  if (column.spatial) return geometryText(column.name, column.spatial.type, cell, srid);
  if (typeof cell === "string") return cell;
  if (isRawNumber(cell)) return cell.rawJSON;
  if (column.isArray && Array.isArray(cell)) return arrayLiteral(cell.map((item) => arrayItem(column, item)));
  return typeof cell === "object" ? JSON.stringify(cell) : String(cell as number | boolean);
}

function arrayItem(column: TargetColumn, item: unknown): ArrayItem {
  return Array.isArray(item) ? item.map((each) => arrayItem(column, each)) : cellText(column, item, undefined);
}

function geometryText(name: string, type: ColumnType, cell: Cell, srid: number | undefined): string | null {
  if (typeof cell !== "string") return ewkt(plainGeometry(cell as never) ?? parseGeometry(cell, name), type);
  const text = cell.trim();
  if (text === "") return null;
  if (BINARY.test(text)) {
    const given = srid ?? sridOf(type);
    const isOpen = given !== 0 && !/^SRID/i.test(text) && shapeOfText(text)?.srid === 0;
    return isOpen ? `SRID=${given};${text}` : text;
  }
  const json = text.startsWith("{") ? parseJson(name, text) : text;
  const geometry = parseGeometry(json, name);
  return ewkt({ ...geometry, srid: geometry.srid || (srid ?? 0) }, type);
}

function parseJson(name: string, text: string): unknown {
  try {
    const json: unknown = JSON.parse(text);
    if (isObject(json) && !isDeeperThan(json, MOST_LEVELS)) return json;
  } catch {
    // reported below
  }
  return badInput(`${name}: is not a GeoJSON geometry`);
}

/**
 * Makes codecs: the expression that a statement selects for a value, and the conversion of the resulting text to a
 * JavaScript value.
 */
import { pgClassExpression, TYPES } from "postgraphile/@dataplan/pg";
import type { Step } from "postgraphile/grafast";
import { sql, type SQL } from "postgraphile/pg-sql2";
import type { ColumnType } from "../../server/types/columnType.ts";
import { rowOf } from "../../server/types/table.ts";
import type { AnyCodec, AnyRecord } from "./resources.ts";

/** The parts of pg-introspection's `PgType` that are used here. */
export interface IntrospectedType {
  readonly _id: string;
  readonly typname: string;
  getNamespace(): { readonly nspname: string } | undefined;
}

/** The type's name in PostgreSQL. */
export function nameOf(type: IntrospectedType): { readonly schema: string; readonly name: string } {
  return { schema: type.getNamespace()!.nspname, name: type.typname };
}

const identity = (text: string): string => text;

/** A list of values, each converted by `toText`; null for null. */
export function listToText(list: SQL, toText: (value: SQL) => SQL): SQL {
  const element = sql.identifier(Symbol("element"));
  return sql`(case when ${list} is null then null else array(select ${toText(element)} from unnest(${list}) as ${element})::text end)`;
}

/** A codec for a type that has no parts. `serviceName` is the database's name within PostGraphile. */
export function baseCodec(serviceName: string, oid: string, type: ColumnType): AnyCodec {
  const { schema, name, srid } = type;
  const row = rowOf(type);
  const { toText, fromText = identity, verbatim } = row.value;
  const castFromPg = toText && ((value: SQL) => toText(value, type));
  return {
    name: `${schema}.${name} type${srid === undefined ? "" : ` ${srid}`}`,
    sqlType: sql.identifier(schema, name),
    fromPg: fromText,
    toPg: (value: unknown) => row.toText(value, type, name), // only receives results of `fromPg`
    ...(castFromPg
      ? { castFromPg, listCastFromPg: (list: SQL) => listToText(list, castFromPg) }
      : verbatim
        ? { castFromPg: (value: SQL) => value }
        : {}),
    attributes: undefined,
    executor: null,
    extensions: { oid, pg: { serviceName, schemaName: schema, name }, portolan: type },
  };
}

const verbatimCodecs = new WeakMap<AnyCodec, AnyCodec>();

function verbatimCodec(codec: AnyCodec): AnyCodec {
  const known = verbatimCodecs.get(codec) ?? { ...TYPES.text, name: `${codec.name} verbatim`, sqlType: codec.sqlType };
  verbatimCodecs.set(codec, known);
  return known;
}

/**
 * A value of a row, or the row itself, for another select. If that select is a statement of its own, the value is
 * PostgreSQL's text, because the JSON of a value may lose information.
 */
export function verbatim($record: AnyRecord, column?: string): { readonly step: Step; readonly codec: AnyCodec } {
  const { alias } = $record.getClassStep();
  const row = $record.resource.codec as AnyCodec;
  const [value, type] =
    column === undefined ? [alias, row] : [sql`${alias}.${sql.identifier(column)}`, row.attributes[column].codec];
  const codec = verbatimCodec(type as AnyCodec);
  return { step: pgClassExpression($record, codec, undefined)`${value}`, codec };
}

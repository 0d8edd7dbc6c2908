/** How the plugins make codecs: what is selected instead of a value, and what JavaScript makes of the text that comes. */
import { sql, type SQL } from "postgraphile/pg-sql2";
import type { TypeKind } from "../server/filter/tree.ts";
import type { AnyCodec } from "./resources.ts";

/** The part of pg-introspection's `PgType` that is needed here. */
export interface TypeRow {
  readonly _id: string;
  readonly typname: string;
  getNamespace(): { readonly nspname: string } | undefined;
}

export interface BaseTypeOptions {
  readonly kind: TypeKind;
  readonly fromPg?: (text: string) => unknown;
  /** Back to text that PostgreSQL reads; only ever gets what `fromPg` gave. */
  readonly toPg?: (value: never) => string;
  /** Text of a value, where `::text` will not do. Null in gives null. */
  readonly toText?: (value: SQL) => SQL;
  /** The driver gives such values as text anyway. */
  readonly verbatim?: boolean;
  readonly srid?: number;
  readonly operators?: string;
  /** multirange: the bound. */
  readonly element?: AnyCodec;
}

const identity = (text: string): string => text;

/** A list of values, each made text by `toText`; null for no list. */
export function listToText(list: SQL, toText: (value: SQL) => SQL): SQL {
  const element = sql.identifier(Symbol("element"));
  return sql`(case when ${list} is null then null else array(select ${toText(element)} from unnest(${list}) as ${element})::text end)`;
}

/** A codec for a type that has no parts. `serviceName` is the database's name within PostGraphile. */
export function baseCodec(serviceName: string, type: TypeRow, options: BaseTypeOptions): AnyCodec {
  const schema = type.getNamespace()!.nspname;
  const { kind, toText, srid, operators } = options;
  return {
    name: `${schema}.${type.typname} type${srid === undefined ? "" : ` ${srid}`}`,
    sqlType: sql.identifier(schema, type.typname),
    fromPg: options.fromPg ?? identity,
    toPg: (options.toPg ?? identity) as AnyCodec["toPg"],
    ...(toText
      ? { castFromPg: (value: SQL) => toText(value), listCastFromPg: (list: SQL) => listToText(list, toText) }
      : options.verbatim
        ? { castFromPg: (value: SQL) => value }
        : {}),
    attributes: undefined,
    executor: null,
    extensions: {
      oid: type._id,
      pg: { serviceName, schemaName: schema, name: type.typname },
      ...(options.element ? { portolanElement: options.element } : {}),
      portolan: { kind, ...(srid === undefined ? {} : { srid }), ...(operators === undefined ? {} : { operators }) },
    },
  };
}

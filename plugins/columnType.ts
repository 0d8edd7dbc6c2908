/** The filter language's view of a codec. */
import { isEnumCodec } from "postgraphile/@dataplan/pg";
import type { Column, ColumnType, TypeKind } from "../server/filter/tree.ts";
import { databaseNameOf, type AnyCodec } from "./resources.ts";

declare global {
  namespace DataplanPg {
    interface PgCodecExtensions {
      /** Set on every base type: how its values look outside. */
      portolan?: { readonly kind: TypeKind; readonly srid?: number; readonly operators?: string };
      /** The codec of what is within: of an array of several dimensions (which GraphQL sees as JSON), of a multirange. */
      portolanElement?: unknown;
    }
  }
}

const types = new WeakMap<AnyCodec, ColumnType>();

/** The type of a codec, whatever it is made of. The same codec gives the same object. */
export function columnTypeOf(codec: AnyCodec): ColumnType {
  const known = types.get(codec);
  if (known) return known;
  const type = describe(codec);
  types.set(codec, type);
  return type;
}

function describe(codec: AnyCodec): ColumnType {
  const { schema, name } = databaseNameOf(codec) ?? { schema: "pg_catalog", name: codec.name };
  const extension = codec.extensions?.portolan;
  const element = (codec.extensions?.portolanElement ?? codec.arrayOfCodec) as AnyCodec | undefined;
  if (codec.domainOfCodec) {
    const inner = columnTypeOf(codec.domainOfCodec as AnyCodec);
    return { ...inner, schema, name, base: inner.base ?? { schema: inner.schema, name: inner.name } };
  }
  if (element && extension?.kind === "multirange")
    return { kind: "multirange", schema, name, element: columnTypeOf(element) };
  if (element) return { kind: "array", schema, name, element: columnTypeOf(element) };
  if (codec.rangeOfCodec) {
    const kind = extension?.kind ?? "range";
    return { kind, schema, name, element: columnTypeOf(codec.rangeOfCodec as AnyCodec) };
  }
  if (codec.attributes) return { kind: "composite", schema, name, attributes: columnsOf(codec) };
  return {
    kind: extension?.kind ?? "text",
    schema,
    name,
    ...(extension?.srid === undefined ? {} : { srid: extension.srid }),
    ...(extension?.operators === undefined ? {} : { operators: extension.operators }),
    ...(isEnumCodec(codec) ? { labels: codec.values.map(({ value }) => value) } : {}),
  };
}

function columnsOf(codec: AnyCodec): Column[] {
  return Object.entries(codec.attributes as Record<string, { codec: AnyCodec }>).map(([name, attribute]) => ({
    name,
    type: columnTypeOf(attribute.codec),
  }));
}

/** The type of a codec. */
import { isEnumCodec } from "postgraphile/@dataplan/pg";
import { domainType } from "../../server/types/catalogue.ts";
import type { Attribute, ColumnType } from "../../server/types/columnType.ts";
import { databaseNameOf, type AnyCodec } from "./resources.ts";

declare global {
  namespace DataplanPg {
    interface PgCodecExtensions {
      /** Set on every type without parts, and on multiranges, which are text here. */
      portolan?: ColumnType;
      /** The codec of the elements of an array of several dimensions, which is JSON in GraphQL. */
      portolanElement?: unknown;
    }
  }
}

const types = new WeakMap<AnyCodec, ColumnType>();

/** The type of any codec. The same codec gives the same object. */
export function columnTypeOf(codec: AnyCodec): ColumnType {
  const known = types.get(codec);
  if (known) return known;
  const type = describe(codec);
  types.set(codec, type);
  return type;
}

function describe(codec: AnyCodec): ColumnType {
  const known = codec.extensions?.portolan;
  if (known) return known;
  const { schema, name } = databaseNameOf(codec) ?? { schema: "pg_catalog", name: codec.name };
  const part = (of: unknown): ColumnType => columnTypeOf(of as AnyCodec);
  if (codec.domainOfCodec) return domainType({ schema, name }, part(codec.domainOfCodec));
  const element = codec.extensions?.portolanElement ?? codec.arrayOfCodec;
  if (element) return { kind: "array", schema, name, element: part(element) };
  if (codec.rangeOfCodec) return { kind: "range", schema, name, element: part(codec.rangeOfCodec) };
  if (codec.attributes) return { kind: "composite", schema, name, attributes: attributesOf(codec) };
  const labels = isEnumCodec(codec) ? codec.values.map(({ value }) => value) : undefined;
  return { kind: "text", schema, name, ...(labels && { labels }) };
}

function attributesOf(codec: AnyCodec): Attribute[] {
  return Object.entries(codec.attributes as Record<string, { codec: AnyCodec }>).map(([name, attribute]) => ({
    name,
    type: columnTypeOf(attribute.codec),
  }));
}

import { listOfCodec } from "postgraphile/@dataplan/pg";
import { gatherConfig } from "postgraphile/graphile-build";
import { sql, type SQL } from "postgraphile/pg-sql2";
import { toTextValue } from "../server/filter/values.ts";
import { VERSION } from "../server/ground/packageDirectory.ts";
import { sqlToJson } from "../server/types/sqlJson.ts";
import { columnTypeOf } from "./tables/columnType.ts";
import { jsonValueOf } from "./tables/jsonValue.ts";
import type { AnyCodec } from "./tables/resources.ts";

declare global {
  namespace GraphileConfig {
    interface Plugins {
      ArrayTypesPlugin: true;
    }
  }
}

/**
 * The codec of an array of several dimensions, which PostgreSQL writes as nested JSON lists, with elements in the same
 * form as in lists.
 */
function nestedCodec(list: AnyCodec, element: AnyCodec): AnyCodec {
  const type = columnTypeOf(list);
  const toJson = jsonValueOf(type, false) ?? sqlToJson.asItIs;
  const { arrayOfCodec: _, listCastFromPg: __, ...rest } = list;
  return {
    ...rest,
    name: `${list.name} nested`,
    castFromPg: (value: SQL) => sql`to_json(${toJson(value, type)})::text`,
    fromPg: JSON.parse,
    toPg: (value: unknown) => toTextValue(value, type, list.name) ?? "", // only receives results of `fromPg`
    extensions: { ...list.extensions, portolanElement: element },
  };
}

export const ArrayTypesPlugin: GraphileConfig.Plugin = {
  name: "ArrayTypesPlugin",
  description: "Arrays as lists; columns declared with several dimensions are JSON",
  version: VERSION,
  before: ["BaseTypesPlugin", "PgCodecsPlugin"],

  gather: gatherConfig({
    initialState: () => ({ nested: new Map<AnyCodec, AnyCodec>() }),
    hooks: {
      async pgCodecs_findPgCodec({ helpers }, event) {
        const { pgType, serviceName } = event;
        if (event.pgCodec || pgType.typcategory !== "A") return;
        const element = await helpers.pgIntrospection.getTypeByArray(serviceName, pgType._id);
        const codec =
          element && ((await helpers.pgCodecs.getCodecFromType(serviceName, element._id)) as AnyCodec | null);
        if (!codec) return;
        const schema = pgType.getNamespace()!.nspname;
        event.pgCodec = listOfCodec(codec, {
          name: `${schema}.${pgType.typname} type`,
          typeDelim: codec.listCastFromPg ? "," : (element.typdelim ?? ","), // an array in a cast arrives as text[]
          extensions: { oid: pgType._id, pg: { serviceName, schemaName: schema, name: pgType.typname } },
        });
      },
      pgCodecs_attribute({ state }, { pgAttribute, attribute }) {
        const list = attribute.codec as AnyCodec;
        if ((pgAttribute.attndims ?? 0) < 2 || !list.arrayOfCodec) return;
        const known = state.nested.get(list) ?? nestedCodec(list, list.arrayOfCodec as AnyCodec);
        state.nested.set(list, known);
        attribute.codec = known;
      },
    },
  }),
};

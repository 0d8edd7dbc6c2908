import { gatherConfig } from "postgraphile/graphile-build";
import { VERSION } from "../server/ground/packageDirectory.ts";
import { baseType, sridOf } from "../server/types/catalogue.ts";
import { isGeography } from "../server/types/columnType.ts";
import { baseCodec, nameOf } from "./tables/codecs.ts";
import type { AnyCodec } from "./tables/resources.ts";

declare global {
  namespace GraphileConfig {
    interface Plugins {
      PostgisPlugin: true;
    }
  }
}

export const PostgisPlugin: GraphileConfig.Plugin = {
  name: "PostgisPlugin",
  description: "Columns of geometries know their SRID",
  version: VERSION,
  before: ["BaseTypesPlugin", "PgCodecsPlugin"],

  gather: gatherConfig({
    initialState: () => ({ codecs: new Map<string, AnyCodec>() }),
    hooks: {
      /** Stores the SRID with the column, so that the transformation is chosen once and not for each value. */
      pgCodecs_attribute({ state }, { serviceName, pgAttribute, attribute }) {
        const codec = attribute.codec as AnyCodec;
        const type = pgAttribute.getType();
        const column = codec.extensions?.portolan;
        if (!type || column?.kind !== "geometry" || isGeography(column)) return;
        const srid = sridOf(pgAttribute.atttypmod);
        if (srid === 0) return;
        const key = `${serviceName} ${type._id} ${srid}`;
        const known = state.codecs.get(key) ?? baseCodec(serviceName, type._id, { ...baseType(nameOf(type)), srid });
        state.codecs.set(key, known);
        attribute.codec = known;
      },
    },
  }),
};

import { gatherConfig } from "postgraphile/graphile-build";
import { VERSION } from "../server/ground/packageDirectory.ts";
import { baseType } from "../server/types/catalogue.ts";
import { baseCodec, nameOf } from "./tables/codecs.ts";

declare global {
  namespace GraphileConfig {
    interface Plugins {
      BaseTypesPlugin: true;
    }
  }
}

export const BaseTypesPlugin: GraphileConfig.Plugin = {
  name: "BaseTypesPlugin",
  description: "Codecs for base types, by the table of types; unknown types are text in both directions",
  version: VERSION,
  before: ["PgCodecsPlugin"],

  gather: gatherConfig({
    hooks: {
      pgCodecs_findPgCodec(_info, event) {
        const { pgType, serviceName } = event;
        if (event.pgCodec || pgType.typtype !== "b") return;
        // int2vector and oidvector have elements, but also arrays of their own
        if (pgType.typcategory === "A" && pgType.typelem !== "0" && pgType.typarray === "0") return;
        event.pgCodec = baseCodec(serviceName, pgType._id, baseType(nameOf(pgType)));
      },
    },
  }),
};

import { VERSION } from "../server/ground/packageDirectory.ts";
declare global {
  namespace GraphileConfig {
    interface Plugins {
      DateTypesPlugin: true;
    }
  }
}

export const DateTypesPlugin: GraphileConfig.Plugin = {
  name: "DateTypesPlugin",
  description: "The object type of intervals",
  version: VERSION,

  schema: {
    hooks: {
      init(_, build) {
        const { GraphQLFloat, GraphQLInt } = build.graphql;
        build.registerObjectType(
          "Interval",
          {},
          () => ({
            description: "A span of time.",
            fields: {
              years: { type: GraphQLInt },
              months: { type: GraphQLInt },
              days: { type: GraphQLInt },
              hours: { type: GraphQLInt },
              minutes: { type: GraphQLInt },
              seconds: { type: GraphQLFloat, description: "Seconds, with their fraction." },
            },
          }),
          "DateTypesPlugin",
        );
        return _;
      },
    },
  },
};

import { gatherConfig } from "postgraphile/graphile-build";
import { sql, type SQL } from "postgraphile/pg-sql2";
import { baseCodec, type BaseTypeOptions } from "./codecs.ts";

declare global {
  namespace GraphileConfig {
    interface Plugins {
      DateTypesPlugin: true;
    }
  }
}

/** JSON is the one text form of PostgreSQL that is ISO 8601 whatever `DateStyle` says. */
const asJsonText = (value: SQL): SQL => sql`to_json(${value})::text`;
const withoutQuotes = (text: string): string => text.slice(1, -1);
const datetime: BaseTypeOptions = { kind: "datetime", toText: asJsonText, fromPg: withoutQuotes };

interface Interval {
  readonly years: number;
  readonly months: number;
  readonly days: number;
  readonly hours: number;
  readonly minutes: number;
  readonly seconds: number;
}

const INTERVAL_PARTS = ["year", "month", "day", "hour", "minute", "second"] as const;

const interval: BaseTypeOptions = {
  kind: "interval",
  toText(value) {
    const parts = INTERVAL_PARTS.map((part) => sql`date_part(${sql.literal(part)}, ${value})`);
    return sql`(case when ${value} is null then null else json_build_array(${sql.join(parts, ", ")})::text end)`;
  },
  fromPg(text): Interval {
    const [years, months, days, hours, minutes, seconds] = JSON.parse(text) as number[];
    return { years: years!, months: months!, days: days!, hours: hours!, minutes: minutes!, seconds: seconds! };
  },
  toPg: ({ years, months, days, hours, minutes, seconds }: Interval) =>
    `${years} years ${months} months ${days} days ${hours} hours ${minutes} minutes ${seconds} seconds`,
};

const TYPES: Readonly<Record<string, BaseTypeOptions>> = {
  date: datetime,
  time: datetime,
  timetz: datetime,
  timestamp: datetime,
  timestamptz: datetime,
  interval,
};

export const DateTypesPlugin: GraphileConfig.Plugin = {
  name: "DateTypesPlugin",
  description: "Dates and times as ISO 8601, intervals by their parts",
  version: "0.1.0",
  before: ["BaseTypesPlugin", "PgCodecsPlugin"],

  gather: gatherConfig({
    hooks: {
      pgCodecs_findPgCodec(_info, event) {
        if (event.pgCodec || event.pgType.getNamespace()?.nspname !== "pg_catalog") return;
        const options = TYPES[event.pgType.typname];
        if (options) event.pgCodec = baseCodec(event.serviceName, event.pgType, options);
      },
    },
  }),

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
              seconds: { type: GraphQLFloat, description: "With their fraction." },
            },
          }),
          "DateTypesPlugin",
        );
        return _;
      },
    },
  },
};

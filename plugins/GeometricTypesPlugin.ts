import { gatherConfig } from "postgraphile/graphile-build";
import { baseCodec } from "./codecs.ts";

declare global {
  namespace GraphileConfig {
    interface Plugins {
      GeometricTypesPlugin: true;
    }
  }
}

interface Point {
  readonly x: number;
  readonly y: number;
}

function numbers(text: string): number[] {
  return (text.match(/[-+]?(?:Infinity|NaN|[\d.]+(?:e[-+]?\d+)?)/gi) ?? []).map(Number);
}

function points(text: string): Point[] {
  const all = numbers(text);
  return Array.from({ length: all.length / 2 }, (_, index) => ({ x: all[index * 2]!, y: all[index * 2 + 1]! }));
}

const ends = (text: string) => ({ start: points(text)[0], end: points(text)[1] });

/** PostgreSQL's text of each type → its value. */
const PARSERS: Readonly<Record<string, (text: string) => object>> = {
  point: (text) => points(text)[0]!,
  line: (text) => {
    const [A, B, C] = numbers(text);
    return { A, B, C };
  },
  lseg: ends,
  box: ends,
  circle: (text) => {
    const [x, y, radius] = numbers(text);
    return { center: { x, y }, radius };
  },
  path: (text) => ({ closed: text.startsWith("("), points: points(text) }),
  polygon: (text) => ({ points: points(text) }),
};

const FIELDS: Readonly<
  Record<string, readonly (readonly [field: string, type: "Float" | "Boolean" | "Point" | "[Point]"])[]>
> = {
  Point: [["x", "Float"], ["y", "Float"]], // prettier-ignore
  Line: [["A", "Float"], ["B", "Float"], ["C", "Float"]], // prettier-ignore
  Lseg: [["start", "Point"], ["end", "Point"]], // prettier-ignore
  Box: [["start", "Point"], ["end", "Point"]], // prettier-ignore
  Circle: [["center", "Point"], ["radius", "Float"]], // prettier-ignore
  Path: [["closed", "Boolean"], ["points", "[Point]"]], // prettier-ignore
  Polygon: [["points", "[Point]"]], // prettier-ignore
};

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  Point: "A point on a plane.",
  Line: "The line Ax + By + C = 0.",
  Lseg: "A line segment.",
  Box: "A rectangle, by two opposite corners.",
  Circle: "A circle.",
  Path: "Points joined by lines; closed when the last is joined to the first.",
  Polygon: "A closed path as an area.",
};

export const GeometricTypesPlugin: GraphileConfig.Plugin = {
  name: "GeometricTypesPlugin",
  description: "PostgreSQL's own geometric types as objects",
  version: "0.1.0",
  before: ["BaseTypesPlugin", "PgCodecsPlugin"],

  gather: gatherConfig({
    hooks: {
      pgCodecs_findPgCodec(_info, event) {
        if (event.pgCodec || event.pgType.getNamespace()?.nspname !== "pg_catalog") return;
        const fromPg = PARSERS[event.pgType.typname];
        if (fromPg) event.pgCodec = baseCodec(event.serviceName, event.pgType, { kind: "geometric", fromPg });
      },
    },
  }),

  schema: {
    hooks: {
      init(_, build) {
        const { GraphQLFloat, GraphQLBoolean, GraphQLNonNull, GraphQLList } = build.graphql;
        const typeNamed = (name: string) => {
          if (name === "Float") return new GraphQLNonNull(GraphQLFloat);
          if (name === "Boolean") return new GraphQLNonNull(GraphQLBoolean);
          const Point = new GraphQLNonNull(build.getOutputTypeByName("Point"));
          return name === "Point" ? Point : new GraphQLNonNull(new GraphQLList(Point));
        };
        for (const [name, fields] of Object.entries(FIELDS))
          build.registerObjectType(
            name,
            {},
            () => ({
              description: DESCRIPTIONS[name]!,
              fields: () => Object.fromEntries(fields.map(([field, type]) => [field, { type: typeNamed(type) }])),
            }),
            "GeometricTypesPlugin",
          );
        return _;
      },
    },
  },
};

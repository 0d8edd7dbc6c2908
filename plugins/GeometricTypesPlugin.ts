import { VERSION } from "../server/ground/packageDirectory.ts";
declare global {
  namespace GraphileConfig {
    interface Plugins {
      GeometricTypesPlugin: true;
    }
  }
}

const FIELDS: Readonly<
  Record<string, readonly (readonly [field: string, type: "Float" | "Boolean" | "Point" | "[Point]"])[]>
> = {
  Point: [["x", "Float"], ["y", "Float"]], // oxfmt-ignore
  Line: [["A", "Float"], ["B", "Float"], ["C", "Float"]], // oxfmt-ignore
  Lseg: [["start", "Point"], ["end", "Point"]], // oxfmt-ignore
  Box: [["start", "Point"], ["end", "Point"]], // oxfmt-ignore
  Circle: [["center", "Point"], ["radius", "Float"]], // oxfmt-ignore
  Path: [["closed", "Boolean"], ["points", "[Point]"]], // oxfmt-ignore
  Polygon: [["points", "[Point]"]], // oxfmt-ignore
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
  description: "The object types of PostgreSQL's own geometric types",
  version: VERSION,

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

/** The common part of the fields of Mutation that write rows of a table. */
import type { FieldArgs, GrafastFieldConfig, Step } from "postgraphile/grafast";
import type { GraphQLFieldConfigArgumentMap } from "postgraphile/graphql";
import { behaves } from "../tables/behaviors.ts";
import { whereArgument } from "../rows/listArguments.ts";
import { accesses } from "../tables/relationAccess.ts";
import { rootTables, type TableResource } from "../tables/resources.ts";
import { selectWritten, WriteStep, type MakeQueries } from "./WriteStep.ts";

export interface WriteField {
  /** The prefix of the field's name. */
  readonly verb: "insert" | "update" | "delete" | "workflow";
  readonly description: string;
  /** The right that the field needs. The field also needs the behaviour `resource:<right>`. */
  readonly right: "insert" | "update" | "delete";
  /** The arguments, in the order in which `MakeQueries` takes them. */
  args(resource: TableResource): GraphQLFieldConfigArgumentMap;
  makeQueries(build: GraphileBuild.Build, resource: TableResource): MakeQueries;
}

/** `id` and `where`, which select rows. */
export function rowArguments(build: GraphileBuild.Build, resource: TableResource): GraphQLFieldConfigArgumentMap {
  return {
    id: { type: build.graphql.GraphQLID, description: "The key of one row." },
    ...whereArgument(build, resource),
  };
}

/** A field for each of `tables`. Default: all root tables that have the behaviour. */
export function writeFields(
  build: GraphileBuild.Build,
  context: GraphileBuild.ContextObjectFields,
  { verb, description, right, args: argsOf, makeQueries: makeFor }: WriteField,
  tables = rootTables(build),
): Record<string, GrafastFieldConfig<Step>> {
  const { GraphQLList } = build.graphql;
  const fields: Record<string, GrafastFieldConfig<Step>> = {};
  for (const resource of tables) {
    if (!behaves(build, "pgResource", resource, `resource:${right}`)) continue;
    const type = build.getOutputTypeByName(build.inflection.tableType(resource.codec));
    const fieldName = build.inflection.tableField(verb, resource.codec);
    const field = () => {
      const makeQueries = makeFor(build, resource);
      const args = argsOf(resource);
      return {
        description,
        extensions: accesses(resource, right),
        type: new GraphQLList(type),
        args,
        plan(_$root: Step, fieldArgs: FieldArgs) {
          const $arguments = Object.keys(args).map((name) => fieldArgs.getRaw(name));
          return selectWritten(resource, new WriteStep(resource, makeQueries, $arguments));
        },
      };
    };
    const scope = { fieldName, pgFieldResource: resource };
    build.extend(fields, { [fieldName]: context.fieldWithHooks(scope, field) }, `A table adds ${fieldName}`);
  }
  return fields;
}

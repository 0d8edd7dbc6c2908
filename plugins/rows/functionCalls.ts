/** PostgreSQL functions as fields: their arguments in GraphQL and in SQL, and the type of what they return. */
import type { GraphQLFieldConfigArgumentMap, GraphQLInputType, GraphQLOutputType } from "postgraphile/graphql";
import { PgSelectStep } from "postgraphile/@dataplan/pg";
import {
  constant,
  lambda,
  list,
  operationPlan,
  type FieldArgs,
  type GrafastFieldConfig,
  type Step,
} from "postgraphile/grafast";
import { sql, type SQL } from "postgraphile/pg-sql2";
import { toSqlValue } from "../../server/filter/values.ts";
import { columnTypeOf } from "../tables/columnType.ts";
import { listArguments, type AnySelect } from "./listArguments.ts";
import { calls } from "../tables/relationAccess.ts";
import {
  allResources,
  isTableCodec,
  isTableResource,
  tagText,
  type AnyCodec,
  type AnyResource,
  type TableResource,
} from "../tables/resources.ts";

interface Parameter {
  readonly name: string | null;
  readonly codec: AnyCodec;
  readonly optional?: boolean;
  readonly notNull?: boolean;
}

interface Argument extends Parameter {
  readonly argument: string;
}

interface Digest {
  readonly placeholder: SQL;
  readonly name?: string;
  readonly position?: number;
}

export interface FunctionCall {
  readonly args: GraphQLFieldConfigArgumentMap;
  /** The call as SQL. `row`: the first parameter, if that is the row of a type. */
  toSql(fieldArgs: FieldArgs, row?: SQL): Step<SQL>;
}

/** The call of a function. `onType`: whether the first parameter is the row that the field is on. */
function functionCall(build: GraphileBuild.Build, resource: AnyResource, onType: boolean): FunctionCall {
  const parameters = (resource.parameters as readonly Parameter[]).slice(onType ? 1 : 0);
  const declared = parameters.map((parameter, index): Argument => ({
    ...parameter,
    argument: build.inflection.functionArgument(parameter.name, index),
  }));
  const call = resource.from as (...digests: Digest[]) => SQL;
  return {
    args: Object.fromEntries(
      declared.map(({ argument, codec, notNull, optional }) => {
        const type = inputTypeOf(build, codec);
        const extensions = isNumberAsText(codec) ? { portolanNumber: true } : {};
        return [argument, { type: notNull && !optional ? new build.graphql.GraphQLNonNull(type) : type, extensions }];
      }),
    ),
    toSql(fieldArgs, row) {
      const first: Digest[] = row ? [{ placeholder: row, position: 0 }] : [];
      if (declared.length === 0) return constant(call(...first), false);
      // Arguments are the same for every row, so the call is made once for the whole operation.
      return operationPlan().withRootLayerPlan(() => {
        const $values = list(declared.map(({ argument }) => fieldArgs.getRaw(argument))) as Step<readonly unknown[]>;
        return lambda($values, (values) => call(...first, ...digestsOf(declared, values)), true);
      });
    },
  };
}

/** The arguments of a call. A missing one takes its default, so the arguments after it are passed by name. */
function digestsOf(declared: readonly Argument[], values: readonly unknown[]): Digest[] {
  let byName = false;
  return declared.flatMap(({ argument, codec, name, optional }, index): Digest[] => {
    const value = values[index];
    if (value === undefined && optional && name) {
      byName = true;
      return [];
    }
    const type = columnTypeOf(codec);
    const placeholder =
      value === undefined || value === null ? sql`null::${codec.sqlType}` : toSqlValue(value, type, argument);
    return [byName && name ? { placeholder, name } : { placeholder, position: index }];
  });
}

/** Whether GraphQL shows the value as text to keep its digits. Callers may then give a number too. */
function isNumberAsText({ arrayOfCodec, ...codec }: AnyCodec): boolean {
  if (arrayOfCodec) return isNumberAsText(arrayOfCodec as AnyCodec);
  return columnTypeOf(codec as AnyCodec).kind === "bigint";
}

function inputTypeOf(build: GraphileBuild.Build, codec: AnyCodec): GraphQLInputType {
  if (codec.arrayOfCodec) return new build.graphql.GraphQLList(inputTypeOf(build, codec.arrayOfCodec as AnyCodec));
  const type = isTableCodec(codec) ? undefined : build.getGraphQLTypeByPgCodec(codec, "input");
  return (type as GraphQLInputType | null | undefined) ?? build.getInputTypeByName("JSON");
}

/** The type of one result of the function; undefined where GraphQL cannot show it. */
function returnTypeOf(build: GraphileBuild.Build, resource: AnyResource): GraphQLOutputType | undefined {
  const codec = resource.codec as AnyCodec;
  if (codec.name === "void") return build.graphql.GraphQLBoolean;
  if (isTableCodec(codec)) return build.getOutputTypeByName(build.inflection.tableType(codec));
  return build.pgResolveOutputType(codec)?.[1];
}

/** The table whose rows the function returns; undefined for other results. */
function tableReturnedBy(build: GraphileBuild.Build, resource: AnyResource): TableResource | undefined {
  return allResources(build).find(
    (other): other is TableResource => isTableResource(other) && other.codec === resource.codec,
  );
}

/** A function, and whether its first parameter is the row that the field is on, as for `functionCall`. */
interface FunctionOn {
  readonly resource: AnyResource;
  readonly onType: boolean;
}

/**
 * The field of a function by its name; none where GraphQL cannot show its result. `plan`: the select of the result, or
 * a step that is the value already.
 */
export function functionField(
  build: GraphileBuild.Build,
  context: GraphileBuild.ContextObjectFields,
  { resource, onType }: FunctionOn,
  plan: (call: FunctionCall, $parent: Step, fieldArgs: FieldArgs) => AnySelect | Step,
): Record<string, GrafastFieldConfig<Step>> {
  const type = returnTypeOf(build, resource);
  if (!type) return {};
  const fieldName = build.inflection.functionField(resource);
  const deprecationReason = tagText(resource, "deprecated");
  const field = () => {
    const call = functionCall(build, resource, onType);
    const table = resource.isUnique || resource.isMutation ? undefined : tableReturnedBy(build, resource);
    const rows = table && listArguments(build, table);
    return {
      description: resource.description,
      ...(deprecationReason === undefined ? {} : { deprecationReason }),
      type: resource.isUnique ? type : new build.graphql.GraphQLList(type),
      extensions: calls(resource),
      args: { ...rows?.args, ...call.args },
      plan($parent: Step, fieldArgs: FieldArgs) {
        const $called = plan(call, $parent, fieldArgs);
        if (!($called instanceof PgSelectStep)) return $called;
        rows?.apply($called, fieldArgs);
        return resource.isUnique ? $called.single() : $called;
      },
    };
  };
  return { [fieldName]: context.fieldWithHooks({ fieldName, pgFieldResource: resource }, field) };
}

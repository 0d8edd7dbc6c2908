import { pgClassExpression, TYPES, type PgExecutorContext } from "postgraphile/@dataplan/pg";
import { lambda, operationPlan, Step, type ExecutionDetails, type GrafastResultsList } from "postgraphile/grafast";
import { sql, type SQL } from "postgraphile/pg-sql2";
import { VERSION } from "../server/ground/packageDirectory.ts";
import { annotate } from "./rows/fieldMetadata.ts";
import type { AnySelect } from "./rows/listArguments.ts";
import {
  allResources,
  isTableResource,
  type AnyCodec,
  type AnyRecord,
  type AnyResource,
  type TableResource,
} from "./tables/resources.ts";
import { rightsQuery, versionToSql, type VersionRights } from "./writes/rowVersion.ts";
import { isWritten } from "./writes/WriteStep.ts";

declare global {
  namespace GraphileConfig {
    interface Plugins {
      VersionPlugin: true;
    }
  }
}

/** The columns of a table that the caller may read. They are read once for an operation. */
class VersionRightsStep extends Step<VersionRights> {
  static override $$export = { moduleName: "portolan", exportName: "VersionRightsStep" };
  override isSyncAndSafe = false;
  readonly #resource: TableResource;

  constructor(resource: TableResource) {
    super();
    this.#resource = resource;
    this.addUnaryDependency(resource.executor.context());
  }

  override deduplicate(peers: readonly VersionRightsStep[]): readonly VersionRightsStep[] {
    return peers.filter((peer) => peer.#resource === this.#resource);
  }

  override execute({ indexMap, values }: ExecutionDetails): GrafastResultsList<VersionRights> {
    const context = values[0]!.unaryValue() as PgExecutorContext;
    const rights = this.#read(context);
    return indexMap(() => rights);
  }

  async #read(context: PgExecutorContext): Promise<VersionRights> {
    const { text, values } = sql.compile(rightsQuery(this.#resource));
    const { rows } = await this.#resource.executor.executeMutation({ context, text, values });
    return JSON.parse((rows[0] as string[])[0]!) as VersionRights;
  }
}

/** The source of the rows of a select, which determines how their version is computed. */
function sourceOf($rows: AnySelect, resource: TableResource): "table" | "written" | "copy" {
  if (isWritten($rows)) return "written";
  const { from } = $rows as unknown as { from: SQL };
  return from === resource.from ? "table" : "copy";
}

export const VersionPlugin: GraphileConfig.Plugin = {
  name: "VersionPlugin",
  description: "`_version`: the version that `ifMatch` compares",
  version: VERSION,
  after: ["PgAttributesPlugin", "RelationsPlugin", "ComputedColumnsPlugin"],

  schema: {
    hooks: {
      GraphQLObjectType_fields(fields, build, context) {
        const { pgCodec, isPgClassType } = context.scope as { pgCodec?: AnyCodec; isPgClassType?: boolean };
        if (!isPgClassType || !pgCodec) return fields;
        const resource = allResources(build).find((each) => isTableResource(each) && each.codec === pgCodec);
        const fieldName = build.inflection.ownField(pgCodec, "_version");
        if (!resource || fieldName === undefined) return fields;
        const { GraphQLNonNull, GraphQLString } = build.graphql;
        const plan = ($row: AnyRecord): Step => {
          const $rows = $row.getClassStep() as AnySelect;
          const { alias } = $rows;
          const source = sourceOf($rows, resource as TableResource);
          const $sql = operationPlan().withRootLayerPlan(() =>
            lambda(new VersionRightsStep(resource as TableResource), (rights): SQL =>
              versionToSql(resource as TableResource, rights, alias, source),
            ),
          );
          return pgClassExpression($row as AnyRecord, TYPES.text as AnyCodec, true)`${$row.deferredSQL($sql)}`;
        };
        const field = () => ({
          type: new GraphQLNonNull(GraphQLString),
          plan: annotate(plan, { kind: "version", resource: resource as TableResource }),
        });
        return build.extend(
          fields,
          { [fieldName]: context.fieldWithHooks({ fieldName, pgFieldResource: resource as AnyResource }, field) },
          `VersionPlugin adds ${fieldName}`,
        );
      },
    },
  },
};

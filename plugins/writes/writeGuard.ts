/** `ifMatch` and `maxAffected`: the conditions of a write. */
import type { GraphQLFieldConfigArgumentMap } from "postgraphile/graphql";
import { sql, type SQL } from "postgraphile/pg-sql2";
import { badInput, GatewayError } from "../../server/ground/errors.ts";
import { affectedLimitOf } from "../tables/limits.ts";
import type { AnyResource, TableResource } from "../tables/resources.ts";
import { makeRowSelection } from "./rowSelection.ts";
import { hasVersion, rightsQuery, type VersionRights } from "./rowVersion.ts";
import { returningRows, TARGET, TOO_MANY } from "./returning.ts";
import type { CheckedQuery, RunQuery } from "./WriteStep.ts";

export interface Guarded {
  readonly id: unknown;
  readonly where?: unknown;
  readonly ifMatch: unknown;
  readonly maxAffected?: unknown;
  /** The statement over those rows of `TARGET` that meet a condition. */
  statement(rows: SQL): SQL;
}

/** The arguments of fields that write the rows of a key or a filter. */
export function guardArguments({ graphql }: GraphileBuild.Build): GraphQLFieldConfigArgumentMap {
  return {
    ifMatch: { type: graphql.GraphQLString, description: "With id: writes only if this is still the row's _version." },
    maxAffected: { type: graphql.GraphQLInt, description: "More rows than these are an error." },
  };
}

/**
 * The query that writes. PostgreSQL checks the condition of `ifMatch` again after it has waited for another transaction's
 * lock on the row. Throws `BAD_USER_INPUT`, and while writing `CONFLICT` and `LIMIT_EXCEEDED`, which end the transaction.
 */
export function makeGuard(build: GraphileBuild.Build, resource: TableResource) {
  const limit = affectedLimitOf(build.options, resource as AnyResource);
  const select = makeRowSelection(build, resource, TARGET);
  const rightsOf = new WeakMap<RunQuery, Promise<VersionRights>>();
  /** Reads the rights, once for a write. */
  const readRights = (run: RunQuery): Promise<VersionRights> => {
    let rights = rightsOf.get(run);
    if (!rights) {
      rights = run(rightsQuery(resource)).then((json) => JSON.parse(String(json)) as VersionRights);
      rightsOf.set(run, rights);
    }
    return rights;
  };
  const guard = async (
    { id, where, ifMatch, maxAffected, statement }: Guarded,
    columns: readonly string[] | undefined,
    run: RunQuery,
  ): Promise<readonly CheckedQuery[]> => {
    const rows = select(id, where);
    const most = readMost(maxAffected, limit);
    const isMatched = ifMatch !== undefined && ifMatch !== null;
    if (isMatched && (id === undefined || id === null)) return badInput("ifMatch: can only be used with id");
    const rights = isMatched ? await readRights(run) : undefined;
    const matching = rights && hasVersion(rights, TARGET, String(ifMatch));
    const condition = matching ? sql`${rows} and ${matching}` : rows;
    const check = async (batch: unknown): Promise<void> => {
      if (batch === TOO_MANY) refuseMore(most);
      if (!matching || typeof batch === "string") return;
      // nothing was written: the row has changed or is gone, or it is unchanged and `where` does not hold
      const found = await run(
        sql`select true from ${resource.from as SQL} as ${TARGET} where ${select(id, undefined)} and ${matching}`,
      );
      if (found !== true) throw new GatewayError("CONFLICT", "ifMatch: the row was changed or deleted meanwhile");
    };
    return [{ query: returningRows(resource, statement(condition), { columns, most }), check }];
  };
  return {
    guard,
    /** Checks the limit for rows that are written one by one. Throws `BAD_USER_INPUT` and `LIMIT_EXCEEDED`. */
    checkCount(count: number, maxAffected: unknown): void {
      const most = readMost(maxAffected, limit);
      if (most !== undefined && count > most) refuseMore(most);
    },
  };
}

function refuseMore(most: number | undefined): never {
  throw new GatewayError("LIMIT_EXCEEDED", `More rows would be affected than maxAffected, which is ${most}`);
}

/** The smaller of the caller's limit and the table's; undefined for any number of rows. */
function readMost(maxAffected: unknown, limit: number | undefined): number | undefined {
  if (maxAffected === undefined || maxAffected === null) return limit;
  const most = Number(maxAffected);
  if (most < 0) return badInput("maxAffected: must not be negative");
  return Math.min(most, limit ?? most);
}

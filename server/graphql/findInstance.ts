import type { Database, Identity } from "../kernel/database/database.ts";
import { GatewayError } from "../kernel/errors.ts";
import { mayUse } from "./access.ts";
import type { GraphqlInstance, GraphqlInstances } from "./instances.ts";

export interface FindInstanceOptions {
  readonly instances: GraphqlInstances;
  databaseOf(identity: Identity): Database;
  /** The schemas that a database exposes. */
  schemasOf(database: string): readonly string[];
}

/** Throws `NOT_FOUND` for a schema that is not there, and the same for one with nothing that the role may use. */
export async function findInstance(
  identity: Identity,
  schema: string,
  { instances, databaseOf, schemasOf }: FindInstanceOptions,
): Promise<GraphqlInstance> {
  const database = databaseOf(identity);
  if (
    !schemasOf(identity.database).includes(schema) ||
    !(await mayUse(database, instances.access(database), identity.role, schema))
  )
    throw new GatewayError("NOT_FOUND", `There is no schema ${schema}`);
  return instances.instanceFor(database, schema);
}

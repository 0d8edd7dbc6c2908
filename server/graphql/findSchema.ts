import type { Identity } from "../kernel/database/database.ts";
import { GatewayError } from "../kernel/errors.ts";
import type { Kernel } from "../kernel/kernel.ts";
import { mayUse } from "./access.ts";
import type { ServedSchema, SchemaRegistry } from "./schemaRegistry.ts";

export interface FindSchemaOptions extends Pick<Kernel, "databaseOf" | "schemasOf"> {
  readonly registry: SchemaRegistry;
}

/** Throws `NOT_FOUND` for a schema that is not there, and the same for one with nothing that the role may use. */
export async function findSchema(
  identity: Identity,
  schema: string,
  { registry, databaseOf, schemasOf }: FindSchemaOptions,
): Promise<ServedSchema> {
  const database = databaseOf(identity);
  if (
    !schemasOf(identity.database).includes(schema) ||
    !(await mayUse(database, registry.access(database), identity.role, schema))
  )
    throw new GatewayError("NOT_FOUND", `There is no schema ${schema}`);
  return registry.schemaFor(database, schema);
}

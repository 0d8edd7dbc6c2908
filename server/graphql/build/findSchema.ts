import type { Identity } from "../../kernel/database/database.ts";
import { GatewayError } from "../../ground/errors.ts";
import type { Kernel } from "../../kernel.ts";
import { mayUse } from "../access.ts";
import type { ReadDocument } from "../documents.ts";
import type { ServedSchema, SchemaRegistry } from "./schemaRegistry.ts";

export interface FindSchemaOptions extends Pick<Kernel, "databaseOf" | "schemasOf" | "lookNow"> {
  readonly registry: SchemaRegistry;
}

/**
 * Throws `NOT_FOUND` for a schema that does not exist, or that had nothing for the role when the catalogue was read for
 * it.
 */
export async function findSchema(
  identity: Identity,
  schema: string,
  { registry, databaseOf, schemasOf, lookNow }: FindSchemaOptions,
): Promise<ServedSchema> {
  const database = databaseOf(identity);
  const isThere = async (): Promise<boolean> =>
    schemasOf(identity.database).includes(schema) &&
    (await mayUse(database, registry.access(database), identity.role, schema));
  if (!(await isThere())) {
    await lookNow(database, false);
    if (!(await isThere())) throw new GatewayError("NOT_FOUND", `There is no schema ${schema}`);
  }
  return registry.schemaFor(database, schema);
}

/** The parsed document in the served schema, after reading the catalogue again where it names something unknown. */
export async function findDocument(
  registry: SchemaRegistry,
  served: ServedSchema,
  text: string,
): Promise<{ readonly served: ServedSchema; readonly read: ReadDocument }> {
  const read = served.documents.read(text);
  if (!read.errors || !read.isInvalid) return { served, read };
  const current = await registry.afterMissed(served).catch(() => served); // the failure is in the log
  return { served: current, read: current.documents.read(text) };
}

/** Checks of `portolan doctor` that only the doors can make. */
import { schemaFindings } from "../graphql/build/schemaFindings.ts";
import { createSchemaRegistry } from "../graphql/build/schemaRegistry.ts";
import { judgePlugins } from "../graphql/build/plugins.ts";
import { groupFindings } from "../oauth/signUp.ts";
import { methodFindings } from "../methods/methodFindings.ts";
import { exposedSchemas } from "../kernel/catalogue/catalogueWatch.ts";
import type { Config, DatabaseConfig } from "../kernel/config.ts";
import { createLog } from "../ground/log.ts";
import { isMigrated } from "../operate/migrate.ts";
import { collectionFindings } from "../../ogc/maps/styleCheck.ts";
import { withOpened } from "./databases.ts";
import type { Finding } from "../ground/finding.ts";

/** Builds each GraphQL schema once, as the gateway would with the plugins of `graphile.config.ts`. */
export async function schemasAreBuilt({ name, url }: DatabaseConfig, config: Config): Promise<Finding[]> {
  return withOpened(name, url, async (database) => {
    if (!(await isMigrated(async (text) => ({ rows: await database.db.any(text) })))) return [];
    const registry = createSchemaRegistry({ config, log: createLog("silent") });
    await registry.buildAll(database, config.schemas ?? (await exposedSchemas(database)));
    const failures = new Map(registry.failures(database));
    await registry.close();
    const notices = judgePlugins(config.preset).notices.map((text) => ({ ok: true, text, remedy: [] }));
    return [...notices, ...schemaFindings(failures)];
  });
}

/** Faults of styles, rasters, stored methods and groups of new accounts, where there is a schema portolan. */
export async function definitions({ name, ownerUrl }: DatabaseConfig, config: Config): Promise<Finding[]> {
  return withOpened(name, ownerUrl, async (database) => {
    if (!(await isMigrated(async (text) => ({ rows: await database.db.any(text) })))) return [];
    return [
      ...(await collectionFindings(database, config, createLog("silent"))),
      ...(await methodFindings(database)),
      ...(await groupFindings(database, config)),
    ];
  });
}

export { providerFindings } from "../oauth/providers/findings.ts";

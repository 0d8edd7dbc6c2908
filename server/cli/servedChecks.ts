/** For `portolan doctor`: what only the doors can tell. */
import { createSchemaRegistry } from "../graphql/schemaRegistry.ts";
import { judgePlugins } from "../graphql/plugins.ts";
import { exposedSchemas } from "../kernel/catalogue/watcher.ts";
import type { Config, DatabaseConfig } from "../kernel/config.ts";
import { createLog } from "../kernel/log.ts";
import { isMigrated } from "../kernel/migrate.ts";
import { checkStyles } from "../../ogc/maps/styleCheck.ts";
import { withOpened } from "./databases.ts";
import type { Finding } from "./doctor.ts";

/** Builds each GraphQL schema once, as the gateway would with the plugins of `graphile.config.ts`. */
export async function schemasAreBuilt({ name, url }: DatabaseConfig, config: Config): Promise<Finding[]> {
  return withOpened(name, url, async (database) => {
    if (!(await isMigrated((text) => database.pool.query(text)))) return [];
    const registry = createSchemaRegistry({ config, log: createLog("silent") });
    await registry.buildAll(database, config.schemas ?? (await exposedSchemas(database)));
    const failures = [...registry.failures(database)];
    await registry.close();
    const built = { ok: true, text: "every GraphQL schema can be built", remedy: [] };
    return [
      ...judgePlugins(config.preset).notices.map((text) => ({ ok: true, text, remedy: [] })),
      ...(failures.length === 0 ? [built] : []),
      ...failures.map(([schema, reason]) => ({
        ok: false,
        text: `the GraphQL schema ${schema} cannot be built: ${reason}`,
        remedy: [
          "take the plugins out of graphile.config.ts one by one: with the right one gone, doctor says that all can be built",
        ],
      })),
    ];
  });
}

/** What is wrong with styles and rasters, where there is a schema portolan. */
export async function drawings({ name, ownerUrl }: DatabaseConfig, config: Config): Promise<Finding[]> {
  return withOpened(name, ownerUrl, async (database) => {
    if (!(await isMigrated(async (text) => ({ rows: await database.db.any(text) })))) return [];
    return (await checkStyles(database, config, createLog("silent"))).map(({ collection, problem, remedy }) => ({
      ok: problem === undefined,
      text: problem === undefined ? `${collection} can be drawn` : `${collection} cannot be drawn: ${problem}`,
      remedy: [remedy],
    }));
  });
}

/**
 * Tries to build the GraphQL schema `s` of a database. argv has its name, and its address for a gateway. Prints the
 * result.
 */
import { buildSchema } from "../../server/graphql/build/build.ts";
import { introspect, prune } from "../../server/graphql/build/introspection.ts";
import { createLog } from "../../server/ground/log.ts";
import { openAsGateway } from "../support/databases.ts";

const [name = "", gatewayUrl = ""] = process.argv.slice(2);
const database = openAsGateway({ name, gatewayUrl });
const introspection = prune(await introspect(database), "s", (schema) => schema === "s")!;
const options = {
  defaultLimit: 100,
  maxLimit: 1000,
  maxAffected: undefined,
  listenAuthorization: undefined,
  preset: {},
};
const outcome = await buildSchema(introspection, options, createLog("silent")).then(
  () => "built",
  (error: unknown) => String(error),
);
process.stdout.write(`${outcome}\n`);
await database.close();

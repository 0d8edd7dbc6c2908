/** Stock PostGraphile 5 (Amber preset, simple lists), on grafserv over node:http, with a role. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import pg from "pg";
import { postgraphile } from "postgraphile";
import { makePgService } from "postgraphile/adaptors/pg";
import { grafserv } from "postgraphile/grafserv/node";
import { PostGraphileAmberPreset } from "postgraphile/presets/amber";

const pool = new pg.Pool({ connectionString: process.env["URL"], max: 10 });
const instance = postgraphile({
  extends: [PostGraphileAmberPreset],
  disablePlugins: ["PgRBACPlugin", "PgIndexBehaviorsPlugin"],
  pgServices: [
    makePgService({
      pool,
      schemas: ["city"],
      pubsub: false,
      pgSettings: () => ({ role: process.env["ROLE"] ?? "", "jwt.claims.sub": "reader" }),
    }),
  ],
  schema: { defaultBehavior: "+list" },
  grafserv: { watch: false, graphqlPath: "/graphql" },
  grafast: { explain: false },
});
const server = createServer();
await instance.createServ(grafserv).addTo(server);
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql\n`);
});
process.once("SIGTERM", () => process.exit(0));

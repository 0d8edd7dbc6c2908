/** A team's PostGraphile 5 server, with its own smart tag and field, which gets Portolan's GraphQL API. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { PortolanPreset } from "portolan";
import { postgraphile } from "postgraphile";
import { makePgService } from "postgraphile/adaptors/pg";
import { grafserv } from "postgraphile/grafserv/node";
import { extendSchema, gql, jsonPgSmartTags } from "postgraphile/utils";
import { constant } from "postgraphile/grafast";

const SecretsPlugin: GraphileConfig.Plugin = jsonPgSmartTags({
  version: 1,
  config: { class: { "app.ships": { tags: { name: "vessels" } }, "app.secrets": { tags: { omit: true } } } },
});

const MottoPlugin: GraphileConfig.Plugin = extendSchema({
  typeDefs: gql`
    extend type Query {
      motto: String!
    }
  `,
  objects: { Query: { plans: { motto: () => constant("Fluctuat nec mergitur") } } },
});

const preset: GraphileConfig.Preset = {
  extends: [PortolanPreset],
  plugins: [SecretsPlugin, MottoPlugin],
  pgServices: [makePgService({ connectionString: process.env["DATABASE_URL"]!, schemas: ["app"], pubsub: false })],
  grafserv: { graphqlPath: "/graphql", watch: false },
};

const server = createServer();
await postgraphile(preset).createServ(grafserv).addTo(server);
server.listen(0, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`);
});

/** Who may import whom: main, cli → app → doors → operate, fleet → kernel → filter, types → ground → packages. No door imports another. */
const DOORS = "^server/(graphql|oauth|methods|socket|management|pages|events|mcp)/|^ogc/";
/** What the doors see of change events; the hub itself is given to them. */
const EVENTS_FACE = "^server/events/(types|position|liveOperation)\\.ts$";
const ASSEMBLY = "^server/((main|app|express|listen|prepareDatabase)\\.ts$|cli/)";

module.exports = {
  forbidden: [
    { name: "no-cycle", severity: "error", from: {}, to: { circular: true } },
    {
      name: "kernel-imports-no-door",
      severity: "error",
      from: { path: "^server/(ground|kernel|fleet|operate|types|filter)/" },
      to: { path: [DOORS, ASSEMBLY, "^plugins/", "^server/demo/"] },
    },
    {
      name: "kernel-stands-on-ground-and-types",
      severity: "error",
      from: { path: "^server/kernel/" },
      to: { path: "^(server|ogc|plugins)/", pathNot: "^server/(ground|kernel|types)/" },
    },
    {
      name: "fleet-stands-on-the-kernel",
      severity: "error",
      from: { path: "^server/fleet/" },
      to: { path: "^(server|ogc|plugins)/", pathNot: "^server/(ground|kernel|types|fleet)/" },
    },
    {
      name: "operate-stands-on-kernel-and-fleet",
      severity: "error",
      from: { path: "^server/operate/" },
      to: { path: "^(server|ogc|plugins)/", pathNot: "^server/(ground|kernel|types|fleet|operate)/" },
    },
    {
      name: "formats-know-no-door",
      severity: "error",
      from: { path: "^server/formats/" },
      to: { path: "^(server|ogc|plugins)/", pathNot: "^server/(ground|kernel|types|filter|formats)/" },
    },
    {
      name: "kernel-asks-for-no-filter",
      severity: "error",
      from: { path: "^server/kernel/" },
      to: { path: "^server/filter/" },
    },
    {
      name: "ground-stands-alone",
      severity: "error",
      from: { path: "^server/ground/" },
      to: { path: "^(server|ogc|plugins)/", pathNot: "^server/ground/" },
    },
    {
      name: "a-door-imports-no-other-door",
      severity: "error",
      from: { path: "^server/(graphql|oauth|methods|socket|management|pages|mcp)/" },
      to: { path: DOORS, pathNot: ["^server/$1/", EVENTS_FACE] },
    },
    {
      name: "ogc-imports-no-other-door",
      severity: "error",
      from: { path: "^ogc/" },
      to: { path: DOORS, pathNot: "^ogc/" },
    },
    {
      name: "doors-import-no-assembly",
      severity: "error",
      from: { path: DOORS },
      to: { path: [ASSEMBLY, "^server/demo/"] },
    },
    {
      name: "plugins-stand-alone",
      comment: "so that a team can use them in a PostGraphile server of its own",
      severity: "error",
      from: { path: "^plugins/" },
      to: {
        path: "^(server|ogc)/",
        pathNot: "^server/(filter/|types/|ground/(errors|packageDirectory)\\.ts$)",
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "types-and-filter-stand-alone",
      severity: "error",
      from: { path: "^server/(types|filter)/" },
      to: { path: "^(server|ogc|plugins)/", pathNot: "^server/(filter/|types/|ground/errors\\.ts$)" },
    },
    {
      name: "types-know-no-filter",
      severity: "error",
      from: { path: "^server/types/" },
      to: { path: "^server/filter/" },
    },
    {
      name: "database-has-one-face",
      severity: "error",
      from: { pathNot: "^server/kernel/database/" },
      to: { path: "^server/kernel/database/", pathNot: "/database\\.ts$" },
    },
    {
      name: "wire-has-one-face",
      comment: "what it takes to serve requests by node-postgres is seen through the interface Wire alone",
      severity: "error",
      from: { pathNot: "^server/kernel/database/wire/" },
      to: { path: "^server/kernel/database/wire/", pathNot: "/wire\\.ts$" },
    },
    {
      name: "local-cluster-has-one-face",
      severity: "error",
      from: { pathNot: "^server/demo/cluster/" },
      to: { path: "^server/demo/cluster/", pathNot: "/localCluster\\.ts$" },
    },
    {
      name: "only-database-connects",
      comment: "one way into the database; what runs as the owner or by hand is listed here",
      severity: "error",
      from: {
        path: "^(server|ogc|plugins)/",
        pathNot:
          "^server/(kernel/(database/(wire/|(database|directConnection|quote)\\.ts$))|operate/migrate\\.ts$|demo/|cli/|prepareDatabase\\.ts$)",
      },
      to: { path: "^node_modules/(pg|pg-promise)/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "only-wire-knows-node-postgres-from-inside",
      severity: "error",
      from: { path: "^(server|ogc|plugins)/", pathNot: "^server/kernel/database/wire/" },
      to: {
        path: "^node_modules/(pg-protocol|pg/lib)/",
        dependencyTypesNot: ["type-only"],
        pathNot: "^node_modules/pg/lib/index",
      },
    },
    {
      name: "console-knows-the-interfaces-alone",
      comment: "what it cannot do by a public interface nobody else could do either",
      severity: "error",
      from: { path: "^console/" },
      to: { path: "^(server|ogc|plugins|test)/" },
    },
    {
      name: "console-service-shows-nothing",
      comment: "what the service is asked, without a word of how it is shown",
      severity: "error",
      from: { path: "^console/src/service/" },
      to: { path: "^console/src/", pathNot: "^console/src/(service|words)/" },
    },
    {
      name: "console-words-stand-alone",
      comment: "all else waits for the dictionary",
      severity: "error",
      from: { path: "^console/src/words/" },
      to: { path: "^console/src/", pathNot: "^console/src/words/" },
    },
    {
      name: "console-ui-knows-no-area",
      severity: "error",
      from: { path: "^console/src/ui/" },
      to: { path: "^console/src/", pathNot: "^console/src/(service|ui|words)/" },
    },
    {
      name: "console-areas-know-not-each-other",
      comment: "what two areas show is in console/src/ui",
      severity: "error",
      from: { path: "^console/src/areas/([^/]+)/" },
      to: { path: "^console/src/areas/", pathNot: "^console/src/areas/$1/" },
    },
    {
      name: "nobody-knows-express",
      comment: "a door is a table of routes; server/express.ts gives it to an application of a team's own",
      severity: "error",
      from: { path: "^(server|ogc|plugins)/" },
      to: { path: "^node_modules/express/" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default"] },
  },
};

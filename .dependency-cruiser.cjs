/** Who may import whom: main, cli → app → doors → kernel → packages. A door never imports another door. */
const DOORS = "^server/(graphql|oauth|methods|socket|management|pages)/|^server/events/|^ogc/";
/** What the doors see of change events; the hub itself is given to them. */
const EVENTS_FACE = "^server/events/(types|position)\\.ts$";
const ASSEMBLY = "^server/(main|cli|app)\\.ts$";

module.exports = {
  forbidden: [
    { name: "no-cycle", severity: "error", from: {}, to: { circular: true } },
    {
      name: "kernel-imports-no-door",
      severity: "error",
      from: { path: "^server/", pathNot: [DOORS, ASSEMBLY] },
      to: { path: [DOORS, ASSEMBLY, "^plugins/"] },
    },
    {
      name: "a-door-imports-no-other-door",
      severity: "error",
      from: { path: "^server/(graphql|oauth|methods|socket|management|pages)/" },
      to: { path: DOORS, pathNot: ["^server/$1/", EVENTS_FACE] },
    },
    {
      name: "ogc-imports-no-other-door",
      severity: "error",
      from: { path: "^ogc/" },
      to: { path: DOORS, pathNot: "^ogc/" },
    },
    { name: "doors-import-no-assembly", severity: "error", from: { path: DOORS }, to: { path: ASSEMBLY } },
    {
      name: "plugins-stand-alone",
      comment: "so that a team can use them in a PostGraphile server of its own",
      severity: "error",
      from: { path: "^plugins/" },
      to: { path: "^(server|ogc)/", pathNot: "^server/(filter/|errors\\.ts$)" },
    },
    {
      name: "filter-stands-alone",
      severity: "error",
      from: { path: "^server/filter/" },
      to: { path: "^(server|ogc|plugins)/", pathNot: "^server/(filter/|errors\\.ts$)" },
    },
    {
      name: "database-has-one-face",
      severity: "error",
      from: { pathNot: "^server/database(/|\\.ts$)" },
      to: { path: "^server/database/" },
    },
    {
      name: "local-cluster-has-one-face",
      severity: "error",
      from: { pathNot: "^server/localCluster(/|\\.ts$)" },
      to: { path: "^server/localCluster/" },
    },
    {
      name: "only-database-connects",
      comment: "one way into the database; what runs as the owner or by hand is listed here",
      severity: "error",
      from: {
        path: "^(server|ogc|plugins)/",
        pathNot: "^server/(database/|(database|localCluster|localDemo|demo|migrate|main|cli|doctor)\.ts$)",
      },
      to: { path: "^node_modules/(pg|pg-promise)/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "kernel-knows-no-express",
      comment: "but for what every request passes and the health routes",
      severity: "error",
      from: { path: "^server/[^/]+\\.ts$", pathNot: "^server/(app|http|health|metrics)\\.ts$" },
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

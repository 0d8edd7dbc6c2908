/** The areas in the navigation, in this order. */
export const AREAS: readonly Area[] = [
  { to: "/data", title: "Data" },
  { to: "/history", title: "History" },
  { to: "/workflow", title: "Workflow" },
  { to: "/schema", title: "Schema" },
  { to: "/sql", title: "SQL" },
  { to: "/access", title: "Access", isForSuperUsers: true },
  { to: "/audit", title: "Audit", isForSuperUsers: true },
  { to: "/methods", title: "Methods" },
  { to: "/graphql", title: "GraphQL" },
  { to: "/events", title: "Events" },
  { to: "/maps", title: "Maps" },
];

export interface Area {
  readonly to:
    | "/data"
    | "/history"
    | "/workflow"
    | "/schema"
    | "/sql"
    | "/access"
    | "/audit"
    | "/methods"
    | "/graphql"
    | "/events"
    | "/maps";
  readonly title: string;
  readonly isForSuperUsers?: boolean;
}

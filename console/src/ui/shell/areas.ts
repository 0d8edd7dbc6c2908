/** The areas in the navigation, in this order and these groups. */
import {
  Braces,
  Database,
  History,
  KeyRound,
  Layers,
  LayoutDashboard,
  ListChecks,
  Map,
  Radio,
  ScrollText,
  Settings2,
  SquareFunction,
  SquareTerminal,
  Table2,
  type LucideIcon,
} from "lucide-react";

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
    | "/maps"
    | "/workspace"
    | "/dashboards"
    | "/configuration";
  readonly title: string;
  readonly icon: LucideIcon;
  /** Whether a group begins with it. */
  readonly isFirst?: boolean;
  readonly isForSuperUsers?: boolean;
}

export const AREAS: readonly Area[] = [
  { to: "/data", title: "Data", icon: Table2 },
  { to: "/history", title: "History", icon: History },
  { to: "/workflow", title: "Workflow", icon: ListChecks },
  { to: "/maps", title: "Maps", icon: Map },
  { to: "/workspace", title: "Workspace", icon: Layers },
  { to: "/dashboards", title: "Dashboards", icon: LayoutDashboard },
  { to: "/schema", title: "Schema", icon: Database, isFirst: true },
  { to: "/sql", title: "SQL", icon: SquareTerminal },
  { to: "/methods", title: "Methods", icon: SquareFunction },
  { to: "/graphql", title: "GraphQL", icon: Braces },
  { to: "/events", title: "Events", icon: Radio },
  { to: "/access", title: "Access", icon: KeyRound, isForSuperUsers: true, isFirst: true },
  { to: "/audit", title: "Audit", icon: ScrollText, isForSuperUsers: true },
  { to: "/configuration", title: "Configuration", icon: Settings2, isForSuperUsers: true },
];

/** The areas in the navigation, in this order and these groups. */
import {
  Braces,
  Database,
  History,
  KeyRound,
  LayoutDashboard,
  ListChecks,
  Map,
  Radio,
  ScrollText,
  Settings2,
  SquareFunction,
  SquareTerminal,
  Table2,
  Webhook,
  type LucideIcon,
} from "lucide-react";
import { t } from "../../words/words.ts";

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
    | "/rest"
    | "/workspace"
    | "/dashboards"
    | "/configuration";
  readonly title: string;
  readonly icon: LucideIcon;
  /** Whether it starts a group. */
  readonly isFirst?: boolean;
  readonly isForSuperUsers?: boolean;
}

export const AREAS: readonly Area[] = [
  { to: "/data", title: t("Data"), icon: Table2 },
  { to: "/history", title: t("History"), icon: History },
  { to: "/workflow", title: t("Workflow"), icon: ListChecks },
  { to: "/workspace", title: t("Maps"), icon: Map },
  { to: "/dashboards", title: t("Dashboards"), icon: LayoutDashboard },
  { to: "/schema", title: t("Schema"), icon: Database, isFirst: true },
  { to: "/sql", title: "SQL", icon: SquareTerminal },
  { to: "/methods", title: t("Methods"), icon: SquareFunction },
  { to: "/graphql", title: "GraphQL", icon: Braces },
  { to: "/rest", title: "REST", icon: Webhook },
  { to: "/events", title: t("Events"), icon: Radio },
  { to: "/access", title: t("Access"), icon: KeyRound, isForSuperUsers: true, isFirst: true },
  { to: "/audit", title: t("Audit"), icon: ScrollText, isForSuperUsers: true },
  { to: "/configuration", title: t("Configuration"), icon: Settings2, isForSuperUsers: true },
];

/** The addresses of the console. They contain all choices, so that a link shows the same content. */
import { Link, Navigate, createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import type { AuditSearch } from "./service/audit.ts";
import { readGridSearch, type HistorySearch } from "./service/rows/gridSearch.ts";
import { readViewSearch } from "./service/rows/viewSearch.ts";
import { basemaps, mayLoadBasemaps, service } from "./service/http/address.ts";
import { OPERATIONS, type Operation } from "./service/events.ts";
import { REQUEST_FILTERS, type RequestSearch } from "./service/operation.ts";
import type { Area } from "./ui/shell/areas.ts";
import { ErrorNote } from "./ui/ErrorNote.tsx";
import { NotFound } from "./ui/NotFound.tsx";
import { Shell } from "./ui/shell/Shell.tsx";
import { t } from "./words/words.ts";

/** The path of the console. */
const base = `${new URL(service).pathname.replace(/\/$/, "")}/console`;

const root = createRootRoute({
  component: Shell,
  beforeLoad: ({ location: { pathname, href } }) => asOwnDocument(pathname.startsWith("/workspace"), `${base}${href}`),
  notFoundComponent: () => (
    <NotFound what={t("There is no such page.")}>
      <Link to="/">{t("Home")}</Link>
    </NotFound>
  ),
});

const home = createRoute({
  getParentRoute: () => root,
  path: "/",
  component: lazyRouteComponent(() => import("./areas/home/Home.tsx"), "Home"),
  staticData: { title: t("Home") },
});

const requests = createRoute({
  getParentRoute: () => root,
  path: "/requests",
  component: lazyRouteComponent(() => import("./areas/home/Requests.tsx"), "Requests"),
  staticData: { title: t("Requests") },
  validateSearch: (search: Record<string, unknown>): RequestSearch =>
    Object.fromEntries(
      [...REQUEST_FILTERS, "console"].flatMap((name) =>
        search[name] === undefined ? [] : [[name, String(search[name])]],
      ),
    ),
});

const topStatements = createRoute({
  getParentRoute: () => root,
  path: "/statements",
  component: lazyRouteComponent(() => import("./areas/home/TopStatements.tsx"), "TopStatements"),
  staticData: { title: t("Top statements") },
});

const refused = createRoute({
  getParentRoute: () => root,
  path: "/refused/$id",
  component: lazyRouteComponent(() => import("./areas/refused/Refused.tsx"), "Refused"),
  staticData: { title: t("Why refused") },
});

const data = createRoute({
  getParentRoute: () => root,
  path: "/data",
  component: lazyRouteComponent(() => import("./areas/data/Data.tsx"), "Data"),
});

const relation = createRoute({
  getParentRoute: () => data,
  path: "$schema/$table",
  component: lazyRouteComponent(() => import("./areas/data/RelationPage.tsx"), "RelationPage"),
  validateSearch: readViewSearch,
});

const history = createRoute({
  getParentRoute: () => root,
  path: "/history",
  component: lazyRouteComponent(() => import("./areas/history/History.tsx"), "History"),
});

const historyPage = createRoute({
  getParentRoute: () => history,
  path: "$schema/$table",
  component: lazyRouteComponent(() => import("./areas/history/HistoryPage.tsx"), "HistoryPage"),
  validateSearch: (search: Record<string, unknown>): HistorySearch => ({
    ...readGridSearch(search),
    ...(isInstant(search["at"]) && { at: search["at"] }),
    ...(isInstant(search["from"]) && { from: search["from"] }),
    ...(search["key"] !== undefined && { key: String(search["key"]) }),
  }),
});

function isInstant(value: unknown): value is string {
  return typeof value === "string" && !Number.isNaN(Date.parse(value));
}

const workflow = createRoute({
  getParentRoute: () => root,
  path: "/workflow",
  component: lazyRouteComponent(() => import("./areas/workflow/Workflow.tsx"), "Workflow"),
});

const waitingPage = createRoute({
  getParentRoute: () => workflow,
  path: "$schema/$table",
  component: lazyRouteComponent(() => import("./areas/workflow/WaitingPage.tsx"), "WaitingPage"),
  validateSearch: ({ state }: Record<string, unknown>): { readonly state?: "drafted" | "reviewed" } =>
    state === "drafted" || state === "reviewed" ? { state } : {},
});

const schema = createRoute({
  getParentRoute: () => root,
  path: "/schema",
  component: lazyRouteComponent(() => import("./areas/schema/Schema.tsx"), "Schema"),
});

const schemaPages = [
  createRoute({
    getParentRoute: () => schema,
    path: "$schema",
    component: lazyRouteComponent(() => import("./areas/schema/Diagram.tsx"), "Diagram"),
  }),
  createRoute({
    getParentRoute: () => schema,
    path: "$schema/$table",
    component: lazyRouteComponent(() => import("./areas/schema/TablePage.tsx"), "TablePage"),
  }),
] as const;

const audit = createRoute({
  getParentRoute: () => root,
  path: "/audit",
  component: lazyRouteComponent(() => import("./areas/audit/Audit.tsx"), "Audit"),
  validateSearch: ({ event, account: of, since }: Record<string, unknown>): AuditSearch => ({
    ...(event !== undefined && { event: String(event) }),
    ...(of !== undefined && { account: String(of) }),
    ...(isInstant(since) && { since }),
  }),
});

const configuration = createRoute({
  getParentRoute: () => root,
  path: "/configuration",
  component: lazyRouteComponent(() => import("./areas/configuration/Configuration.tsx"), "Configuration"),
});

const api = createRoute({
  getParentRoute: () => data,
  path: "$schema/$table/api",
  component: lazyRouteComponent(() => import("./areas/api/ApiPage.tsx"), "ApiPage"),
  staticData: { title: "API" },
});

const sql = createRoute({
  getParentRoute: () => root,
  path: "/sql",
  component: lazyRouteComponent(() => import("./areas/sql/Sql.tsx"), "Sql"),
});

const methods = createRoute({
  getParentRoute: () => root,
  path: "/methods",
  component: lazyRouteComponent(() => import("./areas/methods/Methods.tsx"), "Methods"),
});

const method = createRoute({
  getParentRoute: () => methods,
  path: "$method",
  component: lazyRouteComponent(() => import("./areas/methods/MethodPage.tsx"), "MethodPage"),
});

/** Earlier addresses of maps. */
const mapPages = [
  createRoute({
    getParentRoute: () => root,
    path: "/maps",
    component: () => <Navigate to="/workspace" replace />,
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/maps/$schema/$table",
    component: lazyRouteComponent(() => import("./areas/workspace/OneTableMap.tsx"), "OneTableMap"),
    validateSearch: ({ at }: Record<string, unknown>): { readonly at?: string } => (isInstant(at) ? { at } : {}),
  }),
] as const;

const pyramids = createRoute({
  getParentRoute: () => root,
  path: "/pyramids",
  component: lazyRouteComponent(() => import("./areas/pyramids/Pyramids.tsx"), "Pyramids"),
  staticData: { area: "/workspace", title: t("Pyramids") },
});

export interface WorkspaceSearch {
  readonly at?: string | undefined;
  /** The first layer of a new map, as `schema.table`, or several, the lowest first. */
  readonly layer?: string | readonly string[] | undefined;
  /** Whether the style of the first layer is open. */
  readonly style?: boolean | undefined;
  /** `longitude,latitude,zoom`. */
  readonly view?: string | undefined;
}

const readWorkspace = ({ at, layer, style, view }: Record<string, unknown>): WorkspaceSearch => ({
  ...(isInstant(at) && { at }),
  ...(layer !== undefined && { layer: Array.isArray(layer) ? [...new Set(layer.map(String))] : String(layer) }),
  ...(style === true && { style }),
  ...(view !== undefined && { view: String(view) }),
});

const workspaceArea = lazyRouteComponent(() => import("./areas/workspace/Workspace.tsx"), "Workspace");

/**
 * Opens a page as a document of its own where its content security policy differs: if basemaps are configured, only the
 * workspace may load them.
 */
function asOwnDocument(isWorkspace: boolean, href: string): Promise<void> | undefined {
  if (Object.keys(basemaps).length === 0 || isWorkspace === mayLoadBasemaps) return undefined;
  location.assign(href);
  return new Promise(() => undefined);
}

const workspacePages = [
  createRoute({
    getParentRoute: () => root,
    path: "/workspace",
    component: workspaceArea,
    validateSearch: readWorkspace,
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/workspace/$name",
    component: workspaceArea,
    validateSearch: readWorkspace,
  }),
] as const;

const dashboardsArea = lazyRouteComponent(() => import("./areas/dashboards/Dashboards.tsx"), "Dashboards");

const dashboardPages = [
  createRoute({ getParentRoute: () => root, path: "/dashboards", component: dashboardsArea }),
  createRoute({ getParentRoute: () => root, path: "/dashboards/$name", component: dashboardsArea }),
] as const;

const events = createRoute({
  getParentRoute: () => root,
  path: "/events",
  component: lazyRouteComponent(() => import("./areas/events/Events.tsx"), "Events"),
});

export interface EventSearch {
  /** A condition in SQL, or a filter of the filter language. */
  readonly where?: string | object;
  readonly op?: Operation;
}

const tableEvents = createRoute({
  getParentRoute: () => events,
  path: "$schema/$table",
  component: lazyRouteComponent(() => import("./areas/events/EventsPage.tsx"), "EventsPage"),
  validateSearch: ({ where, op }: Record<string, unknown>): EventSearch => {
    const operation = OPERATIONS.find((each) => each === op);
    return {
      ...(where !== undefined && where !== null && { where: typeof where === "object" ? where : String(where) }),
      ...(operation && { op: operation }),
    };
  },
});

const rest = createRoute({
  getParentRoute: () => root,
  path: "/rest",
  component: lazyRouteComponent(() => import("./areas/rest/Rest.tsx"), "Rest"),
});

const restOperation = createRoute({
  getParentRoute: () => rest,
  path: "$operation",
  component: lazyRouteComponent(() => import("./areas/rest/OperationPage.tsx"), "OperationPage"),
});

const graphqlArea = lazyRouteComponent(() => import("./areas/graphql/Graphql.tsx"), "Graphql");

const graphqlPages = [
  createRoute({ getParentRoute: () => root, path: "/graphql", component: graphqlArea }),
  createRoute({ getParentRoute: () => root, path: "/graphql/$schema", component: graphqlArea }),
] as const;

const importPage = lazyRouteComponent(() => import("./areas/import/ImportPage.tsx"), "ImportPage");

const importPages = [
  // a file goes into a schema, which is chosen there
  createRoute({ getParentRoute: () => root, path: "/import", component: () => <Navigate to="/schema" replace /> }),
  createRoute({
    getParentRoute: () => root,
    path: "/import/$schema",
    component: importPage,
    staticData: { area: "/schema", title: t("Import") },
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/import/$schema/$table",
    component: importPage,
    staticData: { area: "/data", title: t("Import") },
  }),
] as const;

const account = createRoute({
  getParentRoute: () => root,
  path: "/account",
  component: lazyRouteComponent(() => import("./areas/account/Account.tsx"), "Account"),
  staticData: { title: t("Account") },
});

interface TableSearch {
  readonly schema?: string;
  readonly table?: string;
}

function readTable({ schema: of, table }: Record<string, unknown>): TableSearch {
  return { ...(of !== undefined && { schema: String(of) }), ...(table !== undefined && { table: String(table) }) };
}

const access = createRoute({
  getParentRoute: () => root,
  path: "/access",
  component: lazyRouteComponent(() => import("./areas/access/Access.tsx"), "Access"),
});

const accessPages = [
  createRoute({
    getParentRoute: () => access,
    path: "/",
    component: lazyRouteComponent(() => import("./areas/access/Accounts.tsx"), "Accounts"),
    staticData: { title: t("Accounts") },
  }),
  createRoute({
    getParentRoute: () => access,
    path: "/accounts/$account",
    component: lazyRouteComponent(() => import("./areas/access/AccountPage.tsx"), "AccountPage"),
    staticData: { title: t("Accounts") },
  }),
  createRoute({
    getParentRoute: () => access,
    path: "/privileges",
    component: lazyRouteComponent(() => import("./areas/access/Privileges.tsx"), "Privileges"),
    staticData: { title: t("Privileges") },
    validateSearch: readTable,
  }),
  createRoute({
    getParentRoute: () => access,
    path: "/rules",
    component: lazyRouteComponent(() => import("./areas/access/Rules.tsx"), "Rules"),
    staticData: { title: t("Rules") },
  }),
  createRoute({
    getParentRoute: () => access,
    path: "/see",
    component: lazyRouteComponent(() => import("./areas/access/See.tsx"), "See"),
    staticData: { title: t("See as") },
    validateSearch: ({ account: of, ...on }: Record<string, unknown>): TableSearch & { readonly account?: string } => ({
      ...readTable(on),
      ...(of !== undefined && { account: String(of) }),
    }),
  }),
  createRoute({
    getParentRoute: () => access,
    path: "/clients",
    component: lazyRouteComponent(() => import("./areas/access/Clients.tsx"), "Clients"),
    staticData: { title: t("Clients") },
  }),
  createRoute({
    getParentRoute: () => access,
    path: "/agents",
    component: lazyRouteComponent(() => import("./areas/access/Agents.tsx"), "Agents"),
    staticData: { title: t("Agents") },
  }),
  createRoute({
    getParentRoute: () => access,
    path: "/agents/$agent",
    component: lazyRouteComponent(() => import("./areas/access/AgentPage.tsx"), "AgentPage"),
    staticData: { title: t("Agents") },
  }),
] as const;

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    requests,
    topStatements,
    refused,
    data.addChildren([relation, api]),
    history.addChildren([historyPage]),
    workflow.addChildren([waitingPage]),
    schema.addChildren(schemaPages),
    audit,
    configuration,
    sql,
    methods.addChildren([method]),
    ...mapPages,
    pyramids,
    ...workspacePages,
    ...dashboardPages,
    events.addChildren([tableEvents]),
    rest.addChildren([restOperation]),
    ...graphqlPages,
    ...importPages,
    account,
    access.addChildren(accessPages),
  ]),
  search: { strict: true }, // unknown or invalid parts of the address do not reach a page
  defaultErrorComponent: ({ error, reset }) => (
    <div className="empty">
      <ErrorNote error={error instanceof Error ? error : new Error(String(error))} onClose={reset} />
    </div>
  ),
  basepath: base,
});

declare module "@tanstack/react-router" {
  interface Register {
    readonly router: typeof router;
  }
  interface StaticDataRouteOption {
    /** The title of a page inside an area. */
    readonly title?: string;
    /** The area of a page whose address does not begin with the area's path. */
    readonly area?: Area["to"];
  }
}

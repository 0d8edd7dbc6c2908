/** The addresses of the console. What is chosen stands in them, so that a link shows the same. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { Home } from "./areas/home/Home.tsx";
import { service } from "./service/address.ts";
import { Shell } from "./ui/Shell.tsx";

const root = createRootRoute({
  component: Shell,
  notFoundComponent: () => <p className="empty">There is no such page.</p>,
});

const home = createRoute({ getParentRoute: () => root, path: "/", component: Home });

const data = createRoute({
  getParentRoute: () => root,
  path: "/data",
  component: lazyRouteComponent(() => import("./areas/data/Data.tsx"), "Data"),
});

export interface GridSearch {
  /** A filter of the filter language, as JSON. */
  readonly where?: string;
  /** `column` or `-column`. */
  readonly sort?: string;
}

const relation = createRoute({
  getParentRoute: () => data,
  path: "$schema/$type",
  component: lazyRouteComponent(() => import("./areas/data/RelationPage.tsx"), "RelationPage"),
  validateSearch: ({ where, sort }: Record<string, unknown>): GridSearch => ({
    ...(where !== undefined && { where: typeof where === "string" ? where : JSON.stringify(where) }),
    ...(typeof sort === "string" && { sort }),
  }),
});

const sql = createRoute({
  getParentRoute: () => root,
  path: "/sql",
  component: lazyRouteComponent(() => import("./areas/sql/Sql.tsx"), "Sql"),
});

const account = createRoute({
  getParentRoute: () => root,
  path: "/account",
  component: lazyRouteComponent(() => import("./areas/account/Account.tsx"), "Account"),
});

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
  }),
  createRoute({
    getParentRoute: () => access,
    path: "/privileges",
    component: lazyRouteComponent(() => import("./areas/access/Privileges.tsx"), "Privileges"),
  }),
  createRoute({
    getParentRoute: () => access,
    path: "/rules",
    component: lazyRouteComponent(() => import("./areas/access/Rules.tsx"), "Rules"),
  }),
  createRoute({
    getParentRoute: () => access,
    path: "/see",
    component: lazyRouteComponent(() => import("./areas/access/See.tsx"), "See"),
  }),
  createRoute({
    getParentRoute: () => access,
    path: "/clients",
    component: lazyRouteComponent(() => import("./areas/access/Clients.tsx"), "Clients"),
  }),
] as const;

export const router = createRouter({
  routeTree: root.addChildren([home, data.addChildren([relation]), sql, account, access.addChildren(accessPages)]),
  basepath: `${new URL(service).pathname.replace(/\/$/, "")}/console`,
});

declare module "@tanstack/react-router" {
  interface Register {
    readonly router: typeof router;
  }
}

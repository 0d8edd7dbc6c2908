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

export const router = createRouter({
  routeTree: root.addChildren([home, data.addChildren([relation]), sql]),
  basepath: `${new URL(service).pathname.replace(/\/$/, "")}/console`,
});

declare module "@tanstack/react-router" {
  interface Register {
    readonly router: typeof router;
  }
}

/** The pages for people, and their assets. */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { serveStatic } from "ruru/static";
import type { Door } from "../kernel/door.ts";
import type { Database } from "../kernel/database/database.ts";
import type { Kernel } from "../kernel.ts";
import { besideCode, PACKAGE_DIRECTORY, VERSION } from "../ground/packageDirectory.ts";
import { GatewayError } from "../ground/errors.ts";
import { HTML_TYPE, sendText } from "../kernel/http/answer.ts";
import { addressAsked } from "../kernel/http/localName.ts";
import { pagePolicy } from "../kernel/http/html.ts";
import { assets, passOn, type Middleware } from "../kernel/http/assets.ts";
import type { PathParameters, Route } from "../kernel/http/routes.ts";
import { consolePage, isConsoleBuilt, unbuiltConsolePage } from "./console.ts";
import { eventsPage } from "./events.ts";
import { graphiqlPage } from "./graphiql.ts";
import { landingPage, type Served } from "./landing.ts";
import { methodsPage } from "./methods.ts";
import { publicDashboardRoutes, type RunPanel } from "./publicDashboard.ts";
import { publicMapRoute, type ReadableIds } from "./publicMap.ts";

/** Built by `npm run build:console`, in a checkout by the set-up step. */
const CONSOLE_FOLDER = join(PACKAGE_DIRECTORY, "console", "dist");

const SCRIPTED = { "script-src": "'self'", "connect-src": "'self'" };

/** `self` is not yet every browser's word for a WebSocket of the same host. */
function eventsPolicy(baseUrl: string): string {
  const socket = new URL(baseUrl).origin.replace(/^http/, "ws");
  return pagePolicy({ ...SCRIPTED, "connect-src": `'self' ${socket}` });
}

/** The editor of the console writes a style element, with the nonce of the page. `others`: origins of basemaps. */
function consolePolicy(baseUrl: string, nonce: string, others: readonly string[]): string {
  const socket = new URL(baseUrl).origin.replace(/^http/, "ws");
  return pagePolicy({
    "script-src": "'self'",
    "connect-src": ["'self'", socket, ...others].join(" "),
    "style-src": `'self' 'nonce-${nonce}'`,
    "img-src": ["'self' data: blob:", ...others].join(" "),
    "worker-src": "'self'",
  });
}

/** The editor writes style elements, draws icons from data: addresses, and parses in workers. */
const GRAPHIQL_POLICY = pagePolicy({
  ...SCRIPTED,
  "worker-src": "'self' blob:",
  "style-src": "'self' 'unsafe-inline'",
  "img-src": "'self' data:",
  "font-src": "'self' data:",
});

export interface PagesOptions {
  readonly runPanel: RunPanel;
  readonly readableIds: ReadableIds;
  /** Where the console is built into. */
  readonly consoleFolder?: string;
}

export function installPages(kernel: Kernel, options: PagesOptions): Door {
  const { runPanel, readableIds, consoleFolder = CONSOLE_FOLDER } = options;
  const { baseUrl, config, databases, directory, log, schemasOf } = kernel;
  const page = pagesOf(baseUrl);
  const served = (): Served[] =>
    [...databases.values()]
      .filter((database) => !directory.isSleeper(database)) // only callers who know a database may learn of it
      .map(({ name }) => ({ name, schemas: schemasOf(name) }));
  const schemas = (): string[] => [...new Set(served().flatMap((database) => database.schemas))];
  const landing = (): string =>
    landingPage({ baseUrl, version: VERSION, graphiql: config.graphiql, databases: served() });
  const routes: Route[] = [
    assets("/assets/*", "What the pages load", besideCode("server/pages/assets")),
    assets("/console/assets/*", "What the console loads", consoleFolder),
    page("/", "What is served here", pagePolicy(), landing),
    page("/methods", "Stored methods, for people", pagePolicy(SCRIPTED), (service) => methodsPage(service)),
    page("/events", "Change events, for people", eventsPolicy, (service) => eventsPage(schemas(), service)),
  ];
  const origins = [...new Set(Object.values(config.basemaps).map(({ url }) => new URL(url).origin))];
  routes.push(publicMapRoute(kernel, origins, readableIds), ...publicDashboardRoutes(kernel, runPanel));
  for (const path of ["/console", "/console/workspace", "/console/workspace/*", "/console/*"]) {
    const loadsBasemaps = path.startsWith("/console/workspace") && origins.length > 0;
    routes.push({
      path,
      summary: path.startsWith("/console/workspace") ? "The console: maps of several layers" : "The console",
      handlers: {
        GET: (request, response) => {
          const service = addressAsked(baseUrl, request);
          if (!isConsoleBuilt(consoleFolder))
            return sendText(response, unbuiltConsolePage(service), {
              status: 503,
              type: HTML_TYPE,
              headers: { "Cache-Control": "no-store", "Content-Security-Policy": pagePolicy() },
            });
          const nonce = randomBytes(16).toString("base64");
          const schemas = Object.fromEntries(served().map(({ name, schemas }) => [name, schemas]));
          const policy = consolePolicy(service, nonce, loadsBasemaps ? origins : []);
          const text = consolePage({
            ...{ service, version: VERSION, schemas, loadsBasemaps, nonce },
            basemaps: config.basemaps,
            makesFiles: config.ogc.downloads,
            sendsMail: config.smtpUrl !== undefined,
          });
          sendText(response, text, {
            type: HTML_TYPE,
            headers: { "Cache-Control": "no-store", "Content-Security-Policy": policy },
          });
        },
      },
    });
  }
  const callback = `${baseUrl}/console/callback`;
  let hasTold = false;
  async function prepare({ db }: Database): Promise<boolean> {
    const { works } = await db.one<{ works: boolean }>("select portolan.follow_console($1) as works", [callback]);
    if (!works && !hasTold) log.warn(`/console and signing in on the pages want https, which ${baseUrl} is not`);
    hasTold ||= !works;
    return true;
  }
  if (!config.graphiql) return { routes, prepare };
  const editor = serveStatic("/graphiql/static/");
  routes.push(
    {
      path: "/graphiql/static/*",
      summary: "What GraphiQL loads",
      isAsset: true,
      handlers: {
        GET: (request, response) => {
          response.setHeader("Cache-Control", "public, max-age=86400");
          return passOn(editor as Middleware, request, response);
        },
      },
    },
    page("/graphiql/{schema}", "GraphiQL for a schema", GRAPHIQL_POLICY, (service, { schema = "" }) => {
      if (!schemas().includes(schema)) throw new GatewayError("NOT_FOUND", `The schema ${schema} is not exposed`);
      return graphiqlPage(schema, service);
    }),
  );
  return { routes, prepare };
}

type Render = (service: string, parameters: PathParameters) => string;

/**
 * Makes the routes of pages. A page and its policy use the address by which the browser asks, because its cookies and
 * token belong to that.
 */
function pagesOf(baseUrl: string) {
  return (path: string, summary: string, policy: string | ((service: string) => string), render: Render): Route => ({
    path,
    summary,
    handlers: {
      GET: (request, response, parameters) => {
        const service = addressAsked(baseUrl, request);
        sendText(response, render(service, parameters), {
          type: HTML_TYPE,
          headers: { "Content-Security-Policy": typeof policy === "string" ? policy : policy(service) },
        });
      },
    },
  });
}

/** The pages for people, and what they load. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import express, { Router } from "express";
import { serveStatic } from "ruru/static";
import { PACKAGE_DIRECTORY, type Config } from "../kernel/config.ts";
import { GatewayError } from "../kernel/errors.ts";
import { eventsPage } from "./events.ts";
import { graphiqlPage } from "./graphiql.ts";
import { landingPage, type Served } from "./landing.ts";
import { methodsPage } from "./methods.ts";

export interface PagesOptions {
  readonly config: Config;
  readonly baseUrl: string;
  readonly databases: () => readonly Served[];
}

const LANDING_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const METHODS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** `self` is not yet every browser's word for a WebSocket of the same host. */
function eventsPolicy(baseUrl: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    `connect-src 'self' ${new URL(baseUrl).origin.replace(/^http/, "ws")}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
/** The editor writes style elements, draws icons from data: addresses, and parses in workers. */
const GRAPHIQL_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self' blob:",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

export function pagesRouter({ config, baseUrl, databases }: PagesOptions): Router {
  const { version } = JSON.parse(readFileSync(join(PACKAGE_DIRECTORY, "package.json"), "utf8")) as { version: string };
  const router = Router();
  router.use("/assets", express.static(join(import.meta.dirname, "assets"), { maxAge: "1h", index: false }));
  router.get("/", (_request, response) => {
    response
      .set("Content-Security-Policy", LANDING_POLICY)
      .type("html")
      .send(landingPage({ baseUrl, version, graphiql: config.graphiql, databases: databases() }));
  });
  router.get("/methods", (_request, response) => {
    response.set("Content-Security-Policy", METHODS_POLICY).type("html").send(methodsPage());
  });
  router.get("/events", (_request, response) => {
    const schemas = [...new Set(databases().flatMap((served) => served.schemas))];
    response.set("Content-Security-Policy", eventsPolicy(baseUrl)).type("html").send(eventsPage(schemas));
  });
  if (!config.graphiql) return router;
  const editor = serveStatic("/graphiql/static/");
  router.get("/graphiql/static/*file", (request, response, next) => {
    response.set("Cache-Control", "public, max-age=86400");
    editor(request, response, next);
  });
  router.get("/graphiql/:schema", (request, response) => {
    const { schema } = request.params;
    if (!databases().some(({ schemas }) => schemas.includes(schema)))
      throw new GatewayError("NOT_FOUND", `The schema ${schema} is not exposed`);
    response.set("Content-Security-Policy", GRAPHIQL_POLICY).type("html").send(graphiqlPage(schema));
  });
  return router;
}

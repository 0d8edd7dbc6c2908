/** `/maps/{database}/{name}`: a saved map that is shared with everybody, read as anonymous. Named origins may embed it. */
import type { IncomingMessage } from "node:http";
import type { Kernel } from "../kernel.ts";
import { CATALOGUE } from "../kernel/database/database.ts";
import { GatewayError } from "../ground/errors.ts";
import { html, page, pagePolicy } from "../kernel/http/html.ts";
import { HTML_TYPE, sendText } from "../kernel/http/answer.ts";
import { addressAsked } from "../kernel/http/localName.ts";
import { prefixOf, type PathParameters, type Route } from "../kernel/http/routes.ts";

/** The public members. The owner and the list of accounts it is shared with are not public. */
interface PublicMap {
  readonly name: string;
  readonly title: string | null;
  readonly view: unknown;
  readonly layers: readonly unknown[];
}

type PublicMapKernel = Pick<Kernel, "baseUrl" | "config" | "directory" | "identifyNobody">;

/** `origins`: those of basemaps, which the page may load from. */
export function publicMapRoute(kernel: PublicMapKernel, origins: readonly string[]): Route {
  const { baseUrl, config } = kernel;
  const policy = pagePolicy({
    "script-src": "'self'",
    "connect-src": ["'self'", ...origins].join(" "),
    "img-src": ["'self' data: blob:", ...origins].join(" "),
    "frame-ancestors": config.embedOrigins.length > 0 ? config.embedOrigins.join(" ") : "'none'",
  });
  return {
    path: "/maps/{database}/{name}",
    summary: "A saved map that is shared with everybody",
    handlers: {
      async GET(request, response, parameters) {
        const map = await readMap(kernel, request, parameters);
        response.removeHeader("X-Frame-Options"); // it knows no list of origins
        sendText(
          response,
          mapPage(addressAsked(baseUrl, request), parameters["database"]!, { map, basemaps: config.basemaps }),
          {
            type: HTML_TYPE,
            headers: { "Cache-Control": "no-cache", "Content-Security-Policy": policy },
          },
        );
      },
    },
  };
}

/** Throws `NOT_FOUND`, also for a map that is not shared with everybody. */
async function readMap(
  { directory, identifyNobody }: PublicMapKernel,
  request: IncomingMessage,
  { database: of = "", name = "" }: PathParameters,
): Promise<PublicMap> {
  const database = await directory.find(of);
  if (!database) throw new GatewayError("NOT_FOUND", `There is no database ${of}`);
  const identity = await identifyNobody(request, database);
  const { rows } = await database.withIdentity(
    identity,
    { service: "ogc", address: request.address, readOnly: true, reach: CATALOGUE },
    (transaction) =>
      transaction.query<PublicMap>({
        text: "select name, title, view, layers from portolan.maps where name = $1 and shared @> array['*']",
        values: [name],
      }),
  );
  const [map] = rows;
  if (!map) throw new GatewayError("NOT_FOUND", `There is no public map ${name}`);
  return map;
}

function mapPage(
  service: string,
  database: string,
  { map, basemaps }: { readonly map: PublicMap; readonly basemaps: object },
): string {
  const root = prefixOf(service);
  return page({
    title: map.title ?? map.name,
    root,
    head: html`<link rel="stylesheet" href="${root}/console/assets/main.css" />
      <script type="module" src="${root}/console/assets/publicMap.js"></script>`,
    body: html`<body>
      <div
        id="console"
        data-service="${service}"
        data-version=""
        data-schemas="{}"
        data-basemaps="${JSON.stringify(basemaps)}"
        data-loads-basemaps
        data-database="${database}"
        data-map="${JSON.stringify(map)}"
      >
        <noscript><p class="alert">The map needs JavaScript.</p></noscript>
      </div>
    </body>`,
  });
}

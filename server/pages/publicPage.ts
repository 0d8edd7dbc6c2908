/** Pages of saved things that are shared with everybody, read as anonymous. Named origins may embed them. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Kernel } from "../kernel.ts";
import { CATALOGUE, type Database, type Identity, type RequestContext } from "../kernel/database/database.ts";
import { GatewayError } from "../ground/errors.ts";
import { html, page, pagePolicy, type Html } from "../kernel/http/html.ts";
import { HTML_TYPE, sendText } from "../kernel/http/answer.ts";
import { addressAsked } from "../kernel/http/localName.ts";
import { prefixOf, type PathParameters } from "../kernel/http/routes.ts";

export type PublicKernel = Pick<Kernel, "baseUrl" | "config" | "directory" | "identifyNobody">;

/** The public members of a kind. The owner and the accounts that it is shared with are not public. */
export interface PublicKind {
  readonly noun: string;
  /** The table in schema `portolan`, and the columns that are read. */
  readonly table: "maps" | "dashboards";
  readonly columns: string;
}

/** A saved thing, and the anonymous caller who read it. */
export interface PublicItem<Row> {
  readonly database: Database;
  readonly identity: Identity;
  readonly context: RequestContext;
  readonly row: Row;
}

/** The names that saved things can have (`portolan.tg__own_saved`). */
const SAVED_NAME = /^[a-z0-9-]{1,60}$/;

/** Reads one as anonymous, also for a visitor who is signed in. Throws `NOT_FOUND`, also for one that is not shared with everybody. */
export async function readPublic<Row>(
  { directory, identifyNobody }: PublicKernel,
  request: IncomingMessage,
  { database: of = "", name = "" }: PathParameters,
  { noun, table, columns }: PublicKind,
): Promise<PublicItem<Row>> {
  const database = await directory.find(of);
  if (!database) throw new GatewayError("NOT_FOUND", `There is no database ${of}`);
  const none = (): Error => new GatewayError("NOT_FOUND", `There is no public ${noun} ${name}`);
  if (!SAVED_NAME.test(name)) throw none(); // PostgreSQL would refuse a text with a NUL
  const identity = await identifyNobody(request, database);
  const context: RequestContext = { service: "ogc", address: request.address, readOnly: true, reach: CATALOGUE };
  const { rows } = await database.withIdentity(identity, context, (transaction) =>
    transaction.query({
      text: `select ${columns} from portolan.${table} where name = $1 and shared @> array['*']`,
      values: [name],
    }),
  );
  const [row] = rows;
  if (!row) throw none();
  return { database, identity, context, row: row as Row };
}

export interface PublicPage {
  readonly title: string;
  readonly database: string;
  /** The name of the script in the folder of the console's assets, without its ending. */
  readonly script: string;
  /** Further attributes of the element that the script reads its settings from. */
  readonly data: Html;
  /** Further origins that the page may load from. Default none. */
  readonly origins?: readonly string[];
}

export function sendPublicPage(
  request: IncomingMessage,
  response: ServerResponse,
  { baseUrl, config }: PublicKernel,
  { title, database, script, data, origins = [] }: PublicPage,
): void {
  const service = addressAsked(baseUrl, request);
  const root = prefixOf(service);
  const policy = pagePolicy({
    "script-src": "'self'",
    "connect-src": ["'self'", ...origins].join(" "),
    "img-src": ["'self' data: blob:", ...origins].join(" "),
    "frame-ancestors": config.embedOrigins.length > 0 ? config.embedOrigins.join(" ") : "'none'",
  });
  const text = page({
    title,
    root,
    head: html`<link rel="stylesheet" href="${root}/console/assets/main.css" />
      <script type="module" src="${root}/console/assets/${script}.js"></script>`,
    body: html`<body>
      <div id="console" data-service="${service}" data-version="" data-schemas="{}" data-database="${database}" ${data}>
        <noscript><p class="alert">This page needs JavaScript.</p></noscript>
      </div>
    </body>`,
  });
  response.removeHeader("X-Frame-Options"); // it knows no list of origins
  sendText(response, text, {
    type: HTML_TYPE,
    headers: { "Cache-Control": "no-cache", "Content-Security-Policy": policy },
  });
}

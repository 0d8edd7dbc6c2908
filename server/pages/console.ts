/** `/console`: the page that loads the console, an application of its own (`console/`). */
import { html, page } from "../kernel/http/html.ts";
import { prefixOf } from "../kernel/http/routes.ts";

export interface ConsoleOptions {
  /** The address of the service. */
  readonly service: string;
  readonly version: string;
  /** The exposed schemas of each database. */
  readonly schemas: Readonly<Record<string, readonly string[]>>;
  /** The nonce of this answer, for the editor's styles. */
  readonly nonce: string;
}

export function consolePage({ service, version, schemas, nonce }: ConsoleOptions): string {
  const root = prefixOf(service);
  return page({
    title: "Portolan console",
    root,
    head: html`<link rel="stylesheet" href="${root}/console/assets/main.css" />
      <script type="module" nonce="${nonce}" src="${root}/console/assets/main.js"></script>`,
    body: html`<body>
      <div id="console" data-service="${service}" data-version="${version}" data-schemas="${JSON.stringify(schemas)}">
        <noscript><p class="alert">The console needs JavaScript; the interfaces do not.</p></noscript>
      </div>
    </body>`,
  });
}

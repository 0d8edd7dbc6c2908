/** `/console`: the page that loads the console, an application of its own (`console/`). */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Basemap } from "../kernel/config/maps.ts";
import { html, page } from "../kernel/http/html.ts";
import { prefixOf } from "../kernel/http/routes.ts";

export interface ConsoleOptions {
  /** The address of the service. */
  readonly service: string;
  readonly version: string;
  /** The exposed schemas of each database. */
  readonly schemas: Readonly<Record<string, readonly string[]>>;
  readonly basemaps: Readonly<Record<string, Basemap>>;
  /** Whether the policy of this page lets it load them. */
  readonly loadsBasemaps: boolean;
  /** Whether accounts may have files of collections made (`ogc.downloads`). */
  readonly makesFiles: boolean;
  /** Whether the service sends mail. */
  readonly sendsMail: boolean;
  /** The nonce of this answer, for the editor's styles. */
  readonly nonce: string;
}

/** `folder`: where the console is built into. */
export function isConsoleBuilt(folder: string): boolean {
  return ["main.js", "main.css"].every((file) => existsSync(join(folder, file)));
}

/** For a checkout in which the console is not built yet. */
export function unbuiltConsolePage(service: string): string {
  return page({
    title: "The console is not built",
    root: prefixOf(service),
    body: html`<body class="page narrow">
      <header>
        <p class="brand"><a href="${prefixOf(service)}/">Portolan</a></p>
        <h1>The console is not built</h1>
      </header>
      <main>
        <p>In the folder of Portolan, run</p>
        <pre>npm run build:console</pre>
        <p>and load this page again. <code>npm start</code> builds it too. All other interfaces work without it.</p>
      </main>
    </body>`,
  });
}

export function consolePage(options: ConsoleOptions): string {
  const { service, version, schemas, basemaps, loadsBasemaps, makesFiles, sendsMail, nonce } = options;
  const root = prefixOf(service);
  return page({
    title: "Portolan console",
    root,
    head: html`<link rel="stylesheet" href="${root}/console/assets/main.css" />
      <script type="module" nonce="${nonce}" src="${root}/console/assets/main.js"></script>`,
    body: html`<body>
      <div
        id="console"
        data-service="${service}"
        data-version="${version}"
        data-schemas="${JSON.stringify(schemas)}"
        data-basemaps="${JSON.stringify(basemaps)}"
        ${loadsBasemaps && html`data-loads-basemaps`}
        ${makesFiles && html`data-makes-files`}
        ${sendsMail && html`data-sends-mail`}
      >
        <noscript><p class="alert">The console needs JavaScript; the interfaces do not.</p></noscript>
      </div>
    </body>`,
  });
}

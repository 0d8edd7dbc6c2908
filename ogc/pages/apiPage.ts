import { html, type Html } from "../../server/kernel/http/html.ts";
import type { Exchange } from "../exchange.ts";
import type { Collection } from "../collections.ts";
import { crsOfAll } from "../crs.ts";
import { describeParameters, type ParameterDescription } from "../parameters/read.ts";
import { describePathParameter } from "../openapi.ts";
import type { RouteDescription } from "../route.ts";
import type { Link } from "../links.ts";
import { sendPage } from "./layout.ts";

type Input = ParameterDescription & { readonly isInPath?: boolean };

/** A form for every operation. Without JavaScript a form opens its answer, with it the answer stands below the form. */
export function apiPage(exchange: Exchange, collections: readonly Collection[], links: readonly Link[]): void {
  const { routes } = exchange;
  sendPage(exchange, {
    title: "Try the API",
    description: "Every operation, with your rights.",
    trail: [],
    scripts: ["api.js"],
    links,
    body: html`<form class="token" id="token-bar" hidden>
        <div class="field">
          <label for="token">Access token</label>
          <p class="hint" id="token-hint">
            <code>portolan token NAME</code> prints one. Without it you ask as whoever you are signed in as.
          </p>
          <input id="token" type="password" autocomplete="off" spellcheck="false" aria-describedby="token-hint" />
        </div>
      </form>
      ${routes.map((route) => operation(exchange, route, collections))}`,
  });
}

function operation(exchange: Exchange, route: RouteDescription, collections: readonly Collection[]): Html {
  const { addresses, config } = exchange;
  const inQuery = describeParameters({ route, crs: crsOfAll(collections), properties: [], config });
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    ...describePathParameter(name, collections),
    isInPath: true,
  }));
  const address = addresses.local([]) + (route.path === "/" ? "" : route.path);
  return html`<details class="operation">
    <summary><code>GET ${route.path}</code> ${route.summary}</summary>
    <form method="get" action="${inPath.length === 0 ? address : ""}" data-path="${address}">
      <div class="inputs">${[...inPath, ...inQuery].map((input) => field(route.id, input))}</div>
      <button type="submit">Send</button>
      <output aria-live="polite"></output>
    </form>
  </details>`;
}

/** A text whose names stand between backticks. */
function withCode(text: string): Html[] {
  return text.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}

function field(operationId: string, { name, description = "", schema, isInPath = false }: Input): Html {
  const id = `${operationId}-${name}`;
  const options = schema["enum"] as readonly string[] | undefined;
  const preset = schema["default"];
  return html`<div class="field">
    <label for="${id}">${name}</label>
    <p class="hint" id="${id}-hint">${withCode(description)}</p>
    ${
      options
        ? html`<select id="${id}" name="${name}" aria-describedby="${id}-hint" data-in="${isInPath ? "path" : "query"}">
            ${!isInPath && html`<option value=""></option>`}
            ${options.map((option) => html`<option>${option}</option>`)}
          </select>`
        : html`<input
            id="${id}"
            name="${name}"
            aria-describedby="${id}-hint"
            data-in="${isInPath ? "path" : "query"}"
            placeholder="${preset === undefined ? "" : String(preset as string | number)}"
            ${isInPath && html`required`}
          />`
    }
  </div>`;
}

import { html, type Html } from "../../server/kernel/http/html.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Collection } from "../collections/collections.ts";
import { crsOfAll } from "../crs/crs.ts";
import { describeParameters, type ParameterDescription } from "../exchange/parameters/read.ts";
import { bodyTypes, describePathParameter, inputsInHead, isDescribed } from "../about/openapi.ts";
import type { RouteDescription } from "../exchange/route.ts";
import type { Link } from "../exchange/links.ts";
import { sendPage } from "./layout.ts";

type Place = "path" | "query" | "header";
type Input = ParameterDescription & { readonly in: Place };

/**
 * A page with a form for every operation. Without JavaScript, the form of a reading operation opens its answer; with
 * JavaScript, the answer appears below the form.
 */
export function apiPage(exchange: Exchange, collections: readonly Collection[], links: readonly Link[]): void {
  const { stylesWrite: styles } = exchange.config;
  const isWritten = { features: collections.some(({ isWritable }) => isWritable), styles };
  const routes = exchange.routes.filter((route) => isDescribed(route, isWritten));
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
            <code>portolan token NAME</code> prints one. Without it you ask as the account that is signed in; what
            writes then asks for name and password.
          </p>
          <input id="token" type="password" autocomplete="off" spellcheck="false" aria-describedby="token-hint" />
        </div>
      </form>
      ${routes.map((route) => operation(exchange, route, collections))}`,
  });
}

function operation(exchange: Exchange, route: RouteDescription, collections: readonly Collection[]): Html {
  const { addresses, config } = exchange;
  const { id, path, summary, method = "GET" } = route;
  const within = (place: Place) => (described: ParameterDescription) => ({ ...described, in: place });
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => describePathParameter(name, collections));
  const inputs: Input[] = [
    ...inPath.map(within("path")),
    ...describeParameters({ route, crs: crsOfAll(collections), properties: [], config }).map(within("query")),
    ...inputsInHead(route).map(within("header")),
  ];
  const address = addresses.local([]) + (path === "/" ? "" : path);
  return html`<details class="operation">
    <summary><code>${method} ${path}</code> ${summary}</summary>
    <form
      ${method === "GET" && html`method="get" action="${inPath.length === 0 ? address : ""}"`}
      data-method="${method}"
      data-path="${address}"
    >
      <div class="inputs">${inputs.map((input) => field(id, input))}</div>
      ${bodyTypes(route)
        .slice(0, 1)
        .map(
          (type) =>
            html`<div class="field">
              <label for="${id}-body">Body (${type})</label>
              <textarea id="${id}-body" rows="6" required data-in="body" data-type="${type}"></textarea>
            </div>`,
        )}
      <button type="submit">Send</button>
      <output aria-live="polite"></output>
    </form>
  </details>`;
}

/** A text with names between backticks. */
function withCode(text: string): Html[] {
  return text.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}

function field(operationId: string, { name, description = "", schema, in: place }: Input): Html {
  const id = `${operationId}-${name}`;
  const options = schema["enum"] as readonly string[] | undefined;
  const preset = schema["default"];
  return html`<div class="field">
    <label for="${id}">${name}</label>
    <p class="hint" id="${id}-hint">${withCode(description)}</p>
    ${
      options
        ? html`<select id="${id}" name="${name}" aria-describedby="${id}-hint" data-in="${place}">
            ${place !== "path" && html`<option value=""></option>`}
            ${options.map((option) => html`<option>${option}</option>`)}
          </select>`
        : html`<input
            id="${id}"
            name="${name}"
            aria-describedby="${id}-hint"
            data-in="${place}"
            placeholder="${preset === undefined ? "" : String(preset as string | number)}"
            ${place === "path" && html`required`}
          />`
    }
  </div>`;
}

import { html } from "../../server/kernel/http/html.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Link } from "../exchange/links.ts";
import { sendPage } from "./layout.ts";

/** A function, in the form of the JSON of `/functions`. */
export interface FunctionDescription {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly { readonly title: string; readonly type: readonly string[] }[];
  readonly returns: readonly string[];
}

export function functionsPage(
  exchange: Exchange,
  functions: readonly FunctionDescription[],
  links: readonly Link[],
): void {
  sendPage(exchange, {
    title: "Functions",
    description: "The functions of filters, besides the operators of CQL2.",
    trail: [],
    links,
    body: html`<div class="scroll" role="region" aria-label="Functions" tabindex="0">
      <table>
        <thead>
          <tr>
            <th scope="col">Function</th>
            <th scope="col">Gives</th>
            <th scope="col">Description</th>
          </tr>
        </thead>
        <tbody>
          ${functions.map(
            ({ name, description, arguments: all, returns }) =>
              html`<tr>
                <th scope="row"><code>${name}(${all.map(({ title }) => title).join(", ")})</code></th>
                <td>${returns.join(" or ")}</td>
                <td>${description}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`,
  });
}

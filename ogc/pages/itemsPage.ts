import { html, type Html } from "../../server/kernel/http/html.ts";
import type { CollectionExchange } from "../exchange/exchange.ts";
import type { Problem } from "../features/feature.ts";
import { givenColumns } from "../features/propertySelection.ts";
import type { Link } from "../exchange/links.ts";
import { isSpatial } from "../collections/collections.ts";
import { argumentsOf } from "../collections/routines.ts";
import { CRS84 } from "../crs/crs.ts";
import { contentPages, linkList, mapFigure, sendPage } from "./layout.ts";
import { pager } from "./pager.ts";
import { cell, shownFeatures, type ShownFeature } from "./cell.ts";

export interface ItemsPage {
  /** GeoJSON of the features, with commas between them. */
  readonly text: string;
  readonly problems: readonly Problem[];
  readonly numberMatched: number | undefined;
  readonly links: readonly Link[];
}

export function itemsPage(exchange: CollectionExchange, { text, problems, numberMatched, links }: ItemsPage): void {
  const { addresses, collection, parameters } = exchange;
  const crs = parameters.crs ?? CRS84;
  const { id, title, key } = collection;
  const query = { ...argumentsOf(collection), crs: parameters.crs?.uri };
  const isDrawn = crs === CRS84 && isSpatial(collection);
  const shown = givenColumns(collection, parameters);
  const features = shownFeatures(text);
  const body = (index: number, { id: own, properties }: ShownFeature): Html => {
    const featureId = own === undefined ? undefined : String(own);
    return html`<tr data-feature="${index}">
      ${
        key.length > 0 &&
        html`<th scope="row">
          ${
            featureId !== undefined &&
            html`<a href="${addresses.local(["collections", id, "items", featureId], query)}">${featureId}</a>`
          }
        </th>`
      }
      ${shown.map(({ name }) => html`<td>${cell(properties[name])}</td>`)}
    </tr>`;
  };
  sendPage(exchange, {
    title: `${title}: features`,
    description: `${features.length} on this page${numberMatched === undefined ? "" : `, ${numberMatched} in all`}.`,
    trail: [
      { title: "Collections", path: ["collections"] },
      { title, path: ["collections", id] },
    ],
    // in another system the numbers are not longitudes and latitudes
    scripts: [...(isDrawn ? ["map.js"] : []), "choice.js"],
    links,
    body: html`${linkList(contentPages(exchange, collection).filter((link) => link.title !== "Features"))}
      ${choice(exchange)}
      ${
        isDrawn &&
        mapFigure(exchange, {
          label: `Features of ${title}`,
          features: `{"type":"FeatureCollection","features":[${text}]}`,
          more: FOLLOW,
        })
      }
      <div id="results">
        ${problems.length > 0 && trouble(problems)} ${pager(links, "Pages, above the table")}
        <div class="scroll" role="region" aria-label="Features" tabindex="0">
          <table>
            <thead>
              <tr>
                ${key.length > 0 && html`<th scope="col">Feature</th>`}
                ${shown.map((column) => html`<th scope="col">${column.title ?? column.name}</th>`)}
              </tr>
            </thead>
            <tbody>
              ${features.map((feature, index) => body(index, feature))}
            </tbody>
          </table>
        </div>
        ${pager(links, "Pages, below the table")}
      </div>`,
  });
}

/** A switch that the map's script shows. */
const FOLLOW = html`<p id="follow" hidden>
  <label><input type="checkbox" /> Load the features in view when the map moves</label>
  <span class="hint" role="status"></span>
</p>`;

/**
 * The form with the filter of features. The rest of the query stays. Its script shows the form, and leaves out empty
 * fields.
 */
function choice({ addresses, collection, query }: CollectionExchange): Html {
  const columns = collection.columns.filter(({ filterable }) => filterable);
  const own = new Set(["limit", "bbox", "filter", "offset", "after", "before", ...columns.map(({ name }) => name)]);
  const value = (name: string): string => query.get(name) ?? "";
  const box = (name: string, label: string, hint: string): Html =>
    html`<label
      >${label} <input name="${name}" value="${value(name)}" placeholder="${hint}" autocomplete="off"
    /></label>`;
  return html`<form
    class="parameters choice"
    action="${addresses.local(["collections", collection.id, "items"])}"
    method="get"
    aria-label="Which features"
    hidden
  >
    ${[...query]
      .filter(([name]) => !own.has(name))
      .map(([name, text]) => html`<input type="hidden" name="${name}" value="${text}" />`)}
    <label
      >On a page <input name="limit" type="number" min="1" max="10000" value="${value("limit")}" placeholder="10"
    /></label>
    ${box("bbox", "Rectangle", "minx,miny,maxx,maxy")} ${box("filter", "Filter (CQL2)", "name LIKE 'A%'")}
    ${columns.map(({ name, title, type }) =>
      type.kind === "boolean"
        ? html`<label
            >${title ?? name}
            <select name="${name}">
              ${["", "true", "false"].map(
                (each) => html`<option ${each === value(name) && html`selected`}>${each}</option>`,
              )}
            </select></label
          >`
        : box(name, title ?? name, ""),
    )}
    <button>Show</button>
    <p class="wrong" role="alert" aria-label="What is wrong with the filter"></p>
  </form>`;
}

function trouble(problems: readonly Problem[]): Html {
  return html`<div class="alert" role="status">
    ${problems.map(({ id, message }) => html`<p>${id !== undefined && html`<b>${id}</b>: `}${message}</p>`)}
  </div>`;
}

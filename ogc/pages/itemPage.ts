import { html } from "../../server/html.ts";
import { CRS84 } from "../crs.ts";
import type { CollectionExchange } from "../exchange.ts";
import { featureText } from "../feature.ts";
import type { FeatureRow } from "../featureSql.ts";
import type { Link } from "../links.ts";
import { cell } from "./cell.ts";
import { mapFigure, sendPage } from "./layout.ts";

export function itemPage(
  exchange: CollectionExchange,
  featureId: string,
  row: FeatureRow,
  links: readonly Link[],
): void {
  const { collection, parameters } = exchange;
  const { id, title } = collection;
  const crs = parameters.crs ?? CRS84;
  const { members, problem } = featureText(collection, row, crs);
  const properties = JSON.parse(row[1]) as Record<string, unknown>;
  const isDrawn = crs === CRS84 && row[0] !== null;
  sendPage(exchange, {
    title: `${title}: ${featureId}`,
    trail: [
      { title: "Collections", path: ["collections"] },
      { title, path: ["collections", id] },
      { title: "Features", path: ["collections", id, "items"] },
    ],
    scripts: isDrawn ? ["map.js"] : [],
    links,
    body: html`${isDrawn && mapFigure(`Feature ${featureId}`, `{"type":"FeatureCollection","features":[{${members}}]}`)}
      ${problem && html`<p class="alert" role="status">${problem.message}</p>`}
      <dl class="properties">
        ${collection.columns
          .filter(({ number }) => number !== collection.geometry.number)
          .map(
            ({ name, title: label }) =>
              html`<dt>${label ?? name}</dt>
                <dd>${cell(properties[name])}</dd>`,
          )}
      </dl>`,
  });
}

import { html } from "../../server/kernel/http/html.ts";
import { CRS84 } from "../crs/crs.ts";
import type { CollectionExchange } from "../exchange/exchange.ts";
import type { Features } from "../features/feature.ts";
import type { WriteRights } from "../editing/writeRights.ts";
import type { Link } from "../exchange/links.ts";
import { editForm } from "./editForm.ts";
import { cell, shownFeatures } from "./cell.ts";
import { mapFigure, sendPage } from "./layout.ts";

export function itemPage(
  exchange: CollectionExchange,
  featureId: string,
  feature: Features,
  { links, rights }: { readonly links: readonly Link[]; readonly rights: WriteRights | undefined },
): void {
  const { collection, parameters } = exchange;
  const { id, title } = collection;
  const crs = parameters.crs ?? CRS84;
  const text = feature.text.toString();
  const [shown] = shownFeatures(text);
  const { geometry, properties } = shown!;
  const form = editForm(exchange, { ...shown!, version: feature.version }, rights);
  const isDrawn = crs === CRS84 && geometry !== null;
  sendPage(exchange, {
    title: `${title}: ${featureId}`,
    trail: [
      { title: "Collections", path: ["collections"] },
      { title, path: ["collections", id] },
      { title: "Features", path: ["collections", id, "items"] },
    ],
    scripts: [...(isDrawn ? ["map.js"] : []), ...(form ? ["edit.js"] : [])],
    links,
    version: feature.version,
    body: html`${isDrawn && mapFigure(exchange, { label: `Feature ${featureId}`, features: `{"type":"FeatureCollection","features":[${text}]}` })}
      ${feature.problems.map(({ message }) => html`<p class="alert" role="status">${message}</p>`)}
      <dl class="properties">
        ${collection.columns
          .filter(({ number }) => number !== collection.geometry?.number)
          .map(
            ({ name, title: label }) =>
              html`<dt>${label ?? name}</dt>
                <dd>${cell(properties[name])}</dd>`,
          )}
      </dl>
      ${form}`,
  });
}

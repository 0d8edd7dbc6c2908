import { html } from "../../server/kernel/http/html.ts";
import type { CollectionExchange } from "../exchange/exchange.ts";
import type { Link } from "../exchange/links.ts";
import { isSpatial } from "../collections/collections.ts";
import type { WholeExtent } from "../collections/extent.ts";
import type { Bounds } from "../collections/bounds.ts";
import { columnTable, contentPages, linkList, mapFigure, sendPage } from "./layout.ts";

export function collectionPage(
  exchange: CollectionExchange,
  { spatial, temporal }: WholeExtent,
  links: readonly Link[],
): void {
  const { addresses, collection } = exchange;
  const { id, title, description, columns, crs, storageCrs, since, routine } = collection;
  const extent = spatial?.degrees;
  const interval = since ? [since.toISOString(), null] : temporal;
  const schemas = ["Schema", "Queryables", "Sortables"].map((name) => ({
    title: name,
    href: addresses.local(["collections", id, name.toLowerCase()]),
  }));
  sendPage(exchange, {
    title,
    description,
    trail: [{ title: "Collections", path: ["collections"] }],
    scripts: ["map.js"],
    links,
    body: html`${linkList([...contentPages(exchange, collection), ...(collection.raster ? [] : schemas)])}
      ${extent ? mapFigure(exchange, { label: `Extent of ${title}`, features: JSON.stringify(rectangle(extent)) }) : isSpatial(collection) && !routine && html`<p>There are no features.</p>`}
      <dl>
        <dt>Id</dt>
        <dd><code>${id}</code></dd>
        ${
          extent &&
          html`<dt>Extent, in longitude and latitude</dt>
            <dd>${extent.join(", ")}</dd>`
        }
        ${
          interval &&
          html`<dt>Time</dt>
            <dd>${interval.map((end) => end ?? "open").join(" to ")}</dd>`
        }
        ${
          storageCrs &&
          html`<dt>Stored in</dt>
            <dd><code>${storageCrs.uri}</code></dd>`
        }
        <dt>Offered in</dt>
        ${crs.map(({ uri }) => html`<dd><code>${uri}</code></dd>`)}
      </dl>
      ${
        routine &&
        routine.parameters.length > 0 &&
        html`<h2>Parameters</h2>
          <dl>
            ${routine.parameters.map(
              ({ name, type, isRequired }) =>
                html`<dt><code>${name}</code></dt>
                  <dd>${type.name}${isRequired ? ", needed" : ""}</dd>`,
            )}
          </dl>`
      }
      <h2>Columns</h2>
      ${columnTable("Columns", columns)}`,
  });
}

function rectangle([minx, miny, maxx, maxy]: Bounds): object {
  const ring = [
    [minx, miny],
    [maxx, miny],
    [maxx, maxy],
    [minx, maxy],
    [minx, miny],
  ];
  const geometry =
    minx === maxx && miny === maxy
      ? { type: "Point", coordinates: [minx, miny] }
      : { type: "Polygon", coordinates: [ring] };
  return { type: "FeatureCollection", features: [{ type: "Feature", geometry, properties: {} }] };
}

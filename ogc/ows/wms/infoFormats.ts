/** The formats of GetFeatureInfo: features at a place, as text, as HTML, as GeoJSON. */
import { html, page } from "../../../server/kernel/http/html.ts";
import type { Collection } from "../../collections/collections.ts";

/** The features of a layer in GeoJSON. */
export interface Found {
  readonly collection: Collection;
  readonly features: readonly Feature[];
}

export interface Feature {
  readonly id?: string | number;
  readonly properties: Readonly<Record<string, unknown>>;
}

export interface InfoFormat {
  readonly mediaType: string;
  readonly also?: readonly string[];
  write(found: readonly Found[]): string;
}

function shown(value: unknown): string {
  if (value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function writeText(found: readonly Found[]): string {
  const layers = found.map(
    ({ collection, features }) =>
      `${collection.title} (${collection.id})\n${features
        .map(
          ({ id, properties }) =>
            `  ${id === undefined ? "feature" : `feature ${id}`}\n${Object.entries(properties)
              .map(([name, value]) => `    ${name} = ${shown(value)}\n`)
              .join("")}`,
        )
        .join("")}`,
  );
  return layers.length === 0 ? "no features were found\n" : layers.join("");
}

function writeHtml(found: readonly Found[]): string {
  const tables = found.map(({ collection, features }) => {
    const names = [...new Set(features.flatMap(({ properties }) => Object.keys(properties)))];
    return html`<h2>${collection.title}</h2>
      <table>
        <tr>
          ${names.map((name) => html`<th>${name}</th>`)}
        </tr>
        ${features.map(
          ({ properties }) =>
            html`<tr>
              ${names.map((name) => html`<td>${shown(properties[name] ?? null)}</td>`)}
            </tr>`,
        )}
      </table>`;
  });
  return page({
    title: "Features",
    root: "/",
    body: html`<body>
      ${tables}
    </body>`,
  });
}

function writeJson(found: readonly Found[]): string {
  const features = found.flatMap(({ collection, features: own }) =>
    own.map((feature) => ({ ...feature, layerName: collection.id })),
  );
  return JSON.stringify({ type: "FeatureCollection", features });
}

/** The formats; the first is the default. */
export const INFO_FORMATS: readonly InfoFormat[] = [
  { mediaType: "text/plain", write: writeText },
  { mediaType: "text/html", write: writeHtml },
  { mediaType: "application/geo+json", also: ["application/json"], write: writeJson },
];

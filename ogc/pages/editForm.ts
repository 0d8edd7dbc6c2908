import { html, type Html } from "../../server/kernel/http/html.ts";
import type { CollectionColumn } from "../collections.ts";
import { CRS84 } from "../crs.ts";
import { versionTag, type CollectionExchange } from "../exchange.ts";
import type { WriteRights } from "../editing/writeRights.ts";
import type { Features } from "../features/feature.ts";
import type { ShownFeature } from "./itemsPage.ts";

/** Fields for what the caller may change of a feature, which `assets/edit.js` sends; nothing where that is nothing. */
export function editForm(
  { collection, parameters }: CollectionExchange,
  feature: Features,
  rights: WriteRights | undefined,
): Html | undefined {
  if (!rights?.allows("PATCH") && !rights?.allows("DELETE")) return undefined;
  const { geometry, properties } = JSON.parse(feature.text.toString()) as ShownFeature;
  const isKey = ({ number }: CollectionColumn): boolean => collection.key.some((column) => column.number === number);
  const changeable = rights.allows("PATCH")
    ? collection.columns.filter(
        (column) =>
          !isKey(column) && !rights.isReadOnly(column) && rights.mayUpdate(column) && column.type.kind !== "geometry",
      )
    : [];
  const movable =
    rights.allows("PATCH") && rights.mayUpdate(collection.geometry) && (parameters.crs ?? CRS84) === CRS84;
  const tag = feature.version === undefined ? undefined : `"${versionTag(feature.version)}"`;
  return html`<h2>Edit</h2>
    <form class="parameters" id="edit" data-etag="${tag}">
      ${changeable.map(
        ({ name, title: label = name, notNull }) =>
          html`<label>
            ${label}
            <textarea name="${name}" rows="1" data-kind="property" data-nullable="${String(!notNull)}">
${textOf(properties[name])}</textarea>
          </label>`,
      )}
      ${
        movable &&
        html`<label>
          Geometry
          <textarea name="${collection.geometry.name}" rows="4" cols="60" data-kind="geometry">
${geometry === null ? "" : JSON.stringify(geometry)}</textarea>
        </label>`
      }
      ${(changeable.length > 0 || movable) && html`<button>Save</button>`}
      ${rights.allows("DELETE") && html`<button type="button" id="delete">Delete this feature</button>`}
      <p id="edit-state" role="status"></p>
    </form>`;
}

/** As a person writes it; `edit.js` tells it from text by what it was. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

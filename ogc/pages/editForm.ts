import { html, type Html } from "../../server/kernel/http/html.ts";
import type { ColumnType, TypeKind } from "../../server/types/columnType.ts";
import type { CollectionColumn } from "../collections/collections.ts";
import { CRS84 } from "../crs/crs.ts";
import { versionTag, type CollectionExchange } from "../exchange/exchange.ts";
import type { WriteRights } from "../editing/writeRights.ts";
import { valueText, type ShownFeature } from "./cell.ts";

/**
 * Fields for the columns that the caller may change in a feature. `assets/edit.js` sends them. Empty where the caller
 * may change nothing.
 */
export function editForm(
  { collection, parameters }: CollectionExchange,
  { geometry, properties, version }: ShownFeature & { readonly version: string | undefined },
  rights: WriteRights | undefined,
): Html | undefined {
  if (!rights?.allows("PATCH") && !rights?.allows("DELETE")) return undefined;
  const isKey = ({ number }: CollectionColumn): boolean => collection.key.some((column) => column.number === number);
  const changeable = rights.allows("PATCH")
    ? collection.columns.filter(
        (column) =>
          !isKey(column) && !rights.isReadOnly(column) && rights.mayUpdate(column) && column.type.kind !== "geometry",
      )
    : [];
  const { geometry: place } = collection;
  const movable =
    rights.allows("PATCH") && place && rights.mayUpdate(place) && (parameters.crs ?? CRS84) === CRS84
      ? place
      : undefined;
  const tag = version === undefined ? undefined : `"${versionTag(version)}"`;
  return html`<h2>Edit</h2>
    <form class="parameters" id="edit" data-etag="${tag}">
      ${changeable.map(
        ({ name, title: label = name, notNull, type }) =>
          html`<label>
            ${label}
            <textarea
              name="${name}"
              rows="1"
              data-kind="${isText(type) ? "text" : "json"}"
              data-nullable="${String(!notNull)}"
            >
${textOf(properties[name], isText(type))}</textarea>
          </label>`,
      )}
      ${
        movable &&
        html`<label>
          Geometry
          <textarea name="${movable.name}" rows="4" cols="60" data-kind="geometry">
${geometry === null ? "" : JSON.stringify(geometry)}</textarea>
        </label>`
      }
      ${(changeable.length > 0 || movable) && html`<button>Save</button>`}
      ${rights.allows("DELETE") && html`<button type="button" id="delete">Delete this feature</button>`}
      <p id="edit-state" role="status"></p>
    </form>`;
}

const TEXTS: ReadonlySet<TypeKind> = new Set([
  "boolean",
  "integer",
  "bigint",
  "float",
  "text",
  "bytes",
  "datetime",
  "interval",
  "multirange",
]);

/** Whether values of the type are plain text; others are JSON, whatever their present value. */
const isText = ({ kind }: ColumnType): boolean => TEXTS.has(kind);

function textOf(value: unknown, isPlain: boolean): string {
  if (value === null || value === undefined) return "";
  return isPlain ? valueText(value) : JSON.stringify(value);
}

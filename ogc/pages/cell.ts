import { html, type Html } from "../../server/kernel/http/html.ts";
import { parseKeepingDigits } from "../../server/types/exactJson.ts";

/** A feature as in its own GeoJSON. */
export interface ShownFeature {
  readonly id?: string | number;
  readonly geometry: object | null;
  /** The properties. Numbers keep all their digits: `valueText` writes them. */
  readonly properties: Readonly<Record<string, unknown>>;
}

/** Parses features. `text`: GeoJSON of features, with commas between them. */
export function shownFeatures(text: string): ShownFeature[] {
  return parseKeepingDigits(`[${text}]`) as ShownFeature[];
}

/** The text of a value: JSON if it has parts. */
export function valueText(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value as string | number | boolean);
}

const LONGEST = 200;

/** The value of a property in a table. */
export function cell(value: unknown): Html {
  if (value === null || value === undefined) return html`<span class="quiet">–</span>`;
  const text = valueText(value);
  return text.length > LONGEST
    ? html`<span title="${text.length} characters">${text.slice(0, LONGEST)}…</span>`
    : html`${text}`;
}

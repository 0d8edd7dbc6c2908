import { html, type Html } from "../../server/kernel/http/html.ts";
import { parseKeepingDigits } from "../../server/types/exactJson.ts";

/** A feature, as its own GeoJSON says it. */
export interface ShownFeature {
  readonly id?: string | number;
  readonly geometry: object | null;
  /** Numbers with all their digits: `valueText` writes them. */
  readonly properties: Readonly<Record<string, unknown>>;
}

/** `text`: GeoJSON of features, with commas between them. */
export function shownFeatures(text: string): ShownFeature[] {
  return parseKeepingDigits(`[${text}]`) as ShownFeature[];
}

/** A value as it is, and as JSON where it has parts. */
export function valueText(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value as string | number | boolean);
}

const LONGEST = 200;

/** A value of a property, as a table shows it. */
export function cell(value: unknown): Html {
  if (value === null || value === undefined) return html`<span class="quiet">–</span>`;
  const text = valueText(value);
  return text.length > LONGEST
    ? html`<span title="${text.length} characters">${text.slice(0, LONGEST)}…</span>`
    : html`${text}`;
}

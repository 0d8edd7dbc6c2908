import { html, type Html } from "../../server/kernel/http/html.ts";

const LONGEST = 200;

/** A value of a property, as a table shows it. */
export function cell(value: unknown): Html {
  if (value === null || value === undefined) return html`<span class="quiet">–</span>`;
  const text = typeof value === "object" ? JSON.stringify(value) : String(value as string | number | boolean);
  return text.length > LONGEST
    ? html`<span title="${text.length} characters">${text.slice(0, LONGEST)}…</span>`
    : html`${text}`;
}

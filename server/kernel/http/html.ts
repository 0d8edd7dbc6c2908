/** HTML by template: whatever is put in is escaped, unless it is HTML already. */

export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** `html\`<b>${name}</b>\``: strings and numbers are escaped, lists are joined, `Html` stays, undefined is nothing. */
export function html(parts: TemplateStringsArray, ...values: readonly unknown[]): Html {
  return new Html(parts.reduce((text, part, index) => text + render(values[index - 1]) + part));
}

function render(value: unknown): string {
  if (value === undefined || value === null || value === false) return "";
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(render).join("");
  return String(value).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

export interface Page {
  readonly title: string;
  /** The language of the page (BCP 47). Default English. */
  readonly language?: string;
  /** Relative address of the folder that holds `assets/`, e.g. `.` or `..`. */
  readonly root: string;
  readonly body: Html;
  readonly head?: Html;
}

/** A whole document with the one stylesheet. */
export function page({ title, language = "en", root, head, body }: Page): string {
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="stylesheet" href="${root}/assets/portolan.css" />
        <link rel="icon" href="${root}/assets/portolan.svg" type="image/svg+xml" />
        ${head}
      </head>
      ${body}
    </html>`.text;
}

/**
 * The Content-Security-Policy of a page: its own style and pictures, and nothing else but what `sources` names by
 * directive. Nothing may frame it, unless `frame-ancestors` is among them.
 */
export function pagePolicy(sources: Readonly<Record<string, string>> = {}): string {
  const { "frame-ancestors": frames = "'none'", ...others } = sources;
  const directives = {
    "default-src": "'none'",
    "style-src": "'self'",
    "img-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
    ...others,
    "frame-ancestors": frames,
  };
  return Object.entries(directives)
    .map(([directive, source]) => `${directive} ${source}`)
    .join("; ");
}

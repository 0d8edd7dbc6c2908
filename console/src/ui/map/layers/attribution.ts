/** What a map says of where its layers come from. OpenLayers takes it as HTML. */
import type { Collection } from "./mapSource.ts";

/** Escapes a text. */
export function text(plain: string): string {
  const element = document.createElement("span");
  element.textContent = plain;
  return element.innerHTML;
}

/** The licence of a collection with its address; none where it has no licence. */
export function attributionsOf({ title, license }: Collection): { readonly attributions?: string } {
  if (!license) return {};
  const link = document.createElement("a");
  link.href = license.href;
  link.textContent = license.title;
  return { attributions: `${text(title)}: ${link.outerHTML}` };
}

/** Colours of the console's styles, for scripts that draw: they differ between light and dark. */

const dark = matchMedia("(prefers-color-scheme: dark)");

export const isDark = (): boolean => dark.matches;

/** Calls back when the page changes between light and dark, until the returned function is called. */
export function onOtherColours(then: () => void): () => void {
  dark.addEventListener("change", then);
  return () => dark.removeEventListener("change", then);
}

/** `property`: a custom one that holds for the element, such as `--land`. */
export function colourOf(element: Element, property: string): string {
  return getComputedStyle(element).getPropertyValue(property).trim();
}

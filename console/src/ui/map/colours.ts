/** Colours of the console's styles for scripts that draw. They differ between light and dark. */

/** `property`: a registered one (tokens.css) that is set for the element, such as `--land`. */
export function colourOf(element: Element, property: string): string {
  return getComputedStyle(element).getPropertyValue(property).trim();
}

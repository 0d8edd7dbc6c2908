/**
 * Keeps the focus: when the focused element is removed, the element around it gets the focus, so that keyboard users
 * continue there.
 */

/** Parts of the page that may have the focus themselves. */
const PARTS = "section, form, fieldset, main, dialog, [role=grid], [tabindex]";

/** Starts to keep the focus. */
export function keepFocus(): void {
  /** The focused element, or the last focused one, and the elements around it, from the innermost. */
  let around: readonly Element[] = [];
  addEventListener("focusin", (event) => {
    around = event.composedPath().filter((target) => target instanceof Element);
  });
  const goOn = (): void => {
    if (document.activeElement !== document.body || around[0]?.isConnected !== false) return;
    const part = around.find((each) => each.isConnected && each.matches(PARTS));
    if (!(part instanceof HTMLElement)) return;
    if (part.tabIndex < 0) part.tabIndex = -1;
    part.focus({ preventScroll: true });
  };
  const onChange = (): void => {
    // the code that removes an element may move the focus itself, and takes precedence
    if (around[0]?.isConnected === false) requestAnimationFrame(() => setTimeout(goOn));
  };
  new MutationObserver(onChange).observe(document.body, { childList: true, subtree: true });
}

/** The focus is never lost: where what has it goes from the page, whoever works by keyboard goes on from what it stood in. */

/** Parts of the page that may have the focus themselves. */
const PARTS = "section, form, fieldset, main, dialog, [role=grid], [tabindex]";

/** From now on. */
export function keepFocus(): void {
  /** What has the focus, or had it last, and all that is around it, from within. */
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
    // whoever takes something away may give the focus another place: that goes first
    if (around[0]?.isConnected === false) requestAnimationFrame(() => setTimeout(goOn));
  };
  new MutationObserver(onChange).observe(document.body, { childList: true, subtree: true });
}

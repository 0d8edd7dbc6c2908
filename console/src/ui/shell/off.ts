/**
 * Disabled buttons say so by `aria-disabled`: with `disabled` a button loses the focus, and a keyboard user loses the place
 * when a button is disabled while something runs.
 */
const OFF = 'button[aria-disabled="true"]';

/** From now on nothing comes of pressing a button that is off. */
export function holdButtonsThatAreOff(): void {
  const hold = (event: Event): void => {
    if (!(event.target as Element).closest(OFF)) return;
    event.preventDefault(); // a form is not sent either
    event.stopImmediatePropagation();
  };
  addEventListener("click", hold, { capture: true });
}

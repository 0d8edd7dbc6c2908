/**
 * Buttons that are off say so by `aria-disabled`: one with `disabled` lets the focus go, and whoever works by keyboard loses
 * their place when a button is off while something runs.
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

/**
 * Disabled buttons have `aria-disabled`. With `disabled` a button would lose the focus, and a keyboard user would lose
 * the place whenever a button is disabled while something runs.
 */
const OFF = 'button[aria-disabled="true"]';

/** Prevents presses of disabled buttons from having an effect. */
export function holdButtonsThatAreOff(): void {
  const hold = (event: Event): void => {
    if (!(event.target as Element).closest(OFF)) return;
    event.preventDefault(); // prevents the submission of a form too
    event.stopImmediatePropagation();
  };
  addEventListener("click", hold, { capture: true });
}

/** The mouse over what scrolls: it is dragged where it is pressed beside links, and Ctrl with the wheel makes it larger and smaller. */
import { useEffect, type PointerEvent, type RefObject } from "react";

const LEFT_BUTTON = 1;
/** Of a wheel that is turned by one notch. */
const FULL_STEP = 100;

/** `onZoom`: by how many steps, more than 0 to make it larger. */
export function useMouse(region: RefObject<HTMLElement | null>, onZoom: (steps: number) => void) {
  useEffect(() => {
    const element = region.current!;
    function onWheel(event: WheelEvent): void {
      if (!event.ctrlKey) return;
      event.preventDefault(); // of the whole page
      onZoom(-event.deltaY / FULL_STEP);
    }
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, [region, onZoom]);
  return {
    onPointerMove(event: PointerEvent<HTMLElement>): void {
      const { buttons, currentTarget, movementX, movementY, pointerType, target } = event;
      if (buttons !== LEFT_BUTTON || pointerType === "touch") return; // touch scrolls by itself
      if (!(target as Element).closest("a, button")) currentTarget.scrollBy(-movementX, -movementY);
    },
  };
}

/** Mouse control of a scrolling region: dragging beside links scrolls it, and Ctrl with the wheel zooms. */
import { useEffect, type PointerEvent, type RefObject } from "react";

const LEFT_BUTTON = 1;
/** The distance of one notch of the wheel. */
const FULL_STEP = 100;

/** `onZoom`: called with the number of steps; positive ones enlarge. */
export function useMouse(region: RefObject<HTMLElement | null>, onZoom: (steps: number) => void) {
  useEffect(() => {
    const element = region.current!;
    function onWheel(event: WheelEvent): void {
      if (!event.ctrlKey) return;
      event.preventDefault(); // prevents zooming the whole page
      onZoom(-event.deltaY / FULL_STEP);
    }
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, [region, onZoom]);
  return {
    onPointerMove(event: PointerEvent<HTMLElement>): void {
      const { buttons, currentTarget, movementX, movementY, pointerType, target } = event;
      if (buttons !== LEFT_BUTTON || pointerType === "touch") return; // touch scrolls anyway
      if (!(target as Element).closest("a, button")) currentTarget.scrollBy(-movementX, -movementY);
    },
  };
}

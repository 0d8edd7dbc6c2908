import { useLayoutEffect, type RefObject } from "react";

/** Moves an element that is larger than its cell, so that all of it is within the grid and below the header. */
export function useInSight(element: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const own = element.current!;
    const grid = own.closest<HTMLElement>(".grid")!;
    const header = grid.querySelector(".header")!;
    const place = (): void => {
      own.style.translate = "";
      own.style.maxWidth = `${grid.clientWidth}px`;
      const box = own.getBoundingClientRect();
      const frame = grid.getBoundingClientRect();
      const left = frame.left + grid.clientLeft;
      const top = header.getBoundingClientRect().bottom;
      const right = left + grid.clientWidth;
      const bottom = frame.top + grid.clientTop + grid.clientHeight;
      const x = Math.max(left - box.left, Math.min(0, right - box.right));
      const y = Math.max(top - box.top, Math.min(0, bottom - box.bottom));
      own.style.translate = `${x}px ${y}px`;
    };
    const observer = new ResizeObserver(place); // its size changes with its messages
    observer.observe(own);
    observer.observe(grid);
    place();
    return () => observer.disconnect();
  }, [element]);
}

/** Which rows of a grid are in sight. They are all as high, so nothing is kept of any of them. */
import { useLayoutEffect, useState, type RefObject } from "react";
import { flushSync } from "react-dom";

/** The first and last row are multiples of it, so that not every pixel that is scrolled draws anew. */
const STEP = 4;
/** So many rows are drawn before and after those in sight. */
const OVERSCAN = 8;

interface Sight {
  readonly first: number;
  readonly last: number;
}

/** `rowHeight`: in pixels; the header, which stays in sight, is as high. Rows are told by their places from 0 to `count`. */
export function useSight(scroller: RefObject<HTMLElement | null>, rowHeight: number, count: number) {
  const [{ first, last }, setSight] = useState<Sight>({ first: 0, last: STEP });
  useLayoutEffect(() => {
    const element = scroller.current!;
    function measure(): void {
      const place = (pixels: number): number => pixels / rowHeight / STEP;
      const now: Sight = {
        first: Math.floor(place(element.scrollTop)) * STEP,
        last: Math.ceil(place(element.scrollTop + element.clientHeight)) * STEP,
      };
      setSight((before) => (before.first === now.first && before.last === now.last ? before : now));
    }
    measure();
    const onScroll = (): void => flushSync(measure); // else an empty frame is painted first
    element.addEventListener("scroll", onScroll, { passive: true });
    const resized = new ResizeObserver(measure);
    resized.observe(element);
    return () => {
      element.removeEventListener("scroll", onScroll);
      resized.disconnect();
    };
  }, [scroller, rowHeight]);

  const begin = Math.max(0, Math.min(first, count - 1) - OVERSCAN);
  const end = Math.min(count, last + OVERSCAN);
  return {
    first,
    last,
    drawn: Array.from({ length: Math.max(0, end - begin) }, (_, index) => begin + index),
    /** Brings a row into sight, as little as is needed. */
    scrollTo(index: number): void {
      const element = scroller.current!;
      const lowest = (index + 2) * rowHeight - element.clientHeight;
      if (index * rowHeight < element.scrollTop) element.scrollTop = index * rowHeight;
      else if (lowest > element.scrollTop) element.scrollTop = lowest;
    },
  };
}

/** The visible rows of a grid. All have the same height, so nothing is stored for each of them. */
import { useLayoutEffect, useRef, useState, type RefObject } from "react";
import { flushSync } from "react-dom";
import { elementHeight, ScrollPlace } from "./scrollPlace.ts";

/** The first and last row are multiples of it, so that scrolling by a pixel does not redraw. */
const STEP = 4;
/** The number of rows that are drawn before and after the visible ones. */
const OVERSCAN = 8;

interface Sight {
  readonly first: number;
  readonly last: number;
  /**
   * The number of pixels that are subtracted from a row's position, since the element of a very long grid is limited in
   * height.
   */
  readonly shift: number;
}

const isSame = (one: Sight, other: Sight): boolean =>
  one.first === other.first && one.last === other.last && one.shift === other.shift;

export interface SightOptions {
  readonly scroller: RefObject<HTMLElement | null>;
  /** The height in pixels. */
  readonly rowHeight: number;
  /** The height of the header, which stays visible, in pixels. */
  readonly headerHeight: number;
  /** The number of rows. Rows are identified by their indexes. */
  readonly count: number;
}

export function useSight({ scroller, rowHeight, headerHeight, count }: SightOptions) {
  const [{ first, last, shift }, setSight] = useState<Sight>({ first: 0, last: STEP, shift: 0 });
  const scrolled = useRef<ScrollPlace>(null);
  const height = headerHeight + count * rowHeight;
  useLayoutEffect(() => {
    const element = scroller.current!;
    const now = (scrolled.current ??= new ScrollPlace(element));
    function measure(): void {
      now.follow(height);
      const row = (pixels: number): number => pixels / rowHeight / STEP;
      const next: Sight = {
        first: Math.floor(row(now.place)) * STEP,
        last: Math.ceil(row(now.place + element.clientHeight)) * STEP,
        shift: now.shift,
      };
      setSight((before) => (isSame(before, next) ? before : next));
    }
    measure();
    const onScroll = (): void => flushSync(measure); // otherwise an empty frame would be painted first
    element.addEventListener("scroll", onScroll, { passive: true });
    const resized = new ResizeObserver(measure);
    resized.observe(element);
    return () => {
      element.removeEventListener("scroll", onScroll);
      resized.disconnect();
    };
  }, [scroller, rowHeight, height]);

  const begin = Math.max(0, Math.min(first, count - 1) - OVERSCAN);
  const end = Math.min(count, last + OVERSCAN);
  return {
    first,
    last,
    height: elementHeight(height),
    drawn: Array.from({ length: Math.max(0, end - begin) }, (_, index) => begin + index),
    /** The vertical position of a row, in pixels. */
    topOf: (index: number): number => headerHeight + index * rowHeight - shift,
    /** Scrolls to a row by the smallest distance. */
    scrollTo(index: number): void {
      const now = scrolled.current!;
      const lowest = headerHeight + (index + 1) * rowHeight - scroller.current!.clientHeight;
      if (index * rowHeight < now.place) now.go(index * rowHeight, height);
      else if (lowest > now.place) now.go(lowest, height);
    },
  };
}

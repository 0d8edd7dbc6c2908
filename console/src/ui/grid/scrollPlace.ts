/**
 * The scroll position of a grid, in pixels from its first row, for any height. The height of an element is limited, so
 * in a higher grid the element represents a part of it. Small movements scroll by pixels; large ones jump to another
 * part.
 */

/**
 * The largest height in pixels. Browsers stop at 17.9 million (Firefox) and 33.5 million, and 32-bit numbers are exact
 * up to 16.7 million.
 */
const HIGHEST = 16_000_000;
/** A larger movement comes from dragging the scroll bar, not from a wheel. */
const FAR = 5_000;
/** The distance from an end of the grid within which the element must be at the same distance from its own end. */
const NEAR = 10_000;
/**
 * Within this distance from both ends of the element, a pixel is a pixel of the grid. Between them it stands for as
 * many as necessary.
 */
const ENDS = 1_000_000;

interface Heights {
  /** The scrollable heights of the grid and of its element. */
  readonly whole: number;
  readonly element: number;
}

/** The height of the element for the height of a grid. */
export const elementHeight = (height: number): number => Math.min(height, HIGHEST);

/** The position of the element for a position of the grid, or the reverse. */
function mapped(place: number, from: number, to: number): number {
  if (from === to || place <= ENDS) return place;
  if (place >= from - ENDS) return to - (from - place);
  return Math.round(ENDS + ((place - ENDS) / (from - 2 * ENDS)) * (to - 2 * ENDS));
}

export class ScrollPlace {
  /** The last known position of the element. */
  #top = 0;
  /** The distance by which the grid is ahead of the element. */
  #shift = 0;
  readonly #element: HTMLElement;

  constructor(element: HTMLElement) {
    this.#element = element;
  }

  get shift(): number {
    return this.#shift;
  }

  /** The position in pixels from the first row. */
  get place(): number {
    return this.#element.scrollTop + this.#shift;
  }

  /** Follows a scroll movement in a grid of this height. */
  follow(height: number): void {
    const heights = this.#heights(height);
    const { whole, element } = heights;
    const now = this.#element.scrollTop;
    const isFar = Math.abs(now - this.#top) > FAR;
    this.#top = now;
    if (isFar || whole === element) this.#shift = mapped(now, element, whole) - now;
    const above = this.#shift !== 0 && Math.min(now, this.place) < NEAR;
    const below = this.#shift !== whole - element && Math.min(element - now, whole - this.place) < NEAR;
    if (above || below) this.#anchor(this.place, heights);
  }

  /** Scrolls to a position of a grid of this height. */
  go(place: number, height: number): void {
    const moved = place - this.place;
    if (Math.abs(moved) > FAR) this.#anchor(place, this.#heights(height));
    else {
      this.#element.scrollTop += moved;
      this.#top = this.#element.scrollTop;
    }
  }

  #anchor(wanted: number, { whole, element }: Heights): void {
    const place = Math.max(0, Math.min(whole, wanted));
    this.#element.scrollTop = mapped(place, whole, element);
    this.#top = this.#element.scrollTop;
    this.#shift = Math.round(place - this.#top);
  }

  #heights(height: number): Heights {
    const inSight = this.#element.clientHeight;
    return { whole: Math.max(0, height - inSight), element: Math.max(0, elementHeight(height) - inSight) };
  }
}

/**
 * How much longer people wait for their answers while an agent's call runs, and how long agents pause for that: the
 * more a call costs people, the longer the pause.
 */

/** Agents may cost people at most this part of their time, on average. */
const MOST_FELT = 0.05;
/** Bounds of the pause of agents after a call, as multiples of the call's time. */
const LEAST_REST = 3;
const MOST_REST = 9;
/** Agents continue after this time, unless the call itself took a third of it or more. */
const LONGEST_REST_MS = 2000;
/** The average is made of about this many of the last answers. */
const ANSWERS = 100;
/** Fewer answers than this are not conclusive. */
const FEWEST = 20;
/** Streams and large files are not counted. */
const LONGEST_MS = 5000;

export class Strain {
  readonly #beside = new Average();
  readonly #alone = new Average();

  /** Records how long an answer at another door took, and whether a call of an agent ran meanwhile. */
  note(tookMs: number, isBeside: boolean): void {
    if (tookMs < LONGEST_MS) (isBeside ? this.#beside : this.#alone).add(Math.log(Math.max(tookMs, 0.1)));
  }

  /** In times of a call. */
  get rest(): number {
    if (this.#beside.count < FEWEST || this.#alone.count < FEWEST) return LEAST_REST;
    const longer = Math.exp(this.#beside.value - this.#alone.value) - 1;
    return Math.min(Math.max(longer / MOST_FELT - 1, LEAST_REST), MOST_REST);
  }

  /** The pause after a call. */
  restMs(callMs: number): number {
    return Math.min(this.rest * callMs, Math.max(LEAST_REST * callMs, LONGEST_REST_MS));
  }
}

/** An average in which recent values count more. */
class Average {
  count = 0;
  value = 0;

  add(value: number): void {
    this.count++;
    this.value += (value - this.value) / Math.min(this.count, ANSWERS);
  }
}

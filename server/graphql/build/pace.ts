/** Time for requests between builds of GraphQL schemas, which block the event loop. */

/** A pause is this many times as long as the builds before it, so that DDL without end takes a third of the time. */
const REST = 2;
/** While other schemas are built again and again, a schema waits at most this many times as long. */
const LONGEST_REST = 8;

/** The builds of one schema. */
export interface Paced {
  /** How long its last build took. */
  tookMs: number;
  /** The last round of builds that it was in: how long all of them took, and when they ended. */
  roundMs: number;
  roundEndedAtMs: number;
  /** When it was first to be built since then. */
  outdatedAtMs: number | undefined;
}

export function newPaced(): Paced {
  return { tookMs: 0, roundMs: 0, roundEndedAtMs: -Infinity, outdatedAtMs: undefined };
}

/** The builds after DDL of one process. Those of one change are a round, without a pause in it. */
export class Pace {
  #endedAtMs = -Infinity;

  /** How long the schema has to wait; 0 or less: it may be built at once. */
  restMs(paced: Paced): number {
    const nowMs = performance.now();
    paced.outdatedAtMs ??= nowMs;
    const { tookMs, roundMs, roundEndedAtMs, outdatedAtMs } = paced;
    const fromMs = Math.max(this.#endedAtMs + REST * tookMs, roundEndedAtMs + REST * roundMs);
    return Math.min(fromMs, outdatedAtMs + LONGEST_REST * Math.max(tookMs, roundMs)) - nowMs;
  }

  /** `built`: the schemas of the round. */
  ended(built: readonly Paced[], roundMs: number): void {
    if (built.length === 0) return;
    this.#endedAtMs = performance.now();
    for (const paced of built) Object.assign(paced, { roundMs, roundEndedAtMs: this.#endedAtMs });
  }
}

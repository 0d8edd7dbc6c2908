/** Loads again what has failed for a passing reason: as soon as the network is back, and else after a growing pause. */

const PASSING = new Set([
  ...["UNREACHABLE", "UNAVAILABLE", "ACCOUNT_BUSY", "RATE_LIMITED", "MAP_BACKEND_ERROR"],
  ...["502", "503", "504"],
]);
const FIRST_PAUSE_MS = 5000;
const LONGEST_PAUSE_MS = 60_000;

/** Something that a layer cannot show, which loading again would not change. */
export class LastingError extends Error {}

function isPassing(error: Error): boolean {
  const { code } = error as { readonly code?: string };
  return !(error instanceof LastingError) && (code === undefined || PASSING.has(code));
}

export class Retries {
  readonly #failed = new Set<string>();
  readonly #again: (id: string) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pauseMs = FIRST_PAUSE_MS;

  /** `again`: loads a layer again. */
  constructor(again: (id: string) => void) {
    this.#again = again;
    window.addEventListener("online", this.#online);
  }

  /** `error`: of a layer; null where a part of it has been loaded. */
  tell(id: string, error: Error | null): void {
    if (!error) {
      if (this.#failed.size === 0) this.#pauseMs = FIRST_PAUSE_MS;
      return;
    }
    if (!isPassing(error)) return;
    this.#failed.add(id);
    this.#timer ??= setTimeout(() => {
      this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
      this.#all();
    }, this.#pauseMs);
  }

  forget(id: string): void {
    this.#failed.delete(id);
  }

  close(): void {
    clearTimeout(this.#timer);
    window.removeEventListener("online", this.#online);
  }

  readonly #online = (): void => {
    this.#pauseMs = FIRST_PAUSE_MS;
    this.#all();
  };

  #all(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const failed = [...this.#failed];
    this.#failed.clear();
    for (const id of failed) this.#again(id);
  }
}

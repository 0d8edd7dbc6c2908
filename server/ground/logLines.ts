/** Writes lines of the log to a file descriptor. */
import { write, writeSync } from "node:fs";

const FLUSH_INTERVAL_MS = 100;
/** This many characters are written at once; fewer wait for more. */
const TOGETHER = 4096;
/** How soon a full pipe is tried again. */
const RETRY_MS = 10;
/** The most characters that wait for a slow reader; further lines are lost. */
const MOST_WAITING = 4_000_000;
/** How often, and how far apart, a full pipe or terminal is tried at the end. */
const LAST = { tries: 10, pauseMs: 100 };

/**
 * Writes lines together: a write for each would take a tenth of the time of a small request. The rest is written when the
 * process ends. A failed write only loses lines: a full disk ends no gateway, and a closed terminal does not keep one from
 * ending.
 */
export class LogLines {
  readonly #descriptor: number;
  #lines = "";
  #writing = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  write(line: string): void {
    if (!this.#timer) {
      this.#timer = setInterval(() => this.#flush(), FLUSH_INTERVAL_MS).unref();
      process.on("exit", () => this.#flushLast());
    }
    if (this.#lines.length > MOST_WAITING) return;
    this.#lines += line;
    if (this.#lines.length >= TOGETHER) this.#flush();
  }

  #flush(): void {
    if (this.#writing || this.#lines === "") return;
    const bytes = Buffer.from(this.#lines);
    this.#lines = "";
    this.#writing = true;
    this.#write(bytes);
  }

  #write(bytes: Buffer): void {
    write(this.#descriptor, bytes, (error, written) => {
      if (isFull(error)) setTimeout(() => this.#write(bytes), RETRY_MS).unref();
      else if (!error && written < bytes.length) this.#write(bytes.subarray(written));
      else this.#writing = false;
    });
  }

  #flushLast(): void {
    let bytes = Buffer.from(this.#lines);
    this.#lines = "";
    for (let tries = 0; bytes.length > 0 && tries < LAST.tries;)
      try {
        bytes = bytes.subarray(writeSync(this.#descriptor, bytes));
      } catch (error) {
        if (!isFull(error)) return;
        tries++;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LAST.pauseMs);
      }
  }
}

/** The reader at the other end must make room first. */
function isFull(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | null)?.code === "EAGAIN";
}

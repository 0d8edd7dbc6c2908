import * as fs from "node:fs";
import { draftIn, type Place } from "./place.ts";

const LOG_POLL_MS = 100;
const MAX_LOG_BYTES = 32 * 1024 * 1024;

/**
 * The server writes straight into a file, so that it can neither wait for us nor lose its last lines; we read the file
 * behind it. The file takes its name, and so replaces the previous one, only after the server has won the data folder.
 */
export class ServerLog {
  readonly handle: number;
  /** The output of the server, at most its last 64 kB. */
  text = "";
  readonly #place: Place;
  readonly #draft: string;
  readonly #onLog: ((line: string) => void) | undefined;
  #offset = 0;
  #rest = "";
  #timer: NodeJS.Timeout | undefined;
  #open = true;

  constructor(place: Place, onLog: ((line: string) => void) | undefined) {
    this.#place = place;
    this.#onLog = onLog;
    this.#draft = draftIn(place.directory);
    this.handle = fs.openSync(this.#draft, "ax+", 0o600);
  }

  read(): void {
    if (!this.#open) return;
    const size = fs.fstatSync(this.handle).size;
    if (size <= this.#offset) return;
    const chunk = Buffer.alloc(Math.min(size - this.#offset, MAX_LOG_BYTES));
    this.#offset += fs.readSync(this.handle, chunk, 0, chunk.length, this.#offset);
    const added = chunk.toString();
    this.text = (this.text + added).slice(-65536);
    const lines = (this.#rest + added).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#onLog?.(line);
    // The server appends, so it goes on at the start of the emptied file.
    if (this.#offset > MAX_LOG_BYTES) fs.ftruncateSync(this.handle, (this.#offset = 0));
  }

  keep(): void {
    fs.renameSync(this.#draft, this.#place.log);
    this.#timer = setInterval(() => this.read(), LOG_POLL_MS).unref();
  }

  /** `kept`: whether the file stays. */
  close(kept: boolean): void {
    this.read();
    if (!this.#open) return;
    this.#open = false;
    clearInterval(this.#timer);
    fs.closeSync(this.handle);
    if (!kept) fs.rmSync(this.#draft, { force: true });
  }
}

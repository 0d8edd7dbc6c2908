/** What an output format is: rows in, chunks out, nothing kept. */
import type { TextRow } from "../../database.ts";
import type { Column } from "../columns.ts";

/** Takes what was written; the next rows are asked for when it has resolved. */
export type Write = (chunk: string | Uint8Array) => void | Promise<void>;

/** One document being written: `start`, `rows` any number of times, `end`. */
export interface Writer {
  start(columns: readonly Column[]): void | Promise<void>;
  rows(rows: readonly TextRow[]): void | Promise<void>;
  end(): void | Promise<void>;
}

export interface Format {
  readonly mediaType: string;
  /** Other names of it in `Accept`. */
  readonly aliases?: readonly string[];
  /** Whether the document is bytes, not text. */
  readonly binary?: boolean;
  open(write: Write): Writer;
}

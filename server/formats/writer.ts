/** The interface of an output format: it takes rows, returns chunks, and keeps nothing. */
import type { TextRow, WriteRow } from "../kernel/database/database.ts";
import type { Write } from "../kernel/http/answer.ts";
import type { Column } from "./column.ts";

/** Takes rows as JSON objects, with the character `after` behind each. */
export interface JsonTaker {
  readonly after: string;
  /** As in `JsonRows`. */
  readonly many?: boolean;
  readonly add: TakeBytes;
}

/** Takes the written rows that have such columns. */
export interface WrittenTaker {
  /** For each column, whether the writer takes PostgreSQL's binary format where it is available. Default: none. */
  takesBinary?(columns: readonly Column[]): readonly boolean[];
  /** `isBinary`: the columns that come in binary form, of those. Default: none. */
  writerFor(columns: readonly Column[], isBinary?: readonly boolean[]): WriteRow;
  readonly add: TakeBytes;
}

/** `true`: nothing will read the bytes any more. */
type TakeBytes = (bytes: Buffer) => void | Promise<boolean | void>;

/** One document being written: `start`, `rows` any number of times, `end`. */
export interface Writer {
  start(columns: readonly Column[]): void | Promise<unknown>;
  rows(rows: readonly TextRow[]): void | Promise<unknown>;
  /** For rows that PostgreSQL has made JSON objects. */
  readonly json?: JsonTaker;
  /** For rows as bytes, instead of `rows`. */
  readonly written?: WrittenTaker;
  end(): void | Promise<unknown>;
  /** Releases files and other resources, whether the document is complete or not. */
  close?(): Promise<void>;
}

export interface Format {
  readonly mediaType: string;
  /** Other names of it in `Accept`. */
  readonly aliases?: readonly string[];
  /** Whether the document is bytes, not text. */
  readonly binary?: boolean;
  /** How it wants geometries that are a column. Default: as GeoJSON. */
  readonly geometries?: GeometryForm;
  /** `srs`: EPSG code of the geometries, where a caller has one; default 4326. */
  open(write: Write, srs?: number): Writer;
}

/** Well-known binary: of points, lines and polygons, or with arcs, surfaces and measures as they are. */
export type GeometryForm = "straight" | "exact";

/** Rows may be so wide that no string can hold a portion of them. */
const CHUNK_LENGTH = 1_000_000;

/** Writes the text of each row, many in one chunk. */
export async function writeRows(
  rows: readonly TextRow[],
  toText: (row: TextRow) => string,
  write: Write,
): Promise<void> {
  let chunk = "";
  for (const row of rows) {
    chunk += toText(row);
    if (chunk.length < CHUNK_LENGTH) continue;
    await write(chunk);
    chunk = "";
  }
  if (chunk !== "") await write(chunk);
}

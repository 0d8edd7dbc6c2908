/** The rows of a table as files. The service streams them, and this page never holds a whole file. */
import { ask } from "../http/ask.ts";
import type { ShownColumn } from "./look.ts";
import type { Relation } from "./relations.ts";
import { isGeometry } from "./isGeometry.ts";
import { tablePath } from "../http/rest.ts";
import { ROW_FORMATS, type RowFormat } from "./rowFormats.ts";
import type { Choice } from "./rows.ts";
import { t } from "../../words/words.ts";

export function formatsOf(columns: readonly ShownColumn[]): readonly RowFormat[] {
  const hasGeometry = columns.some(({ column }) => isGeometry(column));
  return ROW_FORMATS.filter(({ needsGeometry }) => hasGeometry || !needsGeometry);
}

/** The destination of a file: `write` for each piece, then `close`, or `abort`, which leaves no file. */
interface Target {
  readonly write: (piece: Uint8Array) => Promise<void>;
  readonly close: () => Promise<void>;
  readonly abort: () => Promise<void>;
}

interface FilePicker {
  showSaveFilePicker?(options: { readonly suggestedName: string }): Promise<{
    createWritable(): Promise<{
      write(piece: Uint8Array): Promise<void>;
      close(): Promise<void>;
      abort(): Promise<void>;
    }>;
  }>;
}

export interface WantedFile {
  readonly relation: Relation;
  readonly choice: Choice;
  readonly columns: readonly ShownColumn[];
  readonly format: RowFormat;
  readonly signal: AbortSignal;
  /** Called with the number of bytes so far. */
  readonly onProgress: (bytes: number) => void;
  /** Passes a file to the browser, which saves it to its downloads. */
  readonly saveAs: (name: string, content: Blob) => void;
}

/**
 * Asks for the file's location, if the browser supports that, and writes the file there as it arrives. Otherwise the
 * browser keeps it, on its disk if it is large, and saves it as a download. Call it from a click. Throws
 * `ServiceError`, and `AbortError` once the signal has fired or no file was chosen; there is then no file.
 */
export async function saveRows(wanted: WantedFile): Promise<void> {
  const { relation, choice, columns, format, signal, onProgress, saveAs } = wanted;
  const name = `${relation.table}.${format.extension}`;
  const target = await targetFor(name, saveAs);
  const { where, sort } = choice;
  try {
    const response = await ask(`/api/v4${tablePath(relation)}/rows`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({
        format: format.name,
        columns: columns.map(({ column }) => column.column),
        ...(where && { where }),
        ...(sort && { orderBy: { [sort.column]: sort.direction } }),
      }),
      signal,
    });
    let bytes = 0;
    const reader = response.body!.getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      await target.write(part.value);
      onProgress((bytes += part.value.length));
    }
    await target.close();
  } catch (error) {
    await target.abort().catch(() => undefined); // the first error is reported
    if (error instanceof TypeError)
      throw new Error(t("The rows ended early, so there is no file. Try again."), { cause: error });
    throw error;
  }
}

async function targetFor(name: string, saveAs: WantedFile["saveAs"]): Promise<Target> {
  const { showSaveFilePicker } = globalThis as FilePicker;
  if (showSaveFilePicker) {
    const handle = await showSaveFilePicker({ suggestedName: name });
    const file = await handle.createWritable();
    return { write: (piece) => file.write(piece), close: () => file.close(), abort: () => file.abort() };
  }
  return keptByBrowser((content) => saveAs(name, content));
}

/** The number of bytes that are collected before the browser gets them and may write them to its disk. */
const PART_BYTES = 4_000_000;

function keptByBrowser(save: (content: Blob) => void): Target {
  const parts: Blob[] = [];
  let pieces: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const hand = (): void => {
    parts.push(new Blob(pieces));
    pieces = [];
    bytes = 0;
  };
  return {
    write: async (piece) => {
      pieces.push(piece as Uint8Array<ArrayBuffer>);
      if ((bytes += piece.length) >= PART_BYTES) hand();
    },
    close: async () => {
      hand();
      save(new Blob(parts));
    },
    abort: async () => undefined,
  };
}

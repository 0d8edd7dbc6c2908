/** The files in a zip file, read by their names. The stated sizes and checksums are verified. */
import { open } from "node:fs/promises";
import { crc32 } from "node:zlib";
import type { Entry, ZipFile } from "yauzl";
import { badInput, GatewayError } from "../ground/errors.ts";

const MOST_ENTRIES = 10_000;

export class ZipReader {
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly #maxBytes: number;
  /** Bytes that were decompressed so far. */
  #read = 0;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>, maxBytes: number) {
    this.#zip = zip;
    this.#entries = entries;
    this.#maxBytes = maxBytes;
  }

  /** `maxBytes`: the limit of everything that is read, decompressed. Throws `BAD_USER_INPUT` if it is not a zip file. */
  static async open(path: string, maxBytes: number): Promise<ZipReader> {
    const { openPromise } = (await import("yauzl")).default;
    await refuseOldExcel(path);
    let zip: ZipFile | undefined;
    try {
      zip = await openPromise(path, { lazyEntries: true, autoClose: false });
      const entries = new Map<string, Entry>();
      for await (const entry of zip.eachEntry()) {
        if (entries.size === MOST_ENTRIES) badInput(`the zip file has over ${MOST_ENTRIES} files`);
        if (!entry.fileName.endsWith("/")) entries.set(entry.fileName, entry);
      }
      return new ZipReader(zip, entries, maxBytes);
    } catch (error) {
      zip?.close();
      return damaged(error);
    }
  }

  get names(): readonly string[] {
    return [...this.#entries.keys()];
  }

  /** A file, decompressed as it is read. Throws `BAD_USER_INPUT` for a damaged one, `TOO_LARGE`. */
  async *stream(name: string): AsyncGenerator<Buffer> {
    const entry = this.#entries.get(name) ?? badInput(`the zip file has no file ${JSON.stringify(name)}`);
    if (entry.isEncrypted()) badInput(`the file ${JSON.stringify(name)} in the zip file is encrypted`);
    let sum = 0;
    try {
      for await (const chunk of (await this.#zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
        this.#read += chunk.length;
        if (this.#read > this.#maxBytes)
          throw new GatewayError(
            "TOO_LARGE",
            `The files in the zip file are over ${this.#maxBytes} bytes, decompressed`,
          );
        sum = crc32(chunk, sum);
        yield chunk;
      }
    } catch (error) {
      damaged(error);
    }
    if (sum !== entry.crc32) badInput(`the zip file is damaged: ${JSON.stringify(name)} has another checksum`);
  }

  /** A small file as a whole. Throws as `stream` does, and `BAD_USER_INPUT` for more than `most` bytes. */
  async read(name: string, most: number): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of this.stream(name)) {
      bytes += chunk.length;
      if (bytes > most) badInput(`the file ${JSON.stringify(name)} in the zip file is over ${most} bytes`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }

  close(): void {
    this.#zip.close();
  }
}

/** The first bytes of files of Excel before 2007, and of encrypted ones since. */
const COMPOUND_FILE = "d0cf11e0a1b11ae1";

/** Throws `BAD_USER_INPUT` with what to do. */
async function refuseOldExcel(path: string): Promise<void> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(COMPOUND_FILE.length / 2), 0);
    if (buffer.toString("hex") === COMPOUND_FILE)
      badInput("the file is an .xls file of Excel before 2007, or is encrypted: save it as .xlsx without a password");
  } finally {
    await file.close();
  }
}

function damaged(error: unknown): never {
  if (error instanceof GatewayError) throw error;
  throw new GatewayError("BAD_USER_INPUT", `the file is not a zip file, or is damaged: ${(error as Error).message}`, {
    cause: error,
  });
}

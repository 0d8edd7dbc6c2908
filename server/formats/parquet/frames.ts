/**
 * Compresses pages by zstd, each into a frame of its own. All have one context: a new one for each page, and the memory for
 * the largest possible frame, make V8 collect the whole heap.
 */
import { constants, createZstdCompress, type ZstdCompress } from "node:zlib";

const COMPRESSION_LEVEL = 1;
/** The size of the pieces of frames. */
const PIECE_BYTES = 256 * 1024;

export interface Frame {
  readonly pieces: readonly Buffer[];
  /** In bytes. */
  readonly size: number;
}

export class Frames {
  #zstd: ZstdCompress | undefined;
  #pieces: Buffer[] = [];
  #isClosed = false;

  /** Compresses bytes. Until it has resolved, the bytes must stay as they are, and it must not be called again. */
  async compress(bytes: Buffer): Promise<Frame> {
    if (this.#isClosed) throw new Error("the frames are closed");
    const zstd = (this.#zstd ??= this.#open());
    await new Promise<void>((resolve, reject) => {
      zstd.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
    while (zstd.read() !== null); // hands over the rest
    const pieces = this.#pieces;
    this.#pieces = [];
    return { pieces, size: pieces.reduce((sum, { length }) => sum + length, 0) };
  }

  /** Releases its memory. */
  close(): void {
    this.#isClosed = true;
    this.#zstd?.destroy();
    this.#zstd = undefined;
  }

  #open(): ZstdCompress {
    const zstd = createZstdCompress({
      params: { [constants.ZSTD_c_compressionLevel]: COMPRESSION_LEVEL },
      flush: constants.ZSTD_e_end, // whatever is written at once becomes a frame
      chunkSize: PIECE_BYTES,
    });
    zstd.on("data", (piece: Buffer) => this.#pieces.push(piece));
    zstd.on("error", () => undefined); // `write` tells it
    return zstd;
  }
}

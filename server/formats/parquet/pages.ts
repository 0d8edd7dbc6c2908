/** Checks the pages of a Parquet file before they are read, because a page may claim more than it has. */
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import type { AsyncBuffer, ColumnMetaData, Compressors } from "hyparquet";
import { badInput } from "../../ground/errors.ts";

/** Values of the largest pages of all columns: each page is in memory as a whole, and a few bytes may stand for all of its values. */
const MOST_VALUES_OF_PAGES = 40_000_000;

/**
 * Throws `BAD_USER_INPUT` where the pages of a column say that they have more values than the group has rows, and where they are
 * too large.
 */
export async function checkPages(file: AsyncBuffer, chunks: readonly ColumnMetaData[], rows: number): Promise<void> {
  const { parquetHeader } = await import("hyparquet/src/column.js");
  let atOnce = 0;
  for (const chunk of chunks) {
    const from = Number(chunk.dictionary_page_offset || chunk.data_page_offset);
    const buffer = await file.slice(from, from + Number(chunk.total_compressed_size));
    const reader = { view: new DataView(buffer), offset: 0 };
    let [values, words, largest] = [0, 0, 0];
    while (values < rows && reader.offset < buffer.byteLength - 1) {
      const header = parquetHeader(reader);
      const own = header.data_page_header?.num_values ?? header.data_page_header_v2?.num_values ?? 0;
      const ofDictionary = header.dictionary_page_header?.num_values ?? 0;
      const size = header.compressed_page_size;
      if (!(own >= 0 && ofDictionary >= 0 && size >= 0))
        badInput("the Parquet file is damaged: a page has a size below 0");
      values += own;
      words += ofDictionary;
      largest = Math.max(largest, own);
      reader.offset += size;
    }
    if (values > rows || words > Math.max(rows, Number(chunk.num_values)) || Number(chunk.num_values) !== rows)
      badInput(
        `the Parquet file is damaged: the column ${JSON.stringify(chunk.path_in_schema[0])} has more values than its group has rows, or fewer`,
      );
    atOnce += largest + words;
  }
  if (atOnce > MOST_VALUES_OF_PAGES)
    badInput(
      `the pages of the Parquet file have ${atOnce} values together; up to ${MOST_VALUES_OF_PAGES} are read at once: write the file with smaller pages or groups of rows`,
    );
}

/** Decompressors that take from a budget of bytes. LZ4 is not among them. */
export async function decompressors(budget: { left: number }): Promise<Compressors> {
  const { snappyUncompress } = await import("hyparquet");
  const within =
    (read: (input: Uint8Array, length: number) => Uint8Array) =>
    (input: Uint8Array, length: number): Uint8Array => {
      budget.left -= length;
      if (!(length >= 0 && budget.left >= 0))
        badInput("the Parquet file is damaged: its pages are larger than their columns");
      return read(input, length);
    };
  const maxOutputLength = (length: number): { maxOutputLength: number } => ({ maxOutputLength: Math.max(1, length) });
  return {
    SNAPPY: within((input, length) => {
      const output = new Uint8Array(length);
      snappyUncompress(input, output);
      return output;
    }),
    GZIP: within((input, length) => gunzipSync(input, maxOutputLength(length))),
    BROTLI: within((input, length) => brotliDecompressSync(input, maxOutputLength(length))),
    ZSTD: within((input, length) => zstdDecompressSync(input, maxOutputLength(length))),
  };
}

/** Reads Apache Parquet, and GeoParquet 1.0 and 1.1, one group of rows after the other. */
import { open, type FileHandle } from "node:fs/promises";
import type { AsyncBuffer, FileMetaData } from "hyparquet";
import { badInput, GatewayError } from "../../ground/errors.ts";
import type { Shape } from "../geometryShape.ts";
import { portionsOfCells, type Item } from "../portions.ts";
import { checkWidth, type Cell, type Portion, type Source } from "../source.ts";
import { spooled } from "../spooled.ts";
import { checkPages, decompressors } from "./pages.ts";
import { columnsOf, type ColumnOptions, type ReadColumn } from "./readColumns.ts";

export interface ParquetOptions extends ColumnOptions {
  readonly portion: number | undefined;
}

export function parquetSource(bytes: AsyncIterable<Uint8Array>, options: ParquetOptions): Source {
  return { unit: "row", optional: new Set(), portions: spooled(bytes, (path) => portionsOf(path, options)) };
}

const MOST_BYTES_OF_METADATA = 64_000_000;
const END_BYTES = 8;
const MAGIC = "PAR1";
/** Of a group, decompressed. */
const MOST_BYTES_OF_GROUP = 256_000_000;
const MOST_ROWS_OF_GROUP = 10_000_000;
/** Values that are in memory at the same time, since a few bytes can stand for millions of equal ones. */
const VALUES_AT_ONCE = 4_000_000;
/** The memory of a row, in values. */
const VALUES_OF_ROW = 4;

async function* portionsOf(path: string, options: ParquetOptions): AsyncGenerator<Portion> {
  const handle = await open(path);
  try {
    const file = await bufferOf(handle);
    const { parquetMetadataAsync } = await import("hyparquet");
    const metadata = await checked(() => parquetMetadataAsync(file, { geoparquet: false }));
    const columns = await columnsOf(metadata, options);
    checkWidth(columns, "the file");
    const types = new Map<string, string | Shape>();
    for (const { name, type } of columns) if (type !== undefined) types.set(name, type);
    yield* portionsOfCells(
      itemsOf(file, metadata, columns),
      { names: columns.map(({ name }) => name), types },
      options.portion,
    );
  } finally {
    await handle.close();
  }
}

/** The package throws errors about the file. */
async function checked<Value>(read: () => Promise<Value>): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof GatewayError) throw error;
    const message = (error as Error).message.replace(/^parquet /, "");
    throw new GatewayError(
      "BAD_USER_INPUT",
      `the Parquet file is damaged, or uses an unsupported feature: ${message}`,
      {
        cause: error,
      },
    );
  }
}

/** Throws `BAD_USER_INPUT` if it is not a Parquet file. */
async function bufferOf(handle: FileHandle): Promise<AsyncBuffer> {
  const { size } = await handle.stat();
  const slice = async (start: number, end = size): Promise<ArrayBuffer> => {
    const [from, length] = [Math.max(0, start), Math.max(0, Math.min(end, size) - Math.max(0, start))];
    const bytes = new Uint8Array(length);
    await handle.read(bytes, 0, length, from);
    return bytes.buffer;
  };
  const ending = Buffer.from(await slice(size - END_BYTES));
  if (ending.length < END_BYTES || ending.toString("latin1", 4) !== MAGIC)
    badInput("the file is not a Parquet file, or its end is missing");
  if (ending.readUInt32LE(0) > MOST_BYTES_OF_METADATA) badInput("the metadata of the Parquet file is too long");
  return { byteLength: size, slice };
}

async function* itemsOf(
  file: AsyncBuffer,
  metadata: FileMetaData,
  columns: readonly ReadColumn[],
): AsyncGenerator<Item<readonly Cell[]>[]> {
  const { parquetRead } = await import("hyparquet");
  const names = columns.map(({ name }) => name);
  const rowsAtOnce = Math.max(1000, Math.floor(VALUES_AT_ONCE / (names.length + VALUES_OF_ROW)));
  let start = 0;
  for (const group of metadata.row_groups) {
    const count = Number(group.num_rows);
    const chunks = group.columns.flatMap(({ meta_data: chunk }) =>
      chunk && names.includes(chunk.path_in_schema[0]!) ? [chunk] : [],
    );
    const bytes = chunks.reduce((sum, { total_uncompressed_size: size }) => sum + Number(size), 0);
    if (!(count >= 0 && count <= MOST_ROWS_OF_GROUP && bytes <= MOST_BYTES_OF_GROUP))
      badInput(
        `row ${start + 1}: its group has ${count} rows of ${Math.round(bytes / 1e6)} MB; up to ${MOST_BYTES_OF_GROUP / 1e6} MB are read at once: write the file with smaller groups of rows`,
      );
    await checked(() => checkPages(file, chunks, count));
    const end = start + count;
    for (; start < end; start += rowsAtOnce) {
      const [rowStart, rowEnd] = [start, Math.min(end, start + rowsAtOnce)];
      const rows = await checked(async () => {
        let some: unknown[][] = [];
        await parquetRead({
          ...{ file, metadata, columns: names, rowStart, rowEnd, useOffsetIndex: false },
          ...{ utf8: false, geoparquet: false, compressors: await decompressors({ left: MOST_BYTES_OF_GROUP }) },
          parsers: { timestampFromNanoseconds: ((nanoseconds: bigint) => nanoseconds) as never },
          onComplete: (given: unknown[][]) => void (some = given),
        });
        return some;
      });
      yield* itemsOfRows(rows, rowStart, columns);
    }
    start = end;
  }
}

/** `before`: rows of the file before these. */
function* itemsOfRows(
  rows: readonly (readonly unknown[])[],
  before: number,
  columns: readonly ReadColumn[],
): Generator<Item<readonly Cell[]>[]> {
  const some = 1000;
  for (let from = 0; from < rows.length; from += some)
    yield rows.slice(from, from + some).map((row, index) => ({
      place: before + from + index + 1,
      read: () => columns.map((column, at) => cellOf(column, row[at])),
    }));
}

function cellOf({ name, text }: ReadColumn, value: unknown): Cell {
  if (value === null || value === undefined) return null;
  try {
    return text(value);
  } catch (error) {
    return badInput(`${name}: ${(error as Error).message}`);
  }
}

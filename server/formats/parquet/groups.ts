/** The bytes of a Parquet file: groups of column chunks, each of one page, and the metadata behind them. */
import type { ByteWriter, KeyValue, SchemaElement } from "hyparquet-writer";
import type { writePageHeader } from "hyparquet-writer/src/datapage.js";
import type { writeMetadata } from "hyparquet-writer/src/metadata.js";
import type { EndedColumn } from "./columnData.ts";
import type { Frame, Frames } from "./frames.ts";

type FileMetaData = Parameters<typeof writeMetadata>[1];
type RowGroup = FileMetaData["row_groups"][number];

const MAGIC = Buffer.from("PAR1");

/** Writes Thrift's structures. */
export interface Structures {
  readonly ByteWriter: typeof ByteWriter;
  readonly writePageHeader: typeof writePageHeader;
  readonly writeMetadata: typeof writeMetadata;
}

export async function loadStructures(): Promise<Structures> {
  const [{ ByteWriter }, { writePageHeader }, { writeMetadata }] = await Promise.all([
    import("hyparquet-writer"),
    import("hyparquet-writer/src/datapage.js"),
    import("hyparquet-writer/src/metadata.js"),
  ]);
  return { ByteWriter, writePageHeader, writeMetadata };
}

/** A column that has values, and where it is in the schema. */
export interface Leaf {
  readonly path: readonly string[];
  readonly element: SchemaElement;
}

interface Page {
  readonly header: Buffer;
  readonly page: Frame;
  /** In bytes, without compression. */
  readonly size: number;
}

export class Groups {
  readonly #structures: Structures;
  readonly #leaves: readonly Leaf[];
  readonly #groups: RowGroup[] = [];
  readonly #frames: Frames;
  #offset = 0;
  #rows = 0;

  constructor(structures: Structures, leaves: readonly Leaf[], frames: Frames) {
    this.#structures = structures;
    this.#leaves = leaves;
    this.#frames = frames;
  }

  /** The bytes of a group, a column chunk after the other. `columns`: of the leaves, in their order. */
  async *group(columns: readonly EndedColumn[]): AsyncGenerator<Buffer> {
    const head = this.#head();
    if (head) yield head;
    const start = this.#offset;
    const chunks: RowGroup["columns"] = [];
    let bytes = 0;
    for (const [index, column] of columns.entries()) {
      const { header, page, size } = await this.#page(column);
      const written = header.length + column.levels.length + page.size;
      chunks.push(this.#chunk(this.#leaves[index]!, column, { written, size }));
      bytes += size;
      this.#offset += written;
      yield Buffer.concat([header, column.levels]);
      yield* page.pieces;
    }
    const rows = columns[0]!.count;
    this.#rows += rows;
    this.#groups.push({
      columns: chunks,
      total_byte_size: BigInt(bytes),
      num_rows: BigInt(rows),
      total_compressed_size: BigInt(this.#offset - start),
    });
  }

  /** The metadata, which end the file. */
  *end(schema: SchemaElement[], createdBy: string, keys: KeyValue[]): Generator<Buffer> {
    const head = this.#head();
    if (head) yield head;
    const metadata: Omit<FileMetaData, "metadata_length"> = {
      version: 2,
      created_by: createdBy,
      schema,
      num_rows: BigInt(this.#rows),
      row_groups: this.#groups,
      ...(keys.length > 0 && { key_value_metadata: keys }),
    };
    yield this.#written((out) => this.#structures.writeMetadata(out, metadata as FileMetaData)); // with its length
    yield MAGIC;
  }

  #head(): Buffer | undefined {
    if (this.#offset > 0) return undefined;
    this.#offset = MAGIC.length;
    return MAGIC;
  }

  async #page({ values, levels, count, nulls }: EndedColumn): Promise<Page> {
    const page = await this.#frames.compress(values);
    const header = this.#written((out) =>
      this.#structures.writePageHeader(out, {
        type: "DATA_PAGE_V2",
        uncompressed_page_size: levels.length + values.length,
        compressed_page_size: levels.length + page.size,
        data_page_header_v2: {
          num_values: count,
          num_nulls: nulls,
          num_rows: count,
          encoding: "PLAIN",
          definition_levels_byte_length: levels.length,
          repetition_levels_byte_length: 0,
          is_compressed: true,
        },
      }),
    );
    return { header, page, size: header.length + levels.length + values.length };
  }

  #chunk(
    { path, element }: Leaf,
    { count, nulls, bounds }: EndedColumn,
    { written, size }: { readonly written: number; readonly size: number },
  ): RowGroup["columns"][number] {
    return {
      file_offset: BigInt(this.#offset),
      meta_data: {
        type: element.type!,
        encodings: ["RLE", "PLAIN"],
        path_in_schema: [...path],
        codec: "ZSTD",
        num_values: BigInt(count),
        total_uncompressed_size: BigInt(size),
        total_compressed_size: BigInt(written),
        data_page_offset: BigInt(this.#offset),
        statistics: { null_count: BigInt(nulls), ...(bounds && { min_value: bounds.min, max_value: bounds.max }) },
        encoding_stats: [{ page_type: "DATA_PAGE_V2", encoding: "PLAIN", count: 1 }],
      },
    };
  }

  #written(write: (out: ByteWriter) => void): Buffer {
    const out = new this.#structures.ByteWriter();
    write(out);
    return Buffer.from(out.getBytes());
  }
}

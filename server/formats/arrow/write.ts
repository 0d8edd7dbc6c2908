/**
 * Writes the streaming format of Apache Arrow: a record batch for each portion of rows. Geometries are GeoArrow's well-known
 * binary.
 */
import type * as apacheArrow from "apache-arrow";
import type { Data, DataType, Field, RecordBatchStreamWriter, Schema } from "apache-arrow";
import type { TextRow } from "../../kernel/database/database.ts";
import type { Write } from "../../kernel/http/answer.ts";
import { bytesOf, columnKind, valueReader, type ColumnKind, type Value } from "../columnar/columnKind.ts";
import { checkGeometries } from "../columnar/geometries.ts";
import { geometryColumn, type Column } from "../column.ts";
import type { FeatureFile } from "../featureFile.ts";
import { FORMAT_NAMES } from "../names.ts";
import type { Format, Writer } from "../writer.ts";

type Arrow = typeof apacheArrow;

export const arrow = (file: FeatureFile): Format => ({
  mediaType: FORMAT_NAMES.arrow.mediaType,
  binary: true,
  open: (write) => new ArrowStream(file, write),
});

interface ArrowColumn {
  readonly field: Field;
  /** The type of the values in memory, of which those of `field` are made. */
  readonly stored: DataType;
  read(text: string): Value;
}

class ArrowStream implements Writer {
  readonly #file: FeatureFile;
  readonly #write: Write;
  #arrow!: Arrow;
  #columns: readonly ArrowColumn[] = [];
  #schema!: Schema;
  #writer!: RecordBatchStreamWriter;
  /** Pieces that are written and not sent yet. */
  #pieces: Buffer[] = [];

  constructor(file: FeatureFile, write: Write) {
    this.#file = file;
    this.#write = write;
  }

  async start(columns: readonly Column[]): Promise<void> {
    const spatial = geometryColumn(columns);
    if (spatial !== -1) checkGeometries(this.#file, "arrow");
    this.#arrow = await import("apache-arrow");
    this.#columns = columns.map((column, index) => toArrowColumn(this.#arrow, column, index === spatial));
    this.#schema = new this.#arrow.Schema(this.#columns.map(({ field }) => field));
    this.#writer = new this.#arrow.RecordBatchStreamWriter();
    this.#writer.reset(
      sinkOf(this.#arrow, (piece) => this.#pieces.push(piece)),
      this.#schema,
    );
    await this.#send();
  }

  async rows(rows: readonly TextRow[]): Promise<void> {
    const { makeData, RecordBatch, Struct } = this.#arrow;
    const children = this.#columns.map((column, index) => this.#dataOf(column, rows, index));
    const type = new Struct(this.#schema.fields);
    const batch = makeData({ type, length: rows.length, nullCount: 0, children });
    this.#writer.write(new RecordBatch(this.#schema, batch));
    await this.#send();
  }

  async end(): Promise<void> {
    this.#writer.finish();
    await this.#send();
  }

  #dataOf({ field: { type }, stored, read }: ArrowColumn, rows: readonly TextRow[], index: number): Data {
    const builder = this.#arrow.makeBuilder({ type: stored, nullValues: [null] });
    for (const row of rows) builder.append(row[index] === null ? null : read(row[index]!));
    const data = builder.finish().flush();
    const { length, nullCount, nullBitmap, values } = data;
    return stored === type
      ? data
      : (this.#arrow.makeData({ type, length, nullCount, nullBitmap, data: values } as never) as Data);
  }

  async #send(): Promise<void> {
    const written = Buffer.concat(this.#pieces);
    this.#pieces = [];
    await this.#write(written);
  }
}

/** The package writes into a queue, of which this takes each piece at once. */
function sinkOf({ AsyncByteQueue }: Arrow, take: (piece: Buffer) => void) {
  const queue = new AsyncByteQueue();
  const write = (piece: Uint8Array): number => {
    take(Buffer.from(piece));
    return 0;
  };
  queue.write = write;
  return queue;
}

/** An extension of Arrow's types, by its name and its own metadata. */
function extension(name: string, metadata = ""): Map<string, string> {
  return new Map([
    ["ARROW:extension:name", name],
    ["ARROW:extension:metadata", metadata],
  ]);
}

const WKB_METADATA = JSON.stringify({ crs: "OGC:CRS84", crs_type: "authority_code" });
const UUID_BYTES = 16;

function toArrowColumn(arrow: Arrow, column: Column, isGeometry: boolean): ArrowColumn {
  const kind = isGeometry ? "bytes" : columnKind(column.type);
  const { type, stored = type } = typesOf(arrow, kind);
  const metadata = isGeometry
    ? extension("geoarrow.wkb", WKB_METADATA)
    : kind === "guid"
      ? extension("arrow.uuid")
      : kind === "json"
        ? extension("arrow.json")
        : undefined;
  const read = isGeometry ? bytesOf : valueReader(column);
  return {
    field: new arrow.Field(column.name, type, true, metadata),
    stored,
    read: kind === "guid" ? (text) => Buffer.from(text.replaceAll("-", ""), "hex") : read,
  };
}

function typesOf(arrow: Arrow, kind: ColumnKind): { readonly type: DataType; readonly stored?: DataType } {
  switch (kind) {
    case "boolean":
      return { type: new arrow.Bool() };
    case "int32":
      return { type: new arrow.Int32() };
    case "int64":
      return { type: new arrow.Int64() };
    case "float":
      return { type: new arrow.Float32() };
    case "double":
      return { type: new arrow.Float64() };
    case "date":
      return { type: new arrow.DateDay(), stored: new arrow.Int32() };
    case "timestamp":
      return { type: new arrow.TimestampMicrosecond(null), stored: new arrow.Int64() };
    case "instant":
      return { type: new arrow.TimestampMicrosecond("UTC"), stored: new arrow.Int64() };
    case "guid":
      return { type: new arrow.FixedSizeBinary(UUID_BYTES) };
    case "bytes":
      return { type: new arrow.Binary() };
    case "json":
    case "text":
      return { type: new arrow.Utf8() };
  }
}

/**
 * Writes Apache Parquet, and GeoParquet 1.1 where there is a geometry: groups of at most 65,536 rows, compressed by zstd, with
 * statistics, and with the box of each geometry in a column of its own, by which readers leave out what is elsewhere. A group is
 * kept until it is full; nothing before it is.
 */
import { promisify } from "node:util";
import { constants, zstdCompressSync } from "node:zlib";
import type { ByteWriter, ColumnSource, ParquetWriter } from "hyparquet-writer";
import { VERSION } from "../../ground/packageDirectory.ts";
import type { TextRow } from "../../kernel/database/database.ts";
import type { Write } from "../../kernel/http/answer.ts";
import { bytesOf, columnKind, valueReader, type Value } from "../columnar/columnKind.ts";
import { checkGeometries, geometryTypes } from "../columnar/geometries.ts";
import { geometryColumn, type Column } from "../column.ts";
import type { FeatureFile } from "../featureFile.ts";
import { boxOf, type Box } from "../gpkg/wkbBox.ts";
import { FORMAT_NAMES } from "../names.ts";
import type { Format, Writer } from "../writer.ts";
import { completed, schemaOf, SIDES } from "./schema.ts";

const GROUP_ROWS = 65_536;
/** A group of wide rows ends before it has so many. */
const GROUP_BYTES = 32_000_000;
const COMPRESSION_LEVEL = 3;

export const parquet = (file: FeatureFile): Format => ({
  mediaType: FORMAT_NAMES.parquet.mediaType,
  binary: true,
  open: (write) => new ParquetFile(file, write),
});

type ColumnData = ColumnSource["data"];
type Sides = Readonly<Record<(typeof SIDES)[number], number>>;

class ParquetFile implements Writer {
  readonly #file: FeatureFile;
  readonly #write: Write;
  #bytes!: ByteWriter;
  #writer!: ParquetWriter;
  #columns: readonly Column[] = [];
  #spatial = -1;
  #boxesName = "";
  #readers: readonly ((text: string) => Value)[] = [];
  /** Of the group, by column. */
  #values: Value[][] = [];
  #boxes: (Sides | null)[] = [];
  #groupBytes = 0;
  /** Of all geometries. */
  #extent: Box | undefined;

  constructor(file: FeatureFile, write: Write) {
    this.#file = file;
    this.#write = write;
  }

  async start(columns: readonly Column[]): Promise<void> {
    this.#columns = columns;
    this.#spatial = geometryColumn(columns);
    if (this.#spatial !== -1) checkGeometries(this.#file, "parquet");
    this.#boxesName = freeName("bbox", columns);
    this.#readers = columns.map((column, index) => (index === this.#spatial ? this.#geometry : readerOf(column)));
    const { ByteWriter, ParquetWriter } = await import("hyparquet-writer");
    this.#bytes = new ByteWriter();
    this.#writer = new ParquetWriter({
      writer: this.#bytes,
      schema: schemaOf(columns, { spatial: this.#spatial, boxes: this.#boxesName }),
      codec: "ZSTD",
      compressors: { ZSTD: compress },
      createdBy: `portolan version ${VERSION}`,
    });
    this.#begin();
  }

  async rows(rows: readonly TextRow[]): Promise<void> {
    for (const row of rows) {
      for (const [index, read] of this.#readers.entries()) {
        const text = row[index] ?? null;
        this.#values[index]!.push(text === null ? null : read(text));
        this.#groupBytes += text?.length ?? 0;
      }
      if (this.#spatial !== -1 && row[this.#spatial] === null) this.#boxes.push(null);
      if (this.#values[0]?.length === GROUP_ROWS || this.#groupBytes >= GROUP_BYTES) await this.#end();
    }
  }

  async end(): Promise<void> {
    await this.#end();
    if (this.#spatial !== -1) this.#writer.kvMetadata = [{ key: "geo", value: JSON.stringify(this.#metadata()) }];
    this.#writer.schema = completed(this.#writer.schema);
    await this.#writer.finish();
    await this.#send();
  }

  #begin(): void {
    this.#values = this.#columns.map(() => []);
    this.#boxes = [];
    this.#groupBytes = 0;
  }

  /** Ends the group; one without rows is left out. */
  async #end(): Promise<void> {
    const rowGroupSize = this.#values[0]?.length ?? 0; // a statement may give no columns
    if (rowGroupSize === 0) return;
    const columnData = this.#columns.map(({ name }, index) => ({
      name,
      data: this.#values[index] as ColumnData,
      // the first bytes of well-known binary say nothing
      ...(index === this.#spatial && { statistics: false, encoding: "PLAIN" as const }),
    }));
    const boxes = { name: this.#boxesName, data: this.#boxes as ColumnData };
    await this.#writer.write({
      columnData: this.#spatial === -1 ? columnData : [...columnData, boxes],
      rowGroupSize,
    });
    this.#begin();
    await this.#send();
  }

  async #send(): Promise<void> {
    const written = Buffer.from(this.#bytes.getBytes());
    this.#bytes.index = 0;
    await this.#write(written);
    await nextTurn(); // others are served between two groups
  }

  readonly #geometry = (text: string): Value => {
    const wkb = bytesOf(text);
    const box = boxOf(wkb);
    const [xmin, xmax, ymin, ymax] = box ?? [];
    this.#boxes.push(box ? { xmin: xmin!, ymin: ymin!, xmax: xmax!, ymax: ymax! } : null);
    if (box) this.#extent = this.#extent ? union(this.#extent, box) : box;
    return wkb;
  };

  /** GeoParquet 1.1. Without `crs` it is OGC:CRS84. */
  #metadata(): object {
    const { name } = this.#columns[this.#spatial]!;
    const [xmin, xmax, ymin, ymax] = this.#extent ?? [];
    const covering = Object.fromEntries(SIDES.map((side) => [side, [this.#boxesName, side]]));
    return {
      version: "1.1.0",
      primary_column: name,
      columns: {
        [name]: {
          encoding: "WKB",
          geometry_types: geometryTypes(this.#file),
          ...(this.#extent && { bbox: [xmin, ymin, xmax, ymax] }),
          covering: { bbox: covering },
        },
      },
    };
  }
}

const nextTurn = promisify(setImmediate);

function compress(bytes: Uint8Array): Uint8Array {
  return zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: COMPRESSION_LEVEL } });
}

function union(a: Box, b: Box): Box {
  return [Math.min(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.max(a[3], b[3])];
}

/** The package takes documents as bytes. */
function readerOf(column: Column): (text: string) => Value {
  return columnKind(column.type) === "json" ? (text) => Buffer.from(text) : valueReader(column);
}

function freeName(name: string, columns: readonly Column[]): string {
  const taken = new Set(columns.map((column) => column.name));
  let free = name;
  for (let n = 2; taken.has(free); n++) free = `${name}_${n}`;
  return free;
}

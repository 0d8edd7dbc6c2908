/**
 * Writes Apache Parquet, and GeoParquet 1.1 where there is a geometry: groups of at most 65,536 rows, compressed by
 * zstd, with statistics. The box of each geometry is in a column of its own, by which readers skip what lies elsewhere.
 * Only the bytes of two groups are kept: while rows come for one, the one before is compressed and sent.
 */
import { promisify } from "node:util";
import type { SchemaElement } from "hyparquet-writer";
import { VERSION } from "../../ground/packageDirectory.ts";
import type { TextRow } from "../../kernel/database/database.ts";
import type { Write } from "../../kernel/http/answer.ts";
import { columnKind, hasBinaryForm } from "../columnar/columnKind.ts";
import { checkGeometries, geometryTypes } from "../columnar/geometries.ts";
import { geometryColumn, type Column } from "../column.ts";
import type { FeatureFile } from "../featureFile.ts";
import { FORMAT_NAMES } from "../names.ts";
import { bytesOfRows, CellFinder, putRow } from "../rowBytes.ts";
import type { Format, Writer, WrittenTaker } from "../writer.ts";
import type { ColumnData, EndedColumn } from "./columnData.ts";
import { dataFor } from "./dataFor.ts";
import { Frames } from "./frames.ts";
import { GeometryData, SIDES } from "./geometryData.ts";
import { Groups, loadStructures, type Leaf } from "./groups.ts";
import { schemaOf } from "./schema.ts";

const GROUP_ROWS = 65_536;
/** A group of wide rows ends at about this size. */
const GROUP_BYTES = 32_000_000;
/** After this much work, other requests get a turn. */
const TURN_BYTES = 1_000_000;

export const parquet = (file: FeatureFile): Format => ({
  mediaType: FORMAT_NAMES.parquet.mediaType,
  binary: true,
  open: (write) => new ParquetFile(file, write),
});

class ParquetFile implements Writer {
  readonly #file: FeatureFile;
  readonly #write: Write;
  #columns: readonly Column[] = [];
  #isBinary: readonly boolean[] = [];
  #spatial = -1;
  #boxesName = "";
  #schema: SchemaElement[] = [];
  #data: readonly ColumnData[] = [];
  #cells!: CellFinder;
  #groups!: Groups;
  readonly #frames = new Frames();
  /** Rows of the current group. */
  #rows = 0;
  /** Resolves when the group before is sent. */
  #sent: Promise<void> = Promise.resolve();

  constructor(file: FeatureFile, write: Write) {
    this.#file = file;
    this.#write = write;
  }

  readonly written: WrittenTaker = {
    takesBinary: (columns) => {
      const spatial = geometryColumn(columns);
      return columns.map(({ type }, index) => index === spatial || hasBinaryForm(columnKind(type)));
    },
    writerFor: (columns, isBinary = []) => {
      this.#isBinary = isBinary;
      return putRow;
    },
    add: async (bytes) => {
      await this.#add(bytes);
      return true;
    },
  };

  async start(columns: readonly Column[]): Promise<void> {
    this.#columns = columns;
    const spatial = (this.#spatial = geometryColumn(columns));
    if (spatial !== -1) checkGeometries(this.#file, "parquet");
    this.#boxesName = freeName("bbox", columns);
    this.#schema = schemaOf(columns, { spatial, boxes: this.#boxesName });
    this.#data = columns.map((column, index) => {
      const isBinary = this.#isBinary[index] ?? false;
      return index === spatial ? new GeometryData(isBinary) : dataFor(column, isBinary);
    });
    this.#cells = new CellFinder(columns.length);
    this.#groups = new Groups(await loadStructures(), this.#leaves(), this.#frames);
  }

  async rows(rows: readonly TextRow[]): Promise<void> {
    if (this.#columns.length === 0) return; // a statement may give no columns
    const bytes = bytesOfRows(rows);
    await this.#add(bytes.written);
    bytes.release();
  }

  async end(): Promise<void> {
    await this.#endGroup();
    await this.#sent;
    const keys = this.#spatial === -1 ? [] : [{ key: "geo", value: JSON.stringify(this.#metadata()) }];
    await this.#send(this.#groups.end(this.#schema, `portolan version ${VERSION}`, keys));
  }

  close(): Promise<void> {
    this.#frames.close();
    return Promise.resolve();
  }

  async #add(bytes: Buffer): Promise<void> {
    const cells = this.#cells.find(bytes);
    for (let from = 0; from < cells.rows;) {
      const to = Math.min(cells.rows, from + GROUP_ROWS - this.#rows);
      this.#data.forEach((data, index) => data.add(cells, index, { from, to }));
      this.#rows += to - from;
      from = to;
      if (this.#rows === GROUP_ROWS || this.#size >= GROUP_BYTES) await this.#endGroup();
    }
  }

  get #size(): number {
    return this.#data.reduce((sum, { size }) => sum + size, 0);
  }

  /** The columns of the file that have values, in the order of the schema. */
  #leaves(): readonly Leaf[] {
    const leaves: Leaf[] = [];
    for (const [index, element] of this.#schema.entries()) {
      if (index === 0 || element.type === undefined) continue; // the root, and the group of the boxes
      const isSide = index > this.#columns.length;
      leaves.push({ path: isSide ? [this.#boxesName, element.name] : [element.name], element });
    }
    return leaves;
  }

  /** Ends the group, once the one before is sent; one without rows is left out. */
  async #endGroup(): Promise<void> {
    if (this.#rows === 0) return;
    await this.#sent;
    this.#rows = 0;
    const spatial = this.#data[this.#spatial];
    const sides = spatial instanceof GeometryData ? spatial.endSides() : [];
    const columns: EndedColumn[] = this.#data.map((data) => data.end());
    this.#sent = this.#send(this.#groups.group([...columns, ...sides]));
    this.#sent.catch(() => undefined); // awaited above, unless no more rows come
  }

  async #send(pieces: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<void> {
    let sinceTurn = 0;
    for await (const piece of pieces) {
      await this.#write(piece);
      sinceTurn += piece.length;
      if (sinceTurn < TURN_BYTES) continue;
      sinceTurn = 0;
      await nextTurn();
    }
  }

  /** GeoParquet 1.1. Without `crs` it is OGC:CRS84. */
  #metadata(): object {
    const { name } = this.#columns[this.#spatial]!;
    const { extent } = this.#data[this.#spatial] as GeometryData;
    const covering = Object.fromEntries(SIDES.map((side) => [side, [this.#boxesName, side]]));
    return {
      version: "1.1.0",
      primary_column: name,
      columns: {
        [name]: {
          encoding: "WKB",
          geometry_types: geometryTypes(this.#file),
          ...(extent && { bbox: extent }),
          covering: { bbox: covering },
        },
      },
    };
  }
}

const nextTurn = promisify(setImmediate);

function freeName(name: string, columns: readonly Column[]): string {
  const taken = new Set(columns.map((column) => column.name));
  let free = name;
  for (let n = 2; taken.has(free); n++) free = `${name}_${n}`;
  return free;
}

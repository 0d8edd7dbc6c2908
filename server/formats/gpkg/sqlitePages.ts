/**
 * Walks the b-trees of an SQLite file (https://www.sqlite.org/fileformat2.html) before SQLite reads it. SQLite follows
 * every pointer, so a small file whose pages point to one page many times has endless rows.
 */
import { openSync, closeSync, fstatSync, readSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { badInput } from "../../ground/errors.ts";

/** A row of a valid file takes at least 6 bytes: its cell at least 4, and the pointer to it 2. */
const BYTES_OF_ROW = 4;
/**
 * A value takes a byte for its type and its own bytes; 0, 1, NULL and defaults of columns that were added later take less.
 */
const MOST_OF_VALUES = 8;
/** SQLite reads all definitions before its first answer. */
const MOST_BYTES_OF_SCHEMA = 16_000_000;
const TURN_MS = 10;

/** How much a file of this size can hold. */
export class Room {
  readonly #bytes: number;
  #rows = 0;
  #values = 0;

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  /** Throws `BAD_USER_INPUT` for more rows, or more bytes of values, than fit. */
  take(values: number): void {
    this.#rows++;
    this.#values += values;
    if (this.#rows * BYTES_OF_ROW > this.#bytes)
      badInput("the file is damaged: it has more rows than fit into its size");
    if (this.#values > this.#bytes * MOST_OF_VALUES)
      badInput("the file is damaged: it has more values than fit into its size");
  }
}

/**
 * Throws `BAD_USER_INPUT` where a page is part of two trees, or of one twice, and where there are more rows or values than
 * fit.
 */
export async function checkPages(file: string): Promise<Room> {
  const descriptor = openSync(file, "r");
  try {
    const pages = new Pages(descriptor);
    const roots: number[] = [];
    let schema = 0;
    await pages.walk(1, (cell) => {
      if ((schema += cell.bytes) > MOST_BYTES_OF_SCHEMA) damaged("it defines too much");
      const root = pages.rootIn(cell);
      if (root !== undefined) roots.push(root);
    });
    for (const root of roots) await pages.walk(root, () => undefined);
    return new Room(pages.size);
  } finally {
    closeSync(descriptor);
  }
}

function damaged(why: string): never {
  return badInput(`the file is not a GeoPackage, or is damaged: ${why}`);
}

/** The beginning and the length of a row's payload. */
interface Cell {
  readonly page: Buffer;
  readonly at: number;
  readonly bytes: number;
}

const INDEX_INTERIOR = 2;
const TABLE_INTERIOR = 5;
const INDEX_LEAF = 10;
const TABLE_LEAF = 13;
/** The header before the tree of the first page. */
const FILE_HEADER_BYTES = 100;
/** The longest name in a row of the schema; the file's own tables have shorter ones. */
const MOST_BYTES_OF_NAMES = 20_000;
const BYTES_OF_INTEGER = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0];
const COLUMNS_BEFORE_ROOT = 3;

class Pages {
  readonly size: number;
  readonly #descriptor: number;
  readonly #pageBytes: number;
  /** The bytes of a page, without the reserved ones at its end. */
  readonly #usable: number;
  readonly #count: number;
  readonly #seen: Uint8Array;
  readonly #room: Room;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
    this.size = fstatSync(descriptor).size;
    const header = Buffer.alloc(FILE_HEADER_BYTES);
    const read = readSync(descriptor, header, 0, FILE_HEADER_BYTES, 0);
    if (read < FILE_HEADER_BYTES || header.toString("latin1", 0, 16) !== "SQLite format 3\0")
      damaged("it is not an SQLite file");
    const pageBytes = header.readUInt16BE(16);
    this.#pageBytes = pageBytes === 1 ? 65_536 : pageBytes;
    this.#usable = this.#pageBytes - header[20]!;
    if (this.#pageBytes < 512 || (this.#pageBytes & (this.#pageBytes - 1)) !== 0 || this.#usable < 480)
      damaged("its pages have no size");
    this.#count = Math.floor(this.size / this.#pageBytes);
    this.#seen = new Uint8Array(this.#count + 1);
    this.#room = new Room(this.size);
  }

  /** Visits every page of the tree once, and every row. Throws for a page that was visited before. */
  async walk(root: number, onRow: (cell: Cell) => void): Promise<void> {
    let began = performance.now();
    const waiting = [root];
    for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
      if (this.#seen[number] !== 0) damaged(`page ${number} is outside the file, or is used twice`);
      this.#seen[number] = 1;
      this.#visit(number, waiting, onRow);
      if (performance.now() - began < TURN_MS) continue;
      await setImmediate();
      began = performance.now();
    }
  }

  #visit(number: number, waiting: number[], onRow: (cell: Cell) => void): void {
    const page = this.#read(number);
    const start = number === 1 ? FILE_HEADER_BYTES : 0;
    const kind = page[start]!;
    if (![INDEX_INTERIOR, TABLE_INTERIOR, INDEX_LEAF, TABLE_LEAF].includes(kind))
      damaged(`page ${number} is not part of a tree`);
    const isInterior = kind === INDEX_INTERIOR || kind === TABLE_INTERIOR;
    const cells = page.readUInt16BE(start + 3);
    const pointers = start + (isInterior ? 12 : 8);
    if (pointers + 2 * cells > this.#usable) damaged(`page ${number} has too many cells`);
    if (isInterior) waiting.push(page.readUInt32BE(start + 8));
    for (let index = 0; index < cells; index++) {
      let at = page.readUInt16BE(pointers + 2 * index);
      if (at + 4 > this.#usable) damaged(`page ${number} has a cell outside of it`);
      if (isInterior) {
        waiting.push(page.readUInt32BE(at));
        at += 4;
      }
      if (kind === TABLE_INTERIOR) continue; // it has a key, and no row
      const [bytes, after] = varint(page, at);
      this.#room.take(bytes);
      onRow({ page, at: kind === TABLE_LEAF ? varint(page, after)[1] : after, bytes });
    }
  }

  /**
   * The root page that a row of the schema names; undefined for a view or a trigger, which have none. SQLite also reads it
   * as text, so only an integer is accepted.
   */
  rootIn(cell: Cell): number | undefined {
    let payload = this.#payload(cell, 10);
    const [headerBytes] = varint(payload, 0);
    if (headerBytes > 100) damaged("its schema cannot be read");
    payload = this.#payload(cell, headerBytes);
    let [, at] = varint(payload, 0);
    let offset = headerBytes;
    let type = 0;
    for (let column = 0; column <= COLUMNS_BEFORE_ROOT; column++) {
      if (column > 0) offset += bytesOf(type);
      [type, at] = varint(payload, at);
    }
    if (type > 9 || type === 7) damaged("its schema names no pages");
    const bytes = bytesOf(type);
    if (offset > MOST_BYTES_OF_NAMES) damaged("its schema has names that are too long");
    const body = this.#payload(cell, offset + bytes);
    if (body.length < offset + bytes) damaged("its schema cannot be read");
    const root = type === 9 ? 1 : bytes === 0 ? 0 : bytes > 6 ? Infinity : body.readIntBE(offset, bytes);
    return root === 0 ? undefined : root;
  }

  /** The first bytes of a row, which may continue on pages of their own. */
  #payload({ page, at, bytes }: Cell, wanted: number): Buffer {
    const [most, least] = [this.#usable - 35, Math.floor(((this.#usable - 12) * 32) / 255) - 23];
    const some = least + ((bytes - least) % (this.#usable - 4));
    const local = bytes <= most ? bytes : some <= most ? some : least;
    const parts = [page.subarray(at, at + local)];
    let length = parts[0]!.length;
    let next = local < bytes && at + local + 4 <= page.length ? page.readUInt32BE(at + local) : 0;
    while (length < Math.min(wanted, bytes) && next !== 0) {
      const overflow = this.#read(next);
      parts.push(overflow.subarray(4, this.#usable));
      length += this.#usable - 4;
      next = overflow.readUInt32BE(0);
    }
    return Buffer.concat(parts).subarray(0, Math.min(wanted, bytes));
  }

  #read(number: number): Buffer {
    const page = Buffer.allocUnsafe(this.#pageBytes);
    if (number < 1 || number > this.#count) damaged(`there is no page ${number}`);
    const read = readSync(this.#descriptor, page, 0, this.#pageBytes, (number - 1) * this.#pageBytes);
    return read === this.#pageBytes ? page : damaged(`page ${number} is cut off`);
  }
}

function bytesOf(type: number): number {
  return BYTES_OF_INTEGER[type] ?? (type < 12 ? damaged("its schema cannot be read") : (type - 12 - (type % 2)) / 2);
}

/** SQLite's integer of up to nine bytes, and the place after it. */
function varint(bytes: Buffer, from: number): readonly [value: number, next: number] {
  let value = 0;
  for (let at = from; at < from + 8; at++) {
    const byte = bytes[at] ?? damaged("a number is cut off");
    value = value * 128 + (byte & 127);
    if (byte < 128) return [value, at + 1];
  }
  return [value * 256 + (bytes[from + 8] ?? damaged("a number is cut off")), from + 9];
}

/** Colours of transparent pixels. OGC 20-058 /req/background requires one; MapServer makes them black. */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { crc32, createDeflate, createInflate, deflateSync } from "node:zlib";

/** The colour of a transparent pixel as 0xRRGGBB. Columns and rows are counted from the upper left corner. */
export type ColourAt = (column: number, row: number) => number;

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const CHANNELS = 4;
/**
 * Bit depth 8, red, green, blue and alpha, no interlace (ISO/IEC 15948 §11.2.2): the PNG that both MapServer and
 * Portolan write.
 */
const RGBA = "0806000000";

/** The same PNG with a colour for its transparent pixels. It is read and written a few rows at a time. */
export async function withHiddenColours(image: readonly Buffer[], colourAt: ColourAt): Promise<Buffer[]> {
  const bytes = Buffer.concat([...image]);
  const chunks = chunksOf(bytes);
  const header = chunks.find(({ type }) => type === "IHDR")?.data;
  if (header?.subarray(8).toString("hex") !== RGBA) throw new Error("a picture without transparency");
  const width = header.readUInt32BE(0);
  const written: Buffer[] = [];
  await pipeline(
    Readable.from(chunks.filter(({ type }) => type === "IDAT").map(({ data }) => data)),
    createInflate(),
    (source: AsyncIterable<Buffer>) => painted(source, width, colourAt),
    createDeflate({ level: 3 }),
    async (source: AsyncIterable<Buffer>) => {
      for await (const piece of source) written.push(piece);
    },
  );
  return [
    SIGNATURE,
    chunk("IHDR", header),
    ...written.map((piece) => chunk("IDAT", piece)),
    chunk("IEND", Buffer.alloc(0)),
  ];
}

function chunksOf(bytes: Buffer): { readonly type: string; readonly data: Buffer }[] {
  const chunks = [];
  for (let at = SIGNATURE.length; at < bytes.length;) {
    const end = at + 8 + bytes.readUInt32BE(at);
    chunks.push({ type: bytes.toString("latin1", at + 4, at + 8), data: bytes.subarray(at + 8, end) });
    at = end + 4;
  }
  return chunks;
}

/** A whole picture with red, green, blue and alpha, as a PNG. */
export function encodePng({ width, height, rgba }: { width: number; height: number; rgba: Buffer }): Buffer {
  const size = Buffer.alloc(8);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  const unfiltered = Buffer.from([0]);
  const stride = width * CHANNELS;
  const rows = Array.from({ length: height }, (_, row) => [
    unfiltered,
    rgba.subarray(row * stride, (row + 1) * stride),
  ]);
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", Buffer.concat([size, Buffer.from(RGBA, "hex")])),
    chunk("IDAT", deflateSync(Buffer.concat(rows.flat()))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** Takes rows, each with the byte of its filter in front. Gives the same rows, painted and without a filter. */
async function* painted(source: AsyncIterable<Buffer>, width: number, colourAt: ColourAt): AsyncGenerator<Buffer> {
  const size = 1 + width * CHANNELS;
  let rest: Buffer = Buffer.alloc(0);
  let above: Uint8Array = new Uint8Array(size);
  let number = 0;
  for await (const piece of source) {
    rest = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    for (; rest.length >= size; rest = rest.subarray(size)) {
      const row = new Uint8Array(size);
      row.set(rest.subarray(0, size));
      unfilter(row, above);
      above = row;
      yield paint(row, width, number++, colourAt);
    }
  }
}

/**
 * Undoes the filter of a row (ISO/IEC 15948 §9.2). Both rows have the byte of the filter in front. Each filter has its
 * own loop, since a map has millions of bytes.
 */
function unfilter(row: Uint8Array, above: Uint8Array): void {
  const { length } = row;
  const filter: number = row[0]!;
  switch (filter) {
    case 1:
      for (let at = 1 + CHANNELS; at < length; at++) row[at]! += row[at - CHANNELS]!;
      return;
    case 2:
      for (let at = 1; at < length; at++) row[at]! += above[at]!;
      return;
    case 3:
      for (let at = 1; at < length; at++) row[at]! += ((at > CHANNELS ? row[at - CHANNELS]! : 0) + above[at]!) >> 1;
      return;
    case 4:
      for (let at = 1; at <= CHANNELS; at++) row[at]! += above[at]!;
      for (let at = 1 + CHANNELS; at < length; at++)
        row[at]! += paeth(row[at - CHANNELS]!, above[at]!, above[at - CHANNELS]!);
  }
}

function paeth(left: number, up: number, corner: number): number {
  const toLeft = Math.abs(up - corner);
  const toUp = Math.abs(left - corner);
  const toCorner = Math.abs(left + up - 2 * corner);
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

function paint(row: Uint8Array, width: number, number: number, colourAt: ColourAt): Buffer {
  const result = Buffer.from(row);
  result[0] = 0;
  for (let column = 0, at = 1; column < width; column++, at += CHANNELS) {
    if (result[at + 3] !== 0) continue;
    const colour = colourAt(column, number);
    result[at] = colour >> 16;
    result[at + 1] = colour >> 8;
    result[at + 2] = colour;
  }
  return result;
}

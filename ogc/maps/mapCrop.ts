/**
 * Maps of one column or one row of pixels. MapServer cannot draw them, since it computes between centres of pixels. It
 * draws two columns or rows instead.
 */
import { PNG } from "pngjs";
import { JPEG, TIFF, type Format } from "../exchange/formats.ts";
import type { Frame } from "./mapFrame.ts";

/** The least number of columns and rows that MapServer draws. */
const LEAST = 2;

/** The frame, doubled to the east where it has one column, and to the south where it has one row. */
export function drawable(frame: Frame): Frame {
  const { width, height, bounds } = frame;
  if (width >= LEAST && height >= LEAST) return frame;
  const [minx, miny, maxx, maxy] = bounds;
  const [columns, rows] = [Math.max(width, LEAST), Math.max(height, LEAST)];
  return {
    ...frame,
    width: columns,
    height: rows,
    bounds: [minx, maxy - ((maxy - miny) * rows) / height, minx + ((maxx - minx) * columns) / width, maxy],
  };
}

/** Cuts the frame out of a picture of `drawable(frame)`, in the same format. */
export async function cropped(image: readonly Buffer[], format: Format, frame: Frame): Promise<Buffer> {
  const bytes = Buffer.concat([...image]);
  if (format === JPEG) return croppedJpeg(bytes, frame);
  return format === TIFF ? croppedTiff(bytes, frame) : croppedPng(bytes, frame);
}

function croppedPng(bytes: Buffer, { width, height }: Frame): Buffer {
  const drawn = PNG.sync.read(bytes);
  const kept = new PNG({ width, height });
  PNG.bitblt(drawn, kept, 0, 0, width, height);
  return PNG.sync.write(kept);
}

/** ITU T.81 §B.2.2: a frame header is its marker and length, a byte, then height and width. */
const FRAME_HEADERS: readonly number[] = [0xc0, 0xc1, 0xc2];

/**
 * Crops a JPEG by writing the smaller size into its header. The blocks stay the same, since they are always decoded
 * whole.
 */
function croppedJpeg(bytes: Buffer, { width, height }: Frame): Buffer {
  let at = 2;
  while (!FRAME_HEADERS.includes(bytes.readUInt8(at + 1))) at += 2 + bytes.readUInt16BE(at + 2);
  bytes.writeUInt16BE(height, at + 5);
  bytes.writeUInt16BE(width, at + 7);
  return bytes;
}

async function croppedTiff(bytes: Buffer, { crs, bounds, width, height }: Frame): Promise<Buffer> {
  const { fromArrayBuffer, writeArrayBuffer } = await import("geotiff"); // late, since it takes long to load
  const tiff = await fromArrayBuffer(new Uint8Array(bytes).buffer);
  const image = await tiff.getImage();
  const samples = image.getSamplesPerPixel();
  const values = (await image.readRasters({ window: [0, 0, width, height], interleave: true })) as Uint8Array;
  const [minx, miny, maxx, maxy] = bounds;
  const written = writeArrayBuffer(values, {
    width,
    height,
    SamplesPerPixel: samples,
    BitsPerSample: Array.from({ length: samples }, () => 8),
    PhotometricInterpretation: 2,
    ...(samples === 4 && { ExtraSamples: [2] }),
    ModelPixelScale: [(maxx - minx) / width, (maxy - miny) / height, 0],
    ModelTiepoint: [0, 0, 0, minx, maxy, 0],
    GTModelTypeGeoKey: crs.geographic ? 2 : 1,
    GTRasterTypeGeoKey: 1,
    [crs.geographic ? "GeographicTypeGeoKey" : "ProjectedCSTypeGeoKey"]: crs.srid,
  });
  return Buffer.from(written);
}

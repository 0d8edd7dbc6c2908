/** Files of GIS programs: made by GDAL, or byte by byte where a program makes none such. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zipSync } from "fflate";

/** The files that `ogr2ogr` makes of GeoJSON, by their names. `name`: of the first one. */
export function ogrFiles(json: unknown, name: string, options: readonly string[]): Record<string, Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), "portolan-test-ogr-"));
  try {
    writeFileSync(join(folder, "given.json"), JSON.stringify(json));
    execFileSync("ogr2ogr", [...options, join(folder, name), join(folder, "given.json")], { stdio: "pipe" });
    const names = readdirSync(folder).filter((each) => each !== "given.json");
    return Object.fromEntries(names.map((each) => [each, readFileSync(join(folder, each))]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The one file of it. */
export function ogrFile(json: unknown, name: string, options: readonly string[]): Buffer {
  return Buffer.from(ogrFiles(json, name, options)[name]!);
}

export function zipped(files: Readonly<Record<string, Uint8Array | string>>): Buffer {
  return Buffer.from(
    zipSync(Object.fromEntries(Object.entries(files).map(([name, content]) => [name, Buffer.from(content)]))),
  );
}

export function featuresOf(...features: readonly (readonly [properties: object, geometry: object | null])[]): object {
  return {
    type: "FeatureCollection",
    features: features.map(([properties, geometry]) => ({ type: "Feature", properties, geometry })),
  };
}

/** A column of a .dbf file: its kind is a letter. */
export interface DbfColumn {
  readonly name: string | Buffer;
  readonly kind: string;
  readonly bytes: number;
  readonly decimals?: number;
}

/** A .dbf file. A row is its values, as long as their columns; undefined: one that is deleted. `language`: of its head. */
export function dbf(
  columns: readonly DbfColumn[],
  rows: readonly (readonly (string | Buffer)[] | undefined)[],
  language = 0,
): Buffer {
  const width = 1 + columns.reduce((sum, { bytes }) => sum + bytes, 0);
  const head = Buffer.alloc(32 + 32 * columns.length + 1);
  head[0] = 3;
  head.writeUInt32LE(rows.length, 4);
  head.writeUInt16LE(head.length, 8);
  head.writeUInt16LE(width, 10);
  head[29] = language;
  for (const [index, { name, kind, bytes, decimals = 0 }] of columns.entries()) {
    const at = 32 + 32 * index;
    Buffer.from(name).copy(head, at, 0, 11);
    head.write(kind, at + 11, "latin1");
    head[at + 16] = bytes;
    head[at + 17] = decimals;
  }
  head[head.length - 1] = 0x0d;
  const bodies = rows.map((row) => {
    const body = Buffer.alloc(width, 0x20);
    if (!row) body[0] = 0x2a;
    let at = 1;
    for (const [index, { bytes }] of columns.entries()) {
      Buffer.from(row?.[index] ?? "").copy(body, at, 0, bytes);
      at += bytes;
    }
    return body;
  });
  return Buffer.concat([head, ...bodies, Buffer.from([0x1a])]);
}

/** A .shp file with these contents of records. */
export function shp(type: number, contents: readonly Buffer[]): Buffer {
  const records = contents.flatMap((content, index) => {
    const head = Buffer.alloc(8);
    head.writeInt32BE(index + 1, 0);
    head.writeInt32BE(content.length / 2, 4);
    return [head, content];
  });
  const head = Buffer.alloc(100);
  head.writeInt32BE(9994, 0);
  head.writeInt32LE(1000, 28);
  head.writeInt32LE(type, 32);
  const all = Buffer.concat([head, ...records]);
  all.writeInt32BE(all.length / 2, 24);
  return all;
}

/** Numbers of a shape: `i` whole ones of four bytes, `d` others of eight. */
export function numbers(...groups: readonly (readonly ["i" | "d", ...number[]])[]): Buffer {
  return Buffer.concat(
    groups.flatMap(([kind, ...values]) =>
      values.map((value) => {
        const bytes = Buffer.alloc(kind === "i" ? 4 : 8);
        if (kind === "i") bytes.writeInt32LE(value);
        else bytes.writeDoubleLE(value);
        return bytes;
      }),
    ),
  );
}

/** A point, and a polygon of rings, as contents of records. */
export const pointShape = (x: number, y: number): Buffer => numbers(["i", 1], ["d", x, y]);

export function polygonShape(...rings: readonly (readonly (readonly [number, number])[])[]): Buffer {
  const all = rings.flat();
  let next = 0;
  const starts = rings.map(({ length }) => (next += length) - length);
  return numbers(["i", 5], ["d", 0, 0, 0, 0], ["i", rings.length, all.length, ...starts], ["d", ...all.flat()]);
}

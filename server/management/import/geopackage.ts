/** Layers of a GeoPackage (OGC 12-128r18), an SQLite file, of which tables alone are read, and columns that are stored. */
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { badInput, GatewayError } from "../../kernel/errors.ts";
import { CHARACTERS_OF_PORTION, ROWS_OF_PORTION, type Cell, type Portion, type Source } from "./source.ts";

interface Layer {
  readonly table: string;
  readonly columns: readonly string[];
  readonly geometry: string | undefined;
}

/** Reads the whole file first, into a temporary one, which is gone when the portions end. `layer`: default the only one. */
export function geopackageSource(
  bytes: AsyncIterable<Uint8Array>,
  layer: string | undefined,
  portion = ROWS_OF_PORTION,
): Source {
  return { unit: "row", optional: new Set(["fid"]), portions: portionsOf(bytes, layer, portion) };
}

async function* portionsOf(
  bytes: AsyncIterable<Uint8Array>,
  wanted: string | undefined,
  portion: number,
): AsyncGenerator<Portion> {
  const folder = await mkdtemp(join(tmpdir(), "portolan-import-"));
  try {
    const file = join(folder, "file.gpkg");
    await pipeline(Readable.from(bytes), createWriteStream(file, { mode: 0o600 }));
    const { DatabaseSync } = await import("node:sqlite");
    const database = new DatabaseSync(file, { readOnly: true });
    try {
      database.exec("pragma trusted_schema = off; pragma cell_size_check = on");
      yield* rowsOf(database, chooseLayer(database, wanted), portion);
    } catch (error) {
      if (error instanceof GatewayError || (error as { code?: unknown }).code !== "ERR_SQLITE_ERROR") throw error;
      throw new GatewayError("BAD_USER_INPUT", "the file is no GeoPackage, or is damaged", { cause: error });
    } finally {
      database.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A view could compute without an end, so that it is none. Throws `BAD_USER_INPUT`. */
function chooseLayer(database: DatabaseSync, wanted: string | undefined): Layer {
  const tables = database
    .prepare(
      `select c.table_name as name
       from gpkg_contents c join sqlite_schema s on s.name = c.table_name and s.type = 'table' and s.rootpage > 0
       where c.data_type in ('features', 'attributes') order by 1`,
    )
    .all()
    .map(({ name }) => String(name));
  const table = wanted === undefined && tables.length === 1 ? tables[0] : tables.find((name) => name === wanted);
  if (table === undefined)
    return badInput(
      `layer: choose one of ${
        tables
          .slice(0, 50)
          .map((name) => JSON.stringify(name))
          .join(", ") || "none"
      }`,
    );
  const columns = database.prepare("select name from pragma_table_xinfo(?) where hidden = 0 order by cid").all(table);
  const geometry = hasTable(database, "gpkg_geometry_columns")
    ? database.prepare("select column_name as name from gpkg_geometry_columns where table_name = ?").get(table)
    : undefined;
  return {
    table,
    columns: columns.map(({ name }) => String(name)),
    geometry: geometry && String(geometry["name"]),
  };
}

function hasTable(database: DatabaseSync, name: string): boolean {
  return database.prepare("select 1 from sqlite_schema where type = 'table' and name = ?").get(name) !== undefined;
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

async function* rowsOf(
  database: DatabaseSync,
  { table, columns, geometry }: Layer,
  portion: number,
): AsyncGenerator<Portion> {
  const srids = new Map<number, number>();
  const sridOf = (id: number): number => {
    if (!srids.has(id)) srids.set(id, epsgOf(database, id));
    return srids.get(id)!;
  };
  const statement = database.prepare(`select ${columns.map(quoted).join(", ")} from ${quoted(table)}`);
  statement.setReadBigInts(true);
  const spatial = geometry === undefined ? -1 : columns.indexOf(geometry);
  let [rows, places, characters, count] = [[] as Cell[][], [] as number[], 0, 0];
  for (const row of statement.iterate()) {
    const cells = columns.map((name, index) => {
      const cell = textOf(row[name], index === spatial ? sridOf : undefined, count + 1);
      characters += cell?.length ?? 0;
      return cell;
    });
    rows.push(cells);
    places.push(++count);
    if (rows.length < portion && characters < CHARACTERS_OF_PORTION) continue;
    yield { names: columns, rows, places };
    [rows, places, characters] = [[], [], 0];
  }
  if (rows.length > 0) yield { names: columns, rows, places };
}

/** `sridOf`: the value is a geometry. */
function textOf(value: unknown, sridOf: ((id: number) => number) | undefined, row: number): string | null {
  if (value === null || value === undefined) return null;
  if (!(value instanceof Uint8Array)) return String(value as bigint | number | string);
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return sridOf ? geometryText(bytes, sridOf, row) : `\\x${bytes.toString("hex")}`;
}

const ENVELOPES = [0, 32, 48, 48, 64];
const HEADER_BYTES = 8;

/** GeoPackageBinary (2.1.3.1.1) as EWKB with its EPSG code. */
function geometryText(bytes: Buffer, sridOf: (id: number) => number, row: number): string | null {
  const flags = bytes[3] ?? 0;
  const envelope = ENVELOPES[(flags >> 1) & 7];
  if (bytes.toString("latin1", 0, 2) !== "GP" || envelope === undefined || bytes.length < HEADER_BYTES + envelope + 5)
    return badInput(`row ${row}: the geometry is none of a GeoPackage`);
  const srid = sridOf(flags & 1 ? bytes.readInt32LE(4) : bytes.readInt32BE(4));
  const wkb = bytes.toString("hex", HEADER_BYTES + envelope);
  return srid > 0 ? `SRID=${srid};${wkb}` : wkb;
}

/** What the file calls its systems is its own; 0 and below are unknown. */
function epsgOf(database: DatabaseSync, id: number): number {
  if (id <= 0) return 0;
  const system = database
    .prepare("select organization as name, organization_coordsys_id as code from gpkg_spatial_ref_sys where srs_id = ?")
    .get(id);
  if (!/^epsg$/i.test(String(system?.["name"]))) return badInput(`the reference system ${id} is none of EPSG`);
  return Number(system?.["code"]);
}

/** Reads Parquet by DuckDB, and Arrow by its own package. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { tableFromIPC } from "apache-arrow";

export type Row = Readonly<Record<string, unknown>>;

/** The rows of a query over a Parquet file, whose name is written `$file`. Numbers of 64 bits are texts. */
export async function queryParquet(bytes: Uint8Array, query: string): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "parquet-"));
  const file = join(folder, "rows.parquet");
  writeFileSync(file, bytes);
  const duckdb = await DuckDBInstance.create(":memory:", { threads: "1" });
  const connection = await duckdb.connect();
  try {
    return (await connection.runAndReadAll(query.replaceAll("$file", `'${file}'`))).getRowObjectsJson();
  } finally {
    connection.closeSync();
    duckdb.closeSync();
    rmSync(folder, { recursive: true });
  }
}

export function readParquet(bytes: Uint8Array): Promise<readonly Row[]> {
  return queryParquet(bytes, "select * from $file");
}

export function readArrow(bytes: Uint8Array): readonly Row[] {
  return tableFromIPC(bytes)
    .toArray()
    .map((row: { toJSON(): Row }) => row.toJSON());
}

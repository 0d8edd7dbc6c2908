/** Reads and writes Parquet by DuckDB, and reads Arrow by its own package. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import { tableFromIPC } from "apache-arrow";

export type Row = Readonly<Record<string, unknown>>;

/** The rows of a query over a Parquet file, whose name is written `$file`. Numbers of 64 bits are texts. */
export function queryParquet(bytes: Uint8Array, query: string): Promise<readonly Row[]> {
  return withDuckDb(async (connection, file) => {
    writeFileSync(file, bytes);
    return (await connection.runAndReadAll(query.replaceAll("$file", `'${file}'`))).getRowObjectsJson();
  });
}

/** The Parquet file of a query. `options`: of `copy`, after a comma. */
export function parquetOf(query: string, options = ""): Promise<Buffer> {
  return withDuckDb(async (connection, file) => {
    await connection.run(`copy (${query}) to '${file}' (format parquet${options})`);
    return readFileSync(file);
  });
}

async function withDuckDb<T>(run: (connection: DuckDBConnection, file: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "parquet-"));
  const duckdb = await DuckDBInstance.create(":memory:", { threads: "1" });
  const connection = await duckdb.connect();
  try {
    return await run(connection, join(folder, "rows.parquet"));
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

import type { Duplex } from "node:stream";
import type pg from "pg";

/**
 * Keeps the process running whatever a connection receives: a value longer than the longest string makes the driver
 * throw where it cannot be caught. Then the connection ends, and its query rejects.
 */
export function survive(client: pg.PoolClient): void {
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection;
  for (const listener of stream.listeners("data") as ((chunk: Buffer) => void)[]) {
    stream.off("data", listener);
    stream.on("data", (chunk: Buffer) => {
      try {
        listener(chunk);
      } catch (error) {
        stream.destroy(error as Error);
      }
    });
  }
}

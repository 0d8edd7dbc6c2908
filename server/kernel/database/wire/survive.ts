import type { Duplex } from "node:stream";
import type pg from "pg";

/**
 * Keeps the process alive whatever a connection brings: a value that is longer than a string can be makes the driver
 * throw where nobody can catch it. Then the connection ends, and its query rejects.
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

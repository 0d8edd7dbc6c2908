import type { Duplex } from "node:stream";
import type pg from "pg";

/**
 * Keeps the process alive whatever a connection does. One that breaks while nobody waits for it says so by an event,
 * which needs a listener. And a value that is longer than a string can be makes the driver throw where nobody can catch
 * it: then the connection ends, and its query rejects.
 */
export function survive(client: pg.PoolClient): void {
  client.on("error", () => undefined); // the pool removes it, and a running query rejects by itself
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

import { connect } from "node:net";
import type pg from "pg";

const ANSWER_WITHIN_MS = 5000;

/**
 * Sends a CancelRequest (PostgreSQL protocol, "Canceling Requests in Progress"): needs no right, only the key that the
 * server gave this connection. The statement then fails with 57014. Resolves when the server has dealt with it: before
 * that the connection must not serve another request, whose statement would be cancelled instead.
 */
export function cancelStatement(client: pg.PoolClient): Promise<void> {
  const { processID, secretKey, host, port } = client as unknown as {
    processID: number;
    secretKey: number | Buffer;
    host: string;
    port: number;
  };
  const key = typeof secretKey === "number" ? Buffer.alloc(4) : secretKey;
  if (typeof secretKey === "number") key.writeInt32BE(secretKey);
  const message = Buffer.alloc(12);
  message.writeInt32BE(12 + key.length, 0);
  message.writeInt32BE(80_877_102, 4);
  message.writeInt32BE(processID, 8);
  const socket = host.startsWith("/") ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  socket.on("error", () => undefined); // nothing more to be done: the statement ends by its own timeout
  socket.setTimeout(ANSWER_WITHIN_MS, () => socket.destroy());
  socket.end(Buffer.concat([message, key]));
  return new Promise((resolve) => socket.once("close", () => resolve()));
}

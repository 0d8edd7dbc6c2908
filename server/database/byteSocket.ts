/** A connection's socket that reads into memory which it keeps: what is thrown away by the megabyte makes the whole heap be searched. */
import { Socket } from "node:net";

/** Of all sockets: what was read is dealt with before anything else is read. */
const readInto = Buffer.allocUnsafeSlow(128 * 1024);

/**
 * For node-postgres's option `stream`. A chunk that it emits as `data` is the listeners' only until they return. A
 * connection with TLS has a socket of the usual kind.
 */
export function byteSocket({ ssl }: { readonly ssl?: unknown }): Socket {
  if (ssl) return new Socket();
  const socket: Socket = new Socket({
    onread: {
      buffer: readInto,
      callback: (length) => {
        socket.emit("data", readInto.subarray(0, length));
        return true;
      },
    },
  });
  return socket;
}

/** Whether a chunk will be overwritten by the next one. */
export function isBorrowed(chunk: Buffer): boolean {
  return chunk.buffer === readInto.buffer;
}

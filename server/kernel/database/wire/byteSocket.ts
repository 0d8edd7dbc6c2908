/**
 * A connection's socket that reads into memory that it keeps. Buffers that are thrown away by the megabyte cause full
 * garbage collections, which took half of the gateway's time for a large page of features.
 */
import { Socket } from "node:net";
import type { Duplex } from "node:stream";

/** The read buffer of all sockets: each chunk is handled before the next read. */
const readInto = Buffer.allocUnsafeSlow(128 * 1024);

/** Sockets whose listeners keep no part of a chunk. */
const lending = new WeakSet<Duplex>();

/** For node-postgres's option `stream`. A connection with TLS has a socket of the usual kind. */
export function byteSocket({ ssl }: { readonly ssl?: unknown }): Socket {
  if (ssl) return new Socket();
  const socket: Socket = new Socket({
    onread: {
      buffer: readInto,
      callback: (length) => {
        const chunk = readInto.subarray(0, length);
        socket.emit("data", lending.has(socket) ? chunk : Buffer.from(chunk));
        return true;
      },
    },
  });
  return socket;
}

/** From now on a chunk that the socket emits as `data` is the listeners' only until they return. */
export function lendChunks(socket: Duplex): void {
  lending.add(socket);
}

/** Whether a chunk will be overwritten by the next one. */
export function isBorrowed(chunk: Buffer): boolean {
  return chunk.buffer === readInto.buffer;
}

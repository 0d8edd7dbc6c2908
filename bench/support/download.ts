/** Reads an answer and drops it, as `psql -o /dev/null` drops its own, so that the client's work is not measured. */
import { Socket } from "node:net";

export interface Download {
  /** The time until the headers of the answer arrive. */
  readonly firstByteMs: number;
  readonly ms: number;
}

const buffer = Buffer.allocUnsafeSlow(256 * 1024);

/** Uses its own connection. Rejects for every status but 200, and for an answer that is cut off. */
export function download(address: string, headers: Readonly<Record<string, string>>): Promise<Download> {
  const { hostname, port, pathname, search, host } = new URL(address);
  const started = performance.now();
  return new Promise((resolve, reject) => {
    let first: Buffer | undefined;
    let firstByteMs = NaN;
    let last = "";
    const socket = new Socket({
      onread: {
        buffer,
        callback: (length) => {
          if (!first) {
            firstByteMs = performance.now() - started;
            first = Buffer.from(buffer.subarray(0, Math.min(length, 1000)));
          }
          last = (last + buffer.toString("latin1", Math.max(0, length - END.length), length)).slice(-END.length);
          return true;
        },
      },
    });
    socket.on("error", reject).on("end", () => {
      const text = first?.toString() ?? "";
      const isWhole = !/^transfer-encoding: chunked/im.test(text) || last === END;
      if (text.startsWith("HTTP/1.1 200 ") && isWhole) resolve({ firstByteMs, ms: performance.now() - started });
      else reject(new Error(`${pathname}: ${text}`));
    });
    const lines = Object.entries({ host, connection: "close", ...headers }).map(([name, value]) => `${name}: ${value}`);
    socket.connect(Number(port), hostname, () =>
      socket.write(`GET ${pathname}${search} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`),
    );
  });
}

/** RFC 9112 §7.1: the last chunk, and no trailers. */
const END = "0\r\n\r\n";

/** A client that uses as little processor time as possible: one kept connection, answers that are read and dropped. */
import { once } from "node:events";
import { Socket } from "node:net";

const buffer = Buffer.allocUnsafeSlow(256 * 1024);
const END_OF_HEADERS = "\r\n\r\n";
/** RFC 9112 §7.1: an answer in chunks ends with an empty one. */
const LAST_CHUNK = "0\r\n\r\n";

export class KeptConnection {
  readonly #port: number;
  #socket: Socket | undefined;
  /** Bytes of the answer that have not come; undefined until its headers have arrived, Infinity of one in chunks. */
  #left: number | undefined;
  /** The last bytes of an answer in chunks. */
  #end = "";
  #pending: { resolve(): void; reject(error: Error): void } | undefined;

  /** `port`: of a server on this machine. */
  constructor(port: number) {
    this.#port = port;
  }

  /** One request at a time. Rejects for every status but 200 and 204, and for an answer without an end. */
  async get(path: string, headers: Readonly<Record<string, string>>): Promise<void> {
    const socket = (this.#socket ??= await this.#open());
    const lines = Object.entries({ host: "localhost", ...headers }).map(([name, value]) => `${name}: ${value}`);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#pending = { resolve, reject };
    socket.write(`GET ${path} HTTP/1.1\r\n${lines.join("\r\n")}${END_OF_HEADERS}`);
    return promise;
  }

  close(): void {
    this.#pending = undefined;
    this.#socket?.destroy();
  }

  /** Connects at the first request, and again if the server has closed an idle connection. */
  async #open(): Promise<Socket> {
    const socket = new Socket({ onread: { buffer, callback: (length) => this.#read(length) } });
    socket.on("error", () => undefined); // `close` follows
    socket.on("close", () => {
      this.#socket = undefined;
      this.#pending?.reject(new Error("the connection was closed"));
    });
    await once(socket.connect(this.#port, "127.0.0.1"), "connect");
    return socket;
  }

  #read(length: number): true {
    this.#left ??= this.#readHeaders(length);
    this.#left -= length;
    if (this.#left === Infinity) {
      this.#end = (this.#end + buffer.toString("latin1", Math.max(0, length - LAST_CHUNK.length), length)).slice(
        -LAST_CHUNK.length,
      );
      if (this.#end === LAST_CHUNK) this.#left = 0;
    }
    if (this.#left > 0) return true;
    this.#end = "";
    this.#left = undefined;
    this.#pending?.resolve();
    return true;
  }

  /** Gives the length of the whole answer. */
  #readHeaders(length: number): number {
    const end = buffer.subarray(0, length).indexOf(END_OF_HEADERS);
    const text = buffer.toString("latin1", 0, Math.max(0, end));
    if (/^HTTP\/1\.1 200 [^]*^transfer-encoding: chunked/im.test(text)) return Infinity;
    const isEmpty = text.startsWith("HTTP/1.1 204 ");
    const bytes = isEmpty ? "0" : /^content-length: (\d+)/im.exec(text)?.[1];
    if ((!isEmpty && !text.startsWith("HTTP/1.1 200 ")) || bytes === undefined)
      this.#pending?.reject(new Error(buffer.toString("utf8", 0, Math.min(length, 1000))));
    return Number(bytes ?? 0) + end + END_OF_HEADERS.length;
  }
}

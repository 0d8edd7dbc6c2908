/** FastCGI 1.0, responder role. One request at a time over one kept connection, since a worker needs no more. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { Gathered } from "../../server/ground/spareBuffers.ts";

const VERSION = 1;
const HEADER_BYTES = 8;
const MAX_CONTENT_BYTES = 65_535;
/** The size of a read in bytes. One buffer serves the whole connection, because an image comes in many small pieces. */
const READ_BYTES = 65_536;
/** The id of every request. It can be constant because there is one request at a time. */
const REQUEST_ID = 1;

const RECORD = { beginRequest: 1, endRequest: 3, params: 4, stdin: 5, stdout: 6, stderr: 7 } as const;
const RESPONDER = 1;
const KEEP_CONNECTION = 1;
const REQUEST_COMPLETE = 0;

/** The answer of a FastCGI application: a CGI answer (RFC 3875 §6) and its error log. */
export interface FastcgiAnswer {
  readonly contentType: string;
  readonly body: readonly Buffer[];
  readonly stderr: string;
  /** Call it when `body` is no longer needed: its memory is reused for other answers. */
  release(): void;
}

interface Pending {
  readonly stdout: Gathered;
  readonly stderr: Buffer[];
  readonly resolve: (answer: FastcgiAnswer) => void;
  readonly reject: (error: Error) => void;
}

/** A connection to one application at a unix socket. It is opened at the first request, and reopened after a loss. */
export class FastcgiConnection {
  readonly #path: string;
  #socket: Socket | undefined;
  #pending: Pending | undefined;
  #unread: Buffer = Buffer.alloc(0);

  constructor(path: string) {
    this.#path = path;
  }

  /**
   * Sends `params` (RFC 3875 §4.1: QUERY_STRING and the like). Rejects if the connection ends before the answer does.
   */
  async request(params: Readonly<Record<string, string>>): Promise<FastcgiAnswer> {
    if (this.#pending) throw new Error("the application is busy");
    const socket = (this.#socket ??= await this.#open());
    return new Promise((resolve, reject) => {
      this.#pending = { stdout: new Gathered(), stderr: [], resolve, reject };
      socket.write(encodeRequest(params));
    });
  }

  close(): void {
    this.#socket?.destroy();
  }

  async #open(): Promise<Socket> {
    const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
    const callback = (bytes: number): boolean => {
      this.#read(buffer.subarray(0, bytes));
      return true;
    };
    const socket = connect({ path: this.#path, onread: { buffer, callback } });
    await once(socket, "connect");
    socket.on("error", () => undefined); // `close` follows, and rejects the pending request
    socket.on("close", () => {
      this.#socket = undefined;
      this.#unread = Buffer.alloc(0);
      this.#settle()?.reject(new Error("the application closed the connection"));
    });
    return socket;
  }

  #settle(): Pending | undefined {
    const pending = this.#pending;
    this.#pending = undefined;
    return pending;
  }

  #read(data: Buffer): void {
    const unread = this.#unread.length > 0 ? Buffer.concat([this.#unread, data]) : data;
    let at = 0;
    while (unread.length - at >= HEADER_BYTES) {
      const contentBytes = unread.readUInt16BE(at + 4);
      const end = at + HEADER_BYTES + contentBytes + (unread[at + 6] ?? 0);
      if (unread.length < end) break;
      this.#take(unread[at + 1] ?? 0, unread.subarray(at + HEADER_BYTES, at + HEADER_BYTES + contentBytes));
      at = end;
    }
    this.#unread = Buffer.from(unread.subarray(at));
  }

  #take(type: number, content: Buffer): void {
    if (type === RECORD.stdout) this.#pending?.stdout.add(content);
    else if (type === RECORD.stderr && content.length > 0) this.#pending?.stderr.push(Buffer.from(content));
    else if (type === RECORD.endRequest) {
      const pending = this.#settle();
      if (content[4] !== REQUEST_COMPLETE)
        pending?.reject(new Error(`the application refused the request: ${content[4]}`));
      else pending?.resolve(toAnswer(pending));
    }
  }
}

function encodeRequest(params: Readonly<Record<string, string>>): Buffer {
  const begin = Buffer.alloc(8);
  begin.writeUInt16BE(RESPONDER, 0);
  begin[2] = KEEP_CONNECTION;
  const pairs = Buffer.concat(
    Object.entries(params).flatMap(([name, value]) => {
      const [nameBytes, valueBytes] = [Buffer.from(name), Buffer.from(value)];
      return [encodeLength(nameBytes.length), encodeLength(valueBytes.length), nameBytes, valueBytes];
    }),
  );
  const records = [record(RECORD.beginRequest, begin)];
  for (let at = 0; at < pairs.length; at += MAX_CONTENT_BYTES)
    records.push(record(RECORD.params, pairs.subarray(at, at + MAX_CONTENT_BYTES)));
  const end = Buffer.alloc(0);
  return Buffer.concat([...records, record(RECORD.params, end), record(RECORD.stdin, end)]);
}

function record(type: number, content: Buffer): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header[0] = VERSION;
  header[1] = type;
  header.writeUInt16BE(REQUEST_ID, 2);
  header.writeUInt16BE(content.length, 4);
  return Buffer.concat([header, content]);
}

/** FastCGI 1.0 §3.4: one byte up to 127, else four with the highest bit set. */
function encodeLength(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE((length | 0x80000000) >>> 0);
  return bytes;
}

function toAnswer({ stdout, stderr }: Pending): FastcgiAnswer {
  return {
    ...parseCgi(stdout.pieces),
    stderr: Buffer.concat(stderr).toString(),
    release: () => stdout.giveBack(),
  };
}

function parseCgi(pieces: readonly Buffer[]): Pick<FastcgiAnswer, "contentType" | "body"> {
  const first = pieces[0] ?? Buffer.alloc(0);
  const end = first.indexOf("\r\n\r\n");
  if (end < 0) return { contentType: "", body: pieces };
  const headers = first.subarray(0, end).toString("latin1");
  return {
    contentType: /^content-type:(.*)/im.exec(headers)?.[1]?.trim() ?? "",
    body: [first.subarray(end + 4), ...pieces.slice(1)].filter((piece) => piece.length > 0),
  };
}

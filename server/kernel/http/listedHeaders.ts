/** An answer that keeps its headers as a list, in which those that all answers have stand already. */
import {
  type IncomingMessage,
  ServerResponse,
  validateHeaderName,
  validateHeaderValue,
  type OutgoingHttpHeaders,
} from "node:http";
import { LRUCache } from "lru-cache";

type Value = number | string | readonly string[];
type Header = readonly [name: string, value: Value];

/**
 * How Node makes the head of an answer: the status line, then the headers, then those that it adds by itself. It is no part of
 * its documentation, but what every version of it does.
 */
interface Inside {
  _storeHeader(statusLine: string, headers: unknown): void;
}
const { _storeHeader: storeHead } = ServerResponse.prototype as unknown as Inside;

/** The headers from which Node decides which headers it adds, and how it frames the body. */
const OF_NODE: ReadonlySet<string> = new Set([
  "connection",
  "content-disposition",
  "content-length",
  "cookie",
  "date",
  "expect",
  "keep-alive",
  "trailer",
  "transfer-encoding",
]);

/** A body of up to this many bytes goes out in one piece with the head: Node sends two pieces in a slower way. */
const SHORT_BYTES = 12_000;

/** Names in lower case that Node takes for names; those that the gateway sets are few. */
const names = new LRUCache<string, string>({ max: 1000 });

/** Throws for an invalid name (RFC 9110 §5.1). */
function lowerCase(name: string): string {
  let key = names.get(name);
  if (key === undefined) {
    validateHeaderName(name);
    names.set(name, (key = name.toLowerCase()));
  }
  return key;
}

const lineOf = (name: string, value: string | number): string => `${name}: ${value}\r\n`;

/** Headers that are the same for many answers. */
export class CommonHeaders {
  /** Name and value in turn, as Node takes them. */
  readonly list: readonly string[];
  /** The same as the lines of an answer; undefined where one of `OF_NODE` is among them. */
  readonly lines: string | undefined;
  /** Headers by name in lower case. */
  readonly byName: ReadonlyMap<string, Header>;

  constructor(headers: readonly (readonly [name: string, value: string])[]) {
    this.list = headers.flat();
    this.lines = headers.some(([name]) => OF_NODE.has(name.toLowerCase()))
      ? undefined
      : headers.map(([name, value]) => lineOf(name, value)).join("");
    this.byName = new Map(headers.map((header) => [header[0].toLowerCase(), header]));
  }

  /** Puts them on an answer that has none yet. */
  set(response: ServerResponse): void {
    if (response instanceof ListedAnswer) response.common = this;
    else for (const [name, value] of this.byName.values()) response.setHeader(name, value as string);
  }
}

const NONE = new CommonHeaders([]);

/** What makes an answer smaller. It is asked when the body begins. */
export interface Compression {
  /** A longer body is compressed as a stream. */
  readonly mostBytes: number;
  /** Compresses a whole body and sets the headers that say so. Undefined where the answer stays as it is. */
  whole(answer: ListedAnswer, body: Buffer): Buffer | undefined;
  /** Compresses what is written from now on. */
  stream(answer: ListedAnswer): void;
}

/**
 * Node's own answer puts each header into a dictionary by its name in lower case, which for some twenty of them takes a tenth
 * of what the gateway does for a small request. For `createServer`'s option `ServerResponse`.
 */
export class ListedAnswer<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  common: CommonHeaders = NONE;
  /** Undefined where nothing is compressed, and from when the body begins. */
  compression: Compression | undefined;
  /** Others, by name in lower case; they count more than common ones. */
  readonly #own = new Map<string, Header>();
  /** Lines of headers that are checked already, and stand behind the status line. */
  #lines = "";

  override setHeader(name: string, value: Value): this {
    if (this.headersSent) return super.setHeader(name, value); // which refuses
    const key = lowerCase(name);
    if (typeof value === "string") validateHeaderValue(name, value);
    else for (const one of [value].flat()) validateHeaderValue(name, String(one));
    this.#own.set(key, [name, value]);
    return this;
  }

  override setHeaders(headers: Headers | ReadonlyMap<string, number | string | readonly string[]>): this {
    for (const [name, value] of headers) this.setHeader(name, value);
    return this;
  }

  override appendHeader(name: string, value: string | readonly string[]): this {
    const known = this.getHeader(name);
    const all = [...(known === undefined ? [] : [known].flat().map(String)), ...[value].flat()];
    return this.setHeader(name, all.length === 1 ? all[0]! : all);
  }

  override getHeader(name: string): number | string | string[] | undefined {
    const key = name.toLowerCase();
    const header = this.#own.get(key) ?? this.common.byName.get(key);
    return header?.[1] as number | string | string[] | undefined;
  }

  override hasHeader(name: string): boolean {
    return this.getHeader(name) !== undefined;
  }

  override getHeaderNames(): string[] {
    return [...this.#all.keys()];
  }

  override getHeaders(): OutgoingHttpHeaders {
    return Object.fromEntries([...this.#all].map(([key, [, value]]) => [key, value])) as OutgoingHttpHeaders;
  }

  override removeHeader(name: string): void {
    if (this.headersSent) return super.removeHeader(name); // which refuses
    const key = name.toLowerCase();
    if (this.common.byName.has(key))
      this.common = new CommonHeaders(
        [...this.common.byName.values()].filter((header) => header[0].toLowerCase() !== key) as [string, string][],
      );
    this.#own.delete(key);
    super.removeHeader(name); // headers that Node sets itself, such as `Date`, are left out
  }

  override writeHead(status: number, ...more: readonly unknown[]): this {
    const compression = this.#takeCompression();
    if (compression) {
      compression.stream(this);
      return this.writeHead(status, ...(more as []));
    }
    const reason = typeof more[0] === "string" ? more[0] : undefined;
    const given = (reason === undefined ? (more[0] ?? more[1]) : more[1]) as
      | OutgoingHttpHeaders
      | unknown[]
      | undefined;
    if (given) this.#take(given);
    const list = this.#list();
    return reason === undefined ? super.writeHead(status, list) : super.writeHead(status, reason, list);
  }

  /** Called by Node's `writeHead`. */
  _storeHeader(statusLine: string, headers: unknown): void {
    storeHead.call(this as unknown as Inside, statusLine + this.#lines, headers);
  }

  override write(...given: readonly unknown[]): boolean {
    const compression = this.#takeCompression();
    if (!compression) return super.write(...(given as [unknown, BufferEncoding]));
    compression.stream(this);
    return this.write(...given); // which is that of the stream now
  }

  override end(...given: readonly unknown[]): this {
    const compression = this.#takeCompression();
    const [body, encoding, ...more] = given;
    if (!compression || !(typeof body === "string" || Buffer.isBuffer(body))) return this.#end(given);
    if (body.length > compression.mostBytes) {
      compression.stream(this);
      return this.end(...given);
    }
    const isNamed = typeof encoding === "string";
    const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body, isNamed ? (encoding as BufferEncoding) : "utf8");
    const smaller = compression.whole(this, bytes);
    return this.#end(smaller ? [smaller, ...(isNamed ? more : given.slice(1))] : given);
  }

  #takeCompression(): Compression | undefined {
    const { compression } = this;
    this.compression = undefined;
    return compression;
  }

  #end(given: readonly unknown[]): this {
    const [body, ...more] = given;
    const isShort = Buffer.isBuffer(body) && body.length <= SHORT_BYTES && !this.headersSent;
    const after = isShort ? more.find((each) => typeof each === "function") : undefined;
    const all = isShort ? [body.toString("latin1"), "latin1", ...(after ? [after] : [])] : given;
    return super.end(...(all as [unknown, BufferEncoding]));
  }

  /** Takes headers in the forms of `writeHead`: an object, or names and values in turn. */
  #take(given: OutgoingHttpHeaders | unknown[]): void {
    if (!Array.isArray(given)) {
      for (const [name, value] of Object.entries(given)) if (value !== undefined) this.setHeader(name, value);
      return;
    }
    const all = given.flat() as string[];
    for (let at = 0; at < all.length; at += 2) this.removeHeader(all[at]!);
    for (let at = 0; at < all.length; at += 2) this.appendHeader(all[at]!, all[at + 1]!);
  }

  get #all(): ReadonlyMap<string, Header> {
    return new Map([...this.common.byName, ...this.#own]);
  }

  /** What Node is to write and to look at; `#lines` has the others. */
  #list(): string[] {
    let { lines } = this.common;
    const { byName } = this.common;
    this.#lines = "";
    if (lines === undefined || [...this.#own.keys()].some((key) => byName.has(key)))
      return [...this.#all.values()].flat() as string[];
    const list: string[] = [];
    for (const [key, [name, value]] of this.#own)
      if (list.length > 0 || typeof value === "object" || OF_NODE.has(key)) list.push(name, value as string);
      else lines += lineOf(name, value);
    this.#lines = lines;
    return list;
  }
}

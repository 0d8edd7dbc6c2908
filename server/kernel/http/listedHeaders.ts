/** An answer that keeps its headers as a list, in which those that all answers have stand already. */
import {
  type IncomingMessage,
  ServerResponse,
  validateHeaderName,
  validateHeaderValue,
  type OutgoingHttpHeaders,
} from "node:http";

type Value = number | string | readonly string[];
type Header = readonly [name: string, value: Value];

/** Headers that are the same for many answers. */
export class CommonHeaders {
  /** Name and value in turn, as Node takes them. */
  readonly list: readonly string[];
  /** Headers by name in lower case. */
  readonly byName: ReadonlyMap<string, Header>;

  constructor(headers: readonly (readonly [name: string, value: string])[]) {
    this.list = headers.flat();
    this.byName = new Map(headers.map((header) => [header[0].toLowerCase(), header]));
  }

  /** Puts them on an answer that has none yet. */
  set(response: ServerResponse): void {
    if (response instanceof ListedAnswer) response.common = this;
    else for (const [name, value] of this.byName.values()) response.setHeader(name, value as string);
  }
}

const NONE = new CommonHeaders([]);

/**
 * Node's own answer puts each header into a dictionary by its name in lower case, which for some twenty of them takes a tenth
 * of what the gateway does for a small request. For `createServer`'s option `ServerResponse`.
 */
export class ListedAnswer<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  common: CommonHeaders = NONE;
  /** Others, by name in lower case; they count more than common ones. */
  readonly #own = new Map<string, Header>();

  override setHeader(name: string, value: Value): this {
    if (this.headersSent) return super.setHeader(name, value); // which refuses
    validateHeaderName(name);
    for (const one of Array.isArray(value) ? (value as readonly string[]) : [value])
      validateHeaderValue(name, String(one));
    this.#own.set(name.toLowerCase(), [name, value]);
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
    super.removeHeader(name); // what it sets by itself, such as `Date`, is left out
  }

  override writeHead(status: number, ...more: readonly unknown[]): this {
    const reason = typeof more[0] === "string" ? more[0] : undefined;
    const given = (reason === undefined ? (more[0] ?? more[1]) : more[1]) as
      | OutgoingHttpHeaders
      | unknown[]
      | undefined;
    if (given) this.#take(given);
    const list = this.#list();
    return reason === undefined ? super.writeHead(status, list) : super.writeHead(status, reason, list);
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

  #list(): string[] {
    const { byName, list } = this.common;
    const isOther = [...this.#own.keys()].some((key) => byName.has(key));
    const all = isOther ? [...this.#all.values()].flat() : [...list];
    if (!isOther) for (const header of this.#own.values()) all.push(header[0], header[1] as string);
    return all as string[];
  }
}

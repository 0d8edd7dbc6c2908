/**
 * Headers that are the same on every answer. They go out as one text behind the status line: to set, check and write each of
 * them for each answer takes a tenth of what a small request takes.
 */
import { ServerResponse, type IncomingMessage } from "node:http";

type Header = readonly [name: string, value: string];

export class ConstantHeaders {
  readonly #headers: readonly Header[];
  /** By which of them the answer has set itself. */
  readonly #lines = new Map<string, string>();

  constructor(headers: readonly Header[]) {
    this.#headers = headers;
  }

  /** Whatever the answer sets by itself counts instead. To be called before it sets any. */
  setOn(response: ServerResponse): void {
    if (response instanceof Answer) response.constantHeaders = this;
    else for (const [name, value] of this.#headers) response.setHeader(name, value);
  }

  /** Those that the answer has not set itself, as HTTP/1.1 has them. */
  linesFor(response: ServerResponse): string {
    let own = "";
    for (const [name] of this.#headers) own += response.hasHeader(name) ? "1" : "0";
    let lines = this.#lines.get(own);
    if (lines === undefined) {
      const others = this.#headers.filter((_, index) => own[index] === "0");
      lines = others.map(([name, value]) => `${name}: ${value}\r\n`).join("");
      this.#lines.set(own, lines);
    }
    return lines;
  }
}

/** What Node calls to write the head of an answer. */
interface Inside {
  _storeHeader(statusLine: string, headers: unknown): void;
}
const { _storeHeader: storeHeader } = ServerResponse.prototype as unknown as Inside;

/** The answers of our own server; one that is a part of another application has those of that. */
export class Answer<Request extends IncomingMessage = IncomingMessage>
  extends ServerResponse<Request>
  implements Inside
{
  constantHeaders: ConstantHeaders | undefined;

  _storeHeader(statusLine: string, headers: unknown): void {
    const lines = this.constantHeaders?.linesFor(this) ?? "";
    storeHeader.call(this as unknown as Inside, statusLine + lines, headers);
  }
}

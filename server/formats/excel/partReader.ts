/** Reads XML of a workbook as it comes, without a tree: a sheet has millions of elements. */
import { SaxesParser } from "saxes";
import { badInput } from "../../ground/errors.ts";
import { LONGEST_ROW } from "../source.ts";
import { decoded } from "../text.ts";

/** Names have no prefix. */
export interface PartTaker {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  /** `name`: of the element around it. */
  text?(name: string, text: string): void;
  close?(name: string): void;
}

const MOST_DEPTH = 100;

export class PartReader {
  readonly #parser = new SaxesParser();
  readonly #path: string;
  /** Characters since the last end of an element. */
  #characters = 0;

  /** `path`: for messages. */
  constructor(path: string, taker: PartTaker) {
    this.#path = path;
    const parser = this.#parser;
    const names: string[] = [];
    parser.on("error", ({ message }) => this.#fail(message));
    parser.on("doctype", () => this.#fail("it has a document type, which is refused"));
    parser.on("opentag", ({ name, attributes }) => {
      const own = withoutPrefix(name);
      if (names.push(own) > MOST_DEPTH) this.#fail(`it is nested deeper than ${MOST_DEPTH} elements`);
      taker.open?.(own, attributes);
    });
    const text = (value: string): void => {
      if (names.length > 0) taker.text?.(names.at(-1)!, value);
    };
    parser.on("text", text);
    parser.on("cdata", text);
    parser.on("closetag", () => {
      this.#characters = 0;
      taker.close?.(names.pop()!);
    });
  }

  /** Yields after each piece. */
  async *read(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<void> {
    for await (const text of decoded(bytes, "utf-8")) {
      this.#characters += text.length;
      this.#parser.write(text);
      if (this.#characters > LONGEST_ROW + text.length)
        this.#fail(`an element is longer than ${LONGEST_ROW} characters`);
      yield;
    }
    this.#parser.close();
  }

  #fail(problem: string): never {
    return badInput(`the workbook is damaged: ${this.#path}: ${problem}`);
  }
}

function withoutPrefix(name: string): string {
  const at = name.indexOf(":");
  return at < 0 ? name : name.slice(at + 1);
}

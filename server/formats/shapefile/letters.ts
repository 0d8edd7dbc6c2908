/** The encoding of a .dbf file: its .cpg file says it, or a byte of its head. */
import { withoutAtEnd } from "../../types/texts.ts";
import { badInput } from "../../ground/errors.ts";
import { checkEncoding } from "../text.ts";

/** A number in the head of a .dbf file; 0: it does not say its encoding. */
export type LanguageId = number;

/** Numbers of code pages that the WHATWG's list of encodings has by another name. */
const CODE_PAGES: Readonly<Record<string, string>> = {
  65001: "utf-8",
  866: "ibm866",
  874: "windows-874",
  932: "shift_jis",
  936: "gbk",
  949: "euc-kr",
  950: "big5",
  10000: "macintosh",
  20866: "koi8-r",
};

/** Code pages by the language that the head of a .dbf file names. */
const LANGUAGES: Readonly<Record<LanguageId, string>> = {
  0x01: "437",
  0x02: "850",
  0x03: "1252",
  0x13: "932",
  0x26: "866",
  0x4d: "936",
  0x4e: "949",
  0x4f: "950",
  0x50: "874",
  0x57: "1252",
  0x58: "1252",
  0x59: "1252",
  0x64: "852",
  0x65: "866",
  0x78: "950",
  0x79: "949",
  0x7a: "936",
  0x7b: "932",
  0x7c: "874",
  0xc8: "1250",
  0xc9: "1251",
  0xca: "1254",
  0xcb: "1253",
};

const SAY = "set encoding, such as windows-1252";

export class LetterReader {
  readonly #label: string;
  /** Undefined for an unknown encoding, of which only ASCII can be read. */
  readonly #decoder: TextDecoder | undefined;

  private constructor(label: string, decoder: TextDecoder | undefined) {
    this.#label = label;
    this.#decoder = decoder;
  }

  /** The caller's encoding (`given`) goes first, then `cpg`, then `language`; else UTF-8. */
  static of(given: string | undefined, cpg: string | undefined, language: LanguageId): LetterReader {
    if (given !== undefined) {
      checkEncoding(given);
      return new LetterReader(given, new TextDecoder(given, { fatal: true }));
    }
    const label = nameOf(cpg ?? "") ?? nameOf(LANGUAGES[language] ?? "") ?? "utf-8";
    try {
      return new LetterReader(label, new TextDecoder(label, { fatal: true }));
    } catch {
      return new LetterReader(label, undefined);
    }
  }

  /** The name of a column, which may be cut in the middle of a letter. */
  name(bytes: Buffer): string {
    const own = untilZero(bytes);
    if (isAscii(own)) return own.toString("latin1").trim();
    if (!this.#decoder)
      return badInput(`the names in the .dbf file are in ${this.#label}, which is not supported: ${SAY}`);
    return withoutAtEnd(new TextDecoder(this.#decoder.encoding).decode(own), "\ufffd").trim();
  }

  /** A value; null: there is none. */
  read(bytes: Buffer, column: string): string | null {
    const own = untilZero(bytes);
    const text = isAscii(own) ? own.toString("latin1") : this.#decode(own, column);
    const trimmed = text.trimEnd();
    return trimmed === "" ? null : trimmed;
  }

  #decode(bytes: Buffer, column: string): string {
    if (!this.#decoder) return badInput(`${column}: is in ${this.#label}, which is not supported: ${SAY}`);
    try {
      return this.#decoder.decode(trimmed(bytes));
    } catch {
      return badInput(`${column}: is not ${this.#label}; if the file has another encoding, ${SAY}`);
    }
  }
}

/** The name of an encoding as .cpg files write it; undefined where nothing is said. */
function nameOf(cpg: string): string | undefined {
  const text = cpg.trim().toLowerCase();
  if (text === "" || text === "system") return undefined;
  const iso = /^(?:iso[-_ ]?)?8859[-_ ]?(\d{1,2})$/.exec(text)?.[1];
  if (iso !== undefined) return `iso-8859-${iso}`;
  const page = /^(?:(?:windows|cp|ansi|oem|ms|ibm)[-_ ]?)?(\d+)$/.exec(text)?.[1];
  if (page === undefined) return text;
  return CODE_PAGES[page] ?? (/^125\d$/.test(page) ? `windows-${page}` : `code page ${page}`);
}

function untilZero(bytes: Buffer): Buffer {
  const end = bytes.indexOf(0);
  return end < 0 ? bytes : bytes.subarray(0, end);
}

/** Without spaces at the end. */
function trimmed(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0x20) end--;
  return bytes.subarray(0, end);
}

function isAscii(bytes: Buffer): boolean {
  return bytes.every((byte) => byte < 0x80);
}

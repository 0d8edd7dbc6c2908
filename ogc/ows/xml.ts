/** XML by templates: every value is escaped, unless it is XML already. */
import type { ByteRow, Bytes } from "../../server/kernel/database/database.ts";
import { escapeXml, PLAIN_XML } from "../../server/types/xml.ts";

export class Xml {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Bytes that stay as they are: the characters of `PLAIN_XML`. */
const PLAIN_BYTES = Uint8Array.from({ length: 256 }, (_, byte) => (PLAIN_XML.test(String.fromCharCode(byte)) ? 1 : 0));

/** Writes the text of a column, escaped; nothing for NULL. */
export function putXml(row: ByteRow, index: number, out: Bytes): void {
  const start = out.length;
  out.copy(row, index);
  const { buffer, length } = out;
  for (let at = start; at < length; at++)
    if (PLAIN_BYTES[buffer[at]!] === 0) {
      out.length = start;
      return out.put(escapeXml(row.text(index)!));
    }
}

/**
 * `xml\`<Name>${name}</Name>\``: texts and numbers are escaped, lists are joined, `Xml` stays, undefined and false
 * become nothing.
 */
export function xml(parts: TemplateStringsArray, ...values: readonly unknown[]): Xml {
  return new Xml(parts.reduce((text, part, index) => text + render(values[index - 1]) + part));
}

function render(value: unknown): string {
  if (value === undefined || value === null || value === false) return "";
  if (value instanceof Xml) return value.text;
  if (Array.isArray(value)) return value.map(render).join("");
  return escapeXml(String(value));
}

/** A whole document. */
export function xmlDocument({ text }: Xml): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${text}\n`;
}

/** Bytes of a file as text, and the line of a fault. */
import { badInput } from "../ground/errors.ts";

/** Throws `BAD_USER_INPUT` for an unknown encoding. */
export function checkEncoding(encoding: string): void {
  try {
    new TextDecoder(encoding);
  } catch {
    badInput(
      `encoding: ${JSON.stringify(encoding.slice(0, 100))} is unknown: use utf-8, windows-1252 or another label of the WHATWG`,
    );
  }
}

/**
 * The text of `bytes`, piece by piece, without its byte order mark. Throws `BAD_USER_INPUT` with the line where bytes do not
 * fit the encoding (labels of the WHATWG), and for a character that PostgreSQL's text cannot hold.
 */
export async function* decoded(bytes: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  let lines = 1;
  const decode = (chunk?: Uint8Array): string => {
    try {
      return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
    } catch {
      const line = lines + linesBefore(chunk ?? new Uint8Array(), encoding);
      return badInput(
        `line ${line}: is not ${encoding}${encoding === "utf-8" ? "; if the file has another encoding, set encoding, such as windows-1252" : ""}`,
      );
    }
  };
  for await (const chunk of bytes) {
    const text = decode(chunk);
    const zero = text.indexOf("\0");
    if (zero >= 0)
      badInput(`line ${lines + countLines(text.slice(0, zero))}: has a character of code 0: is it a text file?`);
    lines += countLines(text);
    if (text !== "") yield text;
  }
  const rest = decode();
  if (rest !== "") yield rest;
}

/** Lines before the first fault. A character that began in the chunk before is no fault. */
function linesBefore(chunk: Uint8Array, encoding: string): number {
  const start = chunk.findIndex((byte) => (byte & 0xc0) !== 0x80);
  const text = new TextDecoder(encoding).decode(chunk.subarray(start >= 0 && start < 4 ? start : 0));
  const fault = text.indexOf("\ufffd");
  return countLines(fault < 0 ? text : text.slice(0, fault));
}

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

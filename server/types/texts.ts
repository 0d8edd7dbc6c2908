/** Small parts of reading texts. Each takes time in proportion to the length of the text. */

/** A decimal number: digits with or without a point, and an exponent. */
export const DECIMAL_TEXT = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i;

/** The text without this character at its end. */
export function withoutAtEnd(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end--;
  return text.slice(0, end);
}

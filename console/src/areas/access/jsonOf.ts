/** The value of a field for JSON; empty for an empty object. Throws `refusal` if the text is not JSON. */
export function jsonOf<T extends object>(text: string, refusal: string): T {
  try {
    return JSON.parse(text.trim() === "" ? "{}" : text) as T;
  } catch {
    throw new Error(refusal);
  }
}

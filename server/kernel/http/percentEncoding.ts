/** All but the unreserved characters percent-encoded (RFC 3986 §2.3). */
export function encodeReserved(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

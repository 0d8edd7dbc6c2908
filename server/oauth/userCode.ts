/** The short code that a device shows (RFC 8628 §6.1). */

/** Consonants that are not mistaken for another, and that form no words: 8 of them are 34 bits. */
export const USER_CODE_ALPHABET = "BCDFGHJKLMNPQRSTVWXZ";
export const USER_CODE_LENGTH = 8;

/** In the form for people: `BCDF-GHJK`. */
export function showUserCode(code: string): string {
  return `${code.slice(0, USER_CODE_LENGTH / 2)}-${code.slice(USER_CODE_LENGTH / 2)}`;
}

/** The stored form of a typed code. */
export function readUserCode(typed: string): string {
  return typed.toUpperCase().replaceAll(/[^A-Z0-9]/g, "");
}

/** Ten codes that stand in for a lost factor, each once. */
import { randomInt } from "node:crypto";
import { hashOf } from "../../kernel/identity/hash.ts";

const CODES = 10;
/** No letters that are taken for one another; 31 of them, so that 16 are 79 bits. */
const ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";
const LENGTH = 16;

export interface RecoveryCodes {
  /** The codes in the form that a person keeps: `abcd-efgh-jkmn-pqrs`. */
  readonly codes: readonly string[];
  readonly hashes: readonly string[];
}

export function makeRecoveryCodes(): RecoveryCodes {
  const codes = Array.from({ length: CODES }, () =>
    Array.from({ length: LENGTH }, (_, n) => (n > 0 && n % 4 === 0 ? "-" : "") + ALPHABET.charAt(randomInt(31))).join(
      "",
    ),
  );
  return { codes, hashes: codes.map(hashOfCode) };
}

/** The hash of a typed code. Capitals, spaces and hyphens do not matter. */
export function hashOfCode(code: string): string {
  return hashOf(code.toLowerCase().replace(/[\s-]/g, ""));
}

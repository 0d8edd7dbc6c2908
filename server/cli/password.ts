/** Passwords of accounts, as commands take them. */
import { readFileSync } from "node:fs";

/** The hash to keep, and the password to print where `given` is undefined. `-` reads it from standard input. */
export async function readPassword(given: string | undefined): Promise<{ hash: string; generated?: string }> {
  const { generatePassword, hashPassword, isPasswordHash } = await import("../kernel/identity/passwords.ts");
  if (given === undefined) {
    const generated = generatePassword();
    return { hash: await hashPassword(generated), generated };
  }
  const password = given === "-" ? readFileSync(0, "utf8").replace(/\r?\n$/, "") : given;
  return { hash: isPasswordHash(password) ? password : await hashPassword(password) };
}

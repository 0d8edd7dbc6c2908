/** Password hashes: argon2id, off the event loop, a few at a time. */
import { randomInt, scrypt, timingSafeEqual } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism, constants, setPriority } from "node:os";
import argon2 from "argon2";
import { compareBcrypt } from "./bcrypt.ts";
import { GatewayError } from "../../ground/errors.ts";

const OPTIONS = { type: argon2.argon2id, memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 } as const;

/** Of no password. It is compared where an account has no such hash: to make one, with a salt of its own, takes another turn of the threads. */
const NOBODYS_HASH = `$argon2id$v=19$m=${OPTIONS.memoryCost},t=${OPTIONS.timeCost},p=${OPTIONS.parallelism}$${"A".repeat(22)}$${"A".repeat(43)}`;

/** One core at least stays free for everything else, and two of Node's four worker threads for files and names. */
const MAX_RUNNING = Math.max(1, Math.min(2, availableParallelism() - 1));
const MAX_WAITING = 200;

let running = 0;
const waiting: (() => void)[] = [];

/**
 * Runs `work`, which hashes, in its turn. Few run at a time, so that other requests are not slowed down. Throws
 * `UNAVAILABLE` when too many wait already.
 */
export async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= MAX_RUNNING) {
    if (waiting.length >= MAX_WAITING) throw new GatewayError("UNAVAILABLE", "Too many people sign in at the moment");
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else running++;
  try {
    letRequestsGoFirst();
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

let asked = false;

/**
 * Lowers the priority of Node's worker threads once, where the system tells threads apart (Linux, Node ≥ 24): requests
 * that are answered while people sign in then wait half as long. Elsewhere nothing happens.
 */
function letRequestsGoFirst(): void {
  if (asked) return;
  asked = true;
  try {
    for (const thread of readdirSync("/proc/self/task"))
      if (readFileSync(`/proc/self/task/${thread}/comm`, "utf8").trim() === "libuv-worker")
        setPriority(Number(thread), constants.priority.PRIORITY_LOW);
  } catch {
    // another system, or not allowed
  }
}

/** The argon2id hash of a password (19 MiB, t=2, p=1: OWASP's first choice). Throws `UNAVAILABLE`. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => argon2.hash(password, OPTIONS));
}

/**
 * Whether a password matches the hash; false without a hash. Call it within `inTurn`. It takes the same time for every
 * kind of hash and for none, so that the time reveals nothing: longer work continues in `later`.
 */
export async function compareInTurn(
  password: string,
  hash: string | null,
): Promise<{ readonly later: Promise<boolean> }> {
  if (hash?.startsWith("$argon2")) {
    const right = await argon2.verify(hash, password).catch(() => false); // a hash that cannot be read is nobody's
    return { later: Promise.resolve(right) };
  }
  const later = compareOldKind(password, hash ?? "");
  await argon2.verify(NOBODYS_HASH, password);
  return { later };
}

async function compareOldKind(password: string, hash: string): Promise<boolean> {
  if (/^\$2[abxy]?\$/.test(hash)) return compareBcrypt(password, hash);
  if (hash.startsWith("$scrypt$")) return compareScrypt(password, hash).catch(() => false);
  return false;
}

/** Whether a hash is of the kind that `hashPassword` makes. */
export function isCurrentHash(hash: string): boolean {
  return hash.startsWith("$argon2id$");
}

/** `$scrypt$ln=16,r=8,p=1$salt$hash`, base64 without padding (PHC string format). */
function compareScrypt(password: string, hash: string): Promise<boolean> {
  const [, ln, r, p, salt = "", key = ""] =
    /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,3}),p=(\d{1,3})\$([^$]+)\$([^$]+)$/.exec(hash) ?? [];
  if (ln === undefined) return Promise.resolve(false);
  const expected = fromBase64(key);
  const options = { N: 2 ** Number(ln), r: Number(r), p: Number(p), maxmem: 1024 ** 3 };
  return new Promise((resolve, reject) => {
    scrypt(password, fromBase64(salt), expected.length, options, (error, derived) => {
      if (error) reject(error);
      else resolve(timingSafeEqual(derived, expected));
    });
  });
}

/** Passlib writes `.` for `+`. */
function fromBase64(text: string): Buffer {
  return Buffer.from(text.replaceAll(".", "+"), "base64");
}

/** No letters that are taken for one another. */
const ALPHABET = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";

/** A password of 20 letters and digits, some 116 bits. */
export function generatePassword(): string {
  return Array.from({ length: 20 }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join("");
}

const HASHES = [
  /^\$argon2(id|i|d)\$v=\d+\$[mtp]=\d+,[mtp]=\d+,[mtp]=\d+\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+$/,
  /^\$2[abxy]?\$\d\d\$[A-Za-z0-9./]{53}$/,
  /^\$scrypt\$ln=\d+,r=\d+,p=\d+\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+$/,
];

/** Whether a text is a whole hash of a password, as `portolan.hash_password` takes it, and not a password. */
export function isPasswordHash(text: string): boolean {
  return HASHES.some((hash) => hash.test(text));
}

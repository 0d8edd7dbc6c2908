/** Seals messages between the gateways of one database, so that no other client of NATS can write them. */
import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from "node:crypto";

/** Half of 32 bytes: more than anybody can guess within the second for which a message is valid. */
const SEAL_BYTES = 16;
const SEAL_LENGTH = 22;

export class Seal {
  /** Not as bytes, because Node would make a key of them for each message, which takes five times as long. */
  readonly #key: KeyObject;

  /** `secret`: known to the gateways of the database only. */
  constructor(secret: string) {
    const key = createHmac("sha256", secret).update("messages between gateways").digest();
    this.#key = createSecretKey(key);
  }

  /** `subject` is sealed too, so that a message is valid only where it was meant. */
  close(subject: string, content: object): string {
    const text = JSON.stringify(content);
    return this.#mark(subject, text).toString("base64url") + text;
  }

  /** Undefined for a message that no gateway of the database has sealed. */
  open<Content>(subject: string, sealed: string): Content | undefined {
    const text = sealed.slice(SEAL_LENGTH);
    const mark = Buffer.from(sealed.slice(0, SEAL_LENGTH), "base64url");
    if (mark.length !== SEAL_BYTES || !timingSafeEqual(mark, this.#mark(subject, text))) return undefined;
    return JSON.parse(text) as Content;
  }

  #mark(subject: string, text: string): Buffer {
    return createHmac("sha256", this.#key).update(`${subject}\n${text}`).digest().subarray(0, SEAL_BYTES);
  }
}

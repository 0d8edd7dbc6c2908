/** The login of a socket: its token, and what happens when that ends. */
import type { Identity } from "../kernel/database/database.ts";
import { accountKeyOf, type Verified } from "../kernel/identity/identity.ts";

/** `setTimeout` takes no more. */
const LONGEST_TIMEOUT_MS = 2_147_483_647;

export class Login {
  /** Called when the token has come to its end. */
  onExpired: () => void;
  /** Called when the account is another one, or has changed. The login has it already. */
  onIdentity: () => void = () => undefined;
  #token: string | undefined;
  #verified: Pick<Verified, "identity" | "expiresAtMs"> | undefined;
  #expiry: NodeJS.Timeout | undefined;

  constructor(onExpired: () => void) {
    this.onExpired = onExpired;
  }

  get identity(): Identity | undefined {
    return this.#verified?.identity;
  }

  get token(): string | undefined {
    return this.#token;
  }

  /** The identity of the socket from now on, until the token ends. */
  authenticate(token: string, verified: Pick<Verified, "identity" | "expiresAtMs">): void {
    const before = this.#verified?.identity;
    this.#token = token;
    this.#verified = verified;
    clearTimeout(this.#expiry);
    this.#expireAt(verified.expiresAtMs);
    if (before && accountKeyOf(before) !== accountKeyOf(verified.identity)) this.onIdentity();
  }

  #expireAt(atMs: number): void {
    const left = atMs - Date.now();
    this.#expiry = setTimeout(
      () => (left > LONGEST_TIMEOUT_MS ? this.#expireAt(atMs) : this.onExpired()),
      Math.max(0, Math.min(left, LONGEST_TIMEOUT_MS)),
    ).unref();
  }

  /** The socket is gone. */
  stop(): void {
    clearTimeout(this.#expiry);
  }
}

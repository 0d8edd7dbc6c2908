/** Requests that hold a connection for as long as their client sends or reads: few at once. */
import { GatewayError } from "../../ground/errors.ts";
import type { Caller } from "./resource.ts";

export interface Few {
  /** In one process. */
  readonly most: number;
  /** Requests of one account, so that a slow client does not keep all others out. */
  readonly mostOfAccount: number;
  /** The messages: about the account's own requests, and about all. */
  readonly messages: { readonly account: string; readonly others: string };
}

export class FewAtOnce {
  readonly #few: Few;
  /** The accounts with running requests, each with its database. */
  readonly #running: string[] = [];

  constructor(few: Few) {
    this.#few = few;
  }

  /** Throws `RATE_LIMITED` where too many go on already, of the account or of all. */
  async run<T>({ database, identity }: Pick<Caller, "database" | "identity">, work: () => Promise<T>): Promise<T> {
    const { most, mostOfAccount, messages } = this.#few;
    const account = `${database.name} ${identity.name}`;
    if (this.#running.filter((each) => each === account).length >= mostOfAccount) refuse(messages.account);
    if (this.#running.length >= most) refuse(messages.others);
    this.#running.push(account);
    try {
      return await work();
    } finally {
      this.#running.splice(this.#running.indexOf(account), 1);
    }
  }
}

function refuse(reason: string): never {
  throw new GatewayError("RATE_LIMITED", `${reason}: try again later`, { headers: { "Retry-After": "10" } });
}

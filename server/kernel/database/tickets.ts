/** Registration of connections that MapServer makes as an account: it tells no number beforehand, so each has a ticket. */
import { randomUUID } from "node:crypto";
import type { IDatabase } from "pg-promise";
import { claimsText, type Identity, type RequestContext } from "./begin.ts";
import type { Setting } from "./settings.ts";
import { mostRecent } from "../../ground/mostRecent.ts";

/** A registration counts for an hour. It is renewed much earlier, since a crash of the server empties the table. */
const RENEW_MS = 60_000;

interface Ticket {
  readonly text: string;
  /** The time of registration by `performance.now()`. */
  registeredMs: number;
}

interface TicketFor {
  /** The role that logs in. */
  readonly login: string;
  readonly identity: Identity;
  readonly context: RequestContext;
}

export class Tickets {
  readonly #db: IDatabase<object>;
  /** Tickets by the registered text. */
  readonly #tickets = mostRecent<string, Ticket>(5000);

  constructor(db: IDatabase<object>) {
    this.#db = db;
  }

  /** The setting of a connection of this login. */
  async setting({ login, identity, context }: TicketFor): Promise<Setting> {
    const { name } = identity;
    const { service, address = "" } = context;
    const claims = claimsText(identity);
    const key = JSON.stringify([login, name, service, address, claims]);
    const ticket = this.#tickets.get(key) ?? { text: randomUUID(), registeredMs: -Infinity };
    const nowMs = performance.now();
    if (nowMs - ticket.registeredMs > RENEW_MS) {
      const ip = address === "" ? null : address;
      await this.#db.func("portolan.bind_map_session", [ticket.text, login, ip, name, service, claims]);
      ticket.registeredMs = nowMs;
      this.#tickets.set(key, ticket);
    }
    return ["portolan.ticket", ticket.text];
  }
}

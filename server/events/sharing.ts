/** Shares the work on events with the other gateways of a database. */
import { setTimeout as delay } from "node:timers/promises";
import type { Nats } from "../fleet/nats.ts";
import type { Log } from "../ground/log.ts";
import type { Database } from "../kernel/database/database.ts";
import { Fleet } from "./fleet.ts";
import type { Groups } from "./groups.ts";
import type { EventMetrics } from "./metrics.ts";
import { PositionStream } from "./positionStream.ts";
import type { EventReader } from "./reader.ts";
import { Seal } from "./seal.ts";

const AGAIN_MS = 1000;
/** A name and a secret that all gateways of a database share, and no others. */
const WHICH_DATABASE = `
select
  format('%s_%s', (select c.system_identifier from pg_control_system() c), d.oid) as name,
  portolan.secrets() ->> 'own_sql_secret' as secret
from pg_database d
where d.datname = current_database()`;

export interface SharingOptions {
  readonly database: Database;
  readonly nats: Nats;
  readonly log: Log;
  readonly metrics: EventMetrics;
  readonly groups: Groups;
  readonly reader: EventReader;
  /** Fires at the end. */
  readonly signal: AbortSignal;
}

export class Sharing {
  readonly #options: SharingOptions;
  readonly #beginning: Promise<void>;
  #fleet: Fleet | undefined;
  #stream: PositionStream | undefined;

  /** Begins as soon as the database has told its name. */
  constructor(options: SharingOptions) {
    this.#options = options;
    this.#beginning = this.#begin();
  }

  /** Never rejects. */
  async #begin(): Promise<void> {
    const { database, nats, log, metrics, groups, reader, signal } = this.#options;
    while (!signal.aborted)
      try {
        const { name, secret } = await database.db.one<{ name: string; secret: string }>(WHICH_DATABASE);
        if (signal.aborted) return;
        const seal = new Seal(secret);
        this.#fleet = new Fleet(nats, seal, name);
        groups.share(this.#fleet);
        this.#stream = new PositionStream({
          nats,
          seal,
          database: name,
          id: this.#fleet.id,
          log,
          metrics,
          databaseName: database.name,
          take: (epoch, headers) => reader.take(epoch, headers),
          changed: () => reader.streamChanged(),
        });
        return reader.follow(this.#stream);
      } catch (error) {
        log.warn({ err: error, database: database.name }, "events are not shared with other gateways yet");
        await delay(AGAIN_MS, undefined, { signal, ref: false }).catch(() => undefined); // closing
      }
  }

  /** After `signal`. */
  async close(): Promise<void> {
    this.#stream?.close();
    this.#fleet?.close();
    await this.#beginning;
  }
}

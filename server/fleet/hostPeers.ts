/**
 * The counts that the hosts of a fleet exchange over NATS: every second, and at once where a tenth of a limit might be used
 * up in between. While NATS is down, each host uses its own counts.
 */
import { createHash, randomBytes } from "node:crypto";
import type { Nats } from "./nats.ts";
import type { RequestCounts } from "./requestCounts.ts";

const SECOND = 1000;
const MINUTE_MS = 60 * SECOND;
const TELL_MS = 1 * SECOND;
/** The places of a host without a message for this long are free. */
const DEAD_MS = 3 * SECOND;
/** The part of a limit that all hosts together may use before they tell each other. */
const UNTOLD = 0.1;
/** Keys in one message, about 300 kB where each has a count. */
const NAMES_AT_ONCE = 5000;
/** The largest count of one key in one message. */
const MOST_HITS = 1_000_000;

interface Message {
  readonly host: string;
  /** Requests since the last message, by key. */
  readonly hits?: Readonly<Record<string, number>>;
  /** The milliseconds until the minute of each of these keys ends on that host. */
  readonly ends?: Readonly<Record<string, number>>;
  /** Places in use now, by key. */
  readonly places?: Readonly<Record<string, number>>;
}

interface Peer {
  seenMs: number;
  readonly places: Map<string, number>;
}

export class HostPeers {
  readonly #nats: Nats;
  readonly #subject: string;
  readonly #counts: RequestCounts;
  readonly #id = randomBytes(9).toString("base64url");
  readonly #peers = new Map<string, Peer>();
  readonly #hits = new Map<string, number>();
  /** Places of this host. */
  readonly #places = new Map<string, number>();
  readonly #untold = new Map<string, number>();
  readonly #stopUsing: () => void;
  readonly #telling: NodeJS.Timeout;

  /**
   * `fleet`: the same for all its hosts, and for no other host; `counts`: of this host, to which those of others are added.
   */
  constructor(nats: Nats, fleet: string, counts: RequestCounts) {
    this.#nats = nats;
    this.#counts = counts;
    this.#subject = `portolan.hosts.${nameOf(fleet)}`;
    this.#telling = setInterval(() => this.#tell(), TELL_MS).unref();
    this.#stopUsing = nats.use((connection) => {
      connection.subscribe(this.#subject, {
        callback: (error, message) => {
          const told = error ? undefined : toMessage(message.string());
          if (told && told.host !== this.#id) this.#take(told);
        },
      });
      this.#tellAll();
      void connection.closed().then(() => {
        this.#peers.clear();
        this.#hits.clear();
      });
    });
  }

  /** The name of a key among hosts. It reveals no account and no address. */
  static nameOf(key: string): string {
    return nameOf(key);
  }

  /** This host has had a request of the key. */
  hit(key: string, limit: number): void {
    if (!this.#nats.connection) return;
    const hits = (this.#hits.get(key) ?? 0) + 1;
    this.#hits.set(key, hits);
    if (hits >= this.#step(limit)) this.#tell();
  }

  /** This many places of the key are in use on this host now. */
  place(key: string, taken: number, limit: number): void {
    const untold = (this.#untold.get(key) ?? 0) + Math.abs(taken - (this.#places.get(key) ?? 0));
    if (taken > 0) this.#places.set(key, taken);
    else this.#places.delete(key);
    this.#untold.set(key, untold);
    if (untold >= this.#step(limit)) this.#tell();
  }

  /** Places of the key in use on other hosts. */
  taken(key: string): number {
    let taken = 0;
    for (const peer of this.#living()) taken += peer.places.get(key) ?? 0;
    return taken;
  }

  close(): void {
    clearInterval(this.#telling);
    this.#stopUsing();
  }

  #step(limit: number): number {
    const hosts = [...this.#living()].length + 1;
    return Math.max(1, Math.floor((limit * UNTOLD) / hosts));
  }

  *#living(): Generator<Peer> {
    const now = performance.now();
    for (const [id, peer] of this.#peers)
      if (now - peer.seenMs < DEAD_MS) yield peer;
      else this.#peers.delete(id);
  }

  #take({ host, hits = {}, ends = {}, places = {} }: Message): void {
    let peer = this.#peers.get(host);
    if (!peer) {
      this.#peers.set(host, (peer = { seenMs: 0, places: new Map() }));
      this.#tellAll(); // the new host has no counts of this host
    }
    peer.seenMs = performance.now();
    for (const [key, count] of Object.entries(hits))
      this.#counts.add(key, Math.min(count, MOST_HITS), ends[key] ?? this.#counts.endsInMs(key) ?? MINUTE_MS);
    for (const [key, count] of Object.entries(places))
      if (count > 0) peer.places.set(key, count);
      else peer.places.delete(key);
  }

  #tell(): void {
    const places = [...this.#untold.keys()].map((key): [string, number] => [key, this.#places.get(key) ?? 0]);
    this.#untold.clear();
    this.#tellPlaces(places);
    for (const some of portions([...this.#hits])) {
      // counts of a minute that has ended need not be told any more
      const ends = some.flatMap(([key]) => {
        const endsInMs = this.#counts.endsInMs(key);
        return endsInMs === undefined ? [] : [[key, Math.ceil(endsInMs)]];
      });
      const going: Readonly<Record<string, number>> = Object.fromEntries(ends);
      this.#send({ hits: Object.fromEntries(some.filter(([key]) => key in going)), ends: going });
    }
    this.#hits.clear();
  }

  #tellAll(): void {
    this.#tellPlaces([...this.#places]);
  }

  /** Sent even without counts: a sign of life. */
  #tellPlaces(all: readonly Count[]): void {
    if (all.length === 0) this.#send({ places: {} });
    for (const some of portions(all)) this.#send({ places: Object.fromEntries(some) });
  }

  #send(message: Omit<Message, "host">): void {
    this.#nats.publish(this.#subject, JSON.stringify({ host: this.#id, ...message } satisfies Message));
  }
}

type Count = readonly [key: string, count: number];

function* portions(counts: readonly Count[]): Generator<readonly Count[]> {
  for (let start = 0; start < counts.length; start += NAMES_AT_ONCE) yield counts.slice(start, start + NAMES_AT_ONCE);
}

function nameOf(key: string): string {
  return createHash("sha256").update(key).digest("base64url").slice(0, 16);
}

/** Undefined for a text that is no message of a host. */
function toMessage(text: string): Message | undefined {
  try {
    const message = JSON.parse(text) as Message | null;
    const isCounts = (counts: unknown): boolean =>
      counts === undefined ||
      (typeof counts === "object" && counts !== null && Object.values(counts).every(Number.isSafeInteger));
    return typeof message?.host === "string" && [message.hits, message.ends, message.places].every(isCounts)
      ? message
      : undefined;
  } catch {
    return undefined;
  }
}

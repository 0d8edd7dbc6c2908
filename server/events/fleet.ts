/**
 * How the gateways of one database inform each other over NATS: which gateways are alive, the groups of each, and the
 * verdicts of the one that judges a group. A lost message costs a moment, but never an event.
 */
import { createHash, randomBytes } from "node:crypto";
import { performance } from "node:perf_hooks";
import type { NatsConnection } from "@nats-io/transport-node";
import type { Nats } from "../fleet/nats.ts";
import type { Seal } from "./seal.ts";

const SECOND = 1000;
const BEAT_MS = 1 * SECOND;
/** A gateway without a message for this long counts as gone. */
const DEAD_MS = 3 * SECOND;
/** A gateway that has waited this long for a verdict judges itself. */
const VERDICT_WAIT_MS = 200;
/** A verdict is valid this long. */
export const VERDICT_HOLDS_MS = 1 * SECOND;
/** A gateway judges for another's group after it has known of it this long; the other relies on it even later. */
const SHARED_AFTER_MS = { judging: 500, relying: 1000 };
const ANNOUNCE_MS = 50;
/** A gateway whose verdict was late is ignored for this time, which grows with each late verdict. */
const MISSED_MS = { first: 1 * SECOND, most: 30 * SECOND };
const MOST_BYTES = 512_000;
/** The most groups that gateways share. Beyond that each gateway judges for itself. */
const MOST_GROUPS = 20_000;

export interface Verdict {
  /** `place` of the judged page. */
  readonly place: string;
  /** The version of the table for the verdict. */
  readonly version: string;
  /** Numbers of the columns that may be selected. */
  readonly columns: readonly number[];
  readonly rows: number;
  /** One bit for each row, in base64url; `all` and `none` for short. */
  readonly visible: string;
}

interface Peer {
  seenMs: number;
  generation: number;
  /** When each of them became known. */
  groups: ReadonlyMap<string, number>;
  /** Ignored until then. */
  missedUntilMs: number;
  missMs: number;
}

interface OwnGroup {
  /** Names the judge: groups with the same value are judged by the same gateway, in one statement where possible. */
  readonly share: string;
  readonly sinceMs: number;
  readonly waiting: Map<string, (verdict: Verdict | undefined) => void>;
  readonly early: Map<string, { readonly verdict: Verdict; readonly atMs: number }>;
  unsubscribe: () => void;
}

type Message =
  | { readonly kind: "beat" | "bye" | "ask"; readonly id: string; readonly generation: number; readonly of?: string }
  | { readonly kind: "groups"; readonly id: string; readonly generation: number; readonly groups: readonly string[] };

/** The name of a group in messages, which does not reveal what the group is. */
export function hashOf(groupKey: string): string {
  return createHash("sha256").update(groupKey).digest("base64url").slice(0, 16);
}

export class Fleet {
  readonly id = randomBytes(9).toString("base64url");
  readonly #nats: Nats;
  readonly #seal: Seal;
  readonly #subject: string;
  readonly #peers = new Map<string, Peer>();
  readonly #groups = new Map<string, OwnGroup>();
  readonly #stopUsing: () => void;
  #stopHearing: () => void = () => undefined;
  readonly #beating: NodeJS.Timeout;
  #announcing: NodeJS.Timeout | undefined;
  #generation = 1;

  /** `database`: a name that no other database has. */
  constructor(nats: Nats, seal: Seal, database: string) {
    this.#nats = nats;
    this.#seal = seal;
    this.#subject = `portolan.${database}`;
    this.#beating = setInterval(() => this.#beat(), BEAT_MS).unref();
    this.#stopUsing = nats.use((connection) => this.#begin(connection));
  }

  /** How many other gateways are alive, as far as this one knows. */
  get others(): number {
    return this.#isConnected ? [...this.#living()].length : 0;
  }

  join(group: string, share: string): void {
    this.leave(group);
    const own: OwnGroup = {
      share,
      sinceMs: performance.now(),
      waiting: new Map(),
      early: new Map(),
      unsubscribe: () => undefined,
    };
    this.#groups.set(group, own);
    if (this.#nats.connection) this.#hear(this.#nats.connection, group, own);
    this.#announce();
  }

  leave(group: string): void {
    const own = this.#groups.get(group);
    if (!own) return;
    this.#groups.delete(group);
    own.unsubscribe();
    giveUp(own);
    this.#announce();
  }

  /** The id of the gateway that judges it, possibly this one. Undefined where no other gateway has the group. */
  judgeOf(group: string): string | undefined {
    const own = this.#groups.get(group);
    if (!own || !this.#isConnected) return undefined;
    const now = performance.now();
    let isShared = false;
    let judge = this.id;
    let most = weightOf(this.id, own.share);
    for (const [id, peer] of this.#living()) {
      const since = peer.groups.get(group);
      if (since === undefined || now - since < SHARED_AFTER_MS.judging) continue;
      isShared = true;
      if (peer.missedUntilMs > now) continue;
      const weight = weightOf(id, own.share);
      if (weight > most) [judge, most] = [id, weight];
    }
    const mayRely = judge === this.id || now - own.sinceMs > SHARED_AFTER_MS.relying;
    return isShared && mayRely ? judge : undefined;
  }

  /**
   * The verdict of another gateway. Undefined where it does not arrive in time; that gateway is then ignored for a
   * while.
   */
  async verdict(group: string, judge: string, place: string): Promise<Verdict | undefined> {
    const own = this.#groups.get(group);
    const peer = this.#peers.get(judge);
    if (!own || !peer) return undefined;
    const early = own.early.get(place);
    if (early) own.early.delete(place);
    let verdict = early && performance.now() - early.atMs < VERDICT_HOLDS_MS ? early.verdict : undefined;
    if (!verdict) {
      const { promise, resolve } = Promise.withResolvers<Verdict | undefined>();
      own.waiting.set(place, resolve);
      const timer = setTimeout(() => {
        peer.missMs = Math.min(MISSED_MS.most, peer.missMs * 2 || MISSED_MS.first);
        peer.missedUntilMs = performance.now() + peer.missMs;
        resolve(undefined);
      }, VERDICT_WAIT_MS);
      verdict = await promise;
      clearTimeout(timer);
      own.waiting.delete(place);
    }
    if (verdict) peer.missMs = 0;
    return verdict;
  }

  /** Keeps a verdict that is needed again. */
  keep(group: string, verdict: Verdict): void {
    this.#groups.get(group)?.early.set(verdict.place, { verdict, atMs: performance.now() });
  }

  /** Tells the others that have the group. */
  tell(group: string, verdict: Verdict): void {
    const subject = this.#subjectOf(group);
    const message = this.#seal.close(subject, verdict);
    if (message.length <= MOST_BYTES) this.#nats.publish(subject, message);
  }

  close(): void {
    clearInterval(this.#beating);
    clearTimeout(this.#announcing);
    this.#send({ kind: "bye", id: this.id, generation: this.#generation });
    this.#stopUsing();
    this.#stopHearing();
    for (const group of [...this.#groups.keys()]) this.leave(group);
    clearTimeout(this.#announcing);
  }

  get #isConnected(): boolean {
    return this.#nats.connection !== undefined;
  }

  #subjectOf(group: string): string {
    return `${this.#subject}.verdicts.${group}`;
  }

  *#living(): Generator<[id: string, peer: Peer]> {
    const now = performance.now();
    for (const [id, peer] of this.#peers) if (now - peer.seenMs < DEAD_MS) yield [id, peer];
  }

  /** Subscriptions end with the connection. */
  #begin(connection: NatsConnection): void {
    const subject = `${this.#subject}.gateways`;
    const subscription = connection.subscribe(subject, {
      callback: (error, message) => {
        const content = error ? undefined : this.#seal.open<Message>(subject, message.string());
        if (content && content.id !== this.id) this.#take(content);
      },
    });
    const stopHearing = (): void => subscription.unsubscribe();
    this.#stopHearing = stopHearing;
    for (const [group, own] of this.#groups) this.#hear(connection, group, own);
    this.#announceNow();
    void connection.closed().then(() => {
      this.#peers.clear();
      for (const own of this.#groups.values()) giveUp(own);
    });
  }

  #hear(connection: NatsConnection, group: string, own: OwnGroup): void {
    const subject = this.#subjectOf(group);
    const subscription = connection.subscribe(subject, {
      callback: (error, message) => {
        const verdict = error ? undefined : this.#seal.open<Verdict>(subject, message.string());
        if (!verdict) return;
        const waits = own.waiting.get(verdict.place);
        if (waits) waits(verdict);
        else own.early.set(verdict.place, { verdict, atMs: performance.now() });
      },
    });
    const unsubscribe = (): void => subscription.unsubscribe();
    own.unsubscribe = unsubscribe;
  }

  #take(message: Message): void {
    const { id, generation } = message;
    if (message.kind === "bye") return void this.#peers.delete(id);
    let peer = this.#peers.get(id);
    if (!peer) {
      peer = { seenMs: 0, generation: 0, groups: new Map(), missedUntilMs: 0, missMs: 0 };
      this.#peers.set(id, peer);
    }
    const now = performance.now();
    if (now - peer.seenMs > DEAD_MS) peer.missedUntilMs = peer.missMs = 0; // meanwhile it is another one
    peer.seenMs = now;
    if (message.kind === "groups") {
      const before = peer.groups;
      peer.groups = new Map(message.groups.map((group) => [group, before.get(group) ?? now]));
      peer.generation = generation;
    } else if (message.kind === "ask" && message.of === this.id) this.#announce();
    else if (message.kind === "beat" && peer.generation !== generation)
      this.#send({ kind: "ask", id: this.id, generation: this.#generation, of: id });
  }

  #send(message: Message): void {
    const subject = `${this.#subject}.gateways`;
    this.#nats.publish(subject, this.#seal.close(subject, message));
  }

  #beat(): void {
    this.#send({ kind: "beat", id: this.id, generation: this.#generation });
    const now = performance.now();
    for (const [id, { seenMs }] of this.#peers) if (now - seenMs > 10 * DEAD_MS) this.#peers.delete(id);
    for (const { early } of this.#groups.values())
      for (const [place, { atMs }] of early) if (now - atMs > VERDICT_HOLDS_MS) early.delete(place);
  }

  /** Once for all changes within a moment. */
  #announce(): void {
    this.#generation++;
    this.#announcing ??= setTimeout(() => this.#announceNow(), ANNOUNCE_MS).unref();
  }

  #announceNow(): void {
    clearTimeout(this.#announcing);
    this.#announcing = undefined;
    const groups = [...this.#groups.keys()].slice(0, MOST_GROUPS);
    this.#send({ kind: "groups", id: this.id, generation: this.#generation, groups });
  }
}

function giveUp({ waiting, early }: OwnGroup): void {
  for (const resolve of waiting.values()) resolve(undefined);
  waiting.clear();
  early.clear();
}

/** Rendezvous hashing: every gateway gets the same result, and when one leaves, only its groups move. */
function weightOf(gateway: string, share: string): number {
  let hash = 0x811c9dc5; // FNV-1a, with a final mixing step
  const text = `${gateway} ${share}`;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** The agents that use this door, and their last refusals. Stored in `portolan.agents` for all processes. */
import { createHash } from "node:crypto";
import { storable } from "../ground/storable.ts";
import type { Database, Identity } from "../kernel/database/database.ts";

/** An agent: a sign-in of a client for this door, or a token. */
export interface Who {
  /** The id of the sign-in, else of the token; `anonymous` without one. */
  readonly id: string;
  readonly account: string;
  readonly client_id: string | undefined;
  readonly token_version: number | undefined;
  readonly scope: string;
  /** Undefined where the sign-in has it, and where there is no token. */
  readonly expires_at: string | undefined;
  /** The client's own name and version. */
  readonly software: string | undefined;
  readonly address: string | undefined;
}

/** A call that was refused. */
export interface Refusal {
  readonly tool: string;
  readonly table?: string | undefined;
  readonly code: string;
  readonly message: string;
}

interface Seen {
  who: Who;
  calls: number;
  refused: number;
  hears: boolean;
  atMs: number;
}

/** Agents of one database between two writes; others are recorded at their next call. */
const MOST = 1000;
const LONGEST = 200;
const LONGEST_MESSAGE = 2000;
/** How often an open stream is recorded: `list_agents` shows it for a minute. */
const HEARS_MS = 20_000;

export class Presence {
  readonly #seen = new Map<string, Map<string, Seen>>();
  /** When each agent with an open stream was last recorded, by database and its id. */
  readonly #heard = new Map<string, ReadonlyMap<string, number>>();

  note(database: string, who: Who, { calls = 0, refused = 0, hears = false } = {}): void {
    let all = this.#seen.get(database);
    if (!all) this.#seen.set(database, (all = new Map()));
    const seen = all.get(who.id) ?? { who, calls: 0, refused: 0, hears: false, atMs: 0 };
    if (seen.atMs === 0 && all.size >= MOST) return;
    all.set(who.id, {
      who: { ...who, software: who.software ?? seen.who.software },
      calls: seen.calls + calls,
      refused: seen.refused + refused,
      hears: seen.hears || hears,
      atMs: performance.now(),
    });
  }

  /** For `portolan.note_agents`: agents seen since the last call, and now and then those with open streams. */
  take(database: string, listening: readonly Who[]): readonly object[] {
    const now = performance.now();
    const before = this.#heard.get(database);
    const heard = new Map<string, number>();
    for (const who of listening) {
      const lastMs = before?.get(who.id) ?? -Infinity;
      const isDue = now - lastMs >= HEARS_MS;
      if (isDue) this.note(database, who, { hears: true });
      heard.set(who.id, isDue ? now : lastMs);
    }
    this.#heard.set(database, heard);
    const seen = [...(this.#seen.get(database)?.values() ?? [])];
    this.#seen.delete(database);
    return seen.map(({ who, atMs, ...counts }) => ({ ...who, ...counts, ago_ms: now - atMs }));
  }
}

/** Written before the agent is answered, because the next call, in any process, may ask for the reason. */
export async function noteRefusal({ db }: Database, who: Who, refusal: Refusal): Promise<void> {
  const { code, tool, table, message } = refusal;
  const kept: Refusal = {
    code,
    tool: tool.slice(0, LONGEST),
    message: message.slice(0, LONGEST_MESSAGE),
    ...(table !== undefined && { table: table.slice(0, LONGEST) }),
  };
  await db.any("select portolan.note_agents($1::jsonb)", [
    JSON.stringify([{ ...who, ago_ms: 0, refusal: kept }], storable),
  ]);
}

export async function lastRefusal({ db }: Database, { id }: Who): Promise<Refusal | undefined> {
  const { refusal } = await db.one<{ refusal: Refusal | null }>("select portolan.last_refusal($1) as refusal", [id]);
  return refusal ?? undefined;
}

/** `issuer`: this service. */
export function whoOf(
  { name, claims }: Identity,
  { issuer, address, software }: Pick<Who, "address" | "software"> & { readonly issuer: string },
): Who {
  const text = (claim: string): string | undefined => {
    const value = claims[claim];
    return typeof value === "string" ? value : undefined;
  };
  const isOurs = text("iss") === issuer;
  const family = isOurs ? text("fam") : undefined;
  const exp = claims["exp"];
  return {
    id: family ?? (isOurs ? text("jti") : undefined) ?? outsideId(name, text),
    account: name,
    client_id: text("client_id"),
    token_version: isOurs && typeof claims["ver"] === "number" ? claims["ver"] : undefined,
    scope: text("scope") ?? "",
    expires_at: family === undefined && typeof exp === "number" ? new Date(exp * 1000).toISOString() : undefined,
    software: software?.slice(0, LONGEST),
    address,
  };
}

function outsideId(name: string, text: (claim: string) => string | undefined): string {
  if (text("iss") === undefined) return name; // without a token
  const of = JSON.stringify([text("iss"), text("sub"), text("client_id") ?? text("azp")]);
  return `outside-${createHash("sha256").update(of).digest("hex").slice(0, 32)}`;
}

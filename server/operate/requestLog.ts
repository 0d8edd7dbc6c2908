/**
 * The log of requests to a database and their answers, stored in the database for a day: `/requests` and `/statistics` show
 * it. A request without a known account belongs to the database where there is only one, and else to none.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { hostname } from "node:os";
import type { Database } from "../kernel/database/database.ts";
import type { Door } from "../kernel/door.ts";
import { isServerFault, toGatewayError, type GatewayError } from "../ground/errors.ts";
import { failedStatement } from "../ground/failedStatement.ts";
import type { Log } from "../ground/log.ts";
import { storable } from "../ground/storable.ts";
import { connectionOf } from "../ground/requestIds.ts";
import { askedCommands, type Command } from "./askedCommands.ts";
import { CONSOLE_CLIENT, isOfConsole } from "./consoleClient.ts";

const SECOND = 1000;
const WRITE_MS = 1 * SECOND;
/** The number of requests kept in one turn, and of further ones that failed or were slow; refusals have a quota of their own. */
const MOST_ENTRIES = 200;
const SLOW_MS = 1 * SECOND;
/** Requests without a right that are kept of each account in a minute, however many others there are. */
const MOST_REFUSALS = 1000;
const MINUTE_MS = 60 * SECOND;
/** A failure whose request has not ended by then came over a socket without a sign-in. */
const FAILURE_WAITS_MS = 5 * SECOND;
const MOST_CHARACTERS = 2000;
/** Durations are counted by steps: up to 0.25 ms, 0.25 * 1.25, 0.25 * 1.25 ^ 2, …: `portolan.request_minutes`. */
const STEPS = { firstMs: 0.25, growth: 1.25, count: 56 };
/** A client that left before its answer was complete, as in the log. */
const GONE = 499;

interface Failure {
  readonly code: string;
  /** The code that the answer would have as a problem. */
  readonly codeStatus: number;
  /** The relation that the refusal is about. */
  readonly relation?: string;
  /** The commands that the refused statement asked for there, where it is known. */
  readonly commands?: readonly Command[];
  readonly error_id?: string;
  readonly error?: string;
}

interface Entry extends Partial<Failure> {
  readonly endedMs: number;
  readonly id: string | undefined;
  readonly account?: string | undefined;
  readonly address?: string | undefined;
  readonly method?: string | undefined;
  readonly path?: string | undefined;
  readonly operation?: string | undefined;
  readonly session?: string | undefined;
  readonly client?: string | undefined;
  readonly status?: number;
  readonly ms?: number;
}

/** The account and the address of a request. */
interface Asker {
  readonly database: string;
  readonly name: string;
  readonly address: string;
  /** Of its token. */
  readonly claims: Claims;
}

type Claims = Readonly<Record<string, unknown>>;

/** The entries of one database that are not written yet. */
interface Tally {
  requests: number;
  refused: number;
  failed: number;
  gone: number;
  readonly durations: number[];
  readonly entries: Entry[];
  /** Entries that failed or were slow, where there is no room for more. */
  readonly urgent: Entry[];
  /** Entries that lacked a right, where there is no room for more. */
  readonly refusals: Entry[];
}

export interface RequestLogOptions {
  /** The open databases. */
  readonly databases: ReadonlyMap<string, Database>;
  /** The database for requests without an account. */
  readonly only: string | undefined;
  /** Whether more than numbers is stored. */
  readonly keepsEntries: boolean;
  readonly log: Log;
}

export class RequestLog {
  readonly #options: RequestLogOptions;
  readonly #tallies = new Map<string, Tally>();
  readonly #sockets = new Map<string, Asker>();
  readonly #quota = new RefusalQuota();
  readonly #failures = new Map<string, { readonly atMs: number; readonly failures: Failure[] }>();
  readonly #timer: NodeJS.Timeout;
  #writing: Promise<void> = Promise.resolve();
  #isFailing = false;
  /** The doors whose metrics are stored with the requests. */
  #doors: readonly Door[] = [];

  constructor(options: RequestLogOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.write(), WRITE_MS).unref();
  }

  /** Returns a function to call when the answer has closed. */
  measure(request: IncomingMessage, response: ServerResponse): () => void {
    const { method, url = "" } = request;
    const startedMs = performance.now();
    return () => {
      const { isOperation, isAsset } = request.answeredBy ?? {};
      if (!isOperation && !(isAsset && response.statusCode < 400))
        this.#ended(request, response, { method, url, startedMs });
    };
  }

  /** Failures under this id until the signal fires belong to a request over a socket, of this account. */
  noteSocket(requestId: string, asker: Asker, signal: AbortSignal): void {
    if (signal.aborted) return;
    this.#sockets.set(requestId, asker);
    signal.addEventListener("abort", () => this.#sockets.delete(requestId), { once: true });
  }

  failed(error: GatewayError, requestId: string | undefined): void {
    if (requestId === undefined) return;
    const { errorId } = error.members;
    const relation = relationOf(error);
    const failure: Failure = {
      code: error.code,
      codeStatus: error.status,
      ...(relation !== undefined && { relation: relation.slice(0, MOST_CHARACTERS), ...askedOf(error, relation) }),
      ...(typeof errorId === "string" && { error_id: errorId }),
      // the reason of a missing right has names, and no values
      ...((isServerFault(error) || error.code === "FORBIDDEN") && { error: reasonOf(error) }),
    };
    const socket = this.#sockets.get(connectionOf(requestId));
    if (socket) {
      const { database, name: account, address, claims } = socket;
      const client = clientOf(claims);
      const entry: Entry = { endedMs: performance.now(), id: requestId, account, address, client, ...failure };
      if (failure.codeStatus < 500) this.#tallyOf(database).refused++;
      if (this.#options.keepsEntries) this.#keep(database, entry);
      return;
    }
    const known = this.#failures.get(requestId);
    if (!known) this.#failures.set(requestId, { atMs: performance.now(), failures: [failure] });
    else if (known.failures.length < MOST_ENTRIES) known.failures.push(failure);
  }

  /** Writes the entries. Never rejects: failed counts are tried again, failed entries are dropped. */
  write(): Promise<void> {
    this.#writing = this.#writing.then(async () => {
      this.#takeFailuresOfSockets();
      await Promise.all([...this.#options.databases.values()].map((database) => this.#write(database)));
      for (const name of this.#tallies.keys()) if (!this.#options.databases.has(name)) this.#tallies.delete(name);
    });
    return this.#writing;
  }

  hear(doors: readonly Door[]): void {
    this.#doors = doors;
  }

  async #figuresOf(database: string): Promise<Readonly<Record<string, number>>> {
    const figures = await Promise.all(this.#doors.map(async (door) => door.figures?.(database)));
    return Object.assign({}, ...figures) as Readonly<Record<string, number>>;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.write();
  }

  #ended(
    request: IncomingMessage,
    response: ServerResponse,
    { method, url, startedMs }: { method: string | undefined; url: string; startedMs: number },
  ): void {
    const { requestId: id, asker } = request;
    const failures = this.#failuresOf(id);
    const database = asker?.database ?? this.#options.only;
    if (database === undefined) return;
    const endedMs = performance.now();
    const ms = endedMs - startedMs;
    const status = response.writableFinished ? response.statusCode : GONE;
    const tally = this.#tallyOf(database);
    tally.requests++;
    if (status === GONE) tally.gone++;
    // GraphQL and methods report it in an answer of 200
    else if (Math.max(status, ...failures.map(({ codeStatus }) => codeStatus)) >= 500) tally.failed++;
    else if (Math.max(status, ...failures.map(({ codeStatus }) => codeStatus)) >= 400) tally.refused++;
    const step = stepOf(ms);
    tally.durations[step] = (tally.durations[step] ?? 0) + 1;
    if (!this.#options.keepsEntries) return;
    const { address, session } = request;
    const operation = request.operation?.slice(0, MOST_CHARACTERS);
    const path = url.split("?", 1)[0]?.slice(0, MOST_CHARACTERS);
    const client = clientOf(asker?.claims) ?? (isOfConsole(request.answeredBy) ? CONSOLE_CLIENT : undefined);
    const by = { account: asker?.name, client, address, session };
    const entry: Entry = { endedMs, id, ...by, method, path, operation, status, ms };
    for (const failure of failures.length > 0 ? failures : [{}]) this.#keep(database, { ...entry, ...failure });
  }

  #keep(database: string, entry: Entry): void {
    const tally = this.#tallyOf(database);
    if (keep(tally, entry) || !isRefusal(entry)) return;
    if (this.#quota.take(JSON.stringify([database, entry.account]), entry.endedMs)) tally.refusals.push(entry);
  }

  #failuresOf(id: string | undefined): readonly Failure[] {
    if (id === undefined || this.#failures.size === 0) return [];
    const failures = this.#failures.get(id)?.failures ?? [];
    this.#failures.delete(id);
    return failures;
  }

  #takeFailuresOfSockets(): void {
    const now = performance.now();
    const { only, keepsEntries } = this.#options;
    for (const [id, { atMs, failures }] of this.#failures) {
      if (now - atMs < FAILURE_WAITS_MS) return; // the others came later
      this.#failures.delete(id);
      if (only === undefined || !keepsEntries) continue;
      for (const failure of failures) this.#keep(only, { endedMs: atMs, id, ...failure });
    }
  }

  #tallyOf(database: string): Tally {
    let tally = this.#tallies.get(database);
    if (!tally) {
      const durations = Array.from({ length: STEPS.count }, () => 0);
      tally = { requests: 0, refused: 0, failed: 0, gone: 0, durations, entries: [], urgent: [], refusals: [] };
      this.#tallies.set(database, tally);
    }
    return tally;
  }

  async #write({ name, db }: Database): Promise<void> {
    const others = await this.#figuresOf(name);
    const agents = this.#doors.flatMap((door) => door.agents?.(name) ?? []);
    const isQuiet = agents.length === 0 && Object.values(others).every((figure) => figure === 0);
    if (isQuiet && !this.#tallies.has(name)) return;
    const { entries, urgent, refusals, ...counts } = this.#tallyOf(name);
    const kept = [...entries, ...urgent, ...refusals];
    this.#tallies.delete(name);
    const now = performance.now();
    const rows = kept.map(({ endedMs, ...rest }) => ({
      ...rest,
      ago_ms: now - endedMs + (rest.ms ?? 0),
    }));
    const figures = { ...counts, ...others, ...(agents.length > 0 && { agents }) };
    try {
      await db.any("select portolan.note_requests($1, $2, $3, $4)", [
        hostname(),
        process.pid,
        JSON.stringify(figures, storable),
        JSON.stringify(rows, storable),
      ]);
      this.#isFailing = false;
    } catch (error) {
      const tally = this.#tallyOf(name);
      for (const key of ["requests", "refused", "failed", "gone"] as const) tally[key] += counts[key];
      counts.durations.forEach((count, step) => (tally.durations[step] = (tally.durations[step] ?? 0) + count));
      // entries that the database refuses are not sent again
      if (toGatewayError(error).code === "UNAVAILABLE") for (const entry of kept) this.#keep(name, entry);
      if (!this.#isFailing)
        this.#options.log.warn({ err: error, database: name }, "the request log cannot be written at the moment");
      this.#isFailing = true;
    }
  }
}

/** Its part in the life of the service. `doors`: those whose figures it keeps. */
export function installRequestLog(requestLog: RequestLog, doors: readonly Door[]): Door {
  requestLog.hear(doors);
  return { routes: [], rest: () => requestLog.write(), close: () => requestLog.close() };
}

/** False where there is no room. */
function keep(tally: Tally, entry: Entry): boolean {
  const isUrgent = entry.code !== undefined || (entry.ms ?? 0) >= SLOW_MS || (entry.status ?? 0) >= 500;
  const list = tally.entries.length < MOST_ENTRIES ? tally.entries : isUrgent ? tally.urgent : undefined;
  if (!list || list.length >= MOST_ENTRIES) return false;
  list.push(entry);
  return true;
}

/** The client to which the token was given. */
function clientOf(claims: Claims = {}): string | undefined {
  const { client_id: client } = claims;
  return typeof client === "string" ? client.slice(0, MOST_CHARACTERS) : undefined;
}

/** A missing right, also where GraphQL or JSON-RPC tells it in an answer of 200. */
function isRefusal({ codeStatus, status }: Entry): boolean {
  return [codeStatus, status].some((each) => each === 401 || each === 403);
}

/** How many refusals of each account are still kept in this minute. */
class RefusalQuota {
  readonly #taken = new Map<string, number>();
  #minute = -1;

  take(account: string, nowMs: number): boolean {
    const minute = Math.floor(nowMs / MINUTE_MS);
    if (minute !== this.#minute) this.#taken.clear();
    this.#minute = minute;
    const taken = this.#taken.get(account) ?? 0;
    if (taken >= MOST_REFUSALS) return false;
    this.#taken.set(account, taken + 1);
    return true;
  }
}

/** The object of a missing right, from the message of PostgreSQL or of a rule. */
const ON_RELATION =
  /(?:\bfor (?:table|view|materialized view|foreign table|relation|sequence)|^a rule denies \w+ on) ("[^"]+"|\S+)$/;

/** The relation of a refusal, with its schema where that is known. */
function relationOf(error: GatewayError): string | undefined {
  const {
    schema,
    table,
    message = error.message,
  } = (error.cause ?? {}) as Partial<Readonly<Record<"schema" | "table" | "message", string>>>;
  if (schema !== undefined && table !== undefined) return `${schema}.${table}`;
  return ON_RELATION.exec(message)?.[1]?.replaceAll('"', "");
}

function askedOf(error: GatewayError, relation: string): Pick<Failure, "commands"> {
  const text = failedStatement(error);
  const commands = text === undefined ? [] : askedCommands(text, relation.slice(relation.lastIndexOf(".") + 1));
  return commands.length > 0 ? { commands } : {};
}

function stepOf(ms: number): number {
  const step = Math.ceil(Math.log(ms / STEPS.firstMs) / Math.log(STEPS.growth));
  return Math.min(Math.max(step, 0), STEPS.count - 1);
}

/** The error with its causes. */
function reasonOf(error: GatewayError): string {
  const reasons = error.detail === undefined ? [] : [error.detail];
  for (let cause: unknown = error.cause; cause instanceof Error && reasons.length < 5; cause = cause.cause)
    reasons.push(cause.message);
  const text = reasons.length > 0 ? reasons.join(": ") : error.message;
  return text.slice(0, MOST_CHARACTERS);
}

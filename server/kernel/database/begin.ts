/** How a transaction begins: as whom, with which claims, from where, for how long. */
import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Service } from "../../ground/services.ts";
import type { Reached } from "./code.ts";
import { makePin, type Pin } from "./pin.ts";
import { formatLsn, type ReadPoint, type WalPosition } from "./readPoint.ts";
import { LOCK_LIMIT, lockLimit, numberOf, setting, type Setting } from "./settings.ts";

/** An account, in one database, with the claims that its requests carry. Made in identity.ts only. */
export interface Identity {
  readonly database: string;
  readonly name: string;
  /** The PostgreSQL role that every statement of it runs as. */
  readonly role: string;
  /** Whether Portolan made that role, so that it may log in as it for SQL that the account wrote. */
  readonly roleMade: boolean;
  /** Whether it has signed in with a second factor. Default false. */
  readonly mfa?: boolean;
  /** Whether nothing may be changed: a super user sees as this account. Default false. */
  readonly readOnly?: boolean;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** How the request is to be run, and from where it came. */
export interface RequestContext {
  readonly service: Service;
  /** The caller's address. */
  readonly address?: string | undefined;
  /** A read-only transaction: a statement that writes fails with SQLSTATE 25006. Default false. */
  readonly readOnly?: boolean;
  /** Every statement sees the database as it was at the first. Default false: each sees it as it is when it begins. */
  readonly snapshot?: boolean;
  /** Intervals come as ISO 8601 durations. Default false: in PostgreSQL's own style. */
  readonly isoIntervals?: boolean | undefined;
  /** Longest time for one statement. Default the database's. */
  readonly timeoutMs?: number | undefined;
  /**
   * A lock may be waited for as long as the statement may take: the request has done much that would be lost, or nobody
   * waits for it. Default false: `lockTimeoutMs` of the database.
   */
  readonly isPatient?: boolean | undefined;
  /** Longest time that PostgreSQL may work on all statements together, on an own login. Default none. */
  readonly totalTimeoutMs?: number | undefined;
  /** The SQL is that of a published method: it may run for an account whose role cannot log in. Default false. */
  readonly published?: boolean | undefined;
  /** The basis of the request. If it has changed, the transaction's statements reject. Default: none. */
  readonly basis?: Basis | undefined;
  /** When it fires, the statement that is running is cancelled; the caller is gone. */
  readonly signal?: AbortSignal | undefined;
  /** Reads may be served by a standby that has what the request must see. Default: by the primary. */
  readonly point?: ReadPoint | undefined;
  /**
   * The relations that the statements of the gateway reach. They decide whose code runs, and so on which connection.
   * Default: anything, which needs a connection of the account itself wherever an untrusted role owns anything. For a
   * caller's own SQL it is given where no called function is volatile; a read that runs no author's code then needs no
   * reset.
   */
  readonly reach?: readonly Reached[] | undefined;
  /** More code of trusted roles runs than `reach` tells, so that the connection is reset afterwards. Default false. */
  readonly runsMore?: boolean;
}

/**
 * A value that was read before the request and may change. The statement that begins the transaction reads it again.
 */
export interface Basis {
  /** An SQL expression of text, evaluated as the caller. Never from a request. */
  readonly sql: string;
  /** PostgreSQL's text of its parameters, `$1` and so on. Default none. */
  readonly values?: readonly string[];
  /** The text for which `check` does not throw, where there is only one. */
  readonly expected?: string | undefined;
  /** Throws where `value` is another one than the request was made of. */
  check(value: string | undefined): void;
}

export interface BeginOptions {
  /** Longest time for one statement where the request has none of its own. */
  readonly statementTimeoutMs: number;
  /** Longest wait for one lock. A shorter `lock_timeout` of the session stays. Default none. */
  readonly lockTimeoutMs?: number | undefined;
  /** False on a connection that is logged in as the role already. */
  readonly changeRole: boolean;
  /** Whether the session may stay the caller's after the transaction. Default false. */
  readonly mayStay?: boolean;
  /** Whether the database is the coordinator of a Citus cluster. Default false. */
  readonly isCluster?: boolean;
  /** Dates come in the style ISO, in whatever style and order the database shows and reads them. Default false. */
  readonly isoDates?: boolean;
  /** Settings that the connection did not get when it started. Default: none. */
  readonly session?: readonly Setting[];
  /** The position that the server must have replayed, else the transaction does not begin (SQLSTATE 55000). Default: none. */
  readonly replayed?: WalPosition | undefined;
}

/** The beginning of a request's transaction: two statements that travel together. */
export interface Beginning {
  readonly begin: string;
  /**
   * Sets the values that policies may read. Its row ends with the present basis, and with the snapshot of the
   * transaction where all statements share one (`portolan.data_snapshot`). It is prepared because parsing and planning
   * it is expensive.
   */
  readonly settings: { readonly name: string; readonly text: string; readonly values: readonly string[] };
  /** The place of the longest wait for a lock among the values, from their end. Undefined where there is none. */
  readonly lockAt: number | undefined;
  /** The pinned session that the request may use. Undefined where none may be used. */
  readonly pin: Pin | undefined;
}

/** The beginning of a request's transaction: its role, claims, address and time limits. */
export function beginAs(identity: Identity, context: RequestContext, options: BeginOptions): Beginning {
  const { service, address = "", readOnly = false, snapshot = false, isoIntervals = false, basis } = context;
  const timeoutMs = context.timeoutMs ?? options.statementTimeoutMs;
  const { changeRole, isoDates = false, session = [], replayed, isCluster = false } = options;
  const flags =
    (readOnly ? 1 : 0) +
    (snapshot ? 2 : 0) +
    (isoIntervals ? 4 : 0) +
    (changeRole ? 8 : 0) +
    (isoDates ? 16 : 0) +
    (context.isPatient ? 32 : 0) +
    (isCluster ? 64 : 0);
  const more = replayed === undefined ? session.length : -session.length - 1;
  const key = `${service} ${address} ${flags} ${timeoutMs} ${more} ${numberOf(basis?.sql)}`;
  let known = beginnings.get(identity);
  if (!known) beginnings.set(identity, (known = new LRUCache({ max: 20 })));
  let beginning = known.get(key);
  if (!beginning) {
    beginning = makeBeginning(identity, context, { ...options, statementTimeoutMs: timeoutMs });
    known.set(key, beginning);
  }
  const { settings } = beginning;
  if (!basis?.values && !replayed) return beginning;
  const where = replayed ? [String(replayed.timeline), formatLsn(replayed.lsn)] : [];
  return { ...beginning, settings: { ...settings, values: [...(basis?.values ?? []), ...where, ...settings.values] } };
}

/** An account uses few combinations; 20 are kept of each. Its identity goes with its token. */
const beginnings = new WeakMap<Identity, LRUCache<string, Beginning>>();

/**
 * Whether Citus begins a transaction on a worker for a SELECT in a transaction. A pinned session does without: its message of
 * several statements is such a transaction, of which only one reads tables, and that runs no code that could write.
 */
const SELECT_BEGINS = "citus.select_opens_transaction_block";

function makeBeginning(identity: Identity, context: RequestContext, options: BeginOptions): Beginning {
  const { statementTimeoutMs, lockTimeoutMs, changeRole, isoDates, session = [], replayed } = options;
  const mayStay = options.mayStay === true && context.readOnly === true && !replayed;
  const selectBegins = (value: string): Setting[] => (options.isCluster && mayStay ? [[SELECT_BEGINS, value]] : []);
  const own: Setting[] = [
    ...session,
    ...(changeRole ? [["role", identity.role] as const] : []),
    ...settingsOfContext(identity, context),
    ["statement_timeout", String(statementTimeoutMs)],
    ...(lockTimeoutMs && !context.isPatient
      ? [lockLimit(Math.min(lockTimeoutMs, statementTimeoutMs || Infinity))]
      : []),
    ...(isoDates ? [["datestyle", "ISO"] as const] : []), // keeps the configured order of days and months
    ...(context.isoIntervals ? [["intervalstyle", "iso_8601"] as const] : []),
    ...settingsOfClaims(identity),
  ];
  const settings = [...selectBegins("on"), ...own];
  const values = settings.map(([, value]) => value);
  const lockAt = settings.findIndex(([name]) => name === LOCK_LIMIT);
  return {
    begin: `begin${context.snapshot ? " isolation level repeatable read" : ""}${context.readOnly ? " read only" : ""}`,
    settings: { ...statementFor(settings, context, replayed !== undefined), values },
    lockAt: lockAt === -1 ? undefined : lockAt - settings.length,
    pin: mayStay ? makePin([...selectBegins("off"), ...own]) : undefined,
  };
}

/** After one lock was waited for in vain, the request does not wait for others. */
const HURRIED = "50ms";

/** The same beginning, for a request that has waited for a lock already: its connection is not kept any longer. */
export function hurried(beginning: Beginning): Beginning {
  const { settings, lockAt } = beginning;
  return lockAt === undefined
    ? beginning
    : { ...beginning, settings: { ...settings, values: settings.values.with(lockAt, HURRIED) } };
}

/** Statements by the names of the settings and the options: few, however many accounts there are. 1000 are kept. */
const statements = new LRUCache<string, { readonly name: string; readonly text: string }>({ max: 1000 });

function statementFor(
  settings: readonly Setting[],
  { basis, snapshot = false }: Pick<RequestContext, "basis" | "snapshot">,
  isPlaced: boolean,
): { readonly name: string; readonly text: string } {
  let key = `${snapshot} ${isPlaced} ${basis?.sql}`;
  for (const [name] of settings) key += ` ${name}`;
  let statement = statements.get(key);
  if (!statement) {
    const place = 1 + (basis?.values?.length ?? 0);
    const first = place + (isPlaced ? 2 : 0);
    const set = setting(
      settings.map(([name]) => name),
      { first, isLocal: true },
    );
    // a standby's text leaves out transactions in progress: two of its snapshots with the same text may see other rows
    const seen = snapshot ? "case when not pg_catalog.pg_is_in_recovery() then portolan.data_snapshot() end" : "null";
    // CASE has a fixed order: the basis is evaluated under the caller's role
    const told = `case when ${set} >= 0 then ${basis?.sql ?? "null"} end`;
    // the first column: before anything is read or set
    const placed = isPlaced ? `portolan.require_replayed($${place}, $${place + 1}), ` : "";
    const text = `select ${placed}${told} as basis, ${seen} as snapshot`;
    statement = { name: `portolan begin ${createHash("sha256").update(text).digest("base64url")}`, text };
    statements.set(key, statement);
  }
  return statement;
}

/** All settings that policies may read, for a connection that belongs to one account: that of a MapServer worker. */
export function sessionSettings(identity: Identity, context: RequestContext): Setting[] {
  return [...settingsOfContext(identity, context), ...settingsOfClaims(identity)];
}

function settingsOfContext(identity: Identity, context: RequestContext): Setting[] {
  return [
    ["portolan.user", identity.name],
    ["portolan.service", context.service],
    ["portolan.ip", context.address ?? ""],
    ["portolan.mfa", identity.mfa ? "true" : ""],
  ];
}

/** Claims that only the gateway sets. No property of an account can change them. */
const OWN_CLAIMS =
  /^(iss|sub|aud|exp|nbf|iat|jti|client_id|scope|response_type|uid|database|mfa|superUser|userGroup|email|role)$/;
/** What a setting for a claim can be called. */
const SIMPLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * `request.jwt.claims` with all claims, and `jwt.claims.*` for policies in PostGraphile's style: each claim, each
 * property. A property of the account replaces a claim of that name from an outside issuer. PostgreSQL takes names that
 * differ in their case alone for one setting, so only one of them is set.
 */
function settingsOfClaims(identity: Identity): Setting[] {
  const { properties, ...claims } = identity.claims;
  const given = Object.entries(claims);
  const own = given.filter(([name]) => OWN_CLAIMS.test(name));
  const single = new Map<string, string>();
  for (const [name, value] of [...given, ...Object.entries({ ...(properties as object) }), ...own]) {
    if (!SIMPLE_NAME.test(name)) continue;
    const called = `jwt.claims.${name.toLowerCase()}`;
    if (value === null || value === undefined) single.delete(called);
    else single.set(called, typeof value === "string" ? withoutNul(name, value) : JSON.stringify(value, withoutNul));
  }
  return [["request.jwt.claims", claimsText(identity)], ...single];
}

/** The claims as JSON. */
export function claimsText(identity: Identity): string {
  let text = claimsTexts.get(identity);
  if (text === undefined) claimsTexts.set(identity, (text = JSON.stringify(identity.claims, withoutNul)));
  return text;
}
const claimsTexts = new WeakMap<Identity, string>();

/** PostgreSQL has no character NUL; a token of another issuer may have one. */
function withoutNul<T>(_name: string, value: T): T | string {
  return typeof value === "string" ? value.replaceAll("\0", "") : value;
}

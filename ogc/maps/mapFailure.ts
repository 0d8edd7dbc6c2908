/** MapServer's error in place of an image, and its cause: the map, PostgreSQL or the worker. */
import type { FastcgiAnswer } from "./mapFastcgi.ts";

/**
 * MapServer's message when a statement failed. It gives no reason: the connection that it kept may be lost, or its role
 * dropped. A new worker has new connections.
 */
const STATEMENT_FAILED = /PostGIS/i;
/** PostgreSQL's answer to a statement. A lost connection could not give it, so the worker is well. */
const STATEMENT_REFUSED = /Error \(ERROR: +/;
/** PostgreSQL's answer for a missing right: of the caller, or of a role that was dropped and may exist again. */
const RIGHT_MISSING = /Error \(ERROR: +(?:permission denied|invalid role OID)/;
/**
 * PostgreSQL's answer to a statement that conflicted with others, or with a change of the catalogue such as a replaced
 * function.
 */
const IN_THE_WAY =
  /Error \(ERROR: +(?:deadlock detected|could not serialize access|tuple concurrently|cache lookup failed|could not open relation with OID)/;
/**
 * PostgreSQL's answer to a refused login: because of a changed password, a role that was made again, or pg_hba.conf.
 */
const LOGIN_REFUSED =
  /FATAL: +(?:password authentication failed|no pg_hba\.conf entry|pg_hba\.conf rejects|role "[^"]*" (?:is not permitted|does not exist))/i;
/** PostgreSQL's answer where no connection is left, or the database accepts none. */
const CONNECTIONS_TAKEN =
  /FATAL: +(?:too many connections|remaining connection slots|sorry, too many clients|database "[^"]*" is not currently accepting)/i;
/** PostgreSQL's answer to a statement that ran, or waited for a lock, as long as a setting allows. */
const TOO_LONG = /Error \(ERROR: +canceling statement due to statement timeout/;
const LOCKED = /Error \(ERROR: +canceling statement due to lock timeout/;
/** Connection strings, which are removed from MapServer's message before it is logged. */
const CONNECTION_STRING = /postgres(?:ql)?:\/\/\S*/gi;
const MAX_LOGGED = 2000;
/** An answer that is not an image. */
export class MapServerFailure extends Error {
  readonly words: string;
  constructor(answer: FastcgiAnswer) {
    const words = wordsOf(answer).replace(CONNECTION_STRING, "postgresql://…").slice(0, MAX_LOGGED);
    super("MapServer returned no image");
    this.words = `${answer.contentType || "no content type"}: ${words}`;
  }
}

/** A worker that did not answer in time. */
export class WorkerHangs extends Error {}

/** MapServer's error message, from its body and its log. Empty for an image. */
function wordsOf({ contentType, body, stderr }: FastcgiAnswer): string {
  if (contentType.startsWith("image/")) return "";
  const text = Buffer.concat([...body])
    .toString("utf8")
    .replace(/<[^<>]*>/g, " ");
  return `${text} ${stderr}`.replace(/\s+/g, " ").trim();
}

/** Whether another worker may succeed after this one failed. */
export function mayWorkAgain(error: unknown): boolean {
  if (error instanceof MapServerFailure)
    return STATEMENT_REFUSED.test(error.words)
      ? lacksRight(error.words) || wasInTheWay(error.words)
      : STATEMENT_FAILED.test(error.words);
  return !(error instanceof WorkerHangs);
}

/** Whether the worker that answered can be used again. */
export function isWell(answer: FastcgiAnswer): boolean {
  const words = wordsOf(answer);
  return !STATEMENT_FAILED.test(words) || STATEMENT_REFUSED.test(words);
}

/** Whether PostgreSQL reported a missing right. */
export function lacksRight(words: string): boolean {
  return RIGHT_MISSING.test(words);
}

/** Whether PostgreSQL ended the statement at its time limit. */
export function tookTooLong(words: string): boolean {
  return TOO_LONG.test(words);
}

/** Whether another session kept a lock for longer than `lock_timeout` of the database or the role. */
export function wasLocked(words: string): boolean {
  return LOCKED.test(words);
}

/** Whether others, or a change of the catalogue, were in the way of the statement. */
export function wasInTheWay(words: string): boolean {
  return IN_THE_WAY.test(words);
}

/** Whether PostgreSQL had no connection for MapServer. */
export function hasNoConnection(words: string): boolean {
  return CONNECTIONS_TAKEN.test(words);
}

/** Whether PostgreSQL refused MapServer's login. */
export function isLoginRefused(words: string): boolean {
  return LOGIN_REFUSED.test(words);
}

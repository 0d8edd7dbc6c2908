/** Every error of the gateway: the class, the table, the SQLSTATE map, and one renderer per wire. */
import { randomUUID } from "node:crypto";

/** Code → HTTP status and default message. Clients may rely on the code. */
const ERRORS = {
  BAD_USER_INPUT: [400, "The request cannot be understood"],
  INVALID_PARAMETER: [400, "A parameter has a bad value"],
  UNKNOWN_PARAMETER: [400, "A query parameter is not defined for this route"],
  INVALID_CRS: [400, "The coordinate reference system is not one of the collection"],
  PARSE_ERROR: [400, "The message is not valid JSON"],
  NOT_DISTRIBUTABLE: [400, "Citus cannot run the statement over its shards"],
  INVALID_REQUEST: [400, "The message is no JSON-RPC 2.0 request"],
  INVALID_PARAMS: [400, "A parameter of the method is missing, unknown or has a wrong value"],
  METHOD_NOT_FOUND: [404, "There is no such method"],
  ROLLED_BACK: [409, "Another request of the batch failed"],
  LIMIT_EXCEEDED: [400, "The request is over a limit"],
  // Apollo's own text for a query that is named only by its hash; its clients look for it in an answer with status 200
  PERSISTED_QUERY_NOT_FOUND: [200, "PersistedQueryNotFound"],
  PERSISTED_QUERY_NOT_SUPPORTED: [200, "PersistedQueryNotSupported"],
  UNAUTHENTICATED: [401, "A valid access token is needed"],
  INSUFFICIENT_USER_AUTHENTICATION: [401, "The account must have signed in with a second factor"],
  FORBIDDEN: [403, "The account may not do this"],
  UNTRUSTED_CODE: [403, "The request would run code of a role that is not trusted"],
  NOT_FOUND: [404, "Nothing is here"],
  COLLECTION_NOT_FOUND: [404, "The collection does not exist"],
  FEATURE_NOT_FOUND: [404, "The feature does not exist"],
  METHOD_NOT_ALLOWED: [405, "The method is not allowed here"],
  NOT_ACCEPTABLE: [406, "None of the accepted media types is available"],
  GONE: [410, "It no longer exists"],
  REPEATED: [409, "A request with this Idempotency-Key has already been carried out"],
  CONFLICT: [409, "The request conflicts with the present data"],
  REQUEST_TIMEOUT: [408, "The request did not arrive in time"],
  PRECONDITION_FAILED: [412, "The present version is not the one that the header If-Match names"],
  TOO_LARGE: [413, "The request body is too large"],
  URI_TOO_LONG: [414, "The head of the request is longer than 64 kB"],
  UNSUPPORTED_MEDIA_TYPE: [415, "The media type of the request body is not supported"],
  PRECONDITION_REQUIRED: [428, "The request needs the header If-Match"],
  RATE_LIMITED: [429, "Too many requests"],
  CLIENT_GONE: [499, "The client closed the request"],
  INTERNAL: [500, "An internal error occurred"],
  MAP_BACKEND_ERROR: [502, "The map rendering backend failed"],
  UNAVAILABLE: [503, "The service is not available at the moment"],
  ACCOUNT_BUSY: [503, "Other requests of the same account or address use its whole share: try again later"],
  TIMEOUT: [504, "The statement took too long and was cancelled"],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type ErrorCode = keyof typeof ERRORS;

/** The rows of docs/reference/errors.md. */
export function describeErrors(): readonly { code: string; status: number; message: string }[] {
  return Object.entries(ERRORS).map(([code, [status, message]]) => ({ code, status, message }));
}

export interface ErrorOptions {
  /** For the log only. */
  readonly detail?: string | undefined;
  /** SQLSTATE, where the caller caused the failure and PostgreSQL named it. */
  readonly sqlstate?: string | undefined;
  /** Further members of the rendered body, safe to show. */
  readonly members?: Readonly<Record<string, unknown>> | undefined;
  /** Response headers, e.g. `Retry-After`. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>> | undefined;
  readonly cause?: unknown;
}

/** The one error class. `message` is safe to show to the caller; `detail` and `cause` are for the log. */
export class GatewayError extends Error {
  override readonly name = "GatewayError";
  readonly code: ErrorCode;
  readonly status: number;
  readonly detail: string | undefined;
  readonly sqlstate: string | undefined;
  readonly members: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;

  constructor(code: ErrorCode, message?: string, options: ErrorOptions = {}) {
    super(message ?? ERRORS[code][1], options.cause === undefined ? {} : { cause: options.cause });
    this.code = code;
    this.status = ERRORS[code][0];
    this.detail = options.detail;
    this.sqlstate = options.sqlstate;
    this.members = options.members ?? {};
    this.headers = { ...(isForNow(code) && { "Retry-After": "1" }), ...options.headers };
  }
}

/** The class of a sign-in with a second factor (`acr`, OpenID Connect Core 1.0 §2). */
export const ACR_MFA = "urn:portolan:acr:mfa";

/** RFC 9470 §3: the client sends the account to the authorization endpoint again, with these `acr_values`. */
const FACTOR_CHALLENGE = {
  "WWW-Authenticate": `Bearer error="insufficient_user_authentication", error_description="A second factor is needed", acr_values="${ACR_MFA}"`,
};

/** A rule denies something that it would allow to an account with a second factor. `lack`: `portolan.lack_of_factor`. */
export function factorNeeded(refusal: string, lack: string): GatewayError {
  const message = `${refusal} without a second factor`;
  return lack === "needed"
    ? new GatewayError("INSUFFICIENT_USER_AUTHENTICATION", message, { headers: FACTOR_CHALLENGE })
    : new GatewayError("FORBIDDEN", `${message}, which this service does not offer (its option mfa is off)`);
}

/** Whether the request itself is right, and may succeed in a moment. */
export function isForNow(code: string): boolean {
  return code === "UNAVAILABLE" || code === "ACCOUNT_BUSY";
}

/** A problem that the operator at the terminal can solve: the message says how, and needs no stack trace. */
export class OperatorError extends Error {
  override readonly name: string = "OperatorError";
}

/** Throws `BAD_USER_INPUT`, the most frequent error; typed `never` so that it can stand in an expression. */
export function badInput(message: string): never {
  throw new GatewayError("BAD_USER_INPUT", message);
}

// PostgreSQL --------------------------------------------------------------------------------------

/** SQLSTATEs that the code reacts to by name. */
export const SQLSTATE = {
  cannotCoerce: "42846",
  checkViolation: "23514",
  datatypeMismatch: "42804",
  featureNotSupported: "0A000",
  lockNotAvailable: "55P03",
  tooManyConnections: "53300",
  noDatabase: "3D000", // invalid_catalog_name
  undefinedFunction: "42883",
  ambiguousFunction: "42725",
  undefinedObject: "42704",
  undefinedSchema: "3F000",
  undefinedTable: "42P01",
  undefinedColumn: "42703",
  insufficientPrivilege: "42501",
  queryCanceled: "57014",
  serializationFailure: "40001",
  readOnlyTransaction: "25006",
  uniqueViolation: "23505",
  inFailedTransaction: "25P02",
  duplicateObject: "42710",
  duplicateDatabase: "42P04",
  invalidPassword: "28P01",
  invalidAuthorization: "28000",
  invalidParameterValue: "22023",
  invalidTextRepresentation: "22P02",
  invalidRegularExpression: "2201B",
  syntaxError: "42601",
  protocolViolation: "08P01",
  internalError: "XX000",
  invalidStatementName: "26000",
  invalidCursorName: "34000",
  duplicatePreparedStatement: "42P05",
  /** Raised by `portolan.refuse`. */
  factorNeeded: "PX401",
} as const;

interface PostgresRule {
  readonly code: ErrorCode;
  /** Whether PostgreSQL's own message may be shown: it is about the caller's own request only. */
  readonly show: boolean;
}

/** SQLSTATE (five characters) or its class (two) → code. Our own functions raise `PX` followed by the HTTP status. */
const SQLSTATES: Readonly<Record<string, PostgresRule>> = {
  PX400: { code: "BAD_USER_INPUT", show: true },
  PX401: { code: "INSUFFICIENT_USER_AUTHENTICATION", show: true },
  PX403: { code: "FORBIDDEN", show: true },
  PX404: { code: "NOT_FOUND", show: true },
  PX409: { code: "CONFLICT", show: true },
  PX503: { code: "UNAVAILABLE", show: true },
  P0001: { code: "BAD_USER_INPUT", show: true }, // raise exception in a team's own function
  "08": { code: "UNAVAILABLE", show: false },
  "0A": { code: "BAD_USER_INPUT", show: true }, // feature not supported, e.g. an update of a view that has no rule
  "21": { code: "BAD_USER_INPUT", show: true },
  "22": { code: "BAD_USER_INPUT", show: true },
  "23": { code: "BAD_USER_INPUT", show: true },
  "23503": { code: "CONFLICT", show: true },
  "23505": { code: "CONFLICT", show: true },
  "23P01": { code: "CONFLICT", show: true },
  "24": { code: "BAD_USER_INPUT", show: true }, // a cursor is not positioned on a row
  "25006": { code: "FORBIDDEN", show: true }, // write in a read-only transaction
  "2BP01": { code: "CONFLICT", show: true }, // something else depends on it
  "34": { code: "BAD_USER_INPUT", show: true }, // no such cursor
  "40": { code: "CONFLICT", show: true }, // serialization failure, deadlock
  "42501": { code: "FORBIDDEN", show: true },
  "42P10": { code: "BAD_USER_INPUT", show: true }, // onConflict names columns without a unique key
  "42P03": { code: "BAD_USER_INPUT", show: true }, // such a cursor exists already
  "428C9": { code: "BAD_USER_INPUT", show: true }, // a value for a generated column
  "44": { code: "BAD_USER_INPUT", show: true }, // with check option
  "53": { code: "UNAVAILABLE", show: false },
  "54": { code: "LIMIT_EXCEEDED", show: true },
  "55006": { code: "CONFLICT", show: true }, // object in use, e.g. the role that the caller acts as
  "55P03": { code: "CONFLICT", show: true }, // lock not available
  "57014": { code: "TIMEOUT", show: false },
  "57P": { code: "UNAVAILABLE", show: false },
};

/** EAGAIN: so many others are connecting that the socket of PostgreSQL takes no more at the moment. */
const CONNECTION_FAILURE =
  /^(ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|EAGAIN|ERR_STREAM_DESTROYED)$/;
const CONNECTION_LOST =
  /^(Connection terminated|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout|Client was closed|Querying against a released or lost connection)/;
/** The pool of a database that is not served any more: it was closed while the request ran. */
const POOL_CLOSED =
  /^(Connection pool of the database object has been destroyed|Cannot use a pool after calling end on the pool)/;

function isDatabaseError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && "severity" in error && typeof (error as { code?: unknown }).code === "string";
}

/** Whether PostgreSQL knows no such schema, function or view: the database has no Portolan, or an older one. */
export function isNotMigrated(error: unknown): boolean {
  const missing: readonly unknown[] = [SQLSTATE.undefinedSchema, SQLSTATE.undefinedFunction, SQLSTATE.undefinedTable];
  return missing.includes(sqlstateOf(error));
}

/** The SQLSTATE of PostgreSQL, or undefined when `error` is not from PostgreSQL. */
export function sqlstateOf(error: unknown): string | undefined {
  if (error instanceof GatewayError) return error.sqlstate ?? sqlstateOf(error.cause);
  return isDatabaseError(error) ? error.code : undefined;
}

/** Whether a function of the database has dropped or replaced a prepared statement of the connection. */
export function isPreparedLost(error: unknown): boolean {
  const spoilt: readonly unknown[] = [
    SQLSTATE.invalidStatementName,
    SQLSTATE.duplicatePreparedStatement,
    SQLSTATE.protocolViolation, // other parameters
  ];
  // FATAL is what PgBouncer says, under 08P01 too, of a server that it has lost: nobody knows what was done
  return spoilt.includes(sqlstateOf(error)) && severityOf(error) !== "FATAL" && !isRaised(error);
}

/** PostgreSQL's message, in English, and the place in its source, of a plan that DDL has invalidated, by its SQLSTATE. */
const OUTDATED_PLAN: Readonly<Record<string, { readonly routine: string; readonly message: RegExp }>> = {
  [SQLSTATE.featureNotSupported]: { routine: "RevalidateCachedQuery", message: /cached plan/ }, // another type of result
  [SQLSTATE.datatypeMismatch]: { routine: "CheckVarSlotCompatibility", message: /wrong type/ }, // of rows that are a parameter
};

/** The same, where another table has the name of the one that a statement names by its type. */
const REPLACED_TYPE: Readonly<Record<string, RegExp>> = {
  [SQLSTATE.internalError]: /^cache lookup failed for type \d+$/, // never translated
  [SQLSTATE.cannotCoerce]: /\b(\w+)_\d{6,}\b.*\b\1\b/, // Citus has made a shard of it, whose name ends in a number
};

/** Whether DDL has changed what a prepared statement reads or returns, in any language of PostgreSQL. */
export function isOutdatedPlan(error: unknown): boolean {
  const outdated = OUTDATED_PLAN[sqlstateOf(error) ?? ""];
  if (!outdated) return false;
  const { routine, message } = error as { readonly routine?: unknown; readonly message: string };
  return routine === outdated.routine || outdated.message.test(message);
}

/** Whether another table has the name of one that a statement was made for: its type is another, too. */
export function isReplacedType(error: unknown): boolean {
  return REPLACED_TYPE[sqlstateOf(error) ?? ""]?.test((error as Error).message) ?? false;
}

/** PostgreSQL's messages, never translated, about a definition that another session changed while a statement used it. */
const CHANGING =
  /^(cache lookup failed for |could not open relation with OID \d|tuple (concurrently|already) (updated|deleted)|relation \d+ deleted )/;

/** Whether DDL of another session has changed what a statement used. */
export function isChanging(error: unknown): boolean {
  return sqlstateOf(error) === SQLSTATE.internalError && CHANGING.test((error as Error).message) && !isRaised(error);
}

/** Whether the rules of a table have changed since the snapshot of the statement: `portolan.refuse_old_rules`. */
export function hasOldRules(error: unknown): boolean {
  return sqlstateOf(error) === SQLSTATE.serializationFailure && (error as { schema?: unknown }).schema === "portolan";
}

/**
 * Whether a statement has waited for a lock as long as the setting `lock_timeout` allows: the gateway's for its own queries, or
 * that of the database, role or function. NOWAIT has the same SQLSTATE: there the caller has chosen to fail.
 */
export function isLockTimeout(error: unknown): boolean {
  if (sqlstateOf(error) !== SQLSTATE.lockNotAvailable) return false;
  // the second is how Citus hands on what a node said
  return (
    routineOf(error) === "ProcessInterrupts" || (error as Error).message === "canceling statement due to lock timeout"
  );
}

/** Whether `portolan.refuse_locked` has refused it. For an operator the detail says what holds the lock. */
export function isRefusedLock(error: unknown): boolean {
  return sqlstateOf(error) === SQLSTATE.lockNotAvailable && (error as { schema?: unknown }).schema === "portolan";
}

/** The detail that PostgreSQL gives an error: for operators. */
function detailOf(error: unknown): string | undefined {
  return (error as { detail?: string }).detail;
}

/** A lock that another session holds: a row of `portolan.held_lock`. */
export interface HeldLock {
  /** `schema.table`. */
  readonly relation: string;
  readonly holders: string;
  /** Whether nobody knows that the request needs the relation. */
  readonly isGuess: boolean;
  /** Whether the caller can read it. */
  readonly isReadable: boolean;
  /** Whether the caller may know who holds the lock. */
  readonly isTold: boolean;
}

/** Another session holds a lock, e.g. for DDL. `detail`: for the log. */
export function lockedByOther(cause: unknown, held?: HeldLock, detail?: string): GatewayError {
  const holders = held && `The lock on ${held.relation} is held by ${held.holders}`;
  const said = `Another session has locked ${lockedWords(held)}: try again`;
  return new GatewayError("UNAVAILABLE", held?.isTold ? `${said}. ${holders}` : said, {
    cause,
    detail: [detail, holders].filter(Boolean).join(". ") || undefined,
  });
}

function lockedWords(held: HeldLock | undefined): string {
  if (held && !held.isGuess) return held.relation;
  return held?.isReadable ? `what this needs, perhaps ${held.relation}` : "what this needs";
}

/** Another session changes the definitions of what a request needs. */
export function changedByOther(cause: unknown, detail?: string): GatewayError {
  return new GatewayError("UNAVAILABLE", "Another session is changing what this needs: try again", { cause, detail });
}

function severityOf(error: unknown): unknown {
  return error instanceof GatewayError ? severityOf(error.cause) : (error as { severity?: unknown }).severity;
}

/** Whether PL/pgSQL has raised it: code may raise any SQLSTATE, and the connection is sound. */
function isRaised(error: unknown): boolean {
  return routineOf(error) === "exec_stmt_raise";
}

function routineOf(error: unknown): unknown {
  return error instanceof GatewayError ? routineOf(error.cause) : (error as { routine?: unknown } | undefined)?.routine;
}

/** Whether the server shuts down, has crashed, or takes no connections yet (57P01 to 57P03). */
export function isServerGoing(error: unknown): boolean {
  return /^57P0[123]$/.test(sqlstateOf(error) ?? "") && !ofStatement(error);
}

/** node-postgres' own message where PostgreSQL asks for a password and the connection string has none. */
const WITHOUT_PASSWORD = /^SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a/;

/** The operator's message for a connection string without the password PostgreSQL asks for; else undefined. */
export function passwordMissing(error: unknown): string | undefined {
  if (!(error instanceof Error && WITHOUT_PASSWORD.test(error.message))) return undefined;
  return "PostgreSQL asks for a password: give it in the connection string (DATABASE_URL), or in PGPASSWORD";
}

/** Whether only the statement has failed: what ends a session is FATAL. */
function ofStatement(error: unknown): boolean {
  return severityOf(error) === "ERROR" || isRaised(error);
}

/** Whether the connection is lost or unusable, so that it must not go back to its pool. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: unknown }).code;
  if (isTooLong(error) || isPreparedLost(error)) return true;
  if (isDatabaseError(error)) return /^(08|57P)/.test(error.code) && !ofStatement(error);
  return (typeof code === "string" && CONNECTION_FAILURE.test(code)) || CONNECTION_LOST.test(error.message);
}

/**
 * PostGIS' messages about geometries: an unknown system, a geometry that crosses itself, an edge halfway round the earth,
 * solids.
 */
const OF_GEOMETRIES = [
  "^transform: ",
  "^Cannot find SRID",
  ": Operation on mixed SRID ",
  "^parse error - invalid geometry",
  "^geometry ",
  "^GEOS\\w+: ",
  "^\\w+ argument geometry could not be converted to GEOS",
  "^Antipodal ",
  "^Unknown geometry type: ",
];

/** Messages of PostGIS and PostgreSQL about the caller's own values, under a SQLSTATE that other errors use too. */
const CALLERS_FAULT: Readonly<Record<string, RegExp>> = {
  XX000: new RegExp(OF_GEOMETRIES.join("|")),
  "42704": /^(could not find jsonpath variable|text search configuration )/,
};

/** The number of the parameter whose value PostgreSQL cannot read. Its context ends with the number, in any language. */
export function parameterOf(error: unknown): number | undefined {
  const { where } = error as { readonly where?: unknown };
  const [, number] = (typeof where === "string" && /\$(\d+)/.exec(where.slice(where.lastIndexOf("\n") + 1))) || [];
  return number === undefined ? undefined : Number(number);
}

/** Syntax errors, and invalid or too long names. */
const OF_A_TEXT: ReadonlySet<string> = new Set([SQLSTATE.syntaxError, "42602", "42622"]);

/**
 * Whether PostgreSQL cannot read a value. The functions that read the values of a type raise any SQLSTATE that their authors
 * chose; for values of parameters the context tells. Elsewhere an unreadable text has no position in the statement, while a
 * syntax error of the statement has one.
 */
export function isOfValue(error: unknown): boolean {
  const state = sqlstateOf(error);
  if (state === undefined) return false;
  if (state.startsWith("22") || parameterOf(error) !== undefined) return true;
  const { position, internalPosition, where } = error as Readonly<Record<string, unknown>>;
  return OF_A_TEXT.has(state) && (position ?? internalPosition ?? where) === undefined;
}

/**
 * Whether a value may be the cause: only reading the values again can tell. PostgreSQL's errors about the statement have a
 * position and no context. 42501 is about rights.
 */
export function mayBeOfValue(error: unknown): boolean {
  const { position, where } = error as Readonly<Record<string, unknown>>;
  const isOfStatement = position !== undefined && where === undefined;
  return !isOfStatement && /^(22|0A|3F|42(?!501)|54|XX000)/.test(sqlstateOf(error) ?? "");
}

/** Whether the statement itself calls a function that is gone, or that has become one of two which fit the call equally. */
export function isOutdatedCall(error: unknown): boolean {
  const { position, where, routine } = error as Readonly<Record<string, unknown>>;
  const isOfStatement = position !== undefined && where === undefined;
  const states: readonly unknown[] = [SQLSTATE.undefinedFunction, SQLSTATE.ambiguousFunction];
  return isOfStatement && routine === "ParseFuncOrColumn" && states.includes(sqlstateOf(error));
}

/** Files of Citus' source, and words of its messages: it refuses under SQLSTATEs of PostgreSQL, which has no such files and words. */
const CITUS_FILE =
  /^(multi_\w+|merge_planner|query_pushdown_planning|insert_select_planner|recursive_planning|distributed_\w+|citus_\w+|relation_access_tracking|shard_pruning)\.c$/;
const CITUS_WORDS =
  /\b(distributed (table|relation|quer|column)|distribution column|reference table|shards?|co-?located|citus)\b/i;

/** The context that Citus gives the error of a node. */
const ON_SHARD = /^while executing command on /m;

/**
 * Messages of Citus, under SQLSTATEs that others use too: a node has gone away. In the last moment nobody knows whether it has
 * committed; before that, also on a connection that Citus kept, nothing is written.
 */
const NODE_LOST =
  /^(could not commit transaction (for shard|on any active node)|failed to prepare transaction '|failure on connection marked as essential: )/;

const INTERNAL_ERROR = "XX000";

/** Whether Citus cannot run a statement over its shards, which is neither a fault nor a bad value. */
function isNotDistributable(error: Error & { readonly code: string }): boolean {
  const { file, where } = error as { readonly file?: unknown; readonly where?: unknown };
  const isOfCitus = typeof file === "string" && CITUS_FILE.test(file);
  // a function that the coordinator has, and the shard not
  if (error.code === SQLSTATE.undefinedFunction) return typeof where === "string" && ON_SHARD.test(where);
  if (error.code === INTERNAL_ERROR) return isOfCitus; // what it says without a SQLSTATE of its own
  if (error.code !== SQLSTATE.featureNotSupported || isRaised(error)) return false;
  return isOfCitus || CITUS_WORDS.test(error.message);
}

/** A policy of Portolan; its name has the numbers of the rules with filters. */
const OWN_POLICY =
  /^new row violates row-level security policy "portolan_(rules|workflow)_((?:\d+_)*)\w*"(?: \(USING expression\))? for table (".*")$/;

/** PostgreSQL's messages of violated constraints of tables; a message that code of a team raises is none. */
const VIOLATION =
  /^(duplicate key value violates unique constraint|conflicting key value violates exclusion constraint|null value in column ".*" of relation|new row for relation|(insert or update|update or delete) on table) "/;
const OF_CONSTRAINT = /constraint "(.*)"$/;
const OF_COLUMN = /^null value in column "(.*)" of relation /;

interface Violation {
  readonly message: string;
  readonly table?: string;
  readonly column?: string;
  readonly constraint?: string;
}

/**
 * The message of a violated constraint, with its name or the column that must not be null. In the message of a node of Citus
 * names end with the number of a shard (`sites_name_key_102008`), and the coordinator passes on nothing but the message.
 */
export function violated(error: Violation): Violation {
  if (error.table !== undefined || !VIOLATION.test(error.message)) return error;
  const message = error.message.replaceAll(/_\d{6,}"/g, '"');
  const [, constraint] = OF_CONSTRAINT.exec(message) ?? [];
  const [, column] = OF_COLUMN.exec(message) ?? [];
  return { message, ...(constraint && { constraint }), ...(column && { column }) };
}

/**
 * PostgreSQL's message; a policy of Portolan is replaced by its rules, and an object in use gets the names of what uses it.
 */
function inWords(error: Error & { readonly code: string; readonly detail?: string }): string {
  const { code, detail } = error;
  const { message } = code.startsWith("23") ? violated(error) : error;
  if (code === "2BP01" && detail) return `${message}: ${detail.replaceAll("\n", "; ")}`;
  const [, of, numbers = "", table] = OWN_POLICY.exec(message) ?? [];
  if (of === undefined) return message;
  if (of === "workflow") return `the workflow of ${table} does not let the account write such a row`;
  const rules = numbers.split("_").filter(Boolean);
  const named = rules.length === 0 ? "" : ` (rule${rules.length > 1 ? "s" : ""} ${rules.join(", ")})`;
  return `the rules do not let the account write such a row into ${table}${named}`;
}

/** Thrown where a request was planned on outdated facts, before anything of it is shown or kept. */
export class Changed extends Error {}

/** Whether the role of the session is gone. An account of that name that was made since has another one. */
export function isRoleGone(error: unknown): boolean {
  const { cause, routine } = (error ?? {}) as { readonly cause?: unknown; readonly routine?: unknown };
  return routine === "GetUserNameFromId" || (error instanceof GatewayError && cause !== undefined && isRoleGone(cause));
}

/** The caller has no role any more: the account was removed while the request ran. */
export function roleGone(cause: unknown): GatewayError {
  return new GatewayError("UNAUTHENTICATED", "The role of this account cannot be used", { cause });
}

function fromPostgres(error: Error & { code: string }): GatewayError | undefined {
  const state = error.code;
  if (isRoleGone(error)) return roleGone(error);
  if (isLockTimeout(error)) return lockedByOther(error);
  if (isRefusedLock(error))
    return new GatewayError("UNAVAILABLE", error.message, { cause: error, detail: detailOf(error) });
  if (isChanging(error) || (isOutdatedPlan(error) && !isRaised(error))) return changedByOther(error);
  if (NODE_LOST.test(error.message)) return new GatewayError("UNAVAILABLE", undefined, { cause: error });
  if (isNotDistributable(error))
    return new GatewayError("NOT_DISTRIBUTABLE", error.message, { cause: error, sqlstate: state });
  const isWithoutOperator = (error as { routine?: unknown }).routine === "op_error"; // of a filter: its type has none
  if (isOfValue(error) || isWithoutOperator || CALLERS_FAULT[state]?.test(error.message))
    return new GatewayError("BAD_USER_INPUT", error.message, { cause: error, sqlstate: state });
  const known = SQLSTATES[state] ?? SQLSTATES[state.slice(0, 3)] ?? SQLSTATES[state.slice(0, 2)];
  const rule = isRaised(error) && !known?.show ? SQLSTATES["P0001"] : known;
  if (!rule) return undefined;
  return new GatewayError(rule.code, rule.show ? inWords(error) : undefined, {
    cause: error,
    ...(rule.show ? { sqlstate: state } : {}),
    ...(rule.code === "INSUFFICIENT_USER_AUTHENTICATION" && { headers: FACTOR_CHALLENGE }),
  });
}

/** Errors of the package that serves files have a status. */
function fromHttp(error: Error & { status: number }): GatewayError | undefined {
  const codes: Record<number, ErrorCode> = { 400: "BAD_USER_INPUT", 413: "TOO_LARGE", 415: "UNSUPPORTED_MEDIA_TYPE" };
  const code = codes[error.status];
  return code && new GatewayError(code, undefined, { cause: error });
}

function isPoolClosed(error: unknown): boolean {
  return error instanceof Error && POOL_CLOSED.test(error.message);
}

/** A value from PostgreSQL that no string can hold (512 MB). */
function isTooLong(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === "ERR_STRING_TOO_LONG";
}

/**
 * Converts any thrown value to an error of the table. An unexpected one becomes `INTERNAL` with an `errorId`: the caller
 * gets the id instead of the message, and the log gets both.
 */
export function toGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  const known =
    (isTooLong(error) && new GatewayError("LIMIT_EXCEEDED", "The answer is too large", { cause: error })) ||
    (isDatabaseError(error) && fromPostgres(error)) ||
    ((isConnectionLost(error) || isPoolClosed(error)) &&
      new GatewayError("UNAVAILABLE", undefined, { cause: error })) ||
    (error instanceof Changed &&
      new GatewayError("UNAVAILABLE", `The data behind this answer keeps changing (${error.message})`, {
        cause: error,
      })) ||
    (error instanceof Error &&
      typeof (error as { status?: unknown }).status === "number" &&
      fromHttp(error as Error & { status: number }));
  if (known) return known;
  return new GatewayError("INTERNAL", undefined, { cause: error, members: { errorId: randomUUID() } });
}

/** Whether the operator must know of it: the service has failed, not the caller. */
export function isServerFault(error: GatewayError): boolean {
  return error.status >= 500;
}

/** A deliberate 503 of the gateway, under load or while it starts and stops: nothing has failed behind it. */
export function isMeant(error: GatewayError): boolean {
  return isForNow(error.code) && error.cause === undefined && error.detail === undefined;
}

// Renderers: one per wire --------------------------------------------------------------------------

export interface GraphqlErrorBody {
  readonly message: string;
  readonly extensions: { readonly code: string; readonly sqlstate?: string; readonly [member: string]: unknown };
}

const GRAPHQL_CODES: ReadonlySet<string> = new Set([
  "BAD_USER_INPUT",
  "FORBIDDEN",
  "UNTRUSTED_CODE",
  "NOT_DISTRIBUTABLE",
  "UNAUTHENTICATED",
  "INSUFFICIENT_USER_AUTHENTICATION",
  "CONFLICT",
  "REPEATED",
  "NOT_FOUND",
  "LIMIT_EXCEEDED",
  "PERSISTED_QUERY_NOT_FOUND",
  "PERSISTED_QUERY_NOT_SUPPORTED",
  "TIMEOUT",
  "UNAVAILABLE",
  "ACCOUNT_BUSY",
  "INTERNAL",
]);

/** Message and `extensions` of an entry in `errors`; `locations` and `path` are the GraphQL engine's. */
export function toGraphqlError(error: GatewayError): GraphqlErrorBody {
  const code = GRAPHQL_CODES.has(error.code) ? error.code : error.status >= 500 ? "INTERNAL" : "BAD_USER_INPUT";
  const sqlstate = error.sqlstate === undefined ? {} : { sqlstate: error.sqlstate };
  return { message: error.message, extensions: { code, ...sqlstate, ...error.members } };
}

export interface Problem {
  readonly type: "about:blank";
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly message: string;
  readonly [member: string]: unknown;
}

/** The body of `application/problem+json` (RFC 9457). `message` equals `detail`; `code` is one of the table. */
export function toProblem(error: GatewayError): Problem {
  return {
    type: "about:blank",
    // taken here: an import of it costs a command, which has no use for it, 30 ms
    title: process.getBuiltinModule("node:http").STATUS_CODES[error.status] ?? error.code,
    status: error.status,
    detail: error.message,
    code: error.code,
    message: error.message,
    ...(error.sqlstate === undefined ? {} : { sqlstate: error.sqlstate }),
    ...error.members,
  };
}

export interface JsonRpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** JSON-RPC 2.0 §5.1; the message is the standard's, our own message is in `data`. */
const JSON_RPC_CODES: Readonly<Partial<Record<ErrorCode, readonly [code: number, message: string]>>> = {
  PARSE_ERROR: [-32700, "Parse error"],
  INVALID_REQUEST: [-32600, "Invalid Request"],
  METHOD_NOT_FOUND: [-32601, "Method not found"],
  INVALID_PARAMS: [-32602, "Invalid params"],
  NOT_DISTRIBUTABLE: [-32602, "Invalid params"],
  REPEATED: [-32600, "Invalid Request"],
  ROLLED_BACK: [-32000, "rolled back"],
};

/** The `error` of a JSON-RPC response. A caller that lacks a right gets the SQLSTATE and nothing else. */
export function toJsonRpcError(error: GatewayError): JsonRpcError {
  const known = JSON_RPC_CODES[error.code];
  const [code, message] = known ?? [-32603, "Internal error"];
  const sqlstate = sqlstateOf(error);
  if (sqlstate === SQLSTATE.insufficientPrivilege) return { code, message, data: { sqlstate } };
  const telling = !["ROLLED_BACK", "METHOD_NOT_FOUND", "INTERNAL"].includes(error.code);
  const said = telling ? { detail: error.message } : {};
  // to be told from a failure of the service, or from a parameter of a wrong value
  const named = ["ACCOUNT_BUSY", "NOT_DISTRIBUTABLE", "REPEATED", "UNAVAILABLE"].includes(error.code)
    ? { code: error.code }
    : {};
  const data = { ...(sqlstate !== undefined && { sqlstate }), ...error.members, ...named, ...said };
  return { code, message, ...(Object.keys(data).length > 0 && { data }) };
}

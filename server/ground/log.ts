/** JSON logs, one line each, on stderr: stdout is for the output of commands. */
import { pino, stdSerializers, type Logger } from "pino";
import { isMeant, isServerFault, type GatewayError } from "./errors.ts";
import { LogLines } from "./logLines.ts";

export interface Log extends Logger {
  /** Receives each failure too. */
  onFailure?: (error: GatewayError, requestId: string | undefined) => void;
}

const STDERR = new LogLines(2);

/** Members that are never logged, at any depth. */
const SECRET = /(password|secret|token|authorization|cookie|code_verifier)/i;

/** `level`: pino's names; `silent` for none. Errors are logged with their cause chain, without the driver's internals. */
export function createLog(level: string): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }), log: redact },
      serializers: { err: withoutStatement },
    },
    STDERR,
  );
}

/** An error with its causes, without its statement, which holds values. */
function withoutStatement(error: Error): object {
  const serialized = stdSerializers.errWithCause(error) as unknown;
  if (typeof serialized !== "object" || serialized === null) return { message: String(error) };
  for (let level = serialized as Record<string, unknown>; level; level = level["cause"] as Record<string, unknown>)
    for (const member of ["query", "params", "internalQuery"]) delete level[member];
  return serialized;
}

function redact(entry: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(entry).map(([key, value]) => [key, SECRET.test(key) ? "[redacted]" : value]),
  );
}

/**
 * Logs failures of the service with their causes. Errors of callers are in the request's own line. A deliberate 503 is a
 * warning without a stack, because there may be many under load. `place`: the step of the request that failed.
 */
export function logFailure(log: Log, error: GatewayError, requestId: string | undefined, place: object = {}): void {
  const { code, detail, members, message } = error;
  log.onFailure?.(error, requestId);
  if (isMeant(error)) log.warn({ requestId, code, detail: message, ...place }, "refused");
  else if (isServerFault(error))
    log.error({ requestId, code, detail, ...place, ...members, err: error.cause ?? error }, "failure");
}

/** JSON logs, one line each, on stderr: stdout belongs to what a person or a script asked for. */
import { pino, stdSerializers, type Logger } from "pino";

export type Log = Logger;

const FLUSH_INTERVAL_MS = 100;

/** Members that never reach a log line, wherever they stand. */
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
    // a write for every line would cost a tenth of the time of a small request; what is buffered goes out at exit too
    pino.destination({ dest: 2, sync: false, minLength: 4096, periodicFlush: FLUSH_INTERVAL_MS }),
  );
}

/** An error with its causes, without the statement that it came from: there are values in it. */
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

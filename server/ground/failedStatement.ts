/** The SQL that PostgreSQL refused, kept with its error: its message names a table, and not what was asked of it. */

const texts = new WeakMap<object, string>();

export function noteStatement(error: unknown, text: string): void {
  if (typeof error === "object" && error !== null && !texts.has(error)) texts.set(error, text);
}

/** Of the error, or of what caused it. */
export function failedStatement(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const text = texts.get(cause);
    if (text !== undefined) return text;
  }
  return undefined;
}

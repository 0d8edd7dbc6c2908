/** Settings of a session as SQL. */
import { quoteLiteral } from "./quote.ts";

/** Name and value of a setting of PostgreSQL. */
export type Setting = readonly [name: string, value: string];

/** The longest wait for a lock. It never replaces a shorter one that the session has from the server, the database or the role. */
export const LOCK_LIMIT = "lock_timeout";

export function lockLimit(ms: number): Setting {
  return [LOCK_LIMIT, `${ms}ms`];
}

/** The value of the setting: a parameter, for the longest wait for a lock no longer than that of the session. */
function valueOf(name: string, parameter: string): string {
  if (name !== LOCK_LIMIT) return parameter;
  const own = `pg_catalog.current_setting('${LOCK_LIMIT}')`;
  const shown = `${parameter}::pg_catalog.text`;
  return `case when ${own} operator(pg_catalog.=) '0' then ${shown} when ${own}::pg_catalog.interval operator(pg_catalog.<=) ${shown}::pg_catalog.interval then ${own} else ${shown} end`;
}

/** PostgreSQL's limit for the arguments of a function. */
const MAX_ARGUMENTS = 100;

/** An expression that sets them to the parameters from `first` on, and gives a number. `isLocal`: for the transaction. */
export function setting(
  names: readonly string[],
  { first, isLocal }: { readonly first: number; readonly isLocal: boolean },
): string {
  const calls = names.map(
    (name, at) => `pg_catalog.set_config(${quoteLiteral(name)}, ${valueOf(name, `$${at + first}`)}, ${isLocal})`,
  );
  const counted: string[] = []; // so that no setting is returned
  for (let at = 0; at < calls.length; at += MAX_ARGUMENTS)
    counted.push(`pg_catalog.num_nonnulls(${calls.slice(at, at + MAX_ARGUMENTS).join(", ")})`);
  return counted.join(" + ");
}

/** Numbers of long SQL texts, so that keys stay short. */
const numbers = new Map<string | undefined, number>();

/** The number of a text, the same for the same text. */
export function numberOf(text: string | undefined): number {
  let number = numbers.get(text);
  if (number === undefined) numbers.set(text, (number = numbers.size));
  return number;
}

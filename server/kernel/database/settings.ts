/** Settings of a session as SQL. */
import { quoteLiteral } from "./quote.ts";

/** Name and value of a setting of PostgreSQL. */
export type Setting = readonly [name: string, value: string];

/** PostgreSQL's limit for the arguments of a function. */
const MAX_ARGUMENTS = 100;

/** An expression that sets them to the parameters from `first` on, and gives a number. `isLocal`: for the transaction. */
export function setting(
  names: readonly string[],
  { first, isLocal }: { readonly first: number; readonly isLocal: boolean },
): string {
  const calls = names.map((name, at) => `pg_catalog.set_config(${quoteLiteral(name)}, $${at + first}, ${isLocal})`);
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

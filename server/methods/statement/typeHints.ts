/** The types that `type_hints` name, as PostgreSQL looks them up. */
import type { Transaction } from "../../kernel/database/database.ts";

export interface TypeHint {
  /** The name of the parameter or column. */
  readonly name: string;
  /** The hint as it was given. */
  readonly hint: string;
  /** The type; null where the hint names no type that a value can have. */
  readonly oid: number | null;
  /** The type as PostgreSQL writes its name. */
  readonly sql: string | null;
}

/** In the order given. */
export async function readHints(
  transaction: Transaction,
  hints: readonly (readonly [name: string, hint: string])[],
): Promise<readonly TypeHint[]> {
  if (hints.length === 0) return [];
  const { rows } = await transaction.query<Pick<TypeHint, "oid" | "sql">>({
    text: `
select t.type::pg_catalog.oid as oid, t.type::pg_catalog.text as sql
from pg_catalog.unnest($1::pg_catalog.text[]) with ordinality as h (hint, n)
  cross join lateral portolan.hinted_type(h.hint) as t (type)
order by h.n`,
    values: [hints.map(([, hint]) => hint)],
  });
  return hints.map(([name, hint], index) => ({ name, hint, ...rows[index]! }));
}

/** The error for a hint that names no type. */
export function noTypeOf(name: string, hint: string): string {
  return `type_hints: ${name}: ${JSON.stringify(hint)} is not a type of values`;
}

/** What ends with a request that has run code which is not PostgreSQL's, Portolan's or an extension's. */
import type { Cleanup } from "./session.ts";
import type { Wire } from "./wire/wire.ts";

/** PostgreSQL's word for the last statement of `RESET` where SQL has prepared nothing. */
const NONE_BY_SQL = "SELECT 0";
/** Variables of plperl and the like end with the connection alone. */
const MOST_REQUESTS = 1000;

/**
 * What DISCARD ALL does, but for the prepared statements: they are the gateway's, and cost their planning again. SQL can
 * replace one by PREPARE, which the last statement tells; such a connection is closed.
 */
export const RESET: Cleanup = {
  ready: () => Promise.resolve(),
  text: `close all; set session authorization default; reset all; unlisten *; discard temp; discard sequences;
select pg_catalog.pg_advisory_unlock_all();
select from pg_catalog.pg_prepared_statements p where p.from_sql limit 1`,
  apart: false,
  isSpoilt: (words, wire) => words.at(-1) !== NONE_BY_SQL || count(wire) >= MOST_REQUESTS,
};

const counts = new WeakMap<Wire, number>();

function count(wire: Wire): number {
  const counted = (counts.get(wire) ?? 0) + 1;
  counts.set(wire, counted);
  return counted;
}

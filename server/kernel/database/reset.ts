/** The settings and locks that end with a request that has run code which is not PostgreSQL's, Portolan's or an extension's. */
import type { Cleanup } from "./session.ts";
import type { Wire } from "./wire/wire.ts";

/** Variables of plperl and the like end with the connection alone. */
const MOST_REQUESTS = 1000;

/**
 * Does what DISCARD ALL does, but keeps the prepared statements of the gateway, because planning them again is costly.
 * SQL can replace one by PREPARE, or deallocate one: the last statement counts all of them and those that SQL has
 * prepared. Where the counts are not the gateway's, the connection is closed.
 */
export const RESET: Cleanup = {
  ready: () => Promise.resolve(),
  text: `close all; set session authorization default; reset all; unlisten *; discard temp; discard sequences;
select pg_catalog.count(*), pg_catalog.count(*) filter (where p.from_sql), pg_catalog.pg_advisory_unlock_all()
from pg_catalog.pg_prepared_statement() p`,
  apart: false,
  isSpoilt: ([all, bySql], wire) => Number(all) !== wire.preparedCount || bySql !== "0" || count(wire) >= MOST_REQUESTS,
};

/**
 * The same behind a pooler in transaction mode: whose code ran before on the connection of the pooler is not known, so plans
 * that functions have made end too.
 */
export const RESET_POOLED: Cleanup = { ...RESET, text: `discard plans; ${RESET.text}` };

const counts = new WeakMap<Wire, number>();

function count(wire: Wire): number {
  const counted = (counts.get(wire) ?? 0) + 1;
  counts.set(wire, counted);
  return counted;
}

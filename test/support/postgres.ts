/** The features of the tests' PostgreSQL: some are newer than the oldest version that Portolan supports. */
import { findPostgres } from "../../server/setup/programs.mjs";

const MAJOR = findPostgres()?.major ?? 0;

export const HAS_MERGE = MAJOR >= 15;
/** `grant … granted by` may name a role that has no right to grant. */
export const GRANTS_FOR_OTHERS = MAJOR < 16;
/** A membership says itself whether its member inherits, and may become the role. Before, the member says the former. */
export const MEMBERSHIPS_SAY = MAJOR >= 16;
export const HAS_SECURITY_INVOKER = MAJOR >= 15;
/** The clause after the name of a view that reads with its caller's rights; empty if PostgreSQL has none. */
export const SECURITY_INVOKER = HAS_SECURITY_INVOKER ? "with (security_invoker)" : "";

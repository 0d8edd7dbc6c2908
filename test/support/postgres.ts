/** What the PostgreSQL of the tests knows: some of it came later than the oldest one that Portolan works with. */
import { findPostgres } from "../../server/setup/programs.mjs";

const MAJOR = findPostgres()?.major ?? 0;

export const HAS_MERGE = MAJOR >= 15;
export const HAS_SECURITY_INVOKER = MAJOR >= 15;
/** What follows the name of a view that reads as whoever asks; nothing where there are none. */
export const SECURITY_INVOKER = HAS_SECURITY_INVOKER ? "with (security_invoker)" : "";

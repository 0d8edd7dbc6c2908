/** Settings that PostgreSQL gets when a connection starts, for each kind of connection. */
import type { Setting } from "./settings.ts";

/**
 * Compiling a statement (JIT) takes longer than running it where the gateway writes the statement: the catalogue, rights,
 * pages of rows and geometries look expensive to the planner, but are not. Reading 1,200 collections took 3.4 s with it
 * and takes 0.3 s (`bench/catalogue.ts`), a box of 1,000 features 41 ms and 35 ms; the count of half a million rows 73 ms
 * and 79 ms. It helps where many rows are reckoned with, by a twelfth, which is SQL that somebody wrote: there the
 * database's own setting holds.
 */
export const JIT_OFF = ["jit", "off"] as const;
/** The same for the connection of a command, which reads the catalogue too. */
export const SET_JIT_OFF = `set ${JIT_OFF.join(" = ")}`;

/** The setting of `portolan.shards_in_turn`, for a command that changes rights. It has no effect without Citus. */
export const SHARDS_IN_TURN = "set citus.multi_shard_modify_mode = 'sequential'";

/**
 * For the connection of a command, before any statement that has a name in it. The owner of a database may give it another
 * search_path, with functions and types of his own before PostgreSQL's.
 */
export const SET_SEARCH_PATH = "set search_path = pg_catalog, pg_temp";

type Settings = readonly Setting[];

/** Our functions, and the driver that writes values into a text, need `standard_conforming_strings`. */
const STANDARD_STRINGS: Settings = [
  ["standard_conforming_strings", "on"],
  ["backslash_quote", "off"],
];

const SETTINGS = {
  /**
   * For the gateway's own queries: accounts, keys, catalogue, events. Their search_path is fixed, so that an operator
   * planted in `public` never runs as the gateway's login.
   */
  own: [
    ...STANDARD_STRINGS,
    JIT_OFF,
    ["search_path", "pg_catalog"],
    ["statement_timeout", "10s"],
    ["lock_timeout", "500ms"],
  ],
  /** Statements that the gateway writes for a request. */
  requests: [...STANDARD_STRINGS, JIT_OFF],
  /** For a caller's own SQL: fixed output formats and string syntax, because the gateway reads values as text. */
  ownSql: [
    ["intervalstyle", "postgres"],
    ["bytea_output", "hex"],
    ["extra_float_digits", "1"],
    ["standard_conforming_strings", "on"],
  ],
} satisfies Record<string, Settings>;

/**
 * The start-up parameter `options` of a connection of this kind; of `more` the last of a name holds. MapServer's, which are the
 * caller's: ogc/mapConnection.ts.
 */
export function startOptions(kind: keyof typeof SETTINGS, more: Settings = []): string {
  return optionsOf([...SETTINGS[kind], ...more]);
}

/** Settings as the start-up parameter `options` has them: white space parts them, a backslash keeps what follows it. */
export function optionsOf(settings: Settings): string {
  return settings.map(([name, value]) => `-c ${`${name}=${value}`.replace(/[\s\\]/g, "\\$&")}`).join(" ");
}

/** The beginning of a request's transaction where its connection cannot be set up at its start. */
export function startSettings(): Settings {
  return SETTINGS.requests;
}

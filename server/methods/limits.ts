/**
 * The limits of a stored method. REST and the command line read them here (definition.ts, statement.ts). `npm run docs`
 * generates sql/methods/method_limits.sql from them, with which the database applies the same limits to every writer of
 * portolan.methods. The patterns mean the same in JavaScript and in PostgreSQL.
 */
import { OUTPUT_FORMATS } from "../formats/names.ts";

const WORD = "[A-Za-z0-9_$]+";
const QUOTED = '"[^"]+"';
const NUMBER = " *-?[0-9]+ *";

export const METHOD_LIMITS = {
  name: "^[A-Za-z_][A-Za-z0-9_.-]{0,99}$",
  /** In whatever letters; JSON-RPC 2.0 §8. */
  reservedName: "^[Rr][Pp][Cc]\\.",
  /** The parser takes time for each byte, and blocks other requests meanwhile. */
  statementBytes: 100_000,
  /** Nesting of parentheses and brackets. */
  statementDepth: 200,
  /** `numeric(10, 2)`, `world.hemisphere`, `"odd name"[]`: no more than a name, for PostgreSQL to look up. */
  typeName: `^(?:(?:${WORD}|${QUOTED}) *\\. *)?(?:${WORD}(?: ${WORD})*|${QUOTED})(?: *\\(${NUMBER}(?:,${NUMBER})?\\))?(?: with(?:out)? time zone)?(?: *\\[\\])*$`,
  /** Characters of the name of a type, and of a pattern of dates. */
  textLength: 200,
  descriptionLength: 10_000,
  outputFormats: OUTPUT_FORMATS,
  /** Member → the least and the greatest. */
  integers: {
    srs: [1, 998_999],
    timeout_ms: [1, 86_400_000],
    max_rows: [1, 2_147_483_647],
    cache_seconds: [0, 86_400],
  },
} as const;

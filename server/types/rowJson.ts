/** PostgreSQL's text of a value → JSON text, without asking PostgreSQL, for the types where that is plain. */

/** Gives the JSON text of a value that is not null. */
export type ToJson = (text: string) => string;

/** What must be right as JSON is looked at: DDL may have made the column another one than the caller knows. */
const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/;
const NOT_FINITE = /^(NaN|-?Infinity)$/;
const asString: ToJson = (text) => JSON.stringify(text);
const asNumber: ToJson = (text) => (NUMBER.test(text) ? text : asString(text));

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

export const toJson = {
  string: asString,
  /** NaN and the infinities are strings, as PostgreSQL's `to_json` has them. */
  number: asNumber,
  /** NaN and the infinities are null. */
  finite: ((text) => (NOT_FINITE.test(text) ? "null" : asNumber(text))) satisfies ToJson as ToJson,
  boolean: ((text) => (text === "t" ? "true" : text === "f" ? "false" : asString(text))) satisfies ToJson as ToJson,
  /** json and jsonb */
  json: ((text) => (isJson(text) ? text : asString(text))) satisfies ToJson as ToJson,
  /** `2024-01-02 03:04:05.6+00` → `"2024-01-02T03:04:05.6+00:00"`, as PostgreSQL writes it in JSON. */
  timestamp: ((text) =>
    asString(text.replace(" ", "T").replace(/([+-]\d\d)(?= |$)/, "$1:00"))) satisfies ToJson as ToJson,
};

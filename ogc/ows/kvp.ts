/** The query of a classic request: names in any letter case, each once. */
import { exception } from "./exception.ts";

/** The values by name in lower case. */
export type Kvp = ReadonlyMap<string, string>;

/** Reads the query. OGC 06-121r3 §11.5.2: names are not case sensitive. Throws where a name is given twice. */
export function readKvp(query: URLSearchParams): Kvp {
  const kvp = new Map<string, string>();
  for (const [written, value] of query) {
    const name = written.toLowerCase();
    if (kvp.has(name)) throw exception("InvalidParameterValue", `${name.toUpperCase()}: is given twice`, name);
    kvp.set(name, value);
  }
  return kvp;
}

/** The first value of a name, for the answer to a request that may be invalid. */
export function peek(query: URLSearchParams, name: string): string | undefined {
  for (const [written, value] of query) if (written.toLowerCase() === name) return value;
  return undefined;
}

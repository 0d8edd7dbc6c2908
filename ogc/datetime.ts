/** `datetime`: which version of a collection that keeps its history. On others it changes nothing. */
import type { Collection } from "./collections.ts";
import type { Parameters } from "./parameters.ts";

/**
 * The instant as of which a request reads; undefined: now. Of an interval, where those are accepted, it is the end: what
 * was there last.
 */
export function instantOf({ datetime }: Parameters): string | undefined {
  return datetime?.kind === "interval" ? datetime.end : datetime?.instant;
}

/** The header `Content-Datetime`, where one of the collections keeps its history. */
export function contentDatetime(collections: readonly Collection[]): Readonly<Record<string, string>> {
  const versioned = collections.find(({ since }) => since !== undefined);
  return versioned ? { "Content-Datetime": versioned.instant ?? new Date().toISOString() } : {};
}

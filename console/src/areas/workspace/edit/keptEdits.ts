/** Unsaved edits of a layer, kept by the browser until they are saved or discarded. */
import { KEPT } from "../../../service/http/session.ts";
import { keep } from "../../../ui/hooks/useKept.ts";
import type { Edit, Edits } from "./edits.ts";

/** Edits that were sent to the service, which did not answer. */
export interface Sent {
  readonly edits: Edits;
  /** The keys of the rows that were there before. */
  readonly known: ReadonlySet<string>;
  /** Whichever edits are sent with it, they are written once. */
  readonly key: string;
}

export interface KeptEdits {
  readonly edits: Edits;
  readonly sent: Sent | undefined;
}

type Entries = readonly (readonly [string, Edit])[];

interface Stored {
  readonly edits: Entries;
  readonly sent?: { readonly edits: Entries; readonly known: readonly string[]; readonly key: string };
}

/** `collection`: as `schema.table`. */
const nameOf = (collection: string): string => `${KEPT}map-edits:${collection}`;

export function keepEdits(collection: string, { edits, sent }: KeptEdits): void {
  const stored: Stored = {
    edits: [...edits],
    ...(sent && { sent: { edits: [...sent.edits], known: [...sent.known], key: sent.key } }),
  };
  keep(sessionStorage, nameOf(collection), edits.size === 0 ? undefined : JSON.stringify(stored));
}

export function keptEdits(collection: string): KeptEdits | undefined {
  const text = sessionStorage.getItem(nameOf(collection));
  if (text === null) return undefined;
  const { edits, sent } = JSON.parse(text) as Stored;
  return {
    edits: new Map(edits),
    sent: sent && { edits: new Map(sent.edits), known: new Set(sent.known), key: sent.key },
  };
}

export function hasKeptEdits(collection: string): boolean {
  return sessionStorage.getItem(nameOf(collection)) !== null;
}

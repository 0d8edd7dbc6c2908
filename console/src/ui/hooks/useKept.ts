import { useState } from "react";
import { KEPT } from "../../service/http/session.ts";

/**
 * A text that survives a reload of this window and the end of a sign-in. In `localStorage` it survives the window as
 * well.
 * Setting `undefined` deletes it, so that it is `initial` again. A text that is too large for the browser to store
 * lasts until the page is left.
 */
export function useKept(
  name: string,
  initial: string,
  storage: Storage = sessionStorage,
): readonly [text: string, change: (text: string | undefined) => void] {
  const key = `${KEPT}${name}`;
  const [kept, setKept] = useState<string | undefined>(() => storage.getItem(key) ?? undefined);
  return [
    kept ?? initial,
    (text) => {
      keep(storage, key, text === initial ? undefined : text);
      setKept(text);
    },
  ];
}

/**
 * Stores a text. Undefined deletes it, as does a text that the browser has no room for, since an older one would be
 * wrong.
 */
export function keep(storage: Storage, key: string, text: string | undefined): void {
  storage.removeItem(key);
  if (text === undefined) return;
  try {
    storage.setItem(key, text);
  } catch (error) {
    if (!(error instanceof DOMException && error.name === "QuotaExceededError")) throw error;
  }
}

import { useState } from "react";

/**
 * A text that outlives a reload of this window, a sign-in that has ended too. `undefined` forgets it: then it is `initial`
 * again.
 */
export function useKept(
  name: string,
  initial: string,
): readonly [text: string, change: (text: string | undefined) => void] {
  const key = `portolan:kept:${name}`;
  const [kept, setKept] = useState<string | undefined>(() => sessionStorage.getItem(key) ?? undefined);
  return [
    kept ?? initial,
    (text) => {
      if (text === undefined || text === initial) sessionStorage.removeItem(key);
      else sessionStorage.setItem(key, text);
      setKept(text);
    },
  ];
}
